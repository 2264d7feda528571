"""Works decisions out again from their explanations alone, by the rules of kube-scheduler 1.36 as documented.

Nothing here asks the engine: a fact or formula is only its code and parameters.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

from simulator.engine.framework.facts import Fact, Formula

Params = Mapping[str, Any]


def _integer(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None


def requirement(item: Params) -> bool:
    have, values = item["have"], item["values"]
    match item["operator"]:
        case "In":
            return have in values
        case "NotIn":
            return have not in values
        case "Exists":
            return have is not None
        case "DoesNotExist":
            return have is None
        case operator:
            left, right = _integer(have or ""), _integer(values[0])
            if left is None or right is None:
                return False
            return left > right if operator == "Gt" else left < right


def term(item: Params) -> bool:
    return item["error"] is None and bool(item["requirements"]) and all(map(requirement, item["requirements"]))


def _resource(p: Params) -> bool:
    assert p["free"] == p["allocatable"] - p["used"]
    assert p["hopeless"] == (p["requested"] > p["allocatable"])
    assert sum(amount for _, amount in p["users"]) <= p["used"]
    return p["requested"] <= p["free"]


def _skew(p: Params) -> bool:
    assert p["skew"] == p["count"] + p["own"] - p["smallest"]
    if p["domains"] < p["min_domains"]:
        assert p["smallest"] == 0
    return p["skew"] <= p["max_skew"]


def _affinity(p: Params) -> bool:
    assert not (p["first"] and p["everywhere"])
    return p["domain"] is not None and (p["count"] > 0 or p["first"])


def _port(p: Params) -> bool:
    _, _, wanted = p["port"].partition(":")
    assert all(taken.partition(":")[2] == wanted for taken in p["taken"])
    return not p["taken"]


def _driver(p: Params) -> bool:
    return p["limit"] is None or p["there"] + p["new"] <= p["limit"]


FACTS: Mapping[str, Callable[[Params, str], bool]] = {
    "node_unschedulable.cordon": lambda p, _: p["tolerated"] or not p["cordoned"],
    "node_name.wanted": lambda p, node: p["wanted"] == node,
    "taint_toleration.taint": lambda p, _: p["tolerated_by"] is not None,
    "node_affinity.required": lambda p, _: any(map(term, p["terms"])),
    "node_affinity.enforced": lambda p, _: any(map(term, p["terms"])),
    "node_affinity.selector": lambda p, _: requirement(p),
    "node_ports.port": lambda p, _: _port(p),
    "node_resources_fit.pod_slots": lambda p, _: p["pods"] + 1 <= p["slots"],
    "node_resources_fit.resource": lambda p, _: _resource(p),
    "pod_topology_spread.key": lambda p, _: False,
    "pod_topology_spread.constraint": lambda p, _: _skew(p),
    "inter_pod_affinity.affinity": lambda p, _: _affinity(p),
    "inter_pod_affinity.anti_affinity": lambda p, _: p["domain"] is None or p["count"] <= 0,
    "inter_pod_affinity.existing_anti_affinity": lambda p, _: p["count"] <= 0,
    "volume_restrictions.disks": lambda p, _: not p["pods"],
    "volume_restrictions.claims": lambda p, _: p["uses"] <= 0,
    "node_volume_limits.volumes": lambda p, _: _driver(p),
    "node_volume_limits.driver": lambda p, _: False,
    "node_volume_limits.unknown": lambda p, _: False,
    "volume_binding.bound": lambda p, _: bool(p["volume"]) and None,  # type: ignore[return-value] # told, not computed
    "volume_binding.lost": lambda p, _: False,
    "volume_binding.not_translated": lambda p, _: False,
    "volume_binding.sent": lambda p, node: p["wanted"] == node,
    "volume_binding.taken": lambda p, _: True,
    "volume_binding.provisioned": lambda p, _: p["possible"] and p["enough"],
    "volume_zone.unlabelled": lambda p, _: True,
    "volume_zone.place": lambda p, _: p["have"] in p["values"],
    "node_declared_features.feature": lambda p, _: None,  # type: ignore[return-value] # told, not computed
}


def holds(fact: Fact, node: str) -> bool:
    """Whether the condition is met, by its parameters; the fact's own word where they cannot tell."""
    found = FACTS[fact.code](fact.params, node)
    return fact.holds if found is None else found


# scores


def _least(r: Params, _: Params) -> int:
    return 0 if r["requested"] > r["capacity"] else (r["capacity"] - r["requested"]) * 100 // r["capacity"]


def _most(r: Params, _: Params) -> int:
    return min(r["requested"], r["capacity"]) * 100 // r["capacity"]


def _ratio(r: Params, p: Params) -> int:
    used = 100 if r["requested"] > r["capacity"] else r["requested"] * 100 // r["capacity"]
    return along(p["shape"], used)


def along(shape: list[list[int]], x: int) -> int:
    if x <= shape[0][0]:
        return shape[0][1]
    for (x0, y0), (x1, y1) in pairwise(shape):
        if x <= x1:
            return y0 + math.trunc(Fraction((y1 - y0) * (x - x0), x1 - x0))
    return shape[-1][1]


