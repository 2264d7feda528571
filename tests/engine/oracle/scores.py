"""Scores, plugin by plugin, one node at a time (specification, sections 3.8 and 4)."""

from __future__ import annotations

import math

from tests.engine.oracle.cluster import OracleCluster, OracleNode, OraclePod
from tests.engine.oracle.filters import (
    SOFT,
    Manifest,
    Profile,
    constraints,
    count_on,
    eligible,
    has_all_keys,
    means,
)
from tests.engine.oracle.objects import CPU, MEMORY, is_scalar, node_affinity, term_matches, tolerated

HOSTNAME = "kubernetes.io/hostname"
MB = 2**20


def cut(numerator: int, divisor: int) -> int:
    quotient = abs(numerator) // abs(divisor)
    return quotient if (numerator >= 0) == (divisor > 0) else -quotient


def default_normalize(raw: list[int], *, reverse: bool) -> list[int]:
    most = max(raw)
    if most == 0:
        return [100 if reverse else 0 for _ in raw]
    return [100 - 100 * s // most if reverse else 100 * s // most for s in raw]


def taints(pod: OraclePod, nodes: list[OracleNode]) -> tuple[list[int], list[int]]:
    soft = [
        t for t in pod.manifest["spec"].get("tolerations") or () if t.get("effect") in (None, "", "PreferNoSchedule")
    ]
    raw = [
        sum(
            t["effect"] == "PreferNoSchedule" and not tolerated(t, soft)
            for t in (n.manifest.get("spec") or {}).get("taints") or ()
        )
        for n in nodes
    ]
    return raw, default_normalize(raw, reverse=True)


def affinity(profile: Profile, pod: OraclePod, nodes: list[OracleNode]) -> tuple[list[int], list[int]] | None:
    added = profile.arg("NodeAffinity", "addedAffinity") or {}
    kind = "preferredDuringSchedulingIgnoredDuringExecution"
    terms = [*(added.get(kind) or ()), *(node_affinity(pod.manifest).get(kind) or ())]
    if not terms:
        return None
    raw = [sum(t["weight"] for t in terms if term_matches(t["preference"], n.manifest)) for n in nodes]
    return raw, default_normalize(raw, reverse=False)


def fit(profile: Profile, pod: OraclePod, nodes: list[OracleNode]) -> list[int]:
    strategy = profile.arg("NodeResourcesFit", "scoringStrategy") or {}
    kind = strategy.get("type") or "LeastAllocated"
    resources = strategy.get("resources") or [{"name": CPU, "weight": 1}, {"name": MEMORY, "weight": 1}]
    shape = [
        (p.get("utilization") or 0, (p.get("score") or 0) * 10)
        for p in (strategy.get("requestedToCapacityRatio") or {}).get("shape") or ()
    ]
    return [fit_one(kind, resources, shape, pod, node) for node in nodes]


def fit_one(
    kind: str, resources: list[Manifest], shape: list[tuple[int, int]], pod: OraclePod, node: OracleNode
) -> int:
    total = weights = 0
    for resource in resources:
        name, weight = resource["name"], resource.get("weight") or 1
        asked, capacity = pod.scoring.get(name, 0), node.allocatable.get(name, 0)
        if capacity == 0 or (asked == 0 and is_scalar(name)):
            continue
        used = node.used_nonzero(name) + asked
        if kind == "LeastAllocated":
            score = 0 if used > capacity else (capacity - used) * 100 // capacity
        elif kind == "MostAllocated":
            score = min(used, capacity) * 100 // capacity
        else:
            score = along(shape, 100 if used > capacity else used * 100 // capacity)
            if score == 0:
                continue
        total += score * weight
        weights += weight
    if weights == 0:
        return 0
    return math.floor(total / weights + 0.5) if kind == "RequestedToCapacityRatio" else total // weights


def along(shape: list[tuple[int, int]], percent: int) -> int:
    before = None
    for x, y in shape:
        if percent <= x:
            return y if before is None else before[1] + cut((y - before[1]) * (percent - before[0]), x - before[0])
        before = (x, y)
    return shape[-1][1]


def balanced(profile: Profile, pod: OraclePod, nodes: list[OracleNode]) -> list[int] | None:
    names = [r["name"] for r in profile.arg("NodeResourcesBalancedAllocation", "resources") or ()] or [CPU, MEMORY]
    if not any(pod.on_node.get(name, 0) for name in names):
        return None
    raw = []
    for node in nodes:
        before, after = [], []
        for name in names:
            asked, capacity = pod.on_node.get(name, 0), node.allocatable.get(name, 0)
            if capacity == 0 or (asked == 0 and is_scalar(name)):
                continue
            before.append(min(node.used(name) / capacity, 1.0))
            after.append(min((node.used(name) + asked) / capacity, 1.0))
        raw.append(50 + cut(50 + balance(after) - balance(before), 2))
    return raw


def balance(fractions: list[float]) -> int:
    deviation = 0.0
    if len(fractions) == 2:
        deviation = abs((fractions[0] - fractions[1]) / 2)
    elif len(fractions) > 2:
        total = 0.0
        for f in fractions:
            total += f
        mean = total / len(fractions)
        squares = 0.0
        for f in fractions:
            squares += (f - mean) * (f - mean)
        deviation = math.sqrt(squares / len(fractions))
    return int((1 - deviation) * 100.0)


def spread(
    cluster: OracleCluster, profile: Profile, pod: OraclePod, nodes: list[OracleNode]
) -> tuple[list[int], list[int]] | None:
    soft = constraints(cluster, profile, pod, SOFT)
    if not soft:
        return None
    own = bool(pod.manifest["spec"].get("topologySpreadConstraints"))
    require_all = own or profile.arg("PodTopologySpread", "defaultingType", "System") == "List"
    ignored = {n.name for n in nodes if require_all and not has_all_keys(n, soft)}
    raw = {n.name: 0.0 for n in nodes}
    for constraint in soft:
        key = constraint["topologyKey"]
        domains = {n.labels.get(key, "") for n in nodes if n.name not in ignored}
        size = len(nodes) - len(ignored) if key == HOSTNAME else len(domains)
        counts: dict[str, int] = {}
        for node in cluster.nodes:
            if (require_all and not has_all_keys(node, soft)) or not eligible(constraint, pod, node):
                continue
            value = node.labels.get(key, "")
            counts[value] = counts.get(value, 0) + count_on(node, pod.namespace, constraint.get("labelSelector"))
        for node in nodes:
            if node.name in ignored or key not in node.labels:
                continue
            if key == HOSTNAME:
                count = count_on(node, pod.namespace, constraint.get("labelSelector"))
            else:
                count = counts.get(node.labels[key], 0)
            raw[node.name] += count * math.log(size + 2) + float(constraint["maxSkew"] - 1)
    rounded = {name: math.floor(value + 0.5) for name, value in raw.items()}
    for name in ignored:
        rounded[name] = 0
    valid = [s for name, s in rounded.items() if name not in ignored]
    most, least = max([0, *valid]), min(valid, default=0)
    scores = [rounded[n.name] for n in nodes]
    normal = [
        0 if n.name in ignored else 100 if most == 0 else 100 * (most + least - rounded[n.name]) // most for n in nodes
    ]
    return scores, normal


def preferences(cluster: OracleCluster, pod: OraclePod, other: OraclePod, hard: int) -> list[tuple[Manifest, int]]:
    """(term, weight) of everything one Pod on a node means for the incoming one, from both sides."""
    found = [
        (item["podAffinityTerm"], sign * item["weight"])
        for kind, sign in (("podAffinity", 1), ("podAntiAffinity", -1))
        for owner, meant, incoming in ((pod, other, True), (other, pod, False))
        for item in owner.affinity_terms(kind, "preferred")
        if means(item["podAffinityTerm"], owner, meant, cluster, incoming=incoming)
    ]
    required = other.affinity_terms("podAffinity", "required") if hard > 0 else ()
    found += [(term, hard) for term in required if means(term, other, pod, cluster, incoming=False)]
    return found


def inter_pod(
    cluster: OracleCluster, profile: Profile, pod: OraclePod, nodes: list[OracleNode]
) -> tuple[list[int], list[int]] | None:
    near = pod.affinity_terms("podAffinity", "preferred")
    apart = pod.affinity_terms("podAntiAffinity", "preferred")
    if profile.arg("InterPodAffinity", "ignorePreferredTermsOfExistingPods", False) and not near and not apart:
        return None
    hard = profile.arg("InterPodAffinity", "hardPodAffinityWeight", 1)
    sums: dict[tuple[str, str], int] = {}
    for node in cluster.nodes:
        for other in node.pods:
            for term, weight in preferences(cluster, pod, other, hard):
                key = term["topologyKey"]
                if key in node.labels:
                    pair = (key, node.labels[key])
                    sums[pair] = sums.get(pair, 0) + weight
    if not sums:
        return None
    raw = [sum(weight for (key, value), weight in sums.items() if n.labels.get(key) == value) for n in nodes]
    span = max(raw) - min(raw)
    normal = [int(100.0 * ((s - min(raw)) / span)) if span else 0 for s in raw]
    return raw, normal


def images(cluster: OracleCluster, pod: OraclePod, nodes: list[OracleNode]) -> list[int]:
    holders: dict[str, int] = {}
    sizes: dict[str, int] = {}
    for node in cluster.nodes:
        for image in (node.manifest.get("status") or {}).get("images") or ():
            for name in set(image.get("names") or ()):
                holders[name] = holders.get(name, 0) + 1
                sizes.setdefault(name, image.get("sizeBytes") or 0)
    spec = pod.manifest["spec"]
    containers = [*(spec.get("initContainers") or ()), *(spec.get("containers") or ())]
    names = [c.get("image") or "" for c in containers]
    names += [v["image"].get("reference") or "" for v in spec.get("volumes") or () if v.get("image")]
    names = [name if name.rfind(":") > name.rfind("/") else f"{name}:latest" for name in names]
    top = 1000 * MB * len(containers)
    raw = []
    for node in nodes:
        here = {n for i in (node.manifest.get("status") or {}).get("images") or () for n in i.get("names") or ()}
        total = sum(int(sizes[n] * (holders[n] / len(cluster.nodes))) for n in names if n in here)
        total = max(23 * MB, min(total, top))
        raw.append(100 * (total - 23 * MB) // (top - 23 * MB))
    return raw


def score_all(
    cluster: OracleCluster, profile: Profile, pod: OraclePod, nodes: list[OracleNode]
) -> dict[str, tuple[list[int], list[int]]]:
    """plugin -> (raw, normalized) over the feasible nodes; skipped plugins are left out."""
    found: dict[str, tuple[list[int], list[int]]] = {}
    for plugin in profile.points["score"]:
        result: tuple[list[int], list[int]] | None
        plain: list[int] | None = None
        match plugin:
            case "TaintToleration":
                result = taints(pod, nodes)
            case "NodeAffinity":
                result = affinity(profile, pod, nodes)
            case "PodTopologySpread":
                result = spread(cluster, profile, pod, nodes)
            case "InterPodAffinity":
                result = inter_pod(cluster, profile, pod, nodes)
            case "VolumeBinding":
                result = None
            case _:
                plain = {
                    "NodeResourcesFit": lambda: fit(profile, pod, nodes),
                    "NodeResourcesBalancedAllocation": lambda: balanced(profile, pod, nodes),
                    "ImageLocality": lambda: images(cluster, pod, nodes),
                    "DynamicResources": lambda: [0] * len(nodes),
                }[plugin]()
                result = None if plain is None else (plain, plain)
        if result is not None:
            found[plugin] = result
    return found
