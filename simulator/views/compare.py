"""Two branches, or two places of one, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from django.http import Http404
from django.views.decorators.http import require_GET

from gpuschedlab.web.htmx import render_page
from gpuschedlab.web.limits import Rate, limit_rate
from simulator.presenters.comparison import compare_moments
from simulator.presenters.lab_urls import own_urls
from simulator.selectors.labs import lab_family, lab_find
from simulator.selectors.moments import moment_get
from simulator.selectors.positions import Position
from simulator.services.predictions import moment_shown
from simulator.views.common import lab_of

if TYPE_CHECKING:
    from django.http import HttpResponse

    from gpuschedlab.web.http import LabRequest
    from simulator.models import Lab

COMPARE = limit_rate("lab.compare", participant=Rate(120), address=Rate(3000))


@require_GET
@COMPARE
def compare(request: LabRequest, slug: str, lab_id: UUID) -> HttpResponse:
    """What came of both, and where they differ."""
    lab = lab_of(request, slug, lab_id)
    other = _other(request, lab)
    first = moment_get(lab, Position.parse(request.GET.get("at", "")))
    second = moment_get(other, Position.parse(request.GET.get("with_at", "")))
    for moment in (first, second):
        moment_shown(viewer=request.participant, moment=moment)
    family = [] if lab.is_unborn else lab_family(lab)
    context = {"comparison": compare_moments(first, second, family), "lab": lab, "urls": own_urls(lab)}
    return render_page(request, "simulator/compare.html", context)


def _other(request: LabRequest, lab: Lab) -> Lab:
    """The second side: one of the viewer's own labs, the lab itself without one."""
    text = request.GET.get("with", "")
    if not text:
        return lab
    try:
        found = lab_find(viewer=request.participant, lab_id=UUID(text))
    except ValueError:
        found = None
    if found is None:
        raise Http404
    return found
