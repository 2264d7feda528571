"""Adding revisions: what is stored already stays, what is new gets the next number and becomes the current one."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lessons.models import Lesson, Question, Quiz


class Outcome(StrEnum):
    """What storing a thing did."""

    CREATED = "created"
    UPDATED = "updated"
    UNCHANGED = "unchanged"


def revision_add(thing: Lesson | Question | Quiz, digest: str, values: Mapping[str, Any]) -> Outcome:
    """Make the revision with this digest the current one of `thing`, which is stored; add it where there is none."""
    revisions = thing.revisions
    current = thing.current
    if current is not None and current.digest == digest:
        return Outcome.UNCHANGED
    newest = revisions.order_by("-number").first()
    found = revisions.filter(digest=digest).first()
    if found is None:
        found = revisions.create(number=newest.number + 1 if newest else 1, digest=digest, **values)
    thing.current = found
    thing.save(update_fields=["current"])
    return Outcome.UPDATED if newest else Outcome.CREATED


def counted(outcomes: Iterable[Outcome]) -> dict[str, int]:
    """How many of each, as a catalogue's LoadReport wants it."""
    made = list(outcomes)
    return {outcome.value: made.count(outcome) for outcome in Outcome}
