"""What a scenario's text editor completes from its own cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from simulator.presenters.authoring.fields import names_of


def cluster_facts(document: Mapping[str, Any], nodes: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Resources, labels with their values, taints, and names of what the draft begins with."""
    resources: dict[str, None] = {}
    labels: dict[str, dict[str, None]] = {}
    taints: list[Mapping[str, Any]] = []
    for node in nodes:
        resources |= dict.fromkeys(_mapping(node, "status", "allocatable"))
        for key, value in _mapping(node, "metadata", "labels").items():
            labels.setdefault(str(key), {})[str(value)] = None
        taints += _taints(node)
    return {
        "resources": [name for name in resources if name not in ("cpu", "memory", "pods")],
        "labels": {key: list(values) for key, values in labels.items()},
        "taints": taints,
        "nodes": names_of(document, "Node"),
        "priorityClasses": names_of(document, "PriorityClass"),
        "namespaces": ["default", *names_of(document, "Namespace")],
    }


def _mapping(value: Any, *path: str) -> Mapping[str, Any]:
    for step in path:
        value = value.get(step) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def _taints(node: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    taints = _mapping(node, "spec").get("taints")
    return (one for one in taints if isinstance(one, Mapping)) if isinstance(taints, list) else iter(())
