"""Comparison with recorded decisions, for those who look after the site."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.http import Http404
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from gpuschedlab.accounts.services import participant_ensure
from gpuschedlab.web.errors import BadInput
from gpuschedlab.web.htmx import render_page
from gpuschedlab.web.jobs.presenters import present_run
from gpuschedlab.web.jobs.selectors import run_get, run_list_active
from gpuschedlab.web.jobs.services import enqueue
from simulator.rules import is_staff
from simulator.selectors.conformance import recorded_sets

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpResponse

    from gpuschedlab.web.http import LabRequest

JOB = "simulator.conform"


@require_http_methods(["GET", "POST"])
def conform(request: LabRequest) -> HttpResponse:
    """Start a comparison, or see the one that runs."""
    if not is_staff(request.participant):
        raise Http404
    sets = recorded_sets()
    if request.method == "POST":
        system = request.POST.get("system", "")
        if system not in sets:
            raise BadInput(_("There is no recorded set of that system here."))
        participant_ensure(request.participant)
        with transaction.atomic():
            enqueue(JOB, owner=request.participant, params={"system": system})
        return redirect("simulator:conform")
    runs = run_list_active(owner=request.participant).filter(kind=JOB)
    context = {"systems": sorted(sets), "runs": [present_run(run) for run in runs]}
    return render_page(request, "simulator/conform.html", context)


@require_GET
def conform_result(request: LabRequest, run_id: UUID) -> HttpResponse:
    run = run_get(viewer=request.participant, run_id=run_id)
    if not is_staff(request.participant) or run.kind != JOB or not run.result:
        raise Http404
    return render_page(request, "simulator/conform_result.html", {"result": run.result, "run": run})
