"""The pipeline as the page shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from simulator.engine.framework.messages import status_text
from simulator.engine.trace import records
from simulator.engine.trace.records import Record
from simulator.presenters.clock import clock_text
from simulator.presenters.pipeline.matrix import MatrixView, matrix_of
from simulator.presenters.pipeline.preemption import Beat, story_of
from simulator.presenters.pipeline.scores import FormulaLine, ScoreTable, formulas_of, score_table
from simulator.presenters.pipeline.stages import SCORED_TOGETHER, Stage, scope, stages_of
from simulator.presenters.pods import short_name
from simulator.presenters.resources import amounts_text
from simulator.presenters.sentences.say import Sentence
from simulator.presenters.sentences.story import present_record
from simulator.selectors.moments import Moment
from simulator.selectors.positions import Position


@dataclass(frozen=True, slots=True)
class Answer:
    """One plugin's answer at a point without a table of its own; `code` is kube's name of it."""

    plugin: str
    code: str
    message: str
    success: bool
    current: bool
    nodes: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Member:
    """One Pod of a turn that is about several; `at` leads to its first record."""

    name: str
    at: str
    current: bool


@dataclass(frozen=True, slots=True)
class Guest:
    """A Pod in the waiting room of Permit: what it holds, whom it waits for, and until when."""

    pod: str
    node: str
    plugins: str
    until: str
    holds: str


@dataclass(frozen=True, slots=True)
class Pipeline:
    """`pod` is whose turn it is; `opened` the stage shown in full, with what belongs to it. `lines` tell a stage that
    has no table; `waiting` is the waiting room of Permit.
    """

    pod: str
    stages: tuple[Stage, ...]
    opened: str
    members: tuple[Member, ...]
    matrix: MatrixView | None
    scores: ScoreTable | None
    formulas: tuple[FormulaLine, ...]
    story: tuple[Beat, ...]
    answers: tuple[Answer, ...]
    lines: tuple[Sentence, ...]
    waiting: tuple[Guest, ...]
    message: str


def pipeline_of(moment: Moment, *, page: int | None = None) -> Pipeline | None:
    """The pipeline at a moment; None where the action is no cycle. `page` of the opened table."""
    record = moment.record
    if record is None:
        return None
    mine = scope(moment)
    told = [item for item in mine if item.index <= record.index]
    detail, point = moment.attempt, record.point
    matrix = matrix_of(detail, told, page=page) if detail and point in _MATRIX and detail.matrix else None
    scores = score_table(detail, told, page=page) if detail and point in SCORED_TOGETHER else None
    return Pipeline(
        short_name(record.pod),
        tuple(stages_of(moment, mine)),
        point,
        _members(moment),
        matrix,
        scores,
        formulas_of(record, moment.sheets),
        story_of(told, check=moment.check, start=moment.clock_start) if point == records.POST_FILTER else (),
        _answers(told, point),
        _lines(moment, told) if point in _TOLD_IN_LINES else (),
        _waiting_room(moment) if point == records.PERMIT else (),
        "" if point == records.POST_FILTER else status_text(record.status) or str(record.params.get("message") or ""),
    )


_MATRIX = frozenset({records.FILTER, records.EXTENDERS})
_ANSWERED = frozenset({records.PRE_FILTER, records.PRE_SCORE, records.PERMIT, records.RESERVE, records.PRE_BIND})


def _answers(told: Sequence[Record], point: str) -> tuple[Answer, ...]:
    if point not in _ANSWERED:
        return ()
    last = told[-1]
    return tuple(
        Answer(
            record.plugin,
            str(record.status.code),
            status_text(record.status),
            record.status.is_success,
            record is last,
            tuple(record.params["nodes"]) if record.params.get("nodes") is not None else None,
        )
        for record in told
        if record.point == point and record.plugin
    )


_TOLD_IN_LINES = frozenset({records.GROUP, records.SELECT, records.RESERVE, records.BIND})


def _lines(moment: Moment, told: Sequence[Record]) -> tuple[Sentence, ...]:
    """What was told at this stage before the record that is the page's sentence."""
    own = [record for record in told if record.point == told[-1].point][:-1]
    return tuple(present_record(record, start=moment.clock_start) for record in own)


def _waiting_room(moment: Moment) -> tuple[Guest, ...]:
    start = moment.clock_start
    return tuple(
        Guest(
            short_name(entry.pod.key),
            entry.node,
            ", ".join(entry.deadlines),
            clock_text(entry.until - start),
            amounts_text(entry.pod.shape.requests.on_node),
        )
        for entry in moment.frame.queues.waiting
    )


def _members(moment: Moment) -> tuple[Member, ...]:
    assert moment.record is not None
    first: dict[str, int] = {}
    for record in moment.trace.records:
        first.setdefault(record.pod, record.index)
    if len(first) < 2:
        return ()
    return tuple(
        Member(short_name(pod), str(Position(moment.at.action, index)), pod == moment.record.pod)
        for pod, index in first.items()
    )
