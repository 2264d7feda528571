"""What a Pod requests, in the variants kube-scheduler uses.

All amounts are per-Pod integers: milli-CPU for `cpu`, the plain value (bytes, count) for every other name. Sums over
the containers are exact; the ceiling is taken once per Pod. Source: kube-scheduler 1.36, component-helpers
`resource`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from simulator.engine.objects.names import label_key_problems
from simulator.engine.objects.quantity import Quantity

CPU, MEMORY, EPHEMERAL_STORAGE, PODS = "cpu", "memory", "ephemeral-storage", "pods"
DEFAULT_MILLI_CPU = 100
DEFAULT_MEMORY = 200 * 1024 * 1024

Amounts = Mapping[str, int]
_Quantities = dict[str, Quantity]

_NON_MISSING = {CPU: Quantity.parse("100m"), MEMORY: Quantity.parse(str(DEFAULT_MEMORY))}
_ZERO = Quantity.parse("0")


@dataclass(frozen=True, slots=True)
class PodRequests:
    """The request vectors of one Pod.

    incoming  NodeResourcesFit Filter for the Pod being scheduled (spec only)
    on_node   what the Pod counts on its node; also BalancedAllocation for the incoming Pod (status and Pod level too)
    nonzero   (milli-CPU, bytes) on its node with the defaults for missing requests, for scoring
    scoring   NodeResourcesFit Score for the incoming Pod (defaults, no Pod level)
    """

    incoming: Amounts
    on_node: Amounts
    nonzero: tuple[int, int]
    scoring: Amounts


def is_extended_resource(name: str) -> bool:
    """`helper.IsExtendedResourceName`."""
    if "/" not in name or "kubernetes.io/" in name or name.startswith("requests."):
        return False
    return not label_key_problems("requests." + name)


def is_scalar_resource(name: str) -> bool:
    """Whether the scheduler counts `name` on nodes beside cpu, memory, ephemeral storage and Pod slots."""
    return (
        is_extended_resource(name) or name.startswith(("hugepages-", "attachable-volumes-")) or "kubernetes.io/" in name
    )


def quantities(resource_list: Mapping[str, Any] | None) -> _Quantities:
    return {name: Quantity.parse(value) for name, value in (resource_list or {}).items()}


def amount(name: str, quantity: Quantity) -> int:
    return quantity.milli_value() if name == CPU else quantity.value()


def amounts(resource_list: Mapping[str, Quantity]) -> dict[str, int]:
    """Integer amounts of the names the scheduler knows; others are dropped."""
    known = (CPU, MEMORY, EPHEMERAL_STORAGE, PODS)
    return {name: amount(name, q) for name, q in resource_list.items() if name in known or is_scalar_resource(name)}


def pod_requests(spec: Mapping[str, Any], status: Mapping[str, Any]) -> PodRequests:
    """All request vectors of the Pod with this `spec` and (for in-place resize) `status`."""
    pod_level = _is_pod_level_set(spec)
    on_node = _total(spec, status, pod_level=True)
    missing = {name: q for name, q in _NON_MISSING.items() if not pod_level or name not in on_node}
    nonzero = _total(spec, status, pod_level=True, defaults=missing) if missing else on_node
    on_node_amounts = amounts(on_node)
    return PodRequests(
        incoming=amounts(_total(spec, {}, pod_level=True)) if status else on_node_amounts,
        on_node=on_node_amounts,
        nonzero=(nonzero.get(CPU, _ZERO).milli_value(), nonzero.get(MEMORY, _ZERO).value()),
        scoring=amounts(_total(spec, {}, pod_level=False, defaults=_NON_MISSING) if status or pod_level else nonzero),
    )


def _total(
    spec: Mapping[str, Any],
    status: Mapping[str, Any],
    *,
    pod_level: bool,
    defaults: Mapping[str, Quantity] | None = None,
) -> _Quantities:
    total = _aggregate(spec, status, defaults or {})
    if pod_level and _is_pod_level_set(spec):
        total |= _pod_level(spec, status)
    return _plus(total, quantities(spec.get("overhead")))


def _aggregate(spec: Mapping[str, Any], status: Mapping[str, Any], defaults: Mapping[str, Quantity]) -> _Quantities:
    running: _Quantities = {}
    sidecars: _Quantities = {}
    peak: _Quantities = {}
    infeasible = _is_resize_infeasible(status)
    statuses = {s.get("name"): s for s in status.get("containerStatuses") or ()}
    for container in spec.get("containers") or ():
        own = _container(container, statuses.get(container.get("name")), infeasible)
        running = _plus(running, {**defaults, **own})
    statuses = {s.get("name"): s for s in status.get("initContainerStatuses") or ()}
    for container in spec.get("initContainers") or ():
        sidecar = container.get("restartPolicy") == "Always"
        own = _container(container, statuses.get(container.get("name")) if sidecar else None, infeasible)
        own = {**defaults, **own}
        if sidecar:
            running, sidecars = _plus(running, own), _plus(sidecars, own)
            peak = _max(peak, sidecars)
        else:
            peak = _max(peak, _plus(own, sidecars))
    return _max(running, peak)


def _container(container: Mapping[str, Any], status: Mapping[str, Any] | None, infeasible: bool) -> _Quantities:
    own = quantities((container.get("resources") or {}).get("requests"))
    if not status or status.get("resources") is None:
        return own
    actual = quantities(status["resources"].get("requests"))
    allocated = quantities(status.get("allocatedResources"))
    return _max(actual, allocated) if infeasible else _max(_max(own, actual), allocated)


def _is_resize_infeasible(status: Mapping[str, Any]) -> bool:
    return any(
        c.get("type") == "PodResizePending" and c.get("reason") == "Infeasible" for c in status.get("conditions") or ()
    )


def _is_pod_level_name(name: str) -> bool:
    return name in (CPU, MEMORY) or name.startswith("hugepages-")


def _is_pod_level_set(spec: Mapping[str, Any]) -> bool:
    requests = (spec.get("resources") or {}).get("requests") or {}
    return any(_is_pod_level_name(name) for name in requests)


def _pod_level(spec: Mapping[str, Any], status: Mapping[str, Any]) -> _Quantities:
    own = quantities(spec["resources"].get("requests"))
    if status.get("resources") is not None:
        actual = _max(quantities(status["resources"].get("requests")), quantities(status.get("allocatedResources")))
        own = actual if _is_resize_infeasible(status) else _max(own, actual)
    return {name: q for name, q in own.items() if _is_pod_level_name(name)}


def _plus(left: Mapping[str, Quantity], right: Mapping[str, Quantity]) -> _Quantities:
    total = dict(left)
    for name, quantity in right.items():
        total[name] = total[name] + quantity if name in total else quantity
    return total


def _max(left: Mapping[str, Quantity], right: Mapping[str, Quantity]) -> _Quantities:
    largest = dict(left)
    for name, quantity in right.items():
        if name not in largest or quantity > largest[name]:
            largest[name] = quantity
    return largest


def resource_names(containers: Iterable[Mapping[str, Any]]) -> set[str]:
    """Every resource a container requests or limits."""
    names: set[str] = set()
    for container in containers:
        resources = container.get("resources") or {}
        names |= set(resources.get("requests") or ()) | set(resources.get("limits") or ())
    return names
