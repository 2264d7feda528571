"""The kubelets of all nodes: Pods get their devices, end after their run seconds, or when their grace period is over.

Bound Pods start at once, Pods that come with a node run already. On a node whose machine is known, a Pod that asks for
devices, or any Pod where a Topology Manager policy counts, is admitted first: it gets its devices
(`gpuschedlab.io/gpus`), or fails. The annotation `gpuschedlab.io/run-seconds` on a Pod lets it succeed that long after
its start; without it a Pod runs on. A deleted Pod is gone when its grace period has passed.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import Any, ClassVar

from simulator.engine.actors import device_manager
from simulator.engine.actors.actor import Actor, Note, Turn, Wakeup
from simulator.engine.actors.device_manager import Holder, Rejected, Started
from simulator.engine.actors.node_devices import NodeDevices
from simulator.engine.fabric.devices import gpu_of
from simulator.engine.fabric.machine import Machine
from simulator.engine.fabric.numa_zones import NONE
from simulator.engine.objects.pod import GRACE_SECONDS, Pod
from simulator.engine.objects.pod_devices import DEVICES, NUMA, devices_held, numa_text
from simulator.engine.objects.times import SECOND
from simulator.engine.world.bus import Change
from simulator.engine.world.decisions import AnnotatePod, Announce, Decision, FinishPod, RemovePod

RUN_SECONDS = "gpuschedlab.io/run-seconds"
DEFAULT_GRACE = 30


def grace(pod: Pod) -> int:
    """Microseconds between a Pod's deletion and its end: as it was deleted, else as it says itself."""
    seconds = pod.rest.get(GRACE_SECONDS, pod.shape.spec.get("terminationGracePeriodSeconds"))
    return (DEFAULT_GRACE if seconds is None else int(seconds)) * SECOND


def run_time(pod: Pod) -> int | None:
    """Microseconds a Pod runs, None for ever."""
    text = pod.annotations.get(RUN_SECONDS, "")
    return int(text) * SECOND if text.isdecimal() and len(text) <= 9 else None