def _allocation(p: Params, score: Callable[[Params, Params], int], *, rounded: bool = False) -> int:
    total = weights = 0
    for r in p["resources"]:
        assert r["requested"] == r["used"] + r["asked"]
        if r["capacity"] == 0:
            assert not r["counted"]
        if not r["counted"]:
            continue
        assert r["score"] == score(r, p)
        total += r["score"] * r["weight"]
        weights += r["weight"]
    assert (p["total"], p["weights"]) == (total, weights)
    if weights == 0:
        return 0
    return math.floor(total / weights + 0.5) if rounded else total // weights


def _deviation(resources: list[Params], *, with_pod: bool) -> float:
    fractions = []
    for r in resources:
        if r["capacity"]:
            amount = r["used"] + (r["asked"] if with_pod else 0)
            fractions.append(min(amount / r["capacity"], 1.0))
    if len(fractions) < 2:
        return 0.0
    if len(fractions) == 2:
        return abs((fractions[0] - fractions[1]) / 2)
    total = 0.0
    for fraction in fractions:
        total += fraction
    mean = total / len(fractions)
    squares = 0.0
    for fraction in fractions:
        squares += (fraction - mean) * (fraction - mean)
    return math.sqrt(squares / len(fractions))


def _balanced(p: Params) -> int:
    before, after = (_deviation(p["resources"], with_pod=with_pod) for with_pod in (False, True))
    assert (p["deviation_before"], p["deviation_after"]) == (before, after)
    assert (p["before"], p["after"]) == (int((1 - before) * 100.0), int((1 - after) * 100.0))
    assert p["asks"] == any(r["asked"] for r in p["resources"])
    return 50 + (50 + p["after"] - p["before"]) // 2 if p["asks"] else 0


def _images(p: Params) -> int:
    for image in p["images"]:
        assert image["counted"] == int(image["size"] * (image["nodes"] / p["all_nodes"]))
    counted = sum(image["counted"] for image in p["images"])
    largest = 1000 * 2**20 * p["containers"]
    used = min(max(counted, 23 * 2**20), largest)
    assert (p["counted"], p["largest"], p["used"]) == (counted, largest, used)
    return 100 * (used - 23 * 2**20) // (largest - 23 * 2**20)


def _spread(p: Params) -> int:
    if p["ignored"]:
        return 0
    total = 0.0
    for c in p["constraints"]:
        assert c["weight"] == math.log(c["domains"] + 2)
        if c["domain"] is not None:
            assert c["part"] == c["count"] * c["weight"] + (c["max_skew"] - 1)
        total += c["part"]
    assert total == p["total"]
    return math.floor(total + 0.5)


def _affinity_score(p: Params) -> int:
    for part in p["parts"]:
        assert part["part"] == part["count"] * part["weight"]
    return sum(part["part"] for part in p["parts"])


def _storage(p: Params) -> int:
    scores = []
    for c in p["classes"]:
        percent = 100 if c["capacity"] == 0 or c["requested"] > c["capacity"] else c["requested"] * 100 // c["capacity"]
        assert (c["percent"], c["score"]) == (percent, along(p["shape"], percent))
        scores.append(c["score"])
    return math.floor(sum(scores) / len(scores) + 0.5) if scores else 0


def _default(p: Params) -> int:
    if p["largest"] == 0:
        return 100 if p["reverse"] else 0
    scaled = p["raw"] * 100 // p["largest"]
    return 100 - scaled if p["reverse"] else scaled


def _spread_normalized(p: Params) -> int:
    if p["ignored"]:
        return 0
    return 100 if p["largest"] == 0 else 100 * (p["largest"] + p["smallest"] - p["raw"]) // p["largest"]


def _affinity_normalized(p: Params) -> int:
    span = p["largest"] - p["smallest"]
    return int(100.0 * ((p["raw"] - p["smallest"]) / span)) if span else 0


FORMULAS: Mapping[str, Callable[[Params], int]] = {
    "taint_toleration.score": lambda p: len(p["taints"]),
    "node_affinity.score": lambda p: sum(item["weight"] for item in p["terms"] if term(item)),
    "node_resources_fit.least_allocated": lambda p: _allocation(p, _least),
    "node_resources_fit.most_allocated": lambda p: _allocation(p, _most),
    "node_resources_fit.requested_to_capacity_ratio": lambda p: _allocation(p, _ratio, rounded=True),
    "node_resources_balanced_allocation.score": _balanced,
    "image_locality.score": _images,
    "pod_topology_spread.score": _spread,
    "inter_pod_affinity.score": _affinity_score,
    "volume_binding.score": _storage,
    "dynamic_resources.score": lambda p: 0,
    "normalize.default": _default,
    "normalize.spread": _spread_normalized,
    "normalize.affinity": _affinity_normalized,
}


def value(formula: Formula) -> int:
    """The number that the terms give; `normalize.none` only passes one on."""
    return formula.value if formula.code == "normalize.none" else FORMULAS[formula.code](formula.params)
