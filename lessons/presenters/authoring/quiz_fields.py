"""The form of a quiz: its questions and its settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext_lazy as _

from gpuschedlab.materials.documents import fields as form
from gpuschedlab.materials.documents.fields import Section
from gpuschedlab.materials.documents.paths import ABSENT
from lessons.assessment.question import LEVELS
from lessons.assessment.quizzes import MAX_MARKS, MAX_QUESTIONS, MAX_SECTIONS
from lessons.assessment.review_options import DEFAULTS, Aspect, Mode, Moment, ReviewOptions
from lessons.presenters.authoring.inputs import free_id, line, prose
from lessons.presenters.authoring.question_fields import TYPES
from simulator.enums import Level

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

MODES: Final[Mapping[str, StrOrPromise]] = {
    "practice": _("practice: what is right is shown after each question"),
    "test": _("test: what is right is shown at the end"),
}
LATE: Final[Mapping[str, StrOrPromise]] = {
    "reject": _("is not taken; what was saved before counts"),
    "accept": _("is taken in full"),
    "penalty": _("loses part of the mark for each hour begun"),
}
COUNTS: Final[Mapping[str, StrOrPromise]] = {
    "best": _("the best"),
    "last": _("the last"),
    "first": _("the first"),
    "mean": _("the mean of all"),
}
MOMENTS: Final[Mapping[Moment, StrOrPromise]] = {
    Moment.DURING: _("Before the answer is in"),
    Moment.AFTER: _("After the answer"),
    Moment.CLOSED: _("When it is handed in"),
}
ASPECTS: Final[Mapping[Aspect, StrOrPromise]] = {
    Aspect.RESPONSE: _("Own answer"),
    Aspect.CORRECTNESS: _("Right or wrong"),
    Aspect.MARKS: _("Marks"),
    Aspect.FEEDBACK: _("Feedback"),
    Aspect.KEY: _("Key and explanation"),
}


@dataclass(frozen=True, kw_only=True)
class Minutes(form.Whole):
    """Seconds, asked for in minutes."""

    @property
    def template(self) -> str:
        return "whole"

    def shown(self, value: Any) -> Any:
        return f"{value / 60:g}" if isinstance(value, int) and not isinstance(value, bool) else super().shown(value)

    def read(self, typed: Sequence[str]) -> Any:
        found = super().read(typed)
        return found if found is ABSENT else found * 60


@dataclass(frozen=True, kw_only=True)
class Matrix(form.Leaf):
    """The review options: what is shown when. What the mode shows by itself is not written."""

    standard: ReviewOptions

    @property
    def heads(self) -> Sequence[StrOrPromise]:
        return tuple(MOMENTS.values())

    @property
    def grid(self) -> Sequence[tuple[StrOrPromise, Sequence[tuple[str, StrOrPromise]]]]:
        """Rows of (aspect, its boxes): the value of each with the moment it is about."""
        return [(words, [(f"{m}:{aspect}", MOMENTS[m]) for m in MOMENTS]) for aspect, words in ASPECTS.items()]

    def shown(self, value: Any) -> Any:
        given = value if isinstance(value, Mapping) else self.standard.as_mapping()
        return [f"{moment}:{aspect}" for moment in Moment for aspect in _listed(given.get(moment))]

    def read(self, typed: Sequence[str]) -> Any:
        made = {m.value: [a.value for a in Aspect if f"{m}:{a}" in typed] for m in Moment}
        return ABSENT if made == self.standard.as_mapping() else made


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def quiz_sections(document: Mapping[str, Any], *, is_published: bool) -> list[Section]:
    """The form of a quiz's document."""
    return [
        Section(
            id="about",
            title=_("What it is"),
            fields=(
                line("title", _("Title"), needed=True),
                prose("description", _("Description"), help=_("One or two sentences for the list.")),
            ),
        ),
        Section(id="questions", title=_("Questions"), help=QUESTIONS_HELP, fields=(_parts(document),)),
        Section(id="taking", title=_("How it is taken"), fields=_taking(), root=("settings",)),
        Section(id="attempts", title=_("Attempts and time"), fields=_attempts(), root=("settings", "attempts")),
        Section(
            id="review",
            title=_("What is shown when"),
            help=_("Nothing but one's own answer is ever shown before the answer is in, whatever is ticked here."),
            fields=(Matrix(name="review", label=_("Review options"), standard=_standard(document)),),
            root=("settings",),
        ),
        Section(id="address", title=_("Address"), fields=(_address(is_published),)),
    ]


