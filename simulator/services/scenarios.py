"""Publishing scenarios."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any

from django.db import transaction

from gpuschedlab.accounts.models import Participant
from simulator.models import Scenario, ScenarioRevision
from simulator.selectors.replaying import begin_history

INSTRUCTORS_ORDER = 10_000  # behind the catalogue's


class Published(Enum):
    CREATED = "created"
    UPDATED = "updated"
    UNCHANGED = "unchanged"


class NameTakenError(ValueError):
    """The name belongs to somebody else's scenario."""


@transaction.atomic
def scenario_publish(
    *,
    slug: str,
    content: str,
    spec: Mapping[str, Any],
    objects: Sequence[Mapping[str, Any]],
    order: int = 100,
    from_catalogue: bool = False,
    owner: Participant | None = None,
    listed: bool = True,
    based_on: Mapping[str, Any] | None = None,
) -> Published:
    """Make a text the scenario's current revision; an equal text changes nothing.

    Raises `ConfigError` or `CommandError` where no lab could start from it, `NameTakenError` where the name is
    somebody else's.
    """
    defaults = {"owner": owner, "from_catalogue": from_catalogue, "listed": listed, "based_on": based_on}
    scenario, created = Scenario.objects.select_related("current").get_or_create(slug=slug, defaults=defaults)
    if scenario.owner_id != (owner.pk if owner else None):
        raise NameTakenError(f"the scenario {slug} belongs to somebody else")
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
    scenario.order, scenario.from_catalogue, scenario.listed = order, from_catalogue, listed
    scenario.save()
    return Published.CREATED if created else Published.UPDATED


def scenarios_withdraw(*, kept: Sequence[str]) -> int:
    """Take what is no longer in the catalogue off the list; labs that started from it stay. Returns how many."""
    gone = Scenario.objects.filter(from_catalogue=True, current__isnull=False).exclude(slug__in=kept)
    return gone.update(current=None)


def scenario_retire(*, slug: str, back: bool) -> None:
    """Take a scenario off the list, or put its newest revision back; labs that started from it stay."""
    scenario = Scenario.objects.get(slug=slug)
    scenario.current = scenario.revisions.order_by("-number").first() if back else None
    scenario.save(update_fields=["current"])


def scenario_set_listed(*, slug: str, listed: bool) -> None:
    Scenario.objects.filter(slug=slug).update(listed=listed)
