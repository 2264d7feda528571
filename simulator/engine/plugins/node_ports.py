"""NodePorts: two Pods cannot have the same host port on one node.

Decides: Filter by the host ports the Pod wants (protocol, port and address; 0.0.0.0 conflicts with every address).
Kubernetes counterpart: kube-scheduler 1.36 NodePorts.
Simplified here: nothing.
Reads: pod host ports, ports used on the node. Writes: nothing.
Wakes on: an assigned Pod deleted whose ports conflict; node added.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

import numpy as np

from simulator.engine.cluster.rows import Rows
from simulator.engine.framework.events import NODE, POD, Action, ClusterEvent
from simulator.engine.framework.facts import MOST_NAMES, Fact
from simulator.engine.framework.plugin import (
    CycleState,
    EventInterest,
    FilterPlugin,
    Hint,
    PreFilterPlugin,
    PreFilterResult,
    Reads,
)
from simulator.engine.framework.status import SKIP, Code, Reason, Verdicts
from simulator.engine.objects.pod import Pod, PodShape
from simulator.engine.objects.ports import HostPort

_REASON = Reason("node_ports.conflict")


class NodePorts(PreFilterPlugin, FilterPlugin):
    name = "NodePorts"
    filter_reads = Reads.NODE | Reads.USAGE
    without_pre_filter = "node_ports.no_state"

    def pre_filter(self, state: CycleState, pod: Pod) -> PreFilterResult:
        return PreFilterResult() if pod.shape.host_ports else PreFilterResult(SKIP)

    def filter_key(self, shape: PodShape) -> Hashable:
        return shape.host_ports

    def filter(self, state: CycleState, pod: Pod, rows: Rows) -> Verdicts:
        wanted = pod.shape.host_ports
        changed = set(rows.changed_positions().tolist())
        used = rows.cluster.used_ports
        failed = np.zeros(len(rows), dtype=np.bool_)
        for position, row in enumerate(rows.ids.tolist()):
            ports: Iterable[HostPort] = () if rows.bare else used[row]
            if position in changed:
                ports = ports_with_delta(rows, position)
            failed[position] = any(conflicts(want, ports) for want in wanted)
        return Verdicts.where(failed, Code.UNSCHEDULABLE, _REASON)

    def facts(self, state: CycleState, pod: Pod, row: Rows) -> Sequence[Fact]:
        used = _ports_on(row)
        return [_port_fact(want, used, row.pods_on(0)) for want in pod.shape.host_ports]

    def events(self) -> Sequence[EventInterest]:
        return (
            EventInterest(ClusterEvent(POD, Action.DELETE), self._freed_a_port),
            EventInterest(ClusterEvent(NODE, Action.ADD)),
        )

    @staticmethod
    def _freed_a_port(pod: Pod, old: Pod, _new: Pod | None) -> Hint:
        if not (old.node_name or old.nominated_node_name):
            return Hint.SKIP
        freed = any(conflicts(want, old.shape.host_ports) for want in pod.shape.host_ports)
        return Hint.QUEUE if freed else Hint.SKIP


def _ports_on(row: Rows) -> set[HostPort]:
    if row.delta is not None and len(row.delta.pods):
        return ports_with_delta(row, 0)
    return set() if row.bare else row.cluster.used_ports[int(row.ids[0])]


def _port_fact(wanted: HostPort, used: Iterable[HostPort], pods: Iterable[Pod]) -> Fact:
    """`taken`: the ports in the way. `pods`: who has them (nobody where an equal port of a Pod that left was freed)."""
    taken = sorted((port for port in used if wanted.conflicts(port)), key=str)
    users = [pod.key for pod in pods if any(port in pod.shape.host_ports for port in taken)]
    return Fact.of(
        "node_ports.port", not taken, port=str(wanted), taken=[str(port) for port in taken], pods=users[:MOST_NAMES]
    )


def conflicts(wanted: HostPort, used: Iterable[HostPort]) -> bool:
    return any(wanted.conflicts(port) for port in used)


def ports_with_delta(rows: Rows, position: int) -> set[HostPort]:
    """Ports used on a row with its delta applied. Ports are a set: removing one of two users frees the port."""
    delta = rows.delta
    assert delta is not None
    ports = set() if rows.bare else set(rows.cluster.used_ports[int(rows.ids[position])])
    at = np.flatnonzero(delta.positions == position)
    for number, sign in zip(delta.pods[at].tolist(), delta.signs[at].tolist(), strict=True):
        own = rows.cluster.pods.pod(number).shape.host_ports
        if sign > 0:
            ports.update(own)
        else:
            ports.difference_update(own)
    return ports
