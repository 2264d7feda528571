"""The score table, up to a record: raw, normalized, × weight, and the total with the nodes that are best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from simulator.engine.trace import records
from simulator.engine.trace.explain import ScoreSheet
from simulator.engine.trace.records import AttemptDetail, Record, ScoreColumn
from simulator.presenters.sentences.say import Sentence
from simulator.presenters.sentences.scores import present_part, present_total

ROWS = 50


@dataclass(frozen=True, slots=True)
class FormulaLine:
    """A node's number with its formula filled in; `terms` are its parts."""

    node: str
    formula: Sentence
    terms: tuple[Sentence, ...] = ()


def formulas_of(record: Record, sheets: Mapping[str, ScoreSheet]) -> tuple[FormulaLine, ...]:
    """The formulas of the numbers that `record` tells, node by node."""
    if record.point == records.SELECT:
        return tuple(FormulaLine(node, present_total(sheet)) for node, sheet in sheets.items())
    lines = []
    for node, sheet in sheets.items():
        part = next((part for part in sheet.parts if part.plugin == record.plugin), None)
        if part is None:
            continue
        view = present_part(part, pod=record.pod)
        if record.point == records.SCORE:
            lines.append(FormulaLine(node, view.raw.result, view.raw.terms))
        else:
            lines.append(FormulaLine(node, view.normalized.result, (*view.normalized.terms, view.weighted)))
    return tuple(lines)


@dataclass(frozen=True, slots=True)
class ScoreCell:
    """None is what has not been told yet."""

    plugin: str
    raw: int | None
    normalized: int | None
    weighted: int | None
    current: bool


@dataclass(frozen=True, slots=True)
class ScoreRow:
    node: str
    cells: tuple[ScoreCell, ...]
    outside: tuple[int | None, ...]
    total: int | None
    best: bool
    chosen: bool


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """`ties`: how many nodes share the highest total (0 while it is not told)."""

    columns: tuple[ScoreColumn, ...]
    skipped: tuple[str, ...]
    outside: tuple[str, ...]
    rows: tuple[ScoreRow, ...]
    page: int
    pages: int
    ties: int

    @property
    def is_paged(self) -> bool:
        return self.pages > 1


def score_table(detail: AttemptDetail, told: Sequence[Record], *, page: int | None = None) -> ScoreTable | None:
    """The table as far as the attempt's own records `told` tell it; None where nothing is scored."""
    if not detail.scores:
        return None
    raw = {record.plugin for record in told if record.code == "score.raw"}
    normalized = {record.plugin for record in told if record.code == "score.normalized"}
    outside = {record.plugin for record in told if record.code == "extenders.scored"}
    selected = any(record.point == records.SELECT for record in told)
    current = told[-1].plugin if told and told[-1].point in (records.SCORE, records.NORMALIZE) else ""
    pages = max(1, -(-len(detail.feasible) // ROWS))
    chosen_page = min(max(1, page or 1), pages)
    nodes = detail.feasible[(chosen_page - 1) * ROWS : chosen_page * ROWS]

    def cell(column: ScoreColumn, node: str) -> ScoreCell:
        is_normalized = column.plugin in normalized
        value = column.normalized[node] if is_normalized else None
        weighted = value * column.weight if value is not None else None
        shown = column.raw[node] if column.plugin in raw else None
        return ScoreCell(column.plugin, shown, value, weighted, column.plugin == current)

    best = set(detail.best) if selected else set()
    rows = tuple(
        ScoreRow(
            node,
            tuple(cell(column, node) for column in detail.scores),
            tuple(scores.get(node) if url in outside else None for url, scores in detail.outside.items()),
            detail.totals.get(node) if selected else None,
            node in best,
            selected and node == detail.chosen,
        )
        for node in nodes
    )
    columns, skipped = tuple(detail.scores), tuple(detail.skipped_scores)
    return ScoreTable(columns, skipped, tuple(detail.outside), rows, chosen_page, pages, len(best))
