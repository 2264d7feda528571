"""Reads of runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404

from gpuschedlab.web.models import ACTIVE, Run

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import QuerySet

    from gpuschedlab.accounts.models import Participant


def run_find(*, viewer: Participant, run_id: UUID) -> Run | None:
    """A run of the viewer's own; None for any other."""
    return Run.objects.filter(pk=run_id, owner_id=viewer.pk).first()


def run_get(*, viewer: Participant, run_id: UUID) -> Run:
    run = run_find(viewer=viewer, run_id=run_id)
    if run is None:
        raise Http404
    return run


def run_list_active(*, owner: Participant) -> QuerySet[Run]:
    return Run.objects.filter(owner_id=owner.pk, state__in=ACTIVE).order_by("created_at")
