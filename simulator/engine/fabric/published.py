"""Figures measured by others, beside what this course's rules give: bandwidths of clusters, MFU of training runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from simulator.engine.fabric.busbw import published_rule
from simulator.engine.fabric.derivation import Derivation
from simulator.engine.fabric.links import TCP_SHARE, link_kind


@dataclass(frozen=True)
class Comparison:
    """A predicted figure and a published one (None where there is none). `unit` is that of both."""

    name: str
    predicted: Derivation
    published: float | None
    source: str

    @property
    def unit(self) -> str:
        return self.predicted.unit

    @property
    def gap(self) -> float | None:
        """How far the published figure lies from the predicted one, as a share of the predicted (+ is higher)."""
        return None if self.published is None else self.published / self.predicted.result - 1


@dataclass(frozen=True, slots=True)
class Measured:
    """A measured all-reduce bus bandwidth of large messages, GB/s per direction."""

    system: str
    busbw: float
    source: str


SINGLE_NODE: Final = (
    Measured("8x A100 SXM", 232.5, "nccl issue 1048"),
    Measured("8x A100 SXM", 235.0, "ml-engineering"),
    Measured("8x H100, NVLS", 480.0, "nccl-tests issues 290 and 212"),
    Measured("8x H100, ring", 370.0, "nccl-tests issue 212"),
    Measured("8x H200, NVLS", 482.0, "ml-engineering"),
    Measured("8x B200, 16 GiB", 845.7, "ml-engineering"),
    Measured("8x B200, 4 GiB", 740.6, "ml-engineering"),
    Measured("8x MI300X", 313.0, "ml-engineering"),
    Measured("2 of 8 MI300X", 47.7, "ml-engineering"),
    Measured("2x H100 PCIe with bridge", 116.0, "nccl-tests issue 194"),
)
"""Bus bandwidth inside one machine."""

_RDMA_RUNS: Final = (
    (
        "4 x 8 B200, 8x 400G",
        18 * link_kind("nvlink-5").effective.per_direction,
        400.0,
        (381.8, 377.3),
        "ml-engineering",
    ),
    ("2 DGX A100, 8x HDR", 240.0, 200.0, (192.0,), "nccl issue 812"),
    ("2 x 8 A100, 4x HDR", 240.0, 100.0, (86.0,), "nccl issue 1048"),
    ("3 x 8 A100, 4x HDR", 240.0, 100.0, (84.8, 96.0), "nccl-tests issue 119 (average, peak)"),
    ("8x H100 nodes, 8x NDR", 370.0, 400.0, (368.0, 384.0), "nccl-tests issue 290 (46 to 48 per card)"),
    ("DGX-1, 4x EDR", 120.0, 50.0, (48.0,), "nccl-tests issue 29"),
    ("DGX-1, one 100G card", 120.0, 12.5, (12.2,), "nccl-tests issue 29"),
    ("8x A100, one HDR card", 240.0, 25.0, (24.0,), "nccl issue 1048"),
)
"""System, busbw inside, rate of all used cards of one node, measured figures, source."""


def rdma_comparisons() -> tuple[Comparison, ...]:
    """The rule for several machines against every measured RDMA figure."""
    return tuple(
        Comparison(system, published_rule(intra, cards), measured, source)
        for system, intra, cards, figures, source in _RDMA_RUNS
        for measured in figures
    )


def tcp_comparison() -> Comparison:
    """AWS EFA v1: the share of TCP, not of RDMA."""
    return Comparison("AWS 100 Gb/s EFA v1, ring", published_rule(120.0, 12.5, TCP_SHARE), 7.5, "nccl-tests issue 22")


@dataclass(frozen=True, slots=True)
class PublishedMfu:
    """A published share of peak: MFU in percent, and HFU where recomputation is reported too."""

    run: str
    gpus: int | None
    mfu: float
    hfu: float | None
    source: str


PUBLISHED_MFU: Final = (
    PublishedMfu("Megatron-LM 22B, A100", None, 41.5, 43.7, "Megatron-LM (sequence parallel)"),
    PublishedMfu("Megatron-LM 175B, A100", None, 51.4, 52.8, "Megatron-LM (sequence parallel)"),
    PublishedMfu("Megatron-LM 530B, A100", None, 56.0, 57.0, "Megatron-LM (sequence parallel)"),
    PublishedMfu("Megatron-LM 1T, A100", None, 56.3, 57.0, "Megatron-LM (sequence parallel)"),
    PublishedMfu("Megatron-LM 175B, A100", 1536, 47.0, None, "Megatron-LM 2021"),
    PublishedMfu("Megatron-LM 1T, A100", 3072, 52.0, None, "Megatron-LM 2021"),
    PublishedMfu("ZeRO-3 175B, A100", 384, 46.0, None, "Megatron-LM 2021"),
    PublishedMfu("ZeRO-3 175B, A100", 1536, 14.0, None, "Megatron-LM 2021"),
    PublishedMfu("PaLM 540B, TPU v4", None, 46.2, 57.8, "PaLM"),
    PublishedMfu("MegaScale 175B", 12288, 55.2, None, "MegaScale"),
    PublishedMfu("llm-foundry 70B, H100", 128, 43.4, None, "llm-foundry"),
    PublishedMfu("llm-foundry 70B, H100", 512, 41.3, None, "llm-foundry"),
    PublishedMfu("Llama 3 405B, H100", 8192, 43.0, None, "Llama 3 paper"),
    PublishedMfu("Llama 3 405B, H100", 16384, 41.0, None, "Llama 3 paper"),
    PublishedMfu("Llama 3 405B, H100, seq 131072", 16384, 38.0, None, "Llama 3 paper"),
)
"""What training runs reported."""
