"""The formulas of the fabric's figures: expression over the terms of a Derivation, and source.

Sizes are GB (10^9 bytes), bandwidths GB/s per direction, latencies microseconds, times seconds unless the unit says
otherwise. An expression is Python syntax with min, max and log2; a test evaluates every one with the terms of
derivations and compares the result.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Formula:
    """An expression over terms, and where it comes from."""

    expression: str
    source: str


NCCL_TESTS: Final = "nccl-tests doc/PERFORMANCE.md"
TUNING: Final = "NCCL src/graph/tuning.cc"
MEGATRON: Final = "Megatron-LM (Narayanan et al. 2021)"
OWN_RULE: Final = "this course: fits seven published RDMA figures within 11 %"

FORMULAS: Final[dict[str, Formula]] = {
    "bandwidth.both-directions": Formula("2 * per_direction", "full duplex"),
    "bandwidth.ratio": Formula("fast / slow", "definition"),
    "bandwidth.all-links": Formula("links * effective", "NCCL src/graph/topo.h"),
    "bandwidth.ring": Formula("narrowest", "a ring runs at its narrowest link"),
    "bandwidth.nvls": Formula("1.3 * busbw", "nccl-tests issues 212 and 290 (480 against 370)"),
    "bandwidth.host-cards": Formula("min(share * cards, gpus * slot)", OWN_RULE),
    "bandwidth.multi-node": Formula("min(intra, cards / oversubscription)", OWN_RULE),
    "bandwidth.published-rule": Formula("min(intra, share * cards)", OWN_RULE),
    "bandwidth.message": Formula("plateau * size / (size + half)", "fit to ml-engineering's B200 table"),
    "bandwidth.wire": Formula("busbw * (nodes - 1) / (gpus - 1)", "share of the ring's steps that leave a node"),
    "bandwidth.bus": Formula("size / time * 2 * (gpus - 1) / gpus", NCCL_TESTS),
    "time.all-reduce": Formula("2 * (gpus - 1) / gpus * size / busbw", NCCL_TESTS),
    "time.one-way": Formula(
        "(gpus - 1) / gpus * size / busbw", f"{NCCL_TESTS} (reduce-scatter, all-gather, all-to-all)"
    ),
    "time.broadcast": Formula("size / busbw", NCCL_TESTS),
    "time.naive": Formula("size / card", "the whole buffer through one card"),
    "time.ring": Formula(
        "(base + intra_steps * intra_latency + net_steps * net_latency) / 1e6 + 2 * (gpus - 1) / gpus * size / busbw",
        f"{NCCL_TESTS}; {TUNING}",
    ),
    "time.tree": Formula(
        "(base + 2 * ((gpus / nodes - 1) * intra_latency + log2(nodes) * net_latency)) / 1e6"
        " + 2 * size / (0.92 * busbw)",
        TUNING,
    ),
    "time.hierarchical-network": Formula("2 * (nodes - 1) / nodes * size / per_node / card", "definition"),
    "time.hierarchical-intra": Formula("2 * (per_node - 1) / per_node * size / intra", "definition"),
    "time.hierarchical": Formula("network + intra", "phases one after the other"),
    "time.hierarchical-overlapped": Formula("max(network, intra)", "phases at the same time"),
    "latency.ring": Formula("base + intra_steps * intra_latency + net_steps * net_latency", TUNING),
    "latency.tree": Formula("base + 2 * ((gpus / nodes - 1) * intra_latency + log2(nodes) * net_latency)", TUNING),
    "volume.data-parallel": Formula("2 * (gpus - 1) / gpus * gradients", "ring all-reduce of the gradients"),
    "volume.zero-3": Formula("3 * (gpus - 1) / gpus * parameters", "ZeRO stage 3: two all-gathers, one reduce-scatter"),
    "volume.tensor": Formula(
        "per_layer * layers * 2 * (gpus - 1) / gpus * batch * sequence * hidden * 2 / 1e9", MEGATRON
    ),
    "volume.pipeline": Formula("boundaries * batch * sequence * hidden * 2 / 1e9", MEGATRON),
    "volume.expert": Formula("4 * layers * (gpus - 1) / gpus * batch * sequence * hidden * 2 / 1e9", "GShard"),
    "time.tensor": Formula(
        "per_layer * layers * 2 * (gpus - 1) / gpus * batch * sequence * hidden * 2 / 1e9 / busbw", MEGATRON
    ),
    "flops.per-token": Formula("6 * parameters + 12 * layers * hidden * sequence", "PaLM appendix B; Megatron-LM"),
    "flops.per-token-6n": Formula("6 * parameters", "Kaplan et al. 2020"),
    "flops.per-token-recomputed": Formula("8 * parameters + 16 * layers * hidden * sequence", "full recomputation"),
    "time.compute": Formula("flops * tokens / rate", "definition"),
    "time.bubble": Formula("(stages - 1) / microbatches * compute", MEGATRON),
    "time.exposed": Formula("max(0, data - overlap * 2 / 3 * compute)", "the backward pass is 2/3 of the compute time"),
    "time.step": Formula("compute + tensor + bubble + exposed", "this course"),
    "mfu": Formula("flops * tokens_per_second / (gpus * peak)", "PaLM appendix B"),
    "mfu.rate": Formula("rate / peak", "definition"),
    "mfu.share": Formula("alone * compute / step", "the step's compute share of the rate without communication"),
    "efficiency.scaling": Formula("time_one * nodes_one / (time_many * nodes_many)", "definition"),
    "rate.with-communication": Formula("alone * compute / (compute + communication)", "definition"),
}
"""Every formula by its id."""
