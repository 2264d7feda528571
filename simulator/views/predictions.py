"""Predicting: an answer to the question a lab asks, and whether it asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.views.decorators.http import require_POST

from gpuschedlab.web.errors import Conflict
from gpuschedlab.web.limits import Rate, limit_rate
from simulator.forms.predictions import PredictForm, PredictModeForm
from simulator.services.predictions import lab_predict_mode, prediction_make
from simulator.views.common import conflict, go, lab_of, place_of

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpResponse

    from gpuschedlab.web.http import LabRequest

PREDICTIONS = limit_rate("lab.predict", participant=Rate(240), address=Rate(6000))


@require_POST
@PREDICTIONS
def predict(request: LabRequest, slug: str, lab_id: UUID) -> HttpResponse:
    """Store an answer; it is compared when what came of it is shown."""
    lab = lab_of(request, slug, lab_id)
    form = PredictForm(request.POST)
    try:
        prediction_make(actor=request.participant, lab=lab, question=form.question(), answer=form.answer())
    except Conflict as error:
        return conflict(request, lab, error)
    return go(request, lab, place_of(request.POST))


@require_POST
@PREDICTIONS
def mode(request: LabRequest, slug: str, lab_id: UUID) -> HttpResponse:
    """Have predictions offered, or not."""
    lab = lab_of(request, slug, lab_id)
    lab_predict_mode(actor=request.participant, lab=lab, mode=PredictModeForm(request.POST).chosen())
    return go(request, lab, place_of(request.POST))
