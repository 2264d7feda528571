"""What becomes of a Pod's claims on one node, claim by claim, for explanations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simulator.engine.cluster.rows import Rows
from simulator.engine.framework.facts import Fact
from simulator.engine.plugins.resource_strategies import shape_value
from simulator.engine.plugins.volume_plan import Plan, PodClaims, plan
from simulator.engine.plugins.volume_scoring import Shape, class_sums, percent
from simulator.engine.plugins.volumes import SELECTED_NODE, annotations_of, name_of, spec_of, storage_class_of


def plan_facts(claims: PodClaims, row: Rows) -> list[Fact]:
    """Bound claims, claims that were sent to a node, claims that take a free volume, claims that need a new one."""
    found = [*_bound_facts(claims, row)]
    made = plan(PodClaims(claims.objects, claims.affinities, [], claims.delayed), row)
    node = row.nodes[0].name
    sent = [claim for claim in claims.delayed if SELECTED_NODE in annotations_of(claim)]
    for claim in sent:
        wanted = annotations_of(claim)[SELECTED_NODE]
        found.append(Fact.of("volume_binding.sent", wanted == node, claim=name_of(claim), wanted=wanted))
    for claim, volume in made.bindings(0):
        found.append(Fact.of("volume_binding.taken", True, claim=name_of(claim), volume=name_of(volume)))
    found.extend(_provision_facts(made))
    return found


def _bound_facts(claims: PodClaims, row: Rows) -> Iterator[Fact]:
    for claim in claims.bound:
        alone = plan(PodClaims(claims.objects, claims.affinities, [claim]), row)
        volume = spec_of(claim).get("volumeName") or ""
        params = {"claim": name_of(claim), "volume": volume}
        if alone.errors:
            yield Fact.of("volume_binding.not_translated", False, **params, error=alone.errors[0])
            continue
        reasons = alone.verdicts().status(0).reasons
        code = "volume_binding.lost" if _is_missing(reasons) else "volume_binding.bound"
        yield Fact.of(code, not reasons, **params)


def _is_missing(reasons: tuple[Any, ...]) -> bool:
    return any(reason.code == "volume_binding.volume_not_found" for reason in reasons)


def _provision_facts(made: Plan) -> Iterator[Fact]:
    for claim, needed, met in made.provided:
        if needed[0]:
            possible, enough = bool(met.possible[0]), bool(met.enough[0])
            yield Fact.of(
                "volume_binding.provisioned",
                possible and enough,
                claim=name_of(claim),
                storage_class=storage_class_of(claim),
                possible=possible,
                enough=enough,
            )


def scoring_terms(made: Plan, shape: Shape) -> list[dict[str, Any]]:
    """Per StorageClass what is requested, what is there, the percentage and what the shape gives for it."""
    terms = []
    for name, (requested, capacity) in class_sums(made, 0).items():
        used = percent(requested, capacity)
        score = shape_value(shape, used)
        terms.append(
            {"storage_class": name, "requested": requested, "capacity": capacity, "percent": used, "score": score}
        )
    return terms
