"""Computed figures beside those that others measured or published, with the gap; and the chapter's own two claims."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from simulator.engine.fabric import worked_examples
from simulator.engine.fabric.busbw import ninety_times
from simulator.engine.fabric.published import Comparison, rdma_comparisons, tcp_comparison
from simulator.presenters.fabric.derivations import DerivationView, amount_text, derivation_view, source_text
from simulator.presenters.fabric.looks import number
from simulator.presenters.sentences.both import Both
from simulator.presenters.sentences.say import say

_NAMES: Final[Mapping[str, Both]] = {
    "4 x 8 B200, 8x 400G": Both("4 × 8 张 B200，8 × 400G", "4 × 8 B200, 8 × 400G"),
    "2 DGX A100, 8x HDR": Both("2 台 DGX A100，8 × HDR", "2 DGX A100, 8 × HDR"),
    "2 x 8 A100, 4x HDR": Both("2 × 8 张 A100，4 × HDR", "2 × 8 A100, 4 × HDR"),
    "3 x 8 A100, 4x HDR": Both("3 × 8 张 A100，4 × HDR", "3 × 8 A100, 4 × HDR"),
    "8x H100 nodes, 8x NDR": Both("8 卡 H100 机器，8 × NDR", "machines of 8 H100, 8 × NDR"),
    "DGX-1, 4x EDR": Both("DGX-1，4 × EDR", "DGX-1, 4 × EDR"),
    "DGX-1, one 100G card": Both("DGX-1，一块 100G 网卡", "DGX-1, one 100G card"),
    "8x A100, one HDR card": Both("8 卡 A100 机器，一块 HDR 网卡", "8 A100, one HDR card"),
    "AWS 100 Gb/s EFA v1, ring": Both("AWS 100 Gb/s EFA v1，环", "AWS 100 Gb/s EFA v1, ring"),
    "4 GiB, 4 x 8 B200": Both("4 GiB，4 × 8 张 B200", "4 GiB, 4 × 8 B200"),
    "1 GiB, 2 x 8 A100, 4x HDR": Both("1 GiB，2 × 8 张 A100，4 × HDR", "1 GiB, 2 × 8 A100, 4 × HDR"),
    "MPT-7B, 8 H100": Both("MPT-7B，8 张 H100", "MPT-7B, 8 H100"),
    "MPT-7B, 128 H100": Both("MPT-7B，128 张 H100", "MPT-7B, 128 H100"),
    "MPT-7B, 256 H100": Both("MPT-7B，256 张 H100", "MPT-7B, 256 H100"),
    "MPT-7B, 512 H100": Both("MPT-7B，512 张 H100", "MPT-7B, 512 H100"),
    "Llama 3 405B, 8192 H100": Both("Llama 3 405B，8192 张 H100", "Llama 3 405B, 8192 H100"),
    "Llama 3 405B, 16384 H100": Both("Llama 3 405B，16384 张 H100", "Llama 3 405B, 16384 H100"),
    "Llama 3 405B, 16384 H100, seq 131072": Both(
        "Llama 3 405B，16384 张 H100，序列 131072", "Llama 3 405B, 16384 H100, sequence 131072"
    ),
    "TP8 gpt-1536x16": Both("8 路张量并行，一台 V100 机器", "tensor parallel over 8 V100, one machine"),
    "TP16 gpt-3072x16": Both("16 路张量并行，2 台", "tensor parallel over 16, 2 machines"),
    "TP32 gpt-3072x32": Both("32 路张量并行，4 台", "tensor parallel over 32, 4 machines"),
}
"""What a comparison is about."""

_TITLES: Final[Mapping[str, Both]] = {
    "bandwidth": Both("跨机总线带宽", "Bus bandwidth over several machines"),
    "time": Both("all-reduce 的时间", "Time of an all-reduce"),
    "mfu": Both("MFU", "MFU"),
    "tensor": Both("张量并行的速率", "Rate of tensor parallelism"),
}
_POINTS: Final = Both("{points} 个百分点", "{points} points")


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """`published` as text with its unit; `gap` how far it lies from the computed figure (`+2.1%`, MFU in points)."""

    name: str
    predicted: DerivationView
    published: str
    gap: str
    source: str


@dataclass(frozen=True, slots=True)
class ComparedTable:
    title: str
    rows: tuple[ComparedRow, ...]


@dataclass(frozen=True, slots=True)
class ChapterRow:
    """The chapter's case at a bandwidth: time of a step, MFU with nothing hidden and with all that can be hidden."""

    bandwidth: str
    step: DerivationView
    mfu: DerivationView
    hidden: DerivationView


@dataclass(frozen=True, slots=True)
class ClaimsView:
    """`mixed` and `same` are the "90 times": both directions against one, and one against one."""

    mixed: DerivationView
    same: DerivationView
    chapter: tuple[ChapterRow, ...]


def claims_view() -> ClaimsView:
    """The chapter's 90 times and its 50 % that become 15 %."""
    rows = []
    for busbw in worked_examples.CHAPTER_BUSBW:
        plain = worked_examples.chapter_case(busbw)
        hidden = worked_examples.chapter_case(busbw, overlap=1.0)
        views = derivation_view(plain.time), derivation_view(plain.mfu), derivation_view(hidden.mfu)
        rows.append(ChapterRow(number(busbw), *views))
    claims = ninety_times(both_directions=True), ninety_times(both_directions=False)
    return ClaimsView(derivation_view(claims[0]), derivation_view(claims[1]), tuple(rows))


def published_tables() -> tuple[ComparedTable, ...]:
    """All comparisons by what is compared."""
    found: dict[str, Iterable[Comparison]] = {
        "bandwidth": (*rdma_comparisons(), tcp_comparison()),
        "time": (worked_examples.b200_hierarchical()[2], worked_examples.a100_leaving_the_node()[1]),
        "mfu": (*worked_examples.mpt_7b(), *worked_examples.llama_405b()),
        "tensor": tuple(row[2] for row in worked_examples.dlperf_tensor_parallel()),
    }
    return tuple(
        ComparedTable(say(_TITLES[name], {}).text, tuple(_row(item) for item in items if item.published is not None))
        for name, items in found.items()
    )


def _row(item: Comparison) -> ComparedRow:
    view, name = derivation_view(item.predicted), say(_NAMES[item.name], {}).text
    published, source = item.published or 0.0, source_text(item.source)
    if view.result.endswith("%"):  # two decimals: some lie within a tenth of a point
        view = replace(view, result=f"{item.predicted.result * 100:.2f}%")
        points = say(_POINTS, {"points": _signed((published - item.predicted.result) * 100, 2)}).text
        return ComparedRow(name, view, f"{published * 100:.2f}%", points, source)
    gap = f"{_signed((item.gap or 0.0) * 100, 1)}%"
    return ComparedRow(name, view, amount_text(published, item.unit), gap, source)


def _signed(value: float, digits: int) -> str:
    """With a sign that is as wide as a plus."""
    text = f"{value:+.{digits}f}"
    return text.replace("-", "−") if float(text) else "0"
