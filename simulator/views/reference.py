"""The reference of extension points and plugins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.views.decorators.http import require_safe

from gpuschedlab.web.htmx import render_page
from simulator.presenters.reference import present_plugin, present_point, seen_in
from simulator.selectors.reference import plugin_entries, plugin_entry, point_entries, point_entry
from simulator.selectors.scenarios import scenario_list

if TYPE_CHECKING:
    from django.http import HttpResponse

    from gpuschedlab.web.http import LabRequest


@require_safe
def reference(request: LabRequest) -> HttpResponse:
    """All extension points in the order of a cycle, and all plugins."""
    context = {
        "points": [present_point(entry) for entry in point_entries()],
        "plugins": [present_plugin(entry) for entry in plugin_entries()],
    }
    return render_page(request, "simulator/reference/index.html", context)


@require_safe
def point(request: LabRequest, key: str) -> HttpResponse:
    found = point_entry(key)
    context = {"point": present_point(found), "scenarios": seen_in(key, scenario_list())}
    return render_page(request, "simulator/reference/point.html", context)


@require_safe
def plugin(request: LabRequest, name: str) -> HttpResponse:
    found = plugin_entry(name)
    context = {"plugin": present_plugin(found), "scenarios": seen_in(name, scenario_list())}
    return render_page(request, "simulator/reference/plugin.html", context)
