"""What participants own: how much of it, how it moves when two become one, and what of it a person can take along.

Every app that gives rows to participants registers them:

    register_belongings(Belongings(name=_("labs"), count=lab_count, move=labs_move, key="labs", export=labs_export))
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from django_stubs_ext import StrOrPromise

    from gpuschedlab.accounts.models import Participant


@dataclass(frozen=True, slots=True)
class Belongings:
    """A kind of rows participants own: its name on the page, how many one has, and how they go to another.

    key     its name in the file of one's data; export: what stands there (JSON)
    """

    name: StrOrPromise
    count: Callable[[Participant], int]
    move: Callable[[Participant, Participant], None]
    key: str = ""
    export: Callable[[Participant], object] | None = None


_registered: list[Belongings] = []


def register_belongings(belongings: Belongings) -> None:
    _registered.append(belongings)


def belongings_count(participant: Participant) -> list[tuple[StrOrPromise, int]]:
    """What a participant owns, as (name, number) for every kind it owns any of."""
    counted = ((kind.name, kind.count(participant)) for kind in _registered)
    return [(name, number) for name, number in counted if number]


def belongings_export(participant: Participant) -> dict[str, object]:
    """All that a participant owns, as JSON values."""
    return {kind.key: kind.export(participant) for kind in _registered if kind.export is not None}


def belongings_move(source: Participant, target: Participant) -> None:
    for kind in _registered:
        kind.move(source, target)
