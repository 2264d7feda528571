"""What the lab's views share: which lab a request is about, and how it is answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from gpuschedlab.web.errors import TITLES, Conflict
from gpuschedlab.web.htmx import render_page, wants_partial
from gpuschedlab.web.jobs.presenters import RunView, present_run
from gpuschedlab.web.jobs.selectors import run_list_active
from gpuschedlab.web.limits import Rate, limit_rate
from simulator.presenters.lab import present_lab
from simulator.presenters.lab_urls import LabUrls, own_urls
from simulator.selectors.horizon import PredictionOpen
from simulator.selectors.labs import lab_open
from simulator.selectors.moments import Moment, moment_get
from simulator.selectors.positions import Position
from simulator.services.predictions import moment_shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gpuschedlab.web.http import LabRequest
    from gpuschedlab.web.models import Run
    from simulator.models import Lab

PAGE = "simulator/lab.html"
ADDRESS_PARAMS = ("tab", "hints", "object", "q", "show", "pod", "node", "pair", "page")
"""What an address says besides the place."""
LOOKS = limit_rate("lab.look", participant=Rate(900), address=Rate(20_000))
"""Looking changes nothing, but computes what is shown."""


def lab_of(request: LabRequest, slug: str, lab_id: UUID) -> Lab:
    """The viewer's own lab; for one not stored yet, of the revision its page was made from."""
    number = request.POST.get("revision", "")
    revision = int(number) if number.isdecimal() and len(number) < 9 else None
    return lab_open(viewer=request.participant, slug=slug, lab_id=lab_id, revision=revision)


def place_of(values: Mapping[str, str]) -> Position | None:
    return Position.parse(values.get("at", ""))


def address_params(values: Mapping[str, str]) -> dict[str, str]:
    return {name: values[name][:200] for name in ADDRESS_PARAMS if values.get(name)}


def show(request: LabRequest, moment: Moment, urls: LabUrls, params: Mapping[str, str], **more: Any) -> HttpResponse:
    """A moment: its parts for a page that is open, else the whole page. `more` is further context; `status` is the
    answer's own."""
    known = request.headers.get("Lab-Frame", "")
    count = int(known) if known.isdecimal() and len(known) < 9 else None
    partial = wants_partial(request)
    if urls.can_change:
        moment_shown(viewer=request.participant, moment=moment)
    view = present_lab(moment, urls, params, known_count=count if partial else None)
    status = more.pop("status", 200)
    context = {"view": view, "oob": partial, "run": active_run(request, moment) if not partial else None, **more}
    return render_page(request, PAGE, context, partial="lab-moment", status=status)


def active_run(request: LabRequest, moment: Moment) -> RunView | None:
    """The job that works on this lab, if there is one: a page that is opened meanwhile shows it too."""
    runs = run_list_active(owner=request.participant).filter(topic=moment.lab.topic)
    found = None if moment.lab.is_unborn else runs.first()
    return present_run(found) if found else None


def go(request: LabRequest, lab: Lab, at: Position | None, *, run: Run | None = None, **more: Any) -> HttpResponse:
    """After a command: the parts at that place; for a form sent without a script, the page there. `run`: the job that
    goes on with it."""
    urls, params = own_urls(lab), address_params(request.POST)
    moment = moment_get(lab, at)
    if wants_partial(request):
        return show(request, moment, urls, params, run=present_run(run) if run else None, **more)
    return redirect(urls.at(moment.at, **params))


def conflict(request: LabRequest, lab: Lab, error: Conflict) -> HttpResponse:
    """Somebody was faster, or a prediction is to be made first: say so, with the parts as they are now."""
    waits = isinstance(error, PredictionOpen)
    if not wants_partial(request):
        if waits:
            return redirect(own_urls(lab).page)
        raise error
    fresh = lab_open(viewer=request.participant, slug=lab.revision.scenario.slug, lab_id=lab.pk)
    moment = moment_get(fresh, place_of(request.POST))
    notice = {"title": _("First your prediction") if waits else TITLES[409], "detail": error.detail}
    return show(request, moment, own_urls(fresh), address_params(request.POST), notice=notice, status=409)
