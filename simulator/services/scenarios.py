"""Publishing scenarios."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any

from django.db import transaction

from simulator.models import Scenario, ScenarioRevision
from simulator.selectors.replaying import begin_history


class Published(Enum):
    CREATED = "created"
    UPDATED = "updated"
    UNCHANGED = "unchanged"


@transaction.atomic
def scenario_publish(
    *,
    slug: str,
    content: str,
    spec: Mapping[str, Any],
    objects: Sequence[Mapping[str, Any]],
    order: int = 100,
    from_catalogue: bool = False,
) -> Published:
    """Make a text the scenario's current revision; an equal text changes nothing.

    Raises `ConfigError` or `CommandError` where no lab could start from it.
    """
    scenario, created = Scenario.objects.select_related("current").get_or_create(slug=slug)
    digest = hashlib.sha256(content.encode()).hexdigest()
    same = scenario.current is not None and scenario.current.digest == digest
    if same and (scenario.order, scenario.from_catalogue) == (order, from_catalogue):
        return Published.UNCHANGED
    if not same:
        last = scenario.revisions.order_by("-number").values_list("number", flat=True).first() or 0
        revision = ScenarioRevision(
            scenario=scenario,
            number=last + 1,
            digest=digest,
            content=content,
            spec=dict(spec),
            objects_json=[dict(manifest) for manifest in objects],
        )
        begin_history(revision)
        revision.save()
        scenario.current = revision
    scenario.order, scenario.from_catalogue = order, from_catalogue
    scenario.save()
    return Published.CREATED if created else Published.UPDATED


def scenarios_withdraw(*, kept: Sequence[str]) -> int:
    """Take what is no longer in the catalogue off the list; labs that started from it stay. Returns how many."""
    gone = Scenario.objects.filter(from_catalogue=True, current__isnull=False).exclude(slug__in=kept)
    return gone.update(current=None)
