"""The worked examples: every figure computed by the formulas, beside what was measured or published."""

from __future__ import annotations

from typing import Final

from simulator.engine.fabric.accelerators import ACCELERATORS
from simulator.engine.fabric.collectives import (
    LL,
    SIMPLE,
    Group,
    Hierarchical,
    all_reduce,
    hierarchical_time,
    naive_time,
    ring_latency,
    tree_latency,
    wire_rate,
)
from simulator.engine.fabric.derivation import Derivation
from simulator.engine.fabric.published import Comparison
from simulator.engine.fabric.training import (
    MODELS,
    Step,
    compute_time,
    data_parallel_step,
    flops_per_token,
    mfu,
    rate_mfu,
    rate_with_communication,
    scaling_efficiency,
    tensor_parallel_time,
)

GIB: Final = 1024.0**3
H100_PEAK: Final = ACCELERATORS["h100-80gb"].peak_flops
A100_PEAK: Final = ACCELERATORS["a100-80gb"].peak_flops

MPT_7B_RUNS: Final = ((8, 10643, 46.44), (128, 10475, 45.71), (256, 10119, 44.15), (512, 9670, 42.2))
"""llm-foundry on H100: GPUs, tokens per second and GPU, published MFU in percent."""

LLAMA_RUNS: Final = (
    ("8192 H100", 430e12, 43.0),
    ("16384 H100", 400e12, 41.0),
    ("16384 H100, seq 131072", 380e12, 38.0),
)
"""Llama 3 405B: GPUs (and sequence length), rate per GPU, published MFU in percent."""

ZERO3_RUNS: Final = ((384, 144e12, 153e12), (1536, 44e12, 141e12))
"""Megatron paper, 175B on A100: GPUs, rate of ZeRO-3, rate of 3D parallelism."""

CHAPTER_TOKENS: Final = 12288
CHAPTER_BUSBW: Final = (370.0, 50.0, 25.0, 12.2, 10.0, 3.1, 1.1)
"""The chapter's case: tokens per GPU and step, and the bandwidths it is computed for."""

V100_MODEL_RATE: Final = 40e12
"""Sustained model operations (6N) per second of a V100 in OneFlow's GPT runs (32 % of peak)."""

V100_TABLE_RATE: Final = 50e12
"""The same speed as that table counts it (with recomputation and attention; 48 to 49 on 1 to 8 GPUs)."""

DLPERF_RUNS: Final = (
    ("gpt-1536x16", 8, 120.0, (31.3e12, 29.0e12)),
    ("gpt-3072x16", 16, 12.2, (7.25e12, 6.22e12)),
    ("gpt-3072x32", 32, 12.2, (3.57e12, 2.60e12)),
)
"""OneFlow DLPerf, V100 16 GB, one 100G card per node: model, GPUs, busbw, published rates (OneFlow, Megatron)."""

DLPERF_BATCH: Final = 16


def b200_hierarchical() -> tuple[Derivation, Hierarchical, Comparison, Derivation]:
    """4 GiB over 4 x 8 B200: naive time, hierarchical phases, measured time, what each card carried."""
    size = 4 * GIB
    phases = hierarchical_time(size, nodes=4, per_node=8, intra=740.6, card=50.0)
    measured = all_reduce(size, 32, 377.3).result
    compared = Comparison("4 GiB, 4 x 8 B200", phases.sequential, measured, "ml-engineering (377.3 GB/s busbw)")
    return naive_time(size, 50.0), phases, compared, wire_rate(377.3, 4, 32)


def a100_leaving_the_node() -> tuple[Derivation, Comparison]:
    """1 GiB on 8 A100 (232.5 measured), and on 16 over 4x HDR: 96 at best, 86 measured."""
    inside = all_reduce(GIB, 8, 232.5)
    across = Comparison(
        "1 GiB, 2 x 8 A100, 4x HDR", all_reduce(GIB, 16, 96.0), all_reduce(GIB, 16, 86.0).result, "nccl 1048"
    )
    return inside, across


