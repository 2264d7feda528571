"""The list of scenarios, and starting a lab from one."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.shortcuts import redirect
from django.views.decorators.http import require_GET

from gpuschedlab.materials.rules import can_write
from gpuschedlab.web.htmx import render_page
from simulator.presenters.scenarios import present_scenarios
from simulator.selectors.labs import lab_list
from simulator.selectors.scenarios import scenario_get, scenario_list

if TYPE_CHECKING:
    from django.http import HttpResponse

    from gpuschedlab.web.http import LabRequest


FREE_LAB = "free-lab"


@require_GET
def scenarios(request: LabRequest) -> HttpResponse:
    labs = lab_list(viewer=request.participant)
    view = present_scenarios(
        list(scenario_list()), labs, topic=request.GET.get("topic", ""), level=request.GET.get("level", "")
    )
    return render_page(
        request,
        "simulator/scenarios.html",
        {"view": view, "can_fork": can_write(request.participant)},
        partial="scenario-cards",
    )


@require_GET
def scenario(_request: LabRequest, slug: str) -> HttpResponse:
    """A lab of one's own of this scenario; it is stored with its first command."""
    found = scenario_get(slug)
    return redirect("simulator:lab", slug=found.slug, lab_id=uuid.uuid4())


@require_GET
def free_lab(_request: LabRequest) -> HttpResponse:
    return redirect("simulator:scenario", slug=FREE_LAB)


@require_GET
def labs(request: LabRequest) -> HttpResponse:
    return render_page(request, "simulator/labs.html", {"labs": lab_list(viewer=request.participant)[:100]})
