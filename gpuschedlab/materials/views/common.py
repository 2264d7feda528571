"""What the pages of materials share: who may see them, which draft they are about."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, TypeVar, cast

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django_htmx.http import HttpResponseClientRedirect

from gpuschedlab.materials.kinds import kind_of
from gpuschedlab.materials.presenters import Checklist, present_checklist, present_head
from gpuschedlab.materials.rules import can_write
from gpuschedlab.materials.selectors import draft_get
from gpuschedlab.web.htmx import wants_partial
from gpuschedlab.web.limits import Rate, limit_rate

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from uuid import UUID

    from gpuschedlab.materials.kinds import Reading
    from gpuschedlab.materials.models import Draft
    from gpuschedlab.web.http import LabRequest

View = TypeVar("View", bound="Callable[..., HttpResponse]")
SAVES = limit_rate("materials.save", participant=Rate(600), address=Rate(6000))
MAKES = limit_rate("materials.make", participant=Rate(60), address=Rate(600))


def for_writers(view: View) -> View:
    """A page that nobody but instructors knows of."""

    @functools.wraps(view)
    def guarded(request: LabRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not can_write(request.participant):
            raise Http404
        return view(request, *args, **kwargs)

    return cast("View", guarded)


def draft_of(request: LabRequest, draft_id: UUID) -> Draft:
    return draft_get(viewer=request.participant, draft_id=draft_id)


def checklist_of(draft: Draft, reading: Reading) -> Checklist:
    return present_checklist(draft, kind_of(draft).check(draft, reading))


def page_context(
    draft: Draft, view: str, reading: Reading | None = None, *, state: Mapping[str, Any] | None = None, **more: Any
) -> dict[str, Any]:
    """What the head and the list of problems of a draft's page need; `state` is more of what its scripts are told."""
    reading = reading or kind_of(draft).read(draft.text)
    checklist = checklist_of(draft, reading)
    told = {
        "version": draft.version,
        "problems": checklist.by_name,
        "lines": [
            {"line": one.line, "column": one.column, "text": one.text, "weight": one.weight}
            for one in checklist.lines
            if one.line
        ],
        **(state or {}),
    }
    return {"head": present_head(draft, view=view), "checklist": checklist, "draft": draft, "state": told, **more}


def leave(request: LabRequest, address: str) -> HttpResponse:
    """Go to another page, whoever asks."""
    return HttpResponseClientRedirect(address) if wants_partial(request) else redirect(address)
