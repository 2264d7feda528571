"""What became of one's predictions: in a lab, and in all of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simulator.enums import PredictionOutcome, PredictKind
from simulator.models import Lab, Prediction
from simulator.presenters.lab_urls import own_urls
from simulator.presenters.predictions.questions import answer_text, question_text
from simulator.selectors.predictions import Tally, prediction_tally, predictions_of

if TYPE_CHECKING:
    from datetime import datetime

    from gpuschedlab.accounts.models import Participant
    from simulator.presenters.lab_urls import LabUrls

LATEST = 10

ICONS = {
    PredictionOutcome.WAITING: "held",
    PredictionOutcome.RIGHT: "pass",
    PredictionOutcome.WRONG: "otherwise",
    PredictionOutcome.WITHDRAWN: "skip",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One prediction; `was` is "" until it is told."""

    kind: Any
    text: str
    attempt: int
    said: str
    was: str
    outcome: str
    outcome_text: Any
    icon: str
    taken_over: bool
    made_at: datetime
    scenario: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class TallyLine:
    label: Any
    right: int
    told: int
    percent: int


@dataclass(frozen=True, slots=True)
class PredictionRecord:
    """One's record over all labs: rates by kind, and the latest predictions."""

    right: int
    told: int
    tallies: tuple[TallyLine, ...]
    latest: tuple[Line, ...]


def present_record(participant: Participant) -> PredictionRecord:
    """The participant's own record, for a page of theirs."""
    tallies = prediction_tally(participant)
    latest = predictions_of(participant)[:LATEST]
    return PredictionRecord(
        sum(tally.right for tally in tallies),
        sum(tally.told for tally in tallies),
        tuple(_tally(tally) for tally in tallies),
        tuple(line_of(made, own_urls(made.lab), scenario=made.lab.revision.title) for made in latest),
    )


def _tally(tally: Tally) -> TallyLine:
    return TallyLine(tally.kind.label, tally.right, tally.told, tally.percent)


def line_of(made: Prediction, urls: LabUrls | None = None, *, scenario: str = "") -> Line:
    outcome = PredictionOutcome(made.outcome)
    return Line(
        PredictKind(made.kind).label,
        question_text(made.question),
        made.attempt,
        answer_text(made.kind, made.answer),
        "" if made.key is None else answer_text(made.kind, made.key),
        outcome.value,
        outcome.label,
        ICONS[outcome],
        made.taken_over,
        made.created_at,
        scenario,
        "" if urls is None else urls.at(made.horizon),
    )


def lines_of(made: Iterable[Prediction], lab: Lab) -> tuple[Line, ...]:
    """The predictions of a lab, the latest first."""
    urls = own_urls(lab)
    return tuple(line_of(item, urls) for item in reversed(list(made)))
