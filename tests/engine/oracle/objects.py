"""Plain objects of the slow oracle: quantities, requests, selectors, taints, written from the specification alone.

Nothing here knows the engine. One Pod, one node, one number at a time.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

Manifest = Mapping[str, Any]
SUFFIX = {
    "n": Fraction(1, 10**9), "u": Fraction(1, 10**6), "m": Fraction(1, 1000), "": Fraction(1), "k": Fraction(10**3),
    "M": Fraction(10**6), "G": Fraction(10**9), "T": Fraction(10**12), "P": Fraction(10**15), "E": Fraction(10**18),
    "Ki": Fraction(2**10), "Mi": Fraction(2**20), "Gi": Fraction(2**30), "Ti": Fraction(2**40), "Pi": Fraction(2**50),
    "Ei": Fraction(2**60),
}  # fmt: skip
CPU, MEMORY, DISK = "cpu", "memory", "ephemeral-storage"
DEFAULTS = {CPU: Fraction(1, 10), MEMORY: Fraction(200 * 2**20)}


def quantity(text: Any) -> Fraction:
    text = str(text)
    index = len(text)
    while index and not (text[index - 1].isdigit() or text[index - 1] == "."):
        index -= 1
    number, suffix = text[:index], text[index:]
    for sign in "eE":
        if sign in number[1:]:
            mantissa, _, exponent = number.partition(sign)
            return Fraction(mantissa) * Fraction(10) ** int(exponent)
    return Fraction(number) * SUFFIX[suffix]


def whole(name: str, amount: Fraction) -> int:
    return math.ceil(amount * 1000 if name == CPU else amount)


def resource_list(manifest: Manifest | None) -> dict[str, Fraction]:
    return {name: quantity(value) for name, value in (manifest or {}).items()}


def plus(left: dict[str, Fraction], right: Mapping[str, Fraction]) -> dict[str, Fraction]:
    return {name: left.get(name, Fraction(0)) + right.get(name, Fraction(0)) for name in {**left, **right}}


def largest(left: dict[str, Fraction], right: Mapping[str, Fraction]) -> dict[str, Fraction]:
    return {n: max(x for x in (left.get(n), right.get(n)) if x is not None) for n in {**left, **right}}


def infeasible(status: Manifest) -> bool:
    conditions = status.get("conditions") or ()
    return any(c["type"] == "PodResizePending" and c.get("reason") == "Infeasible" for c in conditions)


def container_request(
    container: Manifest, status: Manifest, infeasible_resize: bool, which: str
) -> dict[str, Fraction]:
    own = resource_list((container.get("resources") or {}).get("requests"))
    found = [s for s in status.get(which) or () if s["name"] == container["name"] and s.get("resources") is not None]
    if not found:
        return own
    actual = largest(
        resource_list(found[0]["resources"].get("requests")), resource_list(found[0].get("allocatedResources"))
    )
    return actual if infeasible_resize else largest(own, actual)


def is_pod_level(name: str) -> bool:
    return name in (CPU, MEMORY) or name.startswith("hugepages-")


def requests(
    pod: Manifest, *, use_status: bool, pod_level: bool, defaults: bool, node_rule: bool = False
) -> dict[str, int]:
    """Effective requests, section 1. `node_rule`: defaults only for what neither Pod level nor any container asks."""
    spec, status = pod["spec"], (pod.get("status") or {}) if use_status else {}
    wanted = resource_list((spec.get("resources") or {}).get("requests"))
    level = {name: amount for name, amount in wanted.items() if is_pod_level(name)}
    missing = dict(DEFAULTS) if defaults else {}
    if node_rule and defaults and level:
        named = set(level)
        for container in [*(spec.get("containers") or ()), *(spec.get("initContainers") or ())]:
            named |= set((container.get("resources") or {}).get("requests") or ())
        missing = {name: amount for name, amount in missing.items() if name not in named}
    stuck = infeasible(status)
    total: dict[str, Fraction] = {}
    for container in spec.get("containers") or ():
        total = plus(total, {**missing, **container_request(container, status, stuck, "containerStatuses")})
    peak: dict[str, Fraction] = {}
    beside: dict[str, Fraction] = {}
    for container in spec.get("initContainers") or ():
        sidecar = container.get("restartPolicy") == "Always"
        own = container_request(container, status if sidecar else {}, stuck, "initContainerStatuses")
        own = {**missing, **own}
        if sidecar:
            total, beside = plus(total, own), plus(beside, own)
            peak = largest(peak, beside)
        else:
            peak = largest(peak, plus(beside, own))
    result = largest(total, peak)
    if pod_level and level:
        if status.get("resources") is not None:
            real = largest(
                resource_list(status["resources"].get("requests")), resource_list(status.get("allocatedResources"))
            )
            level = {n: q for n, q in (real if stuck else largest(level, real)).items() if is_pod_level(n)}
        result = {**result, **level}
    result = plus(result, resource_list(spec.get("overhead")))
    return {name: whole(name, amount) for name, amount in result.items()}


def is_scalar(name: str) -> bool:
    return is_extended(name) or name.startswith(("hugepages-", "attachable-volumes-")) or "kubernetes.io/" in name


def is_extended(name: str) -> bool:
    return "/" in name and "kubernetes.io/" not in name and not name.startswith("requests.")


def counted(name: str) -> bool:
    return name in (CPU, MEMORY, DISK) or is_scalar(name)


# selectors


def requirement(have: str | None, operator: str, values: Iterable[str]) -> bool:
    values = list(values)
    if operator == "In":
        return have in values
    if operator == "NotIn":
        return have not in values
    if operator == "Exists":
        return have is not None
    if operator == "DoesNotExist":
        return have is None
    try:
        left, right = int(have or "x"), int(values[0])
    except ValueError:
        return False
    return left > right if operator == "Gt" else left < right


def selects(selector: Manifest | None, labels: Mapping[str, str]) -> bool:
    """A label selector; absent selects nothing, empty everything."""
    if selector is None:
        return False
    if any(labels.get(key) != value for key, value in (selector.get("matchLabels") or {}).items()):
        return False
    return all(
        requirement(labels.get(e["key"]), e["operator"], e.get("values") or ())
        for e in selector.get("matchExpressions") or ()
    )


def is_empty(selector: Manifest | None) -> bool:
    return selector is not None and not selector.get("matchLabels") and not selector.get("matchExpressions")


def term_matches(term: Manifest, node: Manifest) -> bool:
    """One term of a node selector."""
    expressions, fields = term.get("matchExpressions") or (), term.get("matchFields") or ()
    if not expressions and not fields:
        return False
    for e in expressions:
        values = e.get("values") or []
        wrong = (
            (e["operator"] in ("In", "NotIn") and not values)
            or (e["operator"] in ("Exists", "DoesNotExist") and values)
            or (e["operator"] in ("Gt", "Lt") and (len(values) != 1 or not values[0].lstrip("-").isdigit()))
        )
        if wrong:
            return False
    if any(len(f.get("values") or ()) != 1 for f in fields):
        return False
    labels, name = node["metadata"].get("labels") or {}, node["metadata"]["name"]
    return all(requirement(labels.get(e["key"]), e["operator"], e.get("values") or ()) for e in expressions) and all(
        (name == f["values"][0]) == (f["operator"] == "In") for f in fields
    )


def node_allowed(pod: Manifest, node: Manifest) -> bool:
    """nodeSelector and required node affinity."""
    labels = node["metadata"].get("labels") or {}
    if any(labels.get(key) != value for key, value in (pod["spec"].get("nodeSelector") or {}).items()):
        return False
    required = node_affinity(pod).get("requiredDuringSchedulingIgnoredDuringExecution")
    return required is None or any(term_matches(term, node) for term in required.get("nodeSelectorTerms") or ())


def node_affinity(pod: Manifest) -> Manifest:
    return (pod["spec"].get("affinity") or {}).get("nodeAffinity") or {}


# taints


def tolerated(taint: Manifest, tolerations: Iterable[Manifest]) -> bool:
    for t in tolerations:
        if t.get("effect") and t["effect"] != taint["effect"]:
            continue
        if t.get("key") and t["key"] != taint["key"]:
            continue
        operator = t.get("operator") or "Equal"
        if operator == "Exists" or (operator == "Equal" and (t.get("value") or "") == (taint.get("value") or "")):
            return True
    return False


def first_untolerated(node: Manifest, pod: Manifest) -> Manifest | None:
    for taint in (node.get("spec") or {}).get("taints") or ():
        if taint["effect"] in ("NoSchedule", "NoExecute") and not tolerated(
            taint, pod["spec"].get("tolerations") or ()
        ):
            return taint
    return None


def host_ports(pod: Manifest) -> set[tuple[str, str, int]]:
    """(address, protocol, port) of containers and sidecars."""
    spec = pod["spec"]
    sidecars = [c for c in spec.get("initContainers") or () if c.get("restartPolicy") == "Always"]
    return {
        (p.get("hostIP") or "0.0.0.0", p.get("protocol") or "TCP", p["hostPort"])
        for c in [*sidecars, *(spec.get("containers") or ())]
        for p in c.get("ports") or ()
        if (p.get("hostPort") or 0) > 0
    }
