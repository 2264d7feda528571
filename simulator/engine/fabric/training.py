"""What a placement costs in training: volumes, step time, MFU.

Volumes are GB per GPU and step, rates operations per second, times seconds. MFU counts the model's own operations
(6 per parameter and token, plus attention), HFU also those of recomputation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from simulator.engine.fabric.busbw import GBS
from simulator.engine.fabric.collectives import all_reduce
from simulator.engine.fabric.derivation import Derivation, Term, derived, term_of

BYTES_PER_VALUE: Final = 2
"""bf16 and fp16."""

BACKWARD_SHARE: Final = 2 / 3
TP_ALL_REDUCES: Final = 4
TP_ALL_REDUCES_RECOMPUTED: Final = 6
_GB: Final = 1e9


@dataclass(frozen=True, slots=True)
class TransformerModel:
    """A decoder: parameters, layers, hidden size, sequence length."""

    name: str
    parameters: float
    layers: int
    hidden: int
    sequence: int
    source: str = ""


MODELS: Final = {
    model.name: model
    for model in (
        TransformerModel("mpt-7b", 6_658_859_008, 32, 4096, 2048, "llm-foundry"),
        TransformerModel("gpt3-175b", 175e9, 96, 12288, 2048, "Megatron-LM paper"),
        TransformerModel("llama3-405b", 405e9, 126, 16384, 8192, "Llama 3 paper"),
        TransformerModel("llama2-70b", 70e9, 80, 8192, 4096, "Llama 2 paper"),
        TransformerModel("gpt-1536x16", 12 * 16 * 1536**2 + 51200 * 1536, 16, 1536, 2048, "OneFlow DLPerf"),
        TransformerModel("gpt-3072x16", 12 * 16 * 3072**2 + 51200 * 3072, 16, 3072, 2048, "OneFlow DLPerf"),
        TransformerModel("gpt-3072x32", 12 * 32 * 3072**2 + 51200 * 3072, 32, 3072, 2048, "OneFlow DLPerf"),
    )
}


def flops_per_token(model: TransformerModel, *, attention: bool = True) -> Derivation:
    """Operations of forward and backward pass per token: 6N, with 12 L d s for attention."""
    if not attention:
        terms = (Term("parameters", model.parameters, "", model.source),)
        return derived("flops.per-token-6n", 6 * model.parameters, "FLOP", *terms)
    result = 6 * model.parameters + 12 * model.layers * model.hidden * model.sequence
    return derived("flops.per-token", result, "FLOP", *_model_terms(model))


def recomputed_flops_per_token(model: TransformerModel) -> Derivation:
    """The same with full recomputation of the forward pass, for HFU: 8N and 16 L d s."""
    result = 8 * model.parameters + 16 * model.layers * model.hidden * model.sequence
    return derived("flops.per-token-recomputed", result, "FLOP", *_model_terms(model))


def mfu(flops: Derivation, tokens_per_second: float, gpus: int, peak: float) -> Derivation:
    """Share of the GPUs' peak (dense operations per second) that a throughput of tokens amounts to."""
    return derived(
        "mfu",
        flops.result * tokens_per_second / (gpus * peak),
        "",
        term_of("flops", flops),
        Term("tokens_per_second", tokens_per_second, "1/s"),
        Term("gpus", gpus),
        Term("peak", peak, "FLOP/s", "dense"),
        parts={"flops": flops},
    )


def rate_mfu(rate: float, peak: float) -> Derivation:
    """MFU of a published rate per GPU (operations per second)."""
    return derived("mfu.rate", rate / peak, "", Term("rate", rate, "FLOP/s"), Term("peak", peak, "FLOP/s", "dense"))


def compute_time(flops: Derivation, tokens: float, rate: float) -> Derivation:
    """Seconds to compute `tokens` on one GPU (or a tensor-parallel share of them) at a sustained rate."""
    return derived(
        "time.compute",
        flops.result * tokens / rate,
        "s",
        term_of("flops", flops),
        Term("tokens", tokens),
        Term("rate", rate, "FLOP/s"),
        parts={"flops": flops},
    )


def data_parallel_volume(parameters: float, gpus: int) -> Derivation:
    """GB that a GPU sends for the gradients: 2(n-1)/n of them."""
    gradients = parameters * BYTES_PER_VALUE / _GB
    terms = Term("gpus", gpus), Term("gradients", gradients, "GB", "2 bytes per parameter")
    return derived("volume.data-parallel", 2 * (gpus - 1) / gpus * gradients, "GB", *terms)


def zero3_volume(parameters: float, gpus: int) -> Derivation:
    """GB of ZeRO stage 3: three passes of (n-1)/n of the parameters."""
    size = parameters * BYTES_PER_VALUE / _GB
    terms = Term("gpus", gpus), Term("parameters", size, "GB", "2 bytes per parameter")
    return derived("volume.zero-3", 3 * (gpus - 1) / gpus * size, "GB", *terms)


def tensor_parallel_volume(model: TransformerModel, batch: int, gpus: int, *, recompute: bool = False) -> Derivation:
    """GB of tensor parallelism: 4 all-reduces of the activations per layer, 6 with full recomputation."""
    per_layer = TP_ALL_REDUCES_RECOMPUTED if recompute else TP_ALL_REDUCES
    result = per_layer * model.layers * 2 * (gpus - 1) / gpus * _activations(model, batch)
    return derived("volume.tensor", result, "GB", Term("per_layer", per_layer), *_activation_terms(model, batch, gpus))