QUESTIONS_HELP: Final = _(
    "Take them from the bank, or write new ones: both stand beside. A part may also draw from a pool."
)


def _standard(document: Mapping[str, Any]) -> ReviewOptions:
    settings = document.get("settings")
    mode = settings.get("mode") if isinstance(settings, Mapping) else None
    return DEFAULTS[Mode(mode)] if mode in set(Mode) else DEFAULTS[Mode.PRACTICE]


def _parts(document: Mapping[str, Any]) -> form.Listing:
    questions = form.Listing(
        name="questions",
        label=_("Questions"),
        item=form.Line(label=_("Question"), code=True, most=100),
        fresh="",
        item_label=_("Question"),
        add_label=_("Add by name"),
        most=MAX_QUESTIONS,
    )
    pick = form.Whole(
        name="pick", label=_("How many are drawn"), help=_("Empty: all of them."), least=1, most=MAX_QUESTIONS
    )
    marks = form.Whole(name="marks", label=_("Marks for each"), least=1, most=MAX_MARKS)
    return form.Listing(
        name="sections",
        label=_("Parts"),
        item=form.Group(fields=(line("title", _("Heading"), quiet=True), questions, _pool(), pick, marks)),
        fresh={**free_id(document, "sections"), "questions": []},
        item_label=_("Part"),
        add_label=_("Add a part"),
        most=MAX_SECTIONS,
    )


def _pool() -> form.Group:
    types = [(name, words) for name, (words, _told) in TYPES.items()]
    return form.Group(
        name="pool",
        label=_("Draw from a pool instead"),
        help=_("Questions of the course and your own published ones that meet every condition given."),
        quiet=True,
        fields=(
            form.Words(name="topics", label=_("Topics")),
            form.ManyOf(name="levels", label=_("Levels"), choices=[(one, dict(Level.choices)[one]) for one in LEVELS]),
            form.ManyOf(name="types", label=_("Types"), choices=types),
            form.Words(name="facts", label=_("Facts of the chapter")),
        ),
    )


def _taking() -> Sequence[form.Field]:
    return (
        form.OneOf(name="mode", label=_("Mode"), choices=list(MODES.items()), default="practice"),
        form.Truth(name="shuffle", label=_("Questions in another order for everybody")),
        form.Truth(name="certainty", label=_("Learners say how sure they are, and it counts")),
        form.Whole(name="pass_percent", label=_("Percent of the marks to pass"), least=0, most=100),
    )


def _attempts() -> Sequence[form.Field]:
    rule = _("is not taken (the rule)")
    late = form.Group(
        name="late",
        label=_("What is handed in late"),
        fields=(
            form.OneOf(
                name="kind",
                label=_("What happens to it"),
                choices=list(LATE.items()),
                empty=rule,
            ),
            form.Whole(name="grace_seconds", label=_("Seconds of grace"), least=0, most=86_400, quiet=True),
            form.Number(name="per_hour", label=_("Lost for each hour"), help=_("A share: 0.1 is 10 %."), quiet=True),
            form.Number(name="floor", label=_("What is left at least"), help=_("A share."), quiet=True),
        ),
    )
    return (
        form.Whole(name="allowed", label=_("Attempts"), help=_("Empty: any number."), least=1, most=1000),
        Minutes(name="time_limit_seconds", label=_("Minutes for each"), help=_("Empty: no limit."), least=1, most=1440),
        Minutes(name="wait_seconds", label=_("Minutes between two"), least=0, most=10_080),
        form.OneOf(name="counts", label=_("Which one counts"), choices=list(COUNTS.items()), default="best"),
        late,
    )


def _address(is_published: bool) -> form.Line:
    told = (
        _("It stays as it is from the first publication on.")
        if is_published
        else _("Small letters, digits and dashes. It can be changed until it is published.")
    )
    return form.Line(name="id", label=_("Name in the address"), help=told, code=True, most=60)
