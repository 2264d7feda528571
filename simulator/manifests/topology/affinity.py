"""The affinity texts behind a row's cells: CPU Affinity, NUMA Affinity, GPU NUMA ID, glued or partly blank."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from simulator.manifests.topology.header import AFFINITY_TITLES, CPU_AFFINITY, GPU_NUMA_ID, NUMA_AFFINITY

_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,8}")
_RANGES: Final = re.compile(r"\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*")
_NOT_AVAILABLE: Final = "N/A"
_MAX_GLUED_LENGTH: Final = 120


@dataclass(frozen=True, slots=True)
class Affinity:
    """Texts of one row by title; a title that is not in `texts` was blank or could not be read.

    `glued` names the columns whose text ran into the next one, `blank` those that are empty, `cut` the one in which
    the line ends early. `raw` keeps the texts as they stood when they have more than one reading.
    """

    texts: dict[str, str] = field(default_factory=dict)
    glued: tuple[str, ...] = ()
    blank: tuple[str, ...] = ()
    cut: str | None = None
    raw: str | None = None

    def known(self, title: str) -> str | None:
        """The text of a column, None if it is absent, blank or `N/A`."""
        text = self.texts.get(title)
        return None if text == _NOT_AVAILABLE else text


def read_affinity(tail: Sequence[str], titles: Sequence[str]) -> Affinity:
    """Assign the texts behind the cells to the header's columns.

    Without titles in the header three texts are CPU, NUMA and id, two are CPU and NUMA, one is the CPU.
    """
    texts = _join_lists(tail)
    columns = list(titles) or list(AFFINITY_TITLES[: len(texts)])
    texts = texts[: len(columns)]
    if not columns:
        return Affinity()
    if len(texts) == len(columns) and all(map(_fits, texts, columns)):
        return _checked(dict(zip(columns, texts, strict=True)), columns)
    if any(_is_glued(text) for text in texts):
        return _unglue(texts, columns)
    return _checked(_with_blanks(texts, columns), columns)


def matching_split(affinity: Affinity, intact: Sequence[dict[str, str]]) -> Affinity:
    """Read a CPU text with a NUMA number glued to it (`0-47,96-1430`) as an intact row of the same matrix shows it."""
    cpu = affinity.texts.get(CPU_AFFINITY)
    if cpu is None or NUMA_AFFINITY not in affinity.blank:
        return affinity
    for texts in intact:
        if NUMA_AFFINITY in texts and cpu == texts.get(CPU_AFFINITY, "") + texts[NUMA_AFFINITY]:
            found = affinity.texts | {title: texts[title] for title in (CPU_AFFINITY, NUMA_AFFINITY)}
            return Affinity(found, glued=(CPU_AFFINITY,))
    return affinity


def split_every(affinities: Sequence[Affinity]) -> list[Affinity]:
    """Divide the CPU texts when every row has one and no row a NUMA text: the tool never leaves only that one blank.

    The rows stay as they are if one of them has another number of readings than one.
    """
    divided: list[Affinity] = []
    for affinity in affinities:
        cpu = affinity.texts.get(CPU_AFFINITY)
        if cpu is None or NUMA_AFFINITY not in affinity.blank or affinity.glued:
            return list(affinities)
        readings = list(_readings([cpu], [CPU_AFFINITY, NUMA_AFFINITY]))
        if len(readings) != 1:
            return list(affinities)
        divided.append(Affinity(affinity.texts | readings[0][0], glued=(CPU_AFFINITY,)))
    return divided


def ascends(cpus: str) -> bool:
    """Whether a CPU list is well formed: every range ascends and follows the one before."""
    if not _RANGES.fullmatch(cpus):
        return False
    last = -1
    for part in cpus.split(","):
        bounds = [int(text) for text in part.split("-") if _NUMBER.fullmatch(text)]
        if len(bounds) != part.count("-") + 1 or bounds[0] <= last or bounds[-1] < bounds[0]:
            return False
        last = bounds[-1]
    return True


def _join_lists(tail: Sequence[str]) -> list[str]:
    texts: list[str] = []
    for text in tail:
        if texts and (texts[-1].endswith((",", "-")) or text.startswith((",", "-"))):
            texts[-1] += text
        else:
            texts.append(text)
    return texts


def _fits(text: str, column: str) -> bool:
    if text == _NOT_AVAILABLE:
        return True
    if column == GPU_NUMA_ID:
        return _NUMBER.fullmatch(text) is not None
    return _RANGES.fullmatch(text) is not None


def _is_glued(text: str) -> bool:
    return text.endswith(_NOT_AVAILABLE) and text != _NOT_AVAILABLE


def _checked(texts: dict[str, str], columns: Sequence[str]) -> Affinity:
    cpu = texts.get(CPU_AFFINITY)
    is_last = cpu is not None and len(texts) == 1
    if is_last and cpu != _NOT_AVAILABLE and not ascends(cpu or "") and len(columns) > 1:
        return Affinity(cut=CPU_AFFINITY)
    blank = tuple(title for title in columns if title != GPU_NUMA_ID and title not in texts)
    return Affinity(texts, blank=blank)


def _with_blanks(texts: Sequence[str], columns: Sequence[str]) -> dict[str, str]:
    """Fewer texts than columns: the id is always printed, so the last text is the id; then by its form."""
    found: dict[str, str] = {}
    left, open_columns = list(texts), list(columns)
    if left and open_columns[-1] == GPU_NUMA_ID and _fits(left[-1], GPU_NUMA_ID):
        found[GPU_NUMA_ID] = left.pop()
    open_columns = [title for title in open_columns if title != GPU_NUMA_ID]
    if len(left) >= len(open_columns):
        found.update(zip(open_columns, left, strict=False))
    elif left:
        single_number = left[0] == _NOT_AVAILABLE or _NUMBER.fullmatch(left[0]) is not None
        wanted = NUMA_AFFINITY if single_number and NUMA_AFFINITY in open_columns else open_columns[0]
        found[wanted] = left[0]
    return {title: found[title] for title in columns if title in found}


def _unglue(texts: Sequence[str], columns: Sequence[str]) -> Affinity:
    if sum(map(len, texts)) > _MAX_GLUED_LENGTH:
        return Affinity(raw=" ".join(texts))
    for wanted in _column_choices(columns):
        readings = list(_readings(list(texts), list(wanted)))
        if not readings:
            continue
        glued = readings[0][1]
        if len(readings) > 1:
            return Affinity(glued=glued[:1], raw=" ".join(texts))
        blank = tuple(title for title in columns if title != GPU_NUMA_ID and title not in wanted)
        return Affinity(readings[0][0], glued=glued, blank=blank)
    return Affinity(raw=" ".join(texts), blank=tuple(title for title in columns if title != GPU_NUMA_ID))


def _column_choices(columns: Sequence[str]) -> list[list[str]]:
    """All columns filled first; else the CPU column blank, else the NUMA column blank."""
    without = [[title for title in columns if title != blank] for blank in (CPU_AFFINITY, NUMA_AFFINITY)]
    return [list(columns), *(choice for choice in without if choice and len(choice) < len(columns))]


def _readings(
    texts: list[str], columns: list[str], *, whole: bool = True
) -> Iterator[tuple[dict[str, str], tuple[str, ...]]]:
    """Every way to fill all columns from the texts, with the first column of each text that was divided.

    `whole` tells that the first text stands as printed and is not the rest of a divided one.
    """
    if not columns:
        if not texts:
            yield {}, ()
        return
    if not texts:
        return
    text, column = texts[0], columns[0]
    if _may_stand(text, column) or (whole and _fits(text, column) and column == NUMA_AFFINITY):
        for found, glued in _readings(texts[1:], columns[1:]):
            yield {column: text} | found, glued
    for length in range(1, len(text)):
        if _may_stand(text[:length], column):
            for found, glued in _readings([text[length:], *texts[1:]], columns[1:], whole=False):
                yield {column: text[:length]} | found, (column, *glued) if whole else glued


def _may_stand(text: str, column: str) -> bool:
    if text == _NOT_AVAILABLE:
        return True
    return ascends(text) if column == CPU_AFFINITY else _NUMBER.fullmatch(text) is not None
