"""Questions of the bank as material."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gpuschedlab.materials.kinds import Figure, Figures, Made, Problem, Published, Reading, Staged, Start
from gpuschedlab.web.errors import BadInput
from lessons.assessment.problems import Invalid
from lessons.assessment.question import read_question
from lessons.manifests.material_text import material_text, read_material
from lessons.materials.authored import AuthoredKind
from lessons.models import Question
from lessons.presenters.authoring.beginnings import QUESTION_STARTS, new_question
from lessons.presenters.authoring.figures import present_question_use, short_question_figures
from lessons.presenters.authoring.problems import (
    UNBOUND,
    located,
    name_problems,
    question_advice,
    translation_problems,
)
from lessons.presenters.authoring.question_fields import question_sections
from lessons.presenters.authoring.scenes import around_of, scenario_choices
from lessons.selectors.statistics import figures_of, statistics_of
from lessons.services.questions import question_store
from lessons.services.regrades import regrade_pending
from lessons.services.revisions import NameTakenError
from lessons.services.scenes import Bound, Unbound, scene_bound
from lessons.services.staging import question_stage, staged_name

if TYPE_CHECKING:
    from gpuschedlab.accounts.models import Participant
    from gpuschedlab.materials.documents.fields import Section
    from gpuschedlab.materials.models import Draft


class QuestionKind(AuthoredKind):
    """Questions of every type."""

    name = "question"
    label = gettext_lazy("Question")
    plural = gettext_lazy("Questions")
    order = 20
    model = Question
    page = "question_detail"
    audiences = (
        (gettext_lazy("Everybody"), gettext_lazy("It can be practised by itself, and named in everybody's quizzes.")),
        (
            gettext_lazy("My quizzes alone"),
            gettext_lazy("It is asked nowhere else: nobody sees its key before."),
        ),
    )

    def starts(self) -> Sequence[Start]:
        return QUESTION_STARTS

    def new_text(self, start: str, *, name: str, title: str, language: str) -> str:
        return new_question(start, name=name, title=title, language=language)

    def sections(self, draft: Draft, reading: Reading, viewer: Participant) -> Sequence[Section]:
        document = reading.value
        return question_sections(
            document,
            is_published=bool(draft.published),
            scenarios=scenario_choices(viewer),
            around=around_of(document),
        )

    def check(self, draft: Draft, reading: Reading) -> Sequence[Problem]:
        if not reading.is_readable:
            return reading.problems
        found = list(name_problems(draft, reading.value, self.name_taken(draft, reading.name)))
        found += question_problems(draft.text)
        found += question_advice(reading.value)
        return [*found, *translation_problems(draft, self.missing(reading))]

    def publish(self, *, actor: Participant, draft: Draft, reading: Reading) -> Made:
        by = self.authorship(actor, draft)
        try:
            question_store(read_question(reading.value), from_catalogue=False, by=by)
        except NameTakenError as error:
            words = _("Something else is named “%(name)s” already. Choose another name.") % {"name": reading.name}
            raise BadInput(words) from error
        current = self.thing(reading.name).current
        return Made(reading.name, current.number)

    def stage(self, *, actor: Participant, draft: Draft, reading: Reading, mode: str) -> Staged:
        bound = bound_or_refused(draft, reading, as_name=staged_name(draft.pk))
        rows = question_stage(owner=actor, bound=bound)
        return Staged(rows, f"questions/{bound.text.id}/")

    def list_for(self, *, draft: Draft) -> None:
        published = Question.objects.filter(Q(slug=draft.published) | Q(open_of__slug=draft.published))
        published.update(listed=draft.listed)

    def written(self, thing: Any) -> str:
        return material_text(thing.source)

    def figures(self, published: Published) -> Figures:
        question = self.thing(published.name)
        return present_question_use(question, statistics_of(question), regrade_pending(question))

    def short_figures(self, names: Sequence[str]) -> Mapping[str, Sequence[Figure]]:
        return {name: short_question_figures(one) for name, one in figures_of(names).items()}


def question_problems(text: str) -> list[Problem]:
    """What keeps a question's text from being asked, its key from the engine included."""
    read = read_material(text)
    if read.value is None:
        return []
    try:
        question = read_question(read.value)
    except Invalid as invalid:
        return [located(read, one) for one in invalid.problems]
    try:
        scene_bound(question)
    except Unbound as problem:
        line, column = read.place_of(("scene",))
        return [Problem("error", str(UNBOUND[problem.code]), ("scene",), line, column)]
    return []


def bound_or_refused(draft: Draft, reading: Reading, *, as_name: str) -> Bound:
    """The draft's question with its key, under another name. Raises BadInput with what stands in the way."""
    problems = reading.problems or question_problems(draft.text)
    if reading.is_readable and not problems:
        return scene_bound(read_question({**reading.value, "id": as_name}))
    why = problems[0].text if problems else ""
    raise BadInput(_("The draft cannot be shown as it stands: %(why)s") % {"why": why})
