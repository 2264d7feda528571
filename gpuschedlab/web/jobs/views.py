"""The part of a page that shows a run, and its cancel button."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from gpuschedlab.web.htmx import render_page, wants_partial
from gpuschedlab.web.jobs.presenters import present_run
from gpuschedlab.web.jobs.selectors import run_get
from gpuschedlab.web.jobs.services import run_cancel

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpResponse

    from gpuschedlab.web.http import LabRequest


@require_GET
def run_detail(request: LabRequest, run_id: UUID) -> HttpResponse:
    """A run; for htmx its progress, and, once it has ended, the whole part instead."""
    run = run_get(viewer=request.participant, run_id=run_id)
    context = {"view": present_run(run)}
    if run.is_active:
        return render_page(request, "web/run.html", context, partial="progress")
    response = render_page(request, "web/run.html", context, partial="run")
    if wants_partial(request):
        response["HX-Retarget"] = f"#run-{run.pk}"
        response["HX-Reswap"] = "outerHTML"
        response["HX-Trigger"] = "run-finished"
    return response


@require_POST
def run_stop(request: LabRequest, run_id: UUID) -> HttpResponse:
    run = run_cancel(actor=request.participant, run=run_get(viewer=request.participant, run_id=run_id))
    if wants_partial(request):
        return render_page(request, "web/run.html", {"view": present_run(run)}, partial="run")
    return redirect("run_detail", run_id=run.pk)
