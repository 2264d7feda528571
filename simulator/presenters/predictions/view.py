"""What the lab page shows of predictions at a moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from simulator.models import Prediction
from simulator.presenters.lab_urls import LabUrls
from simulator.presenters.predictions.questions import (
    ABOUT_NODES,
    Prompt,
    answer_text,
    prompt_of,
    question_id,
    question_text,
)
from simulator.presenters.predictions.verdicts import Verdict, verdicts_of
from simulator.selectors.moments import Moment
from simulator.selectors.predictions import tally_of

SAID = "said"


@dataclass(frozen=True, slots=True)
class Answered:
    """A prediction whose answer is not told yet."""

    id: str
    text: str
    said: str


@dataclass(frozen=True, slots=True)
class PredictView:
    """`prompts` are open questions, `answered` what was said and is not told yet, `verdicts` what came of predictions.

    opened   the id of the prompt that stands open; "" for none: one reads what came of the last one first
    blocks   the lab goes on only when the first of the prompts is answered
    right    of the lab's predictions, out of `told`
    marks    for the drawing: "nodes" and "pods" by name, each `said` or a verdict's state
    """

    prompts: tuple[Prompt, ...]
    answered: tuple[Answered, ...]
    verdicts: tuple[Verdict, ...]
    opened: str
    blocks: bool
    right: int
    told: int
    marks: Mapping[str, Mapping[str, str]]

    @property
    def is_empty(self) -> bool:
        return not (self.prompts or self.answered or self.verdicts)


def present_predictions(moment: Moment, urls: LabUrls) -> PredictView:
    asked = moment.asked
    verdicts = verdicts_of(moment, urls)
    waiting = [made for made in asked.made if made.is_waiting]
    right, told = tally_of(asked.made)
    prompts = _prompts(moment) if urls.can_change else ()
    return PredictView(
        prompts,
        tuple(
            Answered(question_id(made.question), question_text(made.question), answer_text(made.kind, made.answer))
            for made in waiting
        ),
        verdicts,
        _opened(prompts, verdicts),
        moment.horizon is not None and moment.at == moment.horizon,
        right,
        told,
        _marks(waiting, verdicts),
    )


def _prompts(moment: Moment) -> tuple[Prompt, ...]:
    """Those that have to be answered first, then those the scenario asks."""
    ordered = sorted(moment.questions, key=lambda question: (not question.required, not question.asked))
    return tuple(prompt_of(moment, item.gate, asked=item.asked, required=item.required) for item in ordered)


def _opened(prompts: Sequence[Prompt], verdicts: Sequence[Verdict]) -> str:
    """The scenario's own question, unless something else than one said has just been told."""
    to_read = any(verdict.just_told and not verdict.is_right for verdict in verdicts)
    return prompts[0].id if prompts and prompts[0].asked and not to_read else ""


def _marks(waiting: Sequence[Prediction], verdicts: Sequence[Verdict]) -> Mapping[str, Mapping[str, str]]:
    """What the drawing puts on nodes and Pods: of the newest verdict, else of what was said last."""
    marks: dict[str, dict[str, str]] = {"nodes": {}, "pods": {}}
    if waiting:
        made = waiting[-1]
        marks["nodes" if made.kind in ABOUT_NODES else "pods"] = dict.fromkeys(made.answer, SAID)
    elif verdicts:
        newest = verdicts[-1]
        marks[newest.about] = {row.key: row.state for row in newest.rows if row.state}
    return marks
