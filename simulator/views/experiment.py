"""What an extender costs, measured on this machine."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from django import forms
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_POST, require_safe

from gpuschedlab.accounts.services import participant_ensure
from gpuschedlab.web.forms import CleanForm
from gpuschedlab.web.htmx import render_page, wants_partial
from gpuschedlab.web.jobs.presenters import present_run
from gpuschedlab.web.jobs.selectors import run_find, run_list_active
from gpuschedlab.web.jobs.services import enqueue
from gpuschedlab.web.limits import Rate, limit_rate
from simulator.extenders.measuring import SIZES
from simulator.presenters.experiment import experiment_csv, present_experiment, recorded_result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gpuschedlab.web.http import LabRequest
    from gpuschedlab.web.models import Run

KIND = "simulator.extender_cost"
PAGE = "simulator/experiment/extender_cost.html"
STARTS = limit_rate("experiment.start", participant=Rate(6, 3600), address=Rate(60, 3600))


class StartForm(CleanForm):
    most_nodes = forms.TypedChoiceField(choices=[(size, size) for size in SIZES], coerce=int, label=_("nodes"))
    client_token = forms.UUIDField(required=False, label=_("token"))


@require_safe
def extender_cost(request: LabRequest) -> HttpResponse:
    """The figures of one's own run, else recorded ones; with a run under way its progress."""
    run = _run_of(request)
    own = _result(run)
    active = run_list_active(owner=request.participant).filter(kind=KIND).first()
    context = {
        "view": present_experiment(own or recorded_result()),
        "is_own": own is not None,
        "run": run if own else None,
        "active": present_run(active) if active else None,
        "sizes": SIZES,
    }
    return render_page(request, PAGE, context)


def _run_of(request: LabRequest) -> Run | None:
    try:
        run_id = uuid.UUID(request.GET.get("run", ""))
    except ValueError:
        return None
    found = run_find(viewer=request.participant, run_id=run_id)
    return found if found is not None and found.kind == KIND else None


def _result(run: Run | None) -> Mapping[str, Any] | None:
    return run.result if run is not None and run.state == "succeeded" else None


@require_POST
@STARTS
def extender_cost_start(request: LabRequest) -> HttpResponse:
    data = StartForm(request.POST).cleaned_or_raise()
    with transaction.atomic():
        run = enqueue(
            KIND,
            owner=participant_ensure(request.participant),
            params={"most_nodes": data["most_nodes"]},
            run_id=data["client_token"] or uuid.uuid4(),  # type: ignore[arg-type]  # a UUIDField
        )
    if wants_partial(request):
        return render_page(request, "web/run.html", {"view": present_run(run)}, partial="run")
    return redirect("simulator:extender_cost")


@require_GET
def extender_cost_csv(request: LabRequest) -> HttpResponse:
    result = _result(_run_of(request)) if request.GET.get("run") else recorded_result()
    if result is None:
        raise Http404
    response = HttpResponse(experiment_csv(result), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="extender-cost.csv"'
    return response
