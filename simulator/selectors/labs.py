"""Reads of labs, with the viewer."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from django.http import Http404

from simulator.models import Lab
from simulator.rules import can_change_lab
from simulator.selectors.scenarios import revision_get

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from gpuschedlab.accounts.models import Participant

_LONG = ("revision__content", "revision__objects_json")


def _labs() -> QuerySet[Lab]:
    return Lab.objects.select_related("revision__scenario").defer(*_LONG)


def lab_open(*, viewer: Participant, slug: str, lab_id: UUID, revision: int | None = None) -> Lab:
    """The viewer's lab at that address; one that is not stored yet where nobody has such a lab.

    `revision`: which revision a lab not stored yet starts from (the current one without it).
    """
    found = _labs().filter(pk=lab_id).first()
    if found is None:
        begun = revision_get(slug, revision)
        return Lab(id=lab_id, owner=viewer, revision=begun, positions=dict(begun.spec.get("positions") or {}))
    if not can_change_lab(viewer, found) or found.revision.scenario.slug != slug:
        raise Http404
    return found


def lab_find(*, viewer: Participant, lab_id: UUID) -> Lab | None:
    """A stored lab of the viewer's own; None for any other."""
    return _labs().filter(pk=lab_id, owner_id=viewer.pk).first()


def lab_shared(token: str) -> Lab:
    """The lab behind a read-only link."""
    found = _labs().filter(share_token=token).first() if token.isprintable() else None  # PostgreSQL refuses NUL
    if found is None:
        raise Http404
    return found


def lab_list(*, viewer: Participant) -> QuerySet[Lab]:
    """The viewer's labs, the one used last first."""
    return _labs().filter(owner_id=viewer.pk).order_by("-changed_at")


def lab_branches(lab: Lab) -> QuerySet[Lab]:
    """The labs that branched off this one, and its siblings, oldest first; the owner's only."""
    root = lab.parent_id or lab.pk
    family = _labs().filter(owner_id=lab.owner_id, parent_id__in=[root, lab.pk])
    return family.exclude(pk=lab.pk).order_by("created_at")


def lab_family(lab: Lab) -> list[Lab]:
    """The lab itself, what it branched off, and the branches of both: what it makes sense to compare it with."""
    parent = [] if lab.parent_id is None else list(_labs().filter(pk=lab.parent_id, owner_id=lab.owner_id))
    return [lab, *parent, *lab_branches(lab)[:20]]
