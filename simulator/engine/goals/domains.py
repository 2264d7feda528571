"""Pods counted by the domain they are in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from simulator.engine.goals.run import Run
from simulator.engine.objects.pod import Pod


def domain_counts(run: Run, pods: Iterable[Pod], topology_key: str) -> Counter[str]:
    """Domain -> Pods in it; a domain is a node where `topology_key` is "". Nodes without the label count as ""."""
    counts: Counter[str] = Counter()
    for pod in pods:
        node = run.node(pod.node_name) if pod.node_name else None
        if node is not None:
            counts[node.labels.get(topology_key, "") if topology_key else node.name] += 1
    return counts
