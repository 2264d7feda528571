"""What stands behind one cell of a table: the facts of a verdict, the formula of a score."""

from __future__ import annotations

from dataclasses import dataclass

from simulator.engine.trace import records
from simulator.engine.trace.explain import Check, ScoreSheet
from simulator.presenters.pipeline.matrix import AHEAD, CellView, cell_of
from simulator.presenters.pipeline.stages import scope
from simulator.presenters.pods import short_name
from simulator.presenters.sentences.facts import present_check, present_fact
from simulator.presenters.sentences.say import Sentence
from simulator.presenters.sentences.scores import ScoreView, present_part
from simulator.selectors.moments import Moment, check_of, sheet_of


@dataclass(frozen=True, slots=True)
class Fact:
    sentence: Sentence
    holds: bool


@dataclass(frozen=True, slots=True)
class Explanation:
    """`cell` and `verdict` with its `facts` for a cell of Filter, `score` for one of Score."""

    pod: str
    node: str
    plugin: str
    cell: CellView | None = None
    verdict: Sentence | None = None
    facts: tuple[Fact, ...] = ()
    score: ScoreView | None = None


def explain_cell(moment: Moment, node: str, plugin: str) -> Explanation | None:
    """The explanation of a cell that has been told at this moment; None for any other."""
    detail, record = moment.attempt, moment.record
    if detail is None or record is None:
        return None
    told = [item for item in scope(moment) if item.index <= record.index]
    if record.point in _SCORING:
        return _score(moment, sheet_of(moment, node), plugin, {item.code for item in told if item.plugin == plugin})
    cell = cell_of(detail, told, node, plugin)
    if cell is None or cell.kind == AHEAD:
        return None
    return _verdict(detail.pod, node, cell, check_of(moment, node, plugin))


_SCORING = frozenset({records.SCORE, records.NORMALIZE, records.SELECT})


def _verdict(pod: str, node: str, cell: CellView, check: Check | None) -> Explanation:
    verdict = present_check(check, pod=pod, node=node) if check is not None else Sentence(cell.message, cell.message)
    facts = check.facts if check is not None else ()
    told = tuple(Fact(present_fact(fact, pod=pod, node=node), fact.holds) for fact in facts)
    return Explanation(short_name(pod), node, cell.plugin, cell, verdict, told)


def _score(moment: Moment, sheet: ScoreSheet | None, plugin: str, told: set[str]) -> Explanation | None:
    part = next((part for part in sheet.parts if part.plugin == plugin), None) if sheet else None
    if sheet is None or part is None or "score.normalized" not in told:
        return None
    pod = moment.attempt.pod if moment.attempt else ""
    return Explanation(short_name(pod), sheet.node, plugin, score=present_part(part, pod=pod))
