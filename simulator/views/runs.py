"""Running a lab until nothing happens by itself: at once where it is quick, else as a job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.http import HttpResponse
from django.views.decorators.http import require_POST

from gpuschedlab.web.errors import Conflict
from gpuschedlab.web.jobs.services import enqueue
from gpuschedlab.web.limits import Rate, limit_rate
from simulator.forms.places import PlacesForm
from simulator.forms.steps import LabForm
from simulator.selectors.positions import END, Position
from simulator.services.lab_care import lab_place
from simulator.services.labs import lab_run_for
from simulator.views.common import conflict, go, lab_of

if TYPE_CHECKING:
    from uuid import UUID

    from gpuschedlab.web.http import LabRequest

REQUEST_BUDGET = 0.15  # seconds a request may spend on running
RUNS = limit_rate("lab.run", participant=Rate(120), address=Rate(3000))
PLACES = limit_rate("lab.place", participant=Rate(240), address=Rate(6000))


@require_POST
@RUNS
def run_to_idle(request: LabRequest, slug: str, lab_id: UUID) -> HttpResponse:
    """What fits into the request's budget at once; the rest, if any, as one further command by a job."""
    lab = lab_of(request, slug, lab_id)
    sent = LabForm(request.POST).sent()
    try:
        answer, idle = lab_run_for(
            actor=request.participant,
            lab=lab,
            client_token=sent.client_token,
            expected_seq=sent.expected_seq(lab),
            seconds=REQUEST_BUDGET,
        )
    except Conflict as error:
        return conflict(request, lab, error)
    run = None
    if not idle:
        params = {"lab_id": str(lab.pk), "seq": answer.seq}
        with transaction.atomic():
            run = enqueue("simulator.run_to_idle", owner=request.participant, params=params, topic=lab.topic)
    return go(request, lab, Position(answer.last - 1, END), run=run)


@require_POST
@PLACES
def places(request: LabRequest, slug: str, lab_id: UUID) -> HttpResponse:
    """Where cards were put."""
    lab = lab_of(request, slug, lab_id)
    if not lab.is_unborn:
        lab_place(actor=request.participant, lab=lab, positions=PlacesForm(request.POST).moved())
    return HttpResponse(status=204)
