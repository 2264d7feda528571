"""Publishing, retiring, copying and deleting a draft; its link, and how it is used."""

from __future__ import annotations

import io
import time
from typing import TYPE_CHECKING, Any

import segno
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from gpuschedlab.materials.forms import PublishForm, TokenForm
from gpuschedlab.materials.kinds import kind_of
from gpuschedlab.materials.presenters import present_checklist, published_of
from gpuschedlab.materials.publishing import (
    NotReady,
    draft_duplicate,
    draft_publish,
    draft_retire,
    draft_set_listed,
)
from gpuschedlab.materials.services import draft_delete
from gpuschedlab.materials.views.common import MAKES, draft_of, leave, page_context
from gpuschedlab.web.htmx import render_page
from gpuschedlab.web.jobs.presenters import present_run
from gpuschedlab.web.jobs.selectors import run_list_active
from gpuschedlab.web.jobs.services import enqueue

if TYPE_CHECKING:
    from uuid import UUID

    from gpuschedlab.materials.kinds import Published
    from gpuschedlab.materials.models import Draft
    from gpuschedlab.web.http import LabRequest

REQUEST_BUDGET = 1.5  # seconds a request may spend on proving


@require_http_methods(["GET", "POST"])
@MAKES
def publish(request: LabRequest, draft_id: UUID) -> HttpResponse:
    """What stands in the way, what changes for learners, and the button. What takes long to prove becomes a job."""
    draft = draft_of(request, draft_id)
    if request.method == "GET":
        return _publish_page(request, draft)
    sent = PublishForm(request.POST)
    base, data = sent.base, sent.cleaned_or_raise()
    if data["listed"]:
        draft_set_listed(actor=request.participant, draft=draft, listed=data["listed"] == "yes")
    deadline = time.monotonic() + REQUEST_BUDGET
    try:
        made = draft_publish(
            actor=request.participant, draft=draft, expected=base, keep_on=lambda: time.monotonic() < deadline
        )
    except NotReady as refused:
        return _publish_page(request, draft, refused=present_checklist(draft, refused.problems), status=422)
    if made is None:
        params = {"draft_id": str(draft.pk), "version": base}
        with transaction.atomic():
            run_id: Any = data["client_token"]
            enqueue("materials.publish", owner=request.participant, params=params, topic=draft.topic, run_id=run_id)
        return leave(request, reverse("materials:publish", args=[draft.pk]))
    return leave(request, reverse("materials:share", args=[draft.pk]))


def _publish_page(request: LabRequest, draft: Draft, *, status: int = 200, **more: Any) -> HttpResponse:
    kind, published = kind_of(draft), published_of(draft)
    run = run_list_active(owner=request.participant).filter(topic=draft.topic).first()
    context = page_context(
        draft,
        "publish",
        published=published,
        differences=kind.differences(published.text, draft.text) if published else (),
        run=present_run(run) if run else None,
        **more,
    )
    return render_page(request, "materials/publish.html", context, status=status)


@require_POST
def retire(request: LabRequest, draft_id: UUID) -> HttpResponse:
    """Take it off every list, or put it back."""
    draft = draft_of(request, draft_id)
    draft_retire(actor=request.participant, draft=draft, back=request.POST.get("back") == "yes")
    return redirect("materials:publish", draft_id=draft.pk)


@require_POST
@MAKES
def duplicate(request: LabRequest, draft_id: UUID) -> HttpResponse:
    draft = draft_of(request, draft_id)
    token: Any = TokenForm(request.POST).cleaned_or_raise()["client_token"]
    made = draft_duplicate(actor=request.participant, draft=draft, new_id=token)
    return redirect("materials:form", draft_id=made.pk)


@require_POST
def delete(request: LabRequest, draft_id: UUID) -> HttpResponse:
    draft_delete(draft=draft_of(request, draft_id))
    return redirect("materials:workbench")


@require_safe
def share(request: LabRequest, draft_id: UUID) -> HttpResponse:
    """The link learners follow, and the same as a code for cameras."""
    draft = draft_of(request, draft_id)
    published = _published(draft)
    context = page_context(draft, "share", published=published, link=request.build_absolute_uri(published.url))
    return render_page(request, "materials/share.html", context)


@require_safe
def qr(request: LabRequest, draft_id: UUID) -> HttpResponse:
    """The link as an SVG picture."""
    published = _published(draft_of(request, draft_id))
    buffer = io.BytesIO()
    code = segno.make(request.build_absolute_uri(published.url), error="m", micro=False)
    code.save(buffer, kind="svg", scale=8, border=4, light="#fff", dark="#000", title=None)
    response = HttpResponse(buffer.getvalue(), content_type="image/svg+xml")
    response["Content-Disposition"] = f'inline; filename="{published.name}.svg"'
    return response


@require_safe
def figures(request: LabRequest, draft_id: UUID) -> HttpResponse:
    """How the published thing is used."""
    draft = draft_of(request, draft_id)
    published = _published(draft)
    context = page_context(draft, "figures", published=published, figures=kind_of(draft).figures(published))
    return render_page(request, "materials/figures.html", context)


def _published(draft: Draft) -> Published:
    found = published_of(draft)
    if found is None:
        raise Http404
    return found
