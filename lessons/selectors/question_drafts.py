"""Drafts of questions that a quiz's draft names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gpuschedlab.materials.selectors import draft_list

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gpuschedlab.accounts.models import Participant
    from gpuschedlab.materials.models import Draft


def names_of(document: Mapping[str, Any]) -> list[str]:
    """The questions that the parts of a quiz's document name, in order; whatever else stands there is passed over."""
    sections = document.get("sections")
    found: dict[str, None] = {}
    for section in sections if isinstance(sections, list) else ():
        named = section.get("questions") if isinstance(section, Mapping) else None
        found.update((name, None) for name in (named if isinstance(named, list) else ()) if isinstance(name, str))
    return list(found)


def drafts_named(owner: Participant, names: Iterable[str]) -> dict[str, Draft]:
    """Somebody's drafts of questions of these names, in their order; of two with one name the published one."""
    wanted = list(names)
    mine = draft_list(viewer=owner).filter(kind="question", name__in=wanted)
    found = {draft.name: draft for draft in mine.order_by("published", "changed_at")}
    return {name: found[name] for name in wanted if name in found}
