"""Lessons as material."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gpuschedlab.materials.kinds import Figure, Figures, Made, Problem, Published, Reading, Staged, Start
from gpuschedlab.web.errors import BadInput
from lessons.manifests.lesson_material import read_lesson_material
from lessons.manifests.material_text import material_text, read_material
from lessons.materials.authored import AuthoredKind
from lessons.models import Lesson
from lessons.presenters.authoring.beginnings import LESSON_STARTS, new_lesson
from lessons.presenters.authoring.figures import present_lesson_use
from lessons.presenters.authoring.lesson_fields import lesson_sections
from lessons.presenters.authoring.lesson_problems import lesson_problems
from lessons.presenters.authoring.problems import located, name_problems, translation_problems
from lessons.selectors.lessons import readers_of
from lessons.services.lessons import lesson_store
from lessons.services.revisions import NameTakenError
from lessons.services.staging import lesson_stage, staged_name

if TYPE_CHECKING:
    from gpuschedlab.accounts.models import Participant
    from gpuschedlab.materials.documents.fields import Section
    from gpuschedlab.materials.models import Draft


class LessonKind(AuthoredKind):
    """Lessons: Markdown in both languages, with scenes and questions."""

    name = "lesson"
    label = gettext_lazy("Lesson")
    plural = gettext_lazy("Lessons")
    order = 30
    model = Lesson
    page = "lesson_detail"
    styles = ("css/pages/lesson.css", "css/pages/question.css", "css/pages/authoring.css")

    def starts(self) -> Sequence[Start]:
        return LESSON_STARTS

    def new_text(self, start: str, *, name: str, title: str, language: str) -> str:
        return new_lesson(start, name=name, title=title, language=language)

    def sections(self, draft: Draft, reading: Reading, viewer: Participant) -> Sequence[Section]:
        return lesson_sections(is_published=bool(draft.published))

    def check(self, draft: Draft, reading: Reading) -> Sequence[Problem]:
        if not reading.is_readable:
            return reading.problems
        found = list(name_problems(draft, reading.value, self.name_taken(draft, reading.name)))
        found += lesson_problems(read_material(draft.text))
        return [*found, *translation_problems(draft, self.missing(reading))]

    def publish(self, *, actor: Participant, draft: Draft, reading: Reading) -> Made:
        document = read_lesson_material(reading.value).document
        try:
            lesson_store(document, by=self.authorship(actor, draft))
        except NameTakenError as error:
            words = _("Something else is named “%(name)s” already. Choose another name.") % {"name": reading.name}
            raise BadInput(words) from error
        return Made(reading.name, self.thing(reading.name).current.number)

    def stage(self, *, actor: Participant, draft: Draft, reading: Reading, mode: str) -> Staged:
        text = read_material(draft.text)
        read = read_lesson_material(reading.value) if reading.is_readable else None
        problems = [*reading.problems, *(located(text, one) for one in (read.problems if read else ()))]
        if read is None or problems:  # lost links and unknown boxes can be looked at
            why = problems[0].text if problems else ""
            raise BadInput(_("The draft cannot be shown as it stands: %(why)s") % {"why": why})
        slug = staged_name(draft.pk)
        rows = lesson_stage(owner=actor, name=slug, document=read.document)
        return Staged(rows, f"lessons/{slug}/")

    def written(self, thing: Any) -> str:
        revision = thing.current
        document: dict[str, Any] = {"id": thing.slug}
        for name in ("title", "goal", "summary"):
            document[name] = {language: front[name] for language, front in revision.front.items()}
        front = next(iter(revision.front.values()))
        document |= {name: front[name] for name in ("minutes", "prerequisites", "facts") if front[name]}
        document["text"] = dict(revision.texts)
        return material_text(document)

    def figures(self, published: Published) -> Figures:
        return present_lesson_use(*readers_of(self.thing(published.name)))

    def short_figures(self, names: Sequence[str]) -> Mapping[str, Sequence[Figure]]:
        found = Lesson.objects.filter(slug__in=list(names)).select_related("current")
        return {one.slug: present_lesson_use(*readers_of(one)).figures for one in found}