def h100_ring_and_nvls() -> tuple[Derivation, Derivation]:
    """1 GiB on 8 H100: ring at 370, NVLS at 480."""
    return all_reduce(GIB, 8, 370.0), all_reduce(GIB, 8, 480.0)


def latency_floor() -> dict[str, Derivation]:
    """Microseconds of an all-reduce of nearly nothing (measured: 46 to 48 on 2 x 8 H20, nccl issue 1244)."""
    return {
        "ring 8, LL": ring_latency(Group(8, protocol=LL)),
        "ring 8, Simple": ring_latency(Group(8, protocol=SIMPLE)),
        "tree 2 x 8, LL": tree_latency(Group(16, 2, protocol=LL)),
        "tree 4 x 8, LL": tree_latency(Group(32, 4, protocol=LL)),
    }


def mpt_7b(*, attention: bool = True) -> tuple[Comparison, ...]:
    """MFU in the published table of llm-foundry, with or without the attention term."""
    flops = flops_per_token(MODELS["mpt-7b"], attention=attention)
    return tuple(
        Comparison(f"MPT-7B, {gpus} H100", mfu(flops, tokens * gpus, gpus, H100_PEAK), published / 100, "llm-foundry")
        for gpus, tokens, published in MPT_7B_RUNS
    )


def llama_405b() -> tuple[Comparison, ...]:
    """MFU from the published rate per GPU."""
    return tuple(
        Comparison(f"Llama 3 405B, {run}", rate_mfu(rate, H100_PEAK), published / 100, "Llama 3 paper")
        for run, rate, published in LLAMA_RUNS
    )


def llama_405b_step() -> Derivation:
    """Seconds per step of 16 M tokens on 8192 GPUs at 430 TFLOP/s, by 6N per token."""
    flops = flops_per_token(MODELS["llama3-405b"], attention=False)
    return compute_time(flops, 16 * 1024**2 / 8192, 430e12)


def dlperf_tensor_parallel() -> tuple[tuple[Derivation, Derivation, Comparison], ...]:
    """Communication, computation and rate of tensor parallelism inside a node, over two nodes, over four."""
    rows: list[tuple[Derivation, Derivation, Comparison]] = []
    for name, gpus, busbw, published in DLPERF_RUNS:
        model = MODELS[name]
        communication = tensor_parallel_time(model, DLPERF_BATCH, gpus, busbw, recompute=True)
        tokens = DLPERF_BATCH * model.sequence / gpus
        compute = compute_time(flops_per_token(model, attention=False), tokens, V100_MODEL_RATE)
        rate = rate_with_communication(V100_TABLE_RATE, compute.result, communication.result)
        rows.append((communication, compute, Comparison(f"TP{gpus} {name}", rate, published[0], "OneFlow DLPerf")))
    return tuple(rows)


def zero3_against_3d() -> tuple[tuple[int, Derivation, Derivation], ...]:
    """MFU of ZeRO-3 and of 3D parallelism on as many A100."""
    return tuple((gpus, rate_mfu(zero, A100_PEAK), rate_mfu(three_d, A100_PEAK)) for gpus, zero, three_d in ZERO3_RUNS)


def chapter_case(busbw: float, *, overlap: float = 0.0) -> Step:
    """The chapter's case: 6.66 B parameters, 8 H100, 12288 tokens per GPU and step, computing alone at 46.5 % MFU."""
    model = MODELS["mpt-7b"]
    tokens_per_second = MPT_7B_RUNS[0][1]
    rate = flops_per_token(model).result * tokens_per_second
    return data_parallel_step(model, 8, CHAPTER_TOKENS, rate=rate, peak=H100_PEAK, busbw=busbw, overlap=overlap)


def slow_cloud_network() -> Derivation:
    """p3.16xlarge with 25 Gb/s: 36 minutes on one node, 105 on two (nccl issue 318)."""
    return scaling_efficiency(36 * 60.0, 1, 105 * 60.0, 2)
