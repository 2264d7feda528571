"""Adding revisions: what is stored already stays, what is new gets the next number and becomes the current one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from lessons.assessment.digest import revision_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gpuschedlab.accounts.models import Participant
    from lessons.models import Lesson, Question, Quiz


@dataclass(frozen=True, slots=True)
class Authorship:
    """Who publishes something, from which text, for whom."""

    owner: Participant
    content: str
    listed: bool = True
    based_on: Mapping[str, Any] | None = None

    @property
    def defaults(self) -> dict[str, Any]:
        return {"owner": self.owner, "listed": self.listed, "based_on": self.based_on}

    def digest(self, digest: str) -> str:
        """Another text is another revision, also where it says the same."""
        return revision_of([digest, self.content])


class NameTakenError(ValueError):
    """The name belongs to somebody else."""


def claim(thing: Lesson | Question | Quiz, by: Authorship | None) -> None:
    """Make sure that it is the author's to change, and note who finds it. Raises NameTakenError."""
    owner = by.owner.pk if by is not None else None
    if thing.owner_id != owner:
        raise NameTakenError(f"{thing.slug} belongs to somebody else")
    if by is not None and thing.listed != by.listed:
        thing.listed = by.listed
        thing.save(update_fields=["listed"])


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


def retire(thing: Lesson | Question | Quiz, *, back: bool) -> None:
    """Take it off everybody's lists, or put its newest revision back; what learners began goes on."""
    thing.current = thing.revisions.order_by("-number").first() if back else None
    thing.save(update_fields=["current"])


def counted(outcomes: Iterable[Outcome]) -> dict[str, int]:
    """How many of each, as a catalogue's LoadReport wants it."""
    made = list(outcomes)
    return {outcome.value: made.count(outcome) for outcome in Outcome}