class Kubelet(Actor):
    """`devices` is what is inside the nodes; it observes before any actor does."""

    name: ClassVar[str] = "kubelet"
    rank: ClassVar[int] = 20

    def __init__(self, devices: NodeDevices) -> None:
        self._devices = devices
        self._starting: dict[str, bool] = {}
        self._ends: dict[str, tuple[int, Pod]] = {}
        self._due: list[tuple[int, str]] = []

    def observe(self, change: Change, now: int) -> None:
        if change.kind in ("Node", "NodeFabric"):
            self._look_again(change)
            return
        if change.kind != "Pod":
            return
        self._observe_start(change.old, change.new)
        pod: Pod | None = change.new
        end = None if pod is None else self._end(pod)
        if end is None:
            self._ends.pop(change.object.key, None)
        else:
            assert pod is not None
            self._ends[pod.key] = (end, pod)
            heapq.heappush(self._due, (end, pod.key))

    # starting

    def _observe_start(self, old: Pod | None, new: Pod | None) -> None:
        if new is None or not new.node_name or new.terminal or new.terminating:
            if old is not None:
                self._starting.pop(old.key, None)
            return
        arrived = old is None or not old.node_name
        known = old is None and DEVICES in new.annotations
        if arrived and not known and self._must_start(new):
            self._starting[new.key] = old is not None

    def _must_start(self, pod: Pod) -> bool:
        if not self._devices.has_fabric(pod.node_name) and not self._devices.asks_devices(pod.shape):
            return False
        machine = self._devices.machine(pod.node_name)
        if machine is None:
            return False
        return machine.numa_policy != NONE or device_manager.wants_devices(machine, pod)

    def _look_again(self, change: Change) -> None:
        """A machine became known or changed: Pods that run there and have no devices yet get theirs now."""
        if change.new is None:
            return
        name = change.object.name if change.kind == "Node" else str(change.object["metadata"]["name"])
        for pod in self._devices.pods(name):
            machine = self._devices.machine(name)
            if machine and DEVICES not in pod.annotations and device_manager.wants_devices(machine, pod):
                self._starting.setdefault(pod.key, False)

    def settle(self) -> Iterator[Decision]:
        """Devices for the Pods that a command brought onto their nodes, or whose machine it made known: they run
        already, so nothing happens but that it is written down. Carry out each decision before taking the next.
        """
        for key in [key for key, is_new in self._starting.items() if not is_new]:
            turn = self._start(key)
            if turn is not None:
                yield from turn.decisions

    def _start(self, key: str) -> Turn | None:
        is_new = self._starting.pop(key)
        pod = self._devices.pod(key)
        machine = None if pod is None else self._devices.machine(pod.node_name)
        if pod is None or machine is None:
            return None
        waiting = (key, *self._starting)
        others = self._devices.pods(pod.node_name, without=waiting)
        holders = [Holder(devices_held(other), other.shape.requests.on_node) for other in others]
        zones = self._devices.zones(pod.node_name, without=waiting)
        result = device_manager.start(machine, zones, holders, pod)
        if isinstance(result, Rejected) and not is_new:
            result = device_manager.start(machine, None, holders, pod)
        if isinstance(result, Started):
            return _started(pod, machine, result) if result.devices or result.numa else None
        return _rejected(pod, result) if is_new else None

    # the end

    @staticmethod
    def _end(pod: Pod) -> int | None:
        if not pod.node_name:
            return None
        if pod.deletion_time is not None:
            return pod.deletion_time + grace(pod)
        duration = run_time(pod)
        if duration is None or pod.start_time is None or pod.terminal:
            return None
        return pod.start_time + duration

    def next_wakeup(self, now: int) -> Wakeup | None:
        if self._starting:
            return Wakeup(now)
        first = self._first()
        return None if first is None else Wakeup(max(now, first[0]))

    def _first(self) -> tuple[int, str] | None:
        """The next end and its Pod; entries that are out of date are dropped."""
        while self._due:
            end, key = self._due[0]
            if key in self._ends and self._ends[key][0] == end:
                return end, key
            heapq.heappop(self._due)
        return None

    def act(self, now: int) -> Turn | None:
        if self._starting:
            return self._start(next(iter(self._starting)))
        first = self._first()
        if first is None or first[0] > now:
            return None
        heapq.heappop(self._due)
        pod = self._ends.pop(first[1])[1]
        decision: Decision = (
            RemovePod(pod.key, pod.uid) if pod.terminating else FinishPod(pod.key, pod.uid, "Succeeded")
        )
        code = "kubelet.terminated" if pod.terminating else "kubelet.succeeded"
        return Turn(Note(code, pod.key, (("node", pod.node_name),)), [decision])

    def save(self) -> Any:
        return [[key, is_new] for key, is_new in self._starting.items()]

    def load(self, saved: Any) -> None:
        self._starting = dict(saved)


def _started(pod: Pod, machine: Machine, result: Started) -> Turn:
    values = {DEVICES: ",".join(result.devices), NUMA: numa_text(result.numa) if result.numa else ""}
    annotations = tuple((name, text or None) for name, text in values.items() if text or name in pod.annotations)
    told = (
        ("node", pod.node_name),
        ("devices", list(result.devices)),
        ("gpus", list(dict.fromkeys(map(gpu_of, result.devices)))),
        ("containers", {name: list(ids) for name, ids in result.containers}),
        ("policy", machine.device_policy),
        ("numa_policy", machine.numa_policy),
        ("numa", _zones_of(result)),
    )
    return Turn(Note("kubelet.allocated", pod.key, told), [AnnotatePod(pod.key, pod.uid, annotations)])


def _zones_of(result: Started) -> list[int] | None:
    """The NUMA nodes of the Topology Manager's hints, None where it had none."""
    zones = [zone for alignment in result.alignments for zone in alignment.hint.nodes or ()]
    return sorted(dict.fromkeys(zones)) if result.alignments else None


def _rejected(pod: Pod, result: Rejected) -> Turn:
    """As `rejectPod` does: an Event, and the phase Failed."""
    decisions: list[Decision] = [
        Announce("Pod", pod.key, "Warning", result.reason, result.message),
        FinishPod(pod.key, pod.uid, "Failed", result.reason, f"Pod was rejected: {result.message}"),
    ]
    told = (("node", pod.node_name), ("reason", result.reason), ("message", result.message))
    return Turn(Note("kubelet.rejected", pod.key, told), decisions)
