"""The lab page, and steps on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from csp.constants import SELF
from csp.decorators import csp_replace
from django.http import Http404
from django.shortcuts import redirect
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_GET, require_POST

from gpuschedlab.web.errors import Conflict
from gpuschedlab.web.htmx import render_page, wants_partial
from gpuschedlab.web.limits import Rate, limit_rate
from simulator.forms.steps import StepForm
from simulator.presenters.lab_urls import own_urls, shared_urls
from simulator.presenters.pipeline.explanation import explain_cell
from simulator.presenters.recorded import present_recorded
from simulator.selectors.horizon import is_all_answered
from simulator.selectors.labs import lab_shared
from simulator.selectors.moments import moment_get
from simulator.selectors.replaying import RecordedOtherwise
from simulator.selectors.setups import setup_of
from simulator.services.steps import lab_look, lab_step
from simulator.views.common import LOOKS, address_params, conflict, go, lab_of, place_of, show

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpResponse

    from gpuschedlab.web.http import LabRequest
    from simulator.models import Lab
    from simulator.presenters.lab_urls import LabUrls
    from simulator.selectors.positions import Position

STEPS = limit_rate("lab.step", participant=Rate(900), address=Rate(20_000))


@require_GET
@csp_replace({"frame-ancestors": [SELF]})  # type: ignore[arg-type]  # it knows no views with parameters
@xframe_options_sameorigin
@LOOKS
def lab(request: LabRequest, slug: str, lab_id: UUID) -> HttpResponse:
    found = lab_of(request, slug, lab_id)
    return _page(request, found, own_urls(found))


@require_GET
@LOOKS
def shared_lab(request: LabRequest, token: str) -> HttpResponse:
    found = lab_shared(token)
    return _page(request, found, shared_urls(found))


def _page(request: LabRequest, found: Lab, urls: LabUrls) -> HttpResponse:
    """The place that the address names, or, with `go`, the one to which a step leads from it: a reader's steps let
    nothing happen."""
    params = address_params(request.GET)
    try:
        at = _look(request, found) if "go" in request.GET else place_of(request.GET)
        moment = moment_get(found, at)
    except RecordedOtherwise:
        return _recorded(request, found, urls)
    if "go" in request.GET and not wants_partial(request):
        return redirect(urls.at(moment.at, **params))
    return show(request, moment, urls, params)


def _look(request: LabRequest, found: Lab) -> Position:
    wanted = StepForm(request.GET).step()
    return lab_look(lab=found, at=wanted.at, direction=wanted.direction, unit=wanted.unit) or wanted.at


def _recorded(request: LabRequest, found: Lab, urls: LabUrls) -> HttpResponse:
    """The lab as it was recorded, and the offer to compute it anew."""
    start = setup_of(found.revision.spec).start_time
    commands = present_recorded(found.commands.order_by("-seq")[:200], start) if is_all_answered(found) else []
    return render_page(request, "simulator/lab_recorded.html", {"lab": found, "urls": urls, "commands": commands})


@require_GET
@LOOKS
def explain(request: LabRequest, slug: str, lab_id: UUID) -> HttpResponse:
    found = lab_of(request, slug, lab_id)
    return _explanation(request, found, own_urls(found))


@require_GET
@LOOKS
def shared_explain(request: LabRequest, token: str) -> HttpResponse:
    found = lab_shared(token)
    return _explanation(request, found, shared_urls(found))


def _explanation(request: LabRequest, found: Lab, urls: LabUrls) -> HttpResponse:
    """What stands behind one cell, as a part for a dialog or a page of its own."""
    moment = moment_get(found, place_of(request.GET))
    explained = explain_cell(moment, request.GET.get("node", ""), request.GET.get("plugin", ""))
    if explained is None:
        raise Http404
    context = {"explained": explained, "back": urls.at(moment.at), "lab": found}
    return render_page(request, "simulator/explain.html", context, partial="explanation")


@require_POST
@STEPS
def step(request: LabRequest, slug: str, lab_id: UUID) -> HttpResponse:
    found = lab_of(request, slug, lab_id)
    form = StepForm(request.POST)
    sent, wanted = form.sent(), form.step()
    try:
        stepped = lab_step(
            actor=request.participant,
            lab=found,
            at=wanted.at,
            direction=wanted.direction,
            unit=wanted.unit,
            client_token=sent.client_token,
            expected_seq=sent.expected_seq(found),
        )
    except Conflict as error:
        return conflict(request, found, error)
    return go(request, found, stepped.at)
