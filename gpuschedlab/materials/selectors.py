"""Reads of drafts, with the viewer."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from django.http import Http404

from gpuschedlab.materials.models import Draft, DraftEdit
from gpuschedlab.materials.rules import can_edit

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from gpuschedlab.accounts.models import Participant


def draft_get(*, viewer: Participant, draft_id: UUID) -> Draft:
    """A draft of the viewer's own. Raises Http404."""
    found = Draft.objects.select_related("owner__user").filter(pk=draft_id).first()
    if found is None or not can_edit(viewer, found):
        raise Http404
    return found


def draft_list(*, viewer: Participant) -> QuerySet[Draft]:
    """The viewer's drafts, the one changed last first."""
    return Draft.objects.filter(owner_id=viewer.pk).order_by("-changed_at")


def draft_published_as(*, viewer: Participant, kind: str, name: str) -> Draft | None:
    """The viewer's draft of a published thing."""
    return Draft.objects.filter(owner_id=viewer.pk, kind=kind, published=name).first()


def edit_get(draft: Draft, version: int) -> DraftEdit | None:
    return draft.edits.filter(version=version).first()


def edit_list(draft: Draft) -> QuerySet[DraftEdit]:
    """Its edits, newest first, without their texts."""
    return draft.edits.defer("packed").order_by("-version")