def tensor_parallel_time(
    model: TransformerModel, batch: int, gpus: int, busbw: float, *, recompute: bool = False
) -> Derivation:
    """Seconds of those all-reduces at busbw; nothing hides them."""
    volume = tensor_parallel_volume(model, batch, gpus, recompute=recompute)
    return derived("time.tensor", volume.result / busbw, "s", *volume.terms, Term("busbw", busbw, GBS))


def pipeline_volume(model: TransformerModel, batch: int, boundaries: int = 1) -> Derivation:
    """GB of activations over stage boundaries, one way."""
    terms = Term("boundaries", boundaries), *_activation_terms(model, batch, 1)[2:]
    return derived("volume.pipeline", boundaries * _activations(model, batch), "GB", *terms)


def expert_volume(model: TransformerModel, batch: int, gpus: int, moe_layers: int) -> Derivation:
    """GB of expert parallelism: two all-to-alls per MoE layer each way."""
    result = 4 * moe_layers * (gpus - 1) / gpus * _activations(model, batch)
    terms = Term("layers", moe_layers), *_activation_terms(model, batch, gpus)[1:]
    return derived("volume.expert", result, "GB", *terms)


def pipeline_bubble(compute: float, stages: int, microbatches: int) -> Derivation:
    """Idle seconds of a pipeline's start and end: (p-1)/m of the compute time."""
    terms = Term("stages", stages), Term("microbatches", microbatches), Term("compute", compute, "s")
    return derived("time.bubble", (stages - 1) / microbatches * compute, "s", *terms)


@dataclass(frozen=True)
class Step:
    """One training step: its time, what of the data-parallel communication shows, and the MFU it leaves."""

    time: Derivation
    exposed: Derivation
    mfu: Derivation


def training_step(
    compute: float,
    compute_mfu: float,
    data: float,
    *,
    overlap: float = 0.0,
    tensor: float = 0.0,
    bubble: float = 0.0,
) -> Step:
    """Step time from its parts in seconds; `compute_mfu` is the MFU of computing alone.

    Data-parallel communication hides behind `overlap` (0 to 1) of the backward pass; tensor-parallel communication
    and the bubble do not hide.
    """
    exposed = derived(
        "time.exposed",
        max(0.0, data - overlap * 2 / 3 * compute),
        "s",
        Term("data", data, "s"),
        Term("overlap", overlap, "", "share of the backward pass"),
        Term("compute", compute, "s"),
    )
    step = derived(
        "time.step",
        compute + tensor + bubble + exposed.result,
        "s",
        Term("compute", compute, "s"),
        Term("tensor", tensor, "s"),
        Term("bubble", bubble, "s"),
        term_of("exposed", exposed),
        parts={"exposed": exposed},
    )
    share = derived(
        "mfu.share",
        compute_mfu * compute / step.result,
        "",
        Term("alone", compute_mfu, "", "MFU of computing alone"),
        Term("compute", compute, "s"),
        term_of("step", step),
        parts={"step": step},
    )
    return Step(step, exposed, share)


def data_parallel_step(
    model: TransformerModel, gpus: int, tokens: float, *, rate: float, peak: float, busbw: float, overlap: float = 0.0
) -> Step:
    """A data-parallel step of `tokens` per GPU: compute at a sustained rate, gradients all-reduced at busbw."""
    flops = flops_per_token(model)
    compute = compute_time(flops, tokens, rate)
    data = all_reduce(model.parameters * BYTES_PER_VALUE, gpus, busbw)
    return training_step(compute.result, rate / peak, data.result, overlap=overlap)


def rate_with_communication(alone: float, compute: float, communication: float) -> Derivation:
    """A rate measured without communication, thinned by exposed communication."""
    return derived(
        "rate.with-communication",
        alone * compute / (compute + communication),
        "FLOP/s",
        Term("alone", alone, "FLOP/s"),
        Term("compute", compute, "s"),
        Term("communication", communication, "s"),
    )


def scaling_efficiency(time_one: float, nodes_one: int, time_many: float, nodes_many: int) -> Derivation:
    """How much of the added machines is used: node-seconds on few against node-seconds on many."""
    return derived(
        "efficiency.scaling",
        time_one * nodes_one / (time_many * nodes_many),
        "",
        Term("time_one", time_one, "s"),
        Term("nodes_one", nodes_one),
        Term("time_many", time_many, "s"),
        Term("nodes_many", nodes_many),
    )


def _model_terms(model: TransformerModel) -> tuple[Term, ...]:
    return (
        Term("parameters", model.parameters, "", model.source),
        Term("layers", model.layers),
        Term("hidden", model.hidden),
        Term("sequence", model.sequence),
    )


def _activations(model: TransformerModel, batch: int) -> float:
    return batch * model.sequence * model.hidden * BYTES_PER_VALUE / _GB


def _activation_terms(model: TransformerModel, batch: int, gpus: int) -> tuple[Term, ...]:
    return (
        Term("layers", model.layers),
        Term("gpus", gpus),
        Term("batch", batch),
        Term("sequence", model.sequence),
        Term("hidden", model.hidden),
    )
