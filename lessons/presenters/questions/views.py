"""From an asked question to what templates/lessons/_question.html shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils import timezone

from lessons.assessment.grades import State
from lessons.assessment.learner_view import filled_form, in_language, public_view, review_view
from lessons.assessment.review_options import Aspect, Mode
from lessons.presenters.links import address_of
from lessons.presenters.problems import problem_sentence
from lessons.presenters.questions.choosing import show_names, show_options, show_winner
from lessons.presenters.questions.marks import Marks, Shown
from lessons.presenters.questions.placing import show_assignment, show_graph, show_order
from lessons.presenters.questions.writing import show_cloze, show_goals, show_number, show_table, show_text
from lessons.presenters.situations import SituationView, present_situation
from lessons.services.evidence import labs_for

if TYPE_CHECKING:
    from datetime import datetime

    from lessons.assessment.problems import Problem
    from lessons.selectors.asked import Asked

_SHOW: Final[Mapping[str, Callable[[Shown, Marks], Shown]]] = {
    "choice": show_options,
    "multiple": show_options,
    "numeric": show_number,
    "ordering": show_order,
    "matching": show_assignment,
    "cloze": show_cloze,
    "short-text": show_text,
    "click-the-nodes": show_names,
    "predict-winner": show_winner,
    "fill-in-score": show_table,
    "who-gets-evicted": show_names,
    "build-it": show_goals,
    "label-the-graph": show_graph,
    "sort-into-categories": show_assignment,
}


@dataclass(frozen=True, slots=True)
class Link:
    """Where to go from a question; one that `swaps` fills the question's own place."""

    address: str
    words: str
    swaps: bool = False


@dataclass(frozen=True, slots=True)
class LabChoice:
    """A lab that can be handed in."""

    id: str
    title: str
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class QuestionView:
    """One question on the page.

    dom_id      of its part; fields have ids that begin with it
    template    the part of its type
    shown       what that template needs (lessons.assessment's view with the fields filled in)
    post_url    where the form goes; `turn` and `draft_seq` tell it what the page knows
    phase       `answer`, `saved` (a test that is not handed in), `mark` (give an open answer its points), `done`
    state       right, partial, wrong, unanswered, unmarked; empty where that may not be shown yet
    percent     of the question's mark that the answer earned, None where that may not be shown
    errors      sentences about the form that came
    links       where to go from here; `fresh`: this is the answer to a form, so its result or last hint takes the focus
    lab_address of the question's scenario, empty without one; labs: what can be handed in where something is built
    """

    asked: Asked
    dom_id: str
    template: str
    shown: Shown
    post_url: str
    phase: str
    turn: int = 0
    state: str = ""
    percent: int | None = None
    errors: tuple[str, ...] = ()
    situation: SituationView | None = None
    asks_certainty: bool = False
    certainty: int | None = None
    hints: int = 0
    opened: int = 0
    links: tuple[Link, ...] = ()
    fresh: bool = False
    lab_address: str = ""
    labs: tuple[LabChoice, ...] = ()

    @property
    def is_open(self) -> bool:
        return self.phase in {"answer", "saved"}

    @property
    def draft_seq(self) -> int:
        return self.asked.slot.draft_seq

    @property
    def number(self) -> int:
        return self.asked.slot.number

    @property
    def label_id(self) -> str:
        return f"{self.dom_id}-stem"


@dataclass(frozen=True, slots=True)
class Refilled:
    """A form that came back: its fields are shown again, with what is wrong with it."""

    form: Mapping[str, Sequence[str]]
    certainty: int | None = None
    hints: int = 0
    problems: Sequence[Problem] = ()
    sentences: Sequence[str] = ()


def present_question(
    asked: Asked,
    *,
    language: str,
    post_url: str,
    turn: int = 0,
    asks_certainty: bool = True,
    refilled: Refilled | None = None,
    links: Sequence[Link] = (),
    fresh: bool = False,
) -> QuestionView:
    """The question in a language; before the answer is in, nothing of the key is in it."""
    shown_aspects = asked.shown
    hints = max(asked.slot.hints, refilled.hints if refilled else 0)
    if asked.is_open:
        view, marks = _open_view(asked, refilled, hints, language)
    else:
        view, marks = _judged_view(asked, shown_aspects, refilled, language)
    return QuestionView(
        asked=asked,
        dom_id=f"q{asked.attempt.pk.hex[:12]}-{asked.slot.number}",
        template=f"lessons/questions/{asked.text.type.replace('-', '_')}.html",
        shown=_SHOW[asked.text.type](view, marks),
        post_url=post_url,
        phase=_phase(asked),
        turn=turn,
        state=view.get("state", ""),
        percent=_percent(asked) if Aspect.MARKS in shown_aspects and asked.answer is not None else None,
        errors=_errors(refilled),
        situation=present_situation(asked.situation) if asked.situation else None,
        asks_certainty=asks_certainty and asked.text.type != "short-text",
        certainty=refilled.certainty if refilled else asked.certainty,
        hints=hints,
        opened=int(timezone.now().timestamp()),
        links=tuple(links),
        fresh=fresh,
        lab_address=address_of(f"lab:{asked.text.scene.scenario}") if asked.text.scene else "",
        labs=_labs(asked) if asked.text.type == "build-it" and asked.is_open else (),
    )


def _labs(asked: Asked) -> tuple[LabChoice, ...]:
    """What the learner can hand in."""
    labs = labs_for(asked.attempt.participant, asked.text)
    return tuple(LabChoice(str(lab.pk), lab.name or lab.revision.title, lab.changed_at) for lab in labs)


def _open_view(asked: Asked, refilled: Refilled | None, hints: int, language: str) -> tuple[Shown, Marks]:
    view = in_language(public_view(asked.variant, asked.tokens, hints=hints), language)
    saved = filled_form(asked.variant, asked.response, asked.tokens)
    filled = {name: list(values) for name, values in refilled.form.items()} if refilled else saved
    return view, Marks(filled=filled)


def _judged_view(asked: Asked, shown: Any, refilled: Refilled | None, language: str) -> tuple[Shown, Marks]:
    assert asked.judged is not None
    view = in_language(review_view(asked.variant, asked.response, asked.judged, asked.tokens, shown), language)
    filled = dict(view.get("response", {}))
    if refilled:
        filled |= {name: list(values) for name, values in refilled.form.items()}
    parts = {part["token"]: part for part in view.get("parts", [])}
    return view, Marks(filled=filled, parts=parts, key=view.get("key", {}))


def _phase(asked: Asked) -> str:
    attempt = asked.attempt
    if asked.is_open:
        return "saved" if attempt.mode == Mode.TEST else "answer"
    if asked.answer is not None and not asked.is_final and Aspect.KEY in asked.shown:
        return "mark"
    return "done"


def _percent(asked: Asked) -> int | None:
    if asked.grading is None or asked.grading.state == State.UNMARKED:
        return None
    return round(float(asked.grading.score) * 100)


def _errors(refilled: Refilled | None) -> tuple[str, ...]:
    if refilled is None:
        return ()
    told = [*refilled.sentences, *(problem_sentence(problem.code, problem.params) for problem in refilled.problems)]
    return tuple(dict.fromkeys(told))
