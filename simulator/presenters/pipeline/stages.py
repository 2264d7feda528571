"""The stages of a cycle in true order: which are over, which is being looked at, which are still ahead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from simulator.engine.trace import records
from simulator.engine.trace.records import AttemptDetail, Record
from simulator.presenters.pipeline.results import result_of
from simulator.selectors.moments import Moment
from simulator.selectors.positions import Position

LABELS: Mapping[str, Any] = {
    records.QUEUE: "PreEnqueue · QueueSort",
    records.GROUP: "PodGroup",
    records.PRE_FILTER: "PreFilter",
    records.FILTER: "Filter",
    records.EXTENDERS: "Extender",
    records.POST_FILTER: "PostFilter",
    records.PRE_SCORE: "PreScore",
    records.SCORE: "Score",
    records.NORMALIZE: "NormalizeScore",
    records.SELECT: gettext_lazy("Choice"),
    records.RESERVE: "Reserve",
    records.PERMIT: "Permit",
    records.PRE_BIND: "PreBind",
    records.BIND: "Bind",
    records.POST_BIND: "PostBind",
    records.REQUEUE: gettext_lazy("Back to the queue"),
}
OPTIONAL = frozenset({records.GROUP, records.EXTENDERS, records.REQUEUE})
"""Stages shown only where something happens there."""

SCORED_TOGETHER = frozenset({records.SCORE, records.NORMALIZE, records.SELECT})


@dataclass(frozen=True, slots=True)
class Stage:
    """`state`: over, current, ahead, idle (over, and there was nothing to do). `at` is where a click leads."""

    point: str
    label: str
    state: str
    result: str
    at: str


def scope(moment: Moment) -> list[Record]:
    """The records of the Pod (and the attempt) this place is about, in order; the others are other members'."""
    assert moment.record is not None
    pod, number = moment.record.pod, moment.attempt_number
    attempted = (*_BEFORE, records.GROUP)

    def mine(record: Record) -> bool:
        if record.point == records.GROUP:
            return True
        return record.pod == pod and (record.attempt == number or record.point not in attempted)

    return [record for record in moment.trace.records if mine(record)]


_BEFORE = (
    records.PRE_FILTER, records.FILTER, records.EXTENDERS, records.PRE_SCORE, records.SCORE, records.NORMALIZE,
    records.SELECT,
)  # fmt: skip


def stages_of(moment: Moment, mine: Sequence[Record]) -> list[Stage]:
    """Every stage there is for this cycle; `mine` are the records in scope."""
    assert moment.record is not None
    here = moment.record.index
    by_point: dict[str, list[Record]] = {}
    for record in mine:
        by_point.setdefault(record.point, []).append(record)
    last_told = max((_rank(record) for record in mine if record.index <= here), default=0)
    stages = []
    for rank, point in enumerate(records.POINTS):
        own = by_point.get(point, [])
        told = [record for record in own if record.index <= here]
        if point in OPTIONAL and not own:
            continue
        state = _state(own, told, here, rank < last_told or moment.is_over)
        at = str(Position(moment.at.action, own[-1].index)) if own else ""
        stages.append(Stage(point, str(LABELS[point]), state, _result(moment.attempt, point, told, state), at))
    return stages


def _rank(record: Record) -> int:
    return records.POINTS.index(record.point)


def _state(own: Sequence[Record], told: Sequence[Record], here: int, passed: bool) -> str:
    if told and told[-1].index == here:
        return "current"
    if own:
        return "over" if len(told) == len(own) else "ahead"
    return "idle" if passed else "ahead"


def _result(detail: AttemptDetail | None, point: str, told: Sequence[Record], state: str) -> str:
    if state == "idle":
        return _idle(detail, point)
    return result_of(detail, point, told) if told else ""


def _idle(detail: AttemptDetail | None, point: str) -> str:
    """Why nothing happened at a point."""
    if point == records.POST_FILTER and detail is not None and detail.feasible:
        return _("not run: Filter left nodes")
    if point in (records.PRE_SCORE, records.SCORE, records.NORMALIZE) and detail is not None:
        if len(detail.feasible) == 1:
            return _("not run: only one node is left")
        if not detail.feasible:
            return _("not run: no node is left")
    if detail is not None and not detail.feasible:
        return _("not reached")
    return _("nothing to do")
