"""Reads of scenarios."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import F
from django.http import Http404

from simulator.models import Scenario, ScenarioRevision

if TYPE_CHECKING:
    from django.db.models import QuerySet


def scenario_list() -> QuerySet[Scenario]:
    """What everybody finds, in the list's order, without the long texts."""
    return _published().filter(listed=True)


def _published() -> QuerySet[Scenario]:
    """What new labs can be started from, without the long texts."""
    published = Scenario.objects.filter(current__isnull=False).select_related("current", "owner__user")
    return published.defer("current__content", "current__objects_json")


def scenario_get(slug: str) -> Scenario:
    """A published scenario, listed or not."""
    found = _published().filter(slug=slug).first()
    if found is None:
        raise Http404
    return found


def revision_get(slug: str, number: int | None = None) -> ScenarioRevision:
    """The revision of that number of a published scenario, the current one without a number."""
    revisions = ScenarioRevision.objects.select_related("scenario").filter(
        scenario__slug=slug, scenario__current__isnull=False
    )
    wanted = revisions.filter(number=number) if number is not None else revisions.filter(pk=F("scenario__current_id"))
    found = wanted.first()
    if found is None:
        raise Http404
    return found
