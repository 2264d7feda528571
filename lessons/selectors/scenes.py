"""The scenarios that questions and lessons may point at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Q

from simulator.models import Scenario

if TYPE_CHECKING:
    from gpuschedlab.accounts.models import Participant


def scenarios_known(viewer: Participant) -> list[tuple[str, Any]]:
    """The published scenarios that everybody finds, and the viewer's own: (slug, title in both languages)."""
    found = Scenario.objects.filter(current__isnull=False).filter(Q(listed=True) | Q(owner_id=viewer.pk))
    return list(found.order_by("order", "slug").values_list("slug", "current__spec__title"))


def scenario_names(slug: str) -> dict[str, list[str]] | None:
    """The Pods and nodes that a published scenario begins with, by kind; None where there is no such scenario."""
    found = Scenario.objects.filter(slug=slug, current__isnull=False).select_related("current").first()
    if found is None or found.current is None:
        return None
    names: dict[str, list[str]] = {"Pod": [], "Node": []}
    for one in found.current.objects_json:
        if one.get("kind") in names:
            names[one["kind"]].append(str(one.get("metadata", {}).get("name", "")))
    return names
