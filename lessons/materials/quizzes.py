"""Quizzes as material. The questions of a quiz that are still drafts of its author's are published along with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gpuschedlab.materials.documents.paths import get_at
from gpuschedlab.materials.filling import draft_set, readable
from gpuschedlab.materials.kinds import Figure, Figures, Made, Problem, Published, Reading, Staged, Start, kind_named
from gpuschedlab.materials.presenters import CHANGED, published_of, state_of
from gpuschedlab.materials.publishing import BLOCKING, publish_now
from gpuschedlab.materials.services import draft_note
from gpuschedlab.web.errors import BadInput
from lessons.assessment.problems import Invalid
from lessons.assessment.question import read_question
from lessons.assessment.quizzes import check_quiz, read_quiz_document
from lessons.manifests.material_text import material_text, read_material
from lessons.materials.authored import AuthoredKind
from lessons.materials.questions import bound_or_refused
from lessons.models import Quiz
from lessons.presenters.authoring.beginnings import QUIZ_STARTS, new_quiz
from lessons.presenters.authoring.figures import present_quiz_use, short_quiz_figures
from lessons.presenters.authoring.parts import with_questions
from lessons.presenters.authoring.problems import located, name_problems, translation_problems
from lessons.presenters.authoring.quiz_fields import quiz_sections
from lessons.selectors.question_drafts import drafts_named, names_of
from lessons.selectors.questions import bank_for, bank_texts, quiz_slugs
from lessons.selectors.quiz_use import attempt_counts, quiz_use
from lessons.selectors.statistics import figures_of
from lessons.services.questions import quiz_store
from lessons.services.revisions import NameTakenError
from lessons.services.staging import question_stage, quiz_stage, staged_name

if TYPE_CHECKING:
    from gpuschedlab.accounts.models import Participant
    from gpuschedlab.materials.documents.fields import Section
    from gpuschedlab.materials.models import Draft
    from lessons.assessment.quizzes import Quiz as QuizText
    from lessons.manifests.material_text import MaterialText

PLACE = 500
"""Instructors' quizzes come behind the course's own."""


class QuizKind(AuthoredKind):
    """Quizzes of questions of the bank."""

    name = "quiz"
    label = gettext_lazy("Quiz")
    plural = gettext_lazy("Quizzes")
    order = 15
    model = Quiz
    page = "quiz_detail"

    def starts(self) -> Sequence[Start]:
        return QUIZ_STARTS

    def new_text(self, start: str, *, name: str, title: str, language: str) -> str:
        return new_quiz(start, name=name, title=title, language=language)

    def sections(self, draft: Draft, reading: Reading, viewer: Participant) -> Sequence[Section]:
        return quiz_sections(reading.value, is_published=bool(draft.published))

    def part_begun(self, *, draft: Draft, part: Draft) -> None:
        """A new question stands in the quiz at once, at its end; a test's are kept for it."""
        if part.kind == "question":
            document = with_questions(readable(draft).value, [part.name])
            if get_at(document, ("settings", "mode")) == "test":
                draft_note(part, listed=False)
            draft_set(draft=draft, document=document, origin="form", what="sections")

    def check(self, draft: Draft, reading: Reading) -> Sequence[Problem]:
        if not reading.is_readable:
            return reading.problems
        text = read_material(draft.text)
        found = list(name_problems(draft, reading.value, self.name_taken(draft, reading.name)))
        if "questions" in reading.value:
            words = _("Questions are materials of their own: take “questions” out, and name them in the parts.")
            found.append(Problem("error", words, None, *text.place_of(("questions",))))
        try:
            quiz = read_quiz_document({**reading.value, "questions": []}).quiz
        except Invalid as invalid:
            return [*found, *(located(text, one) for one in invalid.problems)]
        found += _question_problems(draft, text, quiz)
        return [*found, *translation_problems(draft, self.missing(reading))]

    def publish(self, *, actor: Participant, draft: Draft, reading: Reading) -> Made:
        kind = kind_named("question")
        for part in _own_drafts(draft, reading.value).values():
            if not part.published:
                publish_now(actor, part, kind, kind.read(part.text))
        quiz = read_quiz_document(reading.value).quiz
        try:
            quiz_store(quiz, order=PLACE, from_catalogue=False, by=self.authorship(actor, draft))
        except NameTakenError as error:
            words = _("Something else is named “%(name)s” already. Choose another name.") % {"name": reading.name}
            raise BadInput(words) from error
        return Made(reading.name, self.thing(reading.name).current.number)

    def stage(self, *, actor: Participant, draft: Draft, reading: Reading, mode: str) -> Staged:
        problems = [one for one in self.check(draft, reading) if one.weight in BLOCKING and one.path != ("id",)]
        if problems:
            raise BadInput(_("The draft cannot be shown as it stands: %(why)s") % {"why": problems[0].text})
        rows: list[Any] = []
        names: dict[str, str] = {}
        for name, part in _own_drafts(draft, reading.value).items():
            if not part.published:
                names[name] = staged_name(part.pk)
                kind = kind_named("question")
                bound = bound_or_refused(part, kind.read(part.text), as_name=names[name])
                rows += question_stage(owner=actor, bound=bound)
        slug = staged_name(draft.pk)
        source = {**_renamed(reading.value, names), "id": slug}
        rows += quiz_stage(owner=actor, name=slug, source=source, digest=read_quiz_document(source).quiz.revision)
        return Staged(tuple(rows), f"quizzes/{slug}/")

    def written(self, thing: Any) -> str:
        return material_text(thing.current.source)

    def figures(self, published: Published) -> Figures:
        quiz = self.thing(published.name)
        order = quiz_slugs([quiz])[quiz.slug] if quiz.current is not None else []
        return present_quiz_use(quiz_use(quiz), figures_of(order), order)

    def short_figures(self, names: Sequence[str]) -> Mapping[str, Sequence[Figure]]:
        counts = attempt_counts(names)
        return {name: short_quiz_figures(counts.get(name, 0)) for name in names}


