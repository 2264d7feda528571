"""Storing lessons and the glossary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lessons.models import Lesson, Term
from lessons.services.revisions import Outcome, claim, revision_add

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lessons.manifests.glossary_file import TermText
    from lessons.manifests.lesson_folder import LessonDocument
    from lessons.services.revisions import Authorship


def lesson_store(document: LessonDocument, *, by: Authorship | None = None) -> Outcome:
    """Store a lesson; an unchanged one stays as it is. Raises NameTakenError where the name is somebody else's."""
    order = next(iter(document.front.values()))["order"]
    lesson, _ = Lesson.objects.select_related("current").get_or_create(
        slug=document.slug, defaults={"order": order, "from_catalogue": by is None, **(by.defaults if by else {})}
    )
    claim(lesson, by)
    if lesson.order != order:
        lesson.order = order
        lesson.save(update_fields=["order"])
    values = {"texts": document.bodies, "front": document.front, "outline": document.outline}
    if by is None:
        return revision_add(lesson, document.digest, values)
    return revision_add(lesson, by.digest(document.digest), {**values, "content": by.content})


def lessons_withdraw_others(slugs: Iterable[str]) -> None:
    """The catalogue's lessons with other slugs are no longer read; what learners did in them stays."""
    Lesson.objects.filter(from_catalogue=True).exclude(slug__in=list(slugs)).update(current=None)


def glossary_store(terms: Iterable[TermText]) -> list[Outcome]:
    """Make the glossary these terms and no others."""
    known = {term.slug: term for term in Term.objects.all()}
    outcomes: list[Outcome] = []
    for text in terms:
        values = {
            "zh": text.zh,
            "en": text.en,
            "aliases": list(text.aliases),
            "text": text.text,
            "links": list(text.links),
        }
        found = known.pop(text.slug, None)
        if found is None:
            Term.objects.create(slug=text.slug, **values)
            outcomes.append(Outcome.CREATED)
        elif any(getattr(found, name) != value for name, value in values.items()):
            Term.objects.filter(pk=found.pk).update(**values)
            outcomes.append(Outcome.UPDATED)
        else:
            outcomes.append(Outcome.UNCHANGED)
    Term.objects.filter(slug__in=known).delete()
    return outcomes
