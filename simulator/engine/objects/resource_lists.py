"""Resource lists of containers and Pods: sums, and which resource name follows which rule.

Source: Kubernetes 1.36 `pkg/apis/core/helper`, component-helpers `resource`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from simulator.engine.objects.quantity import ZERO, Quantity, QuantityError
from simulator.engine.objects.requests import is_extended_resource

HUGE_PAGES: Final = "hugepages-"
POD_LEVEL_NAMES: Final = ("cpu", HUGE_PAGES, "memory")

_COUNTED: Final = frozenset(
    {
        "pods",
        "resourcequotas",
        "services",
        "replicationcontrollers",
        "secrets",
        "configmaps",
        "persistentvolumeclaims",
        "services.nodeports",
        "services.loadbalancers",
    }
)
_CONTAINER: Final = frozenset({"cpu", "memory", "ephemeral-storage"})
_STANDARD: Final = (
    _COUNTED
    | _CONTAINER
    | {"storage", "requests.storage"}
    | {f"{which}.{name}" for which in ("requests", "limits") for name in _CONTAINER}
)

ResourceList = Mapping[str, str]
Quantities = dict[str, Quantity]


def is_huge_pages(name: str) -> bool:
    return name.startswith(HUGE_PAGES)


def is_standard(name: str) -> bool:
    return name in _STANDARD or is_huge_pages(name)


def is_container_standard(name: str) -> bool:
    return name in _CONTAINER or is_huge_pages(name)


def is_native(name: str) -> bool:
    """Names without a prefix or with kubernetes.io/."""
    return "/" not in name or "kubernetes.io/" in name


def is_overcommit_allowed(name: str) -> bool:
    """Whether limits may exceed requests; GPUs and huge pages cannot be promised twice."""
    return is_native(name) and not is_huge_pages(name)


def is_whole(name: str) -> bool:
    """Whether the resource is counted in whole units."""
    return name in _COUNTED or is_extended_resource(name)


def is_pod_level(name: str) -> bool:
    return name in ("cpu", "memory") or is_huge_pages(name)


def is_page_multiple(name: str, quantity: Quantity) -> bool:
    """Whether a huge-pages quantity is a whole number of pages of the size in the name."""
    try:
        size = Quantity.parse(name.removeprefix(HUGE_PAGES))
    except QuantityError:
        return False
    if size <= ZERO or not size.is_integer():
        return False
    return quantity.value() % size.value() == 0


def aggregate(spec: Mapping[str, Any], which: str) -> Quantities:
    """Sum the containers' `requests` or `limits`: sidecars add up, plain init containers are a peak."""
    running: Quantities = {}
    sidecars: Quantities = {}
    peak: Quantities = {}
    for container in spec.get("containers") or ():
        _add(running, _own(container, which))
    for container in spec.get("initContainers") or ():
        own = _own(container, which)
        if container.get("restartPolicy") == "Always":
            _add(running, own)
            _add(sidecars, own)
            own = sidecars
        else:
            _add(own, sidecars)
        _raise_to(peak, own)
    _raise_to(running, peak)
    return running


def _own(container: Mapping[str, Any], which: str) -> Quantities:
    listed = (container.get("resources") or {}).get(which) or {}
    return {name: Quantity.parse(text) for name, text in listed.items()}


def _add(total: Quantities, more: Quantities) -> None:
    for name, quantity in more.items():
        total[name] = total[name] + quantity if name in total else quantity


def _raise_to(largest: Quantities, other: Quantities) -> None:
    for name, quantity in other.items():
        if name not in largest or quantity > largest[name]:
            largest[name] = quantity