def _renamed(document: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    sections = [
        {**one, "questions": [names.get(name, name) for name in one["questions"]]} if "questions" in one else one
        for one in document.get("sections") or ()
    ]
    return {**document, "sections": sections}


def _own_drafts(draft: Draft, document: Mapping[str, Any]) -> dict[str, Draft]:
    """The author's drafts of questions that the quiz names."""
    return drafts_named(draft.owner, names_of(document))


def _question_problems(draft: Draft, text: MaterialText, quiz: QuizText) -> list[Problem]:
    """What is wrong with the questions: there are none, they are not there, they cannot be published."""
    if not quiz.sections:
        words = _("A quiz needs questions: take them from the bank, or write new ones.")
        return [Problem("missing", words, ("sections",))]
    names = [name for section in quiz.sections for name in section.questions]
    published = bank_texts(bank_for(draft.owner, names))
    drafts = _own_drafts(draft, text.value or {})
    found: list[Problem] = []
    readable_texts = dict(published)
    for name, part in drafts.items():
        problems = _part_problems(part)
        found += problems
        if name not in published and not any(one.weight in BLOCKING for one in problems):
            readable_texts[name] = read_question(kind_named("question").read(part.text).value)
    unusable = {name for name in drafts if name not in readable_texts}
    for one in check_quiz(quiz, readable_texts):
        if one.params.get("question") not in unusable:
            found.append(located(text, one))
    return found


def _part_problems(part: Draft) -> list[Problem]:
    """What a draft of a question needs before it can be asked."""
    kind = kind_named("question")
    title, url = part.title, reverse("materials:form", args=[part.pk])
    blocking = [one for one in kind.check(part, kind.read(part.text)) if one.weight in BLOCKING]
    if part.published:
        if state_of(part, published_of(part)) == CHANGED:
            words = _("“%(title)s” was changed since it was published; learners get the earlier revision.")
            return [Problem("advice", words % {"title": title}, url=reverse("materials:publish", args=[part.pk]))]
        return []
    if blocking:
        words = _("“%(title)s” is not ready: %(why)s") % {"title": title, "why": blocking[0].text}
        return [Problem("missing", words, url=url)]
    words = _("“%(title)s” is a draft; it is published along with the quiz.") % {"title": title}
    return [Problem("advice", words, url=url)]
