"""Where things stand: what a command adds finds a free place, and nothing that was there moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import HttpResponse, JsonResponse
from django.views.decorators.http import require_POST

from gpuschedlab.web.limits import Rate, limit_rate
from simulator.presenters.graph.layout import places_of
from simulator.selectors.histories import open_history
from simulator.selectors.moments import moment_get
from simulator.selectors.positions import END, Position
from simulator.services.lab_care import lab_place
from simulator.views.common import go, lab_of

if TYPE_CHECKING:
    from uuid import UUID

    from gpuschedlab.accounts.models import Participant
    from gpuschedlab.web.http import LabRequest
    from simulator.models import Lab
    from simulator.services.labs import Answer

ARRANGE = limit_rate("lab.arrange", participant=Rate(60), address=Rate(1500))


def go_on(request: LabRequest, lab: Lab, answer: Answer, **more: Any) -> HttpResponse:
    """After a command that was stored: everything has its place, and the parts at the end of what it did are shown."""
    _keep_places(request.participant, lab, answer)
    return go(request, lab, Position(answer.last - 1, END), **more)


def _keep_places(actor: Participant, lab: Lab, answer: Answer) -> None:
    """Remember where everything stands once a command has added something or taken it away."""
    if answer.applied is None:
        return
    with open_history(lab) as history:
        before, after = history.frame(answer.first), history.frame(answer.last)
    stood = places_of(before, lab.positions)
    stands = places_of(after, {name: list(place) for name, place in stood.items()})
    if stands.keys() == stood.keys():
        return
    fresh = {name: place for name, place in {**stood, **stands}.items() if name not in lab.positions}
    lab_place(actor=actor, lab=lab, positions=fresh)


@require_POST
@ARRANGE
def arrange(request: LabRequest, slug: str, lab_id: UUID) -> HttpResponse:
    """Everything in order again, wherever it was put; the answer says where it is now."""
    lab = lab_of(request, slug, lab_id)
    places = places_of(moment_get(lab, None).newest, {})
    if not lab.is_unborn:
        lab_place(actor=request.participant, lab=lab, positions=places)
    return JsonResponse({"places": places})
