"""What questions, quizzes and lessons share as material: one YAML mapping, a slug, immutable revisions."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _

from gpuschedlab.materials.documents.paths import get_at
from gpuschedlab.materials.kinds import MaterialKind, Missing, Published, Reading
from lessons.assessment.localized import LANGUAGES
from lessons.manifests.material_text import read_material, write_material
from lessons.presenters.authoring.places import place_name
from lessons.presenters.authoring.problems import missing_texts, unreadable
from lessons.services.revisions import Authorship, retire
from lessons.services.staging import RESERVED
from simulator.presenters.authoring.differences import value_differences

if TYPE_CHECKING:
    from gpuschedlab.accounts.models import Participant
    from gpuschedlab.materials.documents.paths import Path
    from gpuschedlab.materials.models import Draft
    from lessons.models import Lesson, Question, Quiz


class AuthoredKind(MaterialKind):
    """A kind whose published side is a row with a slug, an owner and revisions."""

    model: ClassVar[Any]
    page: ClassVar[str]
    """The name of the learner's page."""
    styles: ClassVar[Sequence[str]] = ("css/pages/question.css", "css/pages/authoring.css")

    # texts

    def read(self, text: str) -> Reading:
        read = read_material(text)
        value = read.value
        problems = tuple(unreadable(read))
        if value is None:
            return Reading(None, problems)
        return Reading(value, problems, str(value.get("id") or ""), _titles(value))

    def write(self, text: str, value: Any) -> str:
        return write_material(text, value)

    def with_name(self, value: Any, name: str) -> Any:
        return {**value, "id": name}

    def missing(self, reading: Reading) -> Sequence[Missing]:
        return list(missing_texts(reading.value)) if reading.is_readable else []

    def differences(self, before: str, after: str) -> Sequence[tuple[str, str, str]]:
        old, new = read_material(before).value, read_material(after).value
        if old is None or new is None:
            return [(_("The text"), "", "")] if before != after else []
        return list(value_differences((), old, new))

    def place(self, path: Path) -> str:
        return place_name(path)

    def beside(self, draft: Draft) -> str:
        return reverse("lessons:draft_beside", args=[draft.pk])

    # its life

    def published(self, names: Sequence[str]) -> Mapping[str, Published]:
        found = self.model.objects.filter(slug__in=list(names), owner__isnull=False)
        made: dict[str, Published] = {}
        for thing in found.select_related("current").prefetch_related("revisions"):
            newest = max(thing.revisions.all(), key=lambda one: one.number, default=None)
            shown = thing.current or newest
            if shown is not None:
                url = reverse(f"lessons:{self.page}", args=[thing.slug])
                made[thing.slug] = Published(
                    thing.slug, shown.number, shown.content, shown.created_at, thing.current is not None, url
                )
        return made

    def name_taken(self, draft: Draft, name: str) -> bool:
        if name == draft.published and name:
            return False
        return name.startswith(RESERVED) or self.model.objects.filter(slug=name).exists()

    def authorship(self, actor: Participant, draft: Draft) -> Authorship:
        return Authorship(actor, draft.text, draft.listed, draft.based_on)

    def retire(self, *, draft: Draft, back: bool) -> None:
        retire(self.thing(draft.published), back=back)

    def list_for(self, *, draft: Draft) -> None:
        self.model.objects.filter(slug=draft.published).update(listed=draft.listed)

    def thing(self, name: str) -> Any:
        """The published row."""
        return self.model.objects.select_related("current", "owner__user").get(slug=name)

    def source(self, name: str) -> tuple[str, Mapping[str, Any]]:
        found = self.model.objects.filter(slug=name).select_related("current", "owner__user").first()
        if found is None or found.current is None:
            raise Http404
        author = str(found.owner) if found.owner is not None else ""
        text = found.current.content or self.written(found)
        credit = {"kind": self.name, "name": name, "number": found.current.number, "author": author}
        return text, {**credit, "title": _titles(read_material(text).value or {})}

    @abstractmethod
    def written(self, thing: Lesson | Question | Quiz) -> str:
        """The text of one of the catalogue's."""


def _titles(value: Mapping[str, Any]) -> dict[str, str]:
    """The title in each language; a question without one is called by its stem."""
    for name in ("title", "stem"):
        found = value.get(name)
        if isinstance(found, str) and found:
            return dict.fromkeys(LANGUAGES, found)
        titles = {language: str(get_at(found, (language,))) for language in LANGUAGES if _written(found, language)}
        if titles:
            return titles
    return {}


def _written(texts: Any, language: str) -> bool:
    return isinstance(texts, Mapping) and isinstance(texts.get(language), str) and bool(texts[language])
