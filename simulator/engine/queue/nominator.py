"""Nominations: Pods for which a node was made free and that have not been placed yet.

Source: kube-scheduler 1.36 `backend/queue/nominator.go`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from simulator.engine.cluster.cluster import Cluster
from simulator.engine.objects.pod import Pod, PodShape


class Nominator:
    """Node name -> Pods nominated there, in order of nomination.

    `queued(key)` gives the queue's copy of a Pod. One that is in no queue (in flight) counts as an empty shell without
    requests and with priority 0, as in the real scheduler.
    """

    def __init__(self, queued: Callable[[str], Pod | None]) -> None:
        self._queued = queued
        self._by_node: dict[str, dict[str, Pod]] = {}
        self._node_of: dict[str, str] = {}
        self._shells: dict[str, Pod] = {}

    def add(self, pod: Pod, node_name: str) -> None:
        """Store the nomination of `pod`, replacing an earlier one. Without a node name only the earlier one goes."""
        self.delete(pod.key)
        if node_name and not pod.node_name:
            self._by_node.setdefault(node_name, {})[pod.key] = pod
            self._node_of[pod.key] = node_name

    def delete(self, key: str) -> str | None:
        """Remove the nomination of a Pod. Returns the node it had."""
        node = self._node_of.pop(key, None)
        if node is not None:
            del self._by_node[node][key]
            if not self._by_node[node]:
                del self._by_node[node]
        self._shells.pop(key, None)
        return node

    def node_of(self, key: str) -> str:
        return self._node_of.get(key, "")

    def all(self) -> dict[str, str]:
        """Pod key -> node name."""
        return dict(self._node_of)

    def pods_for(self, node_name: str) -> list[Pod]:
        """The Pods nominated to a node as the scheduler sees them."""
        return [self._current(pod) for pod in self._by_node.get(node_name, {}).values()]

    def _current(self, pod: Pod) -> Pod:
        queued = self._queued(pod.key)
        if queued is not None:
            return queued
        shell = self._shells.get(pod.key)
        if shell is None:
            shape = PodShape(pod.namespace, {}, {}, None, {})
            shell = self._shells[pod.key] = replace(Pod(pod.name, pod.uid, shape))
        return shell

    def rows_with_nominees(self, cluster: Cluster) -> dict[int, list[Pod]]:
        """Node row -> Pods nominated there, for nodes that exist."""
        row_of = cluster.nodes.row_of
        return {row_of[name]: self.pods_for(name) for name in self._by_node if name in row_of}

    def number(self, pod: Pod, cluster: Cluster) -> int:
        """The Pod's number in the cluster's Pod table, so that row views can add it."""
        return cluster.loose_number(pod)
