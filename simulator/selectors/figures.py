"""How scenarios are used: runs, how many came to the goals, how many commands that took."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from django.db.models import Count, F, Q

from simulator.models import Lab, LabOutcome, Scenario

if TYPE_CHECKING:
    from django.db.models import QuerySet


@dataclass(frozen=True, slots=True)
class Usage:
    """A scenario's figures. Labs of its owner and branches of labs do not count.

    people    different participants; `reached` how many labs came to all goals
    commands  the median number of commands until then, None without any
    """

    labs: int = 0
    people: int = 0
    reached: int = 0
    commands: float | None = None


def usages_of(slugs: Iterable[str]) -> dict[str, Usage]:
    """Slug -> figures."""
    wanted = list(slugs)
    rows = _labs(wanted).values("revision__scenario__slug")
    counted = rows.annotate(labs=Count("pk"), people=Count("owner", distinct=True), reached=Count("outcome"))
    commands: dict[str, list[int]] = {}
    outcomes = LabOutcome.objects.filter(lab__in=_labs(wanted))
    for slug, number in outcomes.values_list("lab__revision__scenario__slug", "commands"):
        commands.setdefault(slug, []).append(number)
    found = {
        row["revision__scenario__slug"]: Usage(
            row["labs"], row["people"], row["reached"], _median(commands.get(row["revision__scenario__slug"], []))
        )
        for row in counted
    }
    return {slug: found.get(slug, Usage()) for slug in wanted}


def _labs(slugs: list[str]) -> QuerySet[Lab]:
    own = Q(owner=F("revision__scenario__owner"))
    labs = Lab.objects.filter(revision__scenario__slug__in=slugs, parent=None)
    return labs.exclude(own & Q(revision__scenario__owner__isnull=False))


def _median(numbers: list[int]) -> float | None:
    return float(median(numbers)) if numbers else None


def scenario_named(slug: str) -> Scenario | None:
    """A scenario, published or retired."""
    return Scenario.objects.select_related("current", "owner__user").filter(slug=slug).first()
