"""The header line of a device matrix: device names, then affinity titles, often glued to each other."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

CPU_AFFINITY: Final = "CPU Affinity"
NUMA_AFFINITY: Final = "NUMA Affinity"
GPU_NUMA_ID: Final = "GPU NUMA ID"
AFFINITY_TITLES: Final = (CPU_AFFINITY, NUMA_AFFINITY, GPU_NUMA_ID)

_ACCELERATOR: Final = re.compile(r"(?:GPU|NPU|Phy-ID)\d+")
_GLUABLE_NAME: Final = re.compile(
    r"(?:GPU|NPU|Phy-ID|NIC)\d{1,4}|mlx\d_(?:[a-z]+_?)?\d+|hfi1_\d+|bnxt_re_?\d+|irdma\d+|qedr\d+|efa_?\d+"
)
_ANY_NAME: Final = re.compile(r"[a-z][\w.\-]*\d[\w.\-]*")
_CUT_NAME: Final = re.compile(r"G|GP|GPU|N|NI|NIC|NP|NPU|m|ml|mlx\d?_?")
_TITLE: Final = re.compile(r"(CPU)\s*Affinity|(NUMA)\s*Affinity|(GPU)\s*NUMA\s*ID")
_CUT_TITLE_MIN: Final = 3


@dataclass(frozen=True, slots=True)
class Header:
    """Columns of a matrix in their order; `glued` names those that ran into the next one."""

    devices: tuple[str, ...]
    titles: tuple[str, ...]
    glued: tuple[str, ...]


def read_header(line: str) -> Header | None:
    """The header in this line, None if it is none.

    It begins with an accelerator's name; what stands before it (a prompt, terminal noise) is not looked at.
    """
    start = _ACCELERATOR.search(line)
    if start is None or (start.start() > 0 and not line[start.start() - 1].isspace()):
        return None
    text = line[start.start() :]
    first_title = _TITLE.search(text)
    names_end = first_title.start() if first_title else len(text)
    tail = text[names_end:]
    names_text = text[:names_end]
    if first_title is None:
        names_text, tail = _without_cut_title(names_text)
    devices = _split_names(names_text)
    titles = _split_titles(tail)
    if devices is None or titles is None:
        return None
    spans = devices + [(title, begin + names_end, end + names_end) for title, begin, end in titles]
    glued = tuple(spans[index][0] for index in range(len(spans) - 1) if spans[index][2] == spans[index + 1][1])
    names = tuple(dict.fromkeys(name for name, _, _ in devices))
    return Header(names, tuple(dict.fromkeys(title for title, _, _ in titles)), glued)


def is_accelerator(name: str) -> bool:
    """Whether a column is a GPU, an NPU or an accelerator die, and not a network card."""
    return _ACCELERATOR.fullmatch(name) is not None


def is_npu(name: str) -> bool:
    """Whether a column name is one that npu-smi prints."""
    return is_accelerator(name) and not name.startswith("GPU")


def _split_names(text: str) -> list[tuple[str, int, int]] | None:
    spans: list[tuple[str, int, int]] = []
    for chunk in re.finditer(r"\S+", text):
        parts = _split_glued(chunk[0], chunk.start())
        if parts is None and chunk.end() == len(text) and _CUT_NAME.fullmatch(chunk[0]):
            break
        if parts is None:
            return None
        spans += parts
    return spans or None


def _split_glued(chunk: str, offset: int) -> list[tuple[str, int, int]] | None:
    parts: list[tuple[str, int, int]] = []
    position = 0
    while position < len(chunk):
        match = _GLUABLE_NAME.match(chunk, position)
        if match is None:
            whole = _ANY_NAME.fullmatch(chunk)
            return [(chunk, offset, offset + len(chunk))] if whole else None
        parts.append((match[0], offset + match.start(), offset + match.end()))
        position = match.end()
    return parts


def _split_titles(text: str) -> list[tuple[str, int, int]] | None:
    spans: list[tuple[str, int, int]] = []
    position = 0
    for match in _TITLE.finditer(text):
        if text[position : match.start()].strip():
            return None
        title = AFFINITY_TITLES[(match.lastindex or 1) - 1]
        spans.append((title, match.start(), match.end()))
        position = match.end()
    rest = text[position:].strip()
    following = AFFINITY_TITLES[len(spans) :]
    if rest and not (following and len(rest) >= _CUT_TITLE_MIN and following[0].startswith(rest)):
        return None
    if rest:
        begin = text.index(rest, position)
        spans.append((following[0], begin, begin + len(rest)))
    return spans


def _without_cut_title(text: str) -> tuple[str, str]:
    """Names and the beginning of "CPU Affinity" when the line was cut inside that title."""
    cut = re.search(r"\sCPU(?:\s+A[a-z]*)?\s*$", text)
    return (text[: cut.start() + 1], text[cut.start() + 1 :]) if cut else (text, "")
