"""The node lifecycle controller: the taint of cordoned nodes, and Pods driven off by NoExecute taints.

Simplified here: taints do not follow from node conditions; a Pod with several tolerationSeconds leaves after the
shortest.
"""

from __future__ import annotations

from typing import ClassVar

from simulator.engine.actors.actor import Actor, Note, Turn, Wakeup
from simulator.engine.objects.node import Node
from simulator.engine.objects.pod import Pod
from simulator.engine.objects.taints import Taint
from simulator.engine.objects.times import SECOND
from simulator.engine.world.bus import Change
from simulator.engine.world.decisions import Decision, DeletePod, Patch

CORDON_KEY = "node.kubernetes.io/unschedulable"
NO_EXECUTE = "NoExecute"


class NodeLifecycle(Actor):
    name: ClassVar[str] = "node-lifecycle-controller"
    rank: ClassVar[int] = 10

    def __init__(self) -> None:
        self._nodes: dict[str, Node] = {}
        self._pods: dict[str, Pod] = {}
        self._tainted_since: dict[str, int] = {}
        self._wrong: dict[str, None] = {}

    def observe(self, change: Change, now: int) -> None:
        if change.kind == "Node":
            self._observe_node(change.old, change.new, now)
        elif change.kind == "Pod":
            if change.new is None or not change.new.node_name or change.new.terminating or change.new.terminal:
                self._pods.pop(change.object.key, None)
            else:
                self._pods[change.new.key] = change.new

    def _observe_node(self, old: Node | None, new: Node | None, now: int) -> None:
        if new is None:
            assert old is not None
            for memory in (self._nodes, self._wrong, self._tainted_since):
                memory.pop(old.name, None)
            return
        self._nodes[new.name] = new
        if self._is_marked(new) == new.unschedulable:
            self._wrong.pop(new.name, None)
        else:
            self._wrong[new.name] = None
        if any(taint.effect == NO_EXECUTE for taint in new.taints):
            self._tainted_since.setdefault(new.name, now)
        else:
            self._tainted_since.pop(new.name, None)

    @staticmethod
    def _is_marked(node: Node) -> bool:
        return any(taint.key == CORDON_KEY and taint.effect == "NoSchedule" for taint in node.taints)

    def next_wakeup(self, now: int) -> Wakeup | None:
        if self._wrong:
            return Wakeup(now)
        leaving = self._next_eviction()
        return None if leaving is None else Wakeup(max(now, leaving[0]))

    def _next_eviction(self) -> tuple[int, Pod] | None:
        if not self._tainted_since:
            return None
        times = [(self._leaves_at(pod), pod) for pod in self._pods.values() if pod.node_name in self._tainted_since]
        due = [(time, pod) for time, pod in times if time is not None]
        return min(due, key=lambda pair: (pair[0], pair[1].key)) if due else None

    def _leaves_at(self, pod: Pod) -> int | None:
        """When the node's NoExecute taints drive the Pod off, None for never."""
        since = max(self._tainted_since[pod.node_name], pod.start_time or 0)
        limits = []
        for taint in self._nodes[pod.node_name].taints:
            if taint.effect != NO_EXECUTE:
                continue
            tolerating = [t for t in pod.shape.tolerations if t.tolerates(taint)]
            if not tolerating:
                return since
            limits += [t.seconds for t in tolerating if t.seconds is not None]
        return since + max(0, min(limits)) * SECOND if limits else None

    def act(self, now: int) -> Turn | None:
        if self._wrong:
            name = next(iter(self._wrong))
            return self._mark(self._nodes[name])
        leaving = self._next_eviction()
        if leaving is None or leaving[0] > now:
            return None
        pod = leaving[1]
        return Turn(Note("node_lifecycle.evicted", pod.key, (("node", pod.node_name),)), [DeletePod(pod.key, pod.uid)])

    @staticmethod
    def _mark(node: Node) -> Turn:
        """Add or remove the taint that goes with `spec.unschedulable`."""
        kept = [taint for taint in (node.manifest.get("spec") or {}).get("taints") or () if not _is_cordon(taint)]
        if node.unschedulable:
            kept.append({"key": CORDON_KEY, "effect": "NoSchedule"})
        decision: Decision = Patch("Node", "", node.name, {"spec": {"taints": kept or None}})
        code = "node_lifecycle.tainted" if node.unschedulable else "node_lifecycle.untainted"
        return Turn(Note(code, node.name, (("taint", str(Taint(CORDON_KEY, "", "NoSchedule"))),)), [decision])

    def save(self) -> dict[str, int]:
        return dict(self._tainted_since)

    def load(self, saved: dict[str, int]) -> None:
        self._tainted_since = dict(saved)


def _is_cordon(taint: dict[str, str]) -> bool:
    return taint.get("key") == CORDON_KEY and taint.get("effect") == "NoSchedule"
