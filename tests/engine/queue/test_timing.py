"""Backoff, flushes, the sweep, popping and in-flight events, with the figures of the real queue."""

from __future__ import annotations

import pytest

from simulator.engine.framework.events import Action, ClusterEvent
from simulator.engine.objects.times import SECOND
from simulator.engine.queue.backoff import Backoff
from simulator.engine.queue.info import QueuedPod
from simulator.engine.queue.object_events import NODE_ADDED
from tests.engine.build import a_node, a_pod, cycles, node_manifest, pod_manifest, settle, simulation

MINUTE = 60 * SECOND
BUSY_QUEUE = {"SchedulerPopFromBackoffQ": False}


def waiting(timestamp: float, count: int = 1, *, errors: int = 0) -> QueuedPod:
    info = QueuedPod(a_pod("p"), int(timestamp * SECOND), 1)
    info.unschedulable_count, info.error_count = count, errors
    return info


@pytest.mark.parametrize(("count", "seconds"), [(0, 0), (1, 1), (2, 2), (3, 4), (4, 8), (5, 10), (6, 10), (80, 10)])
def test_backoff_doubles_up_to_ten_seconds(count: int, seconds: int) -> None:
    assert Backoff().duration(count) == seconds * SECOND


def test_backoff_ends_are_whole_seconds_and_the_second_itself_still_counts() -> None:
    info = waiting(10.3)
    assert Backoff().until(info) == 11 * SECOND
    assert Backoff().is_backing_off(info, int(11.9 * SECOND))
    assert not Backoff().is_backing_off(info, 12 * SECOND)
    exact = waiting(10.0)
    assert Backoff().is_backing_off(exact, int(11.999 * SECOND))
    assert not Backoff().is_backing_off(exact, 12 * SECOND)


def test_errors_count_before_rejections() -> None:
    assert Backoff().until(waiting(0, count=1, errors=3)) == 4 * SECOND
    assert Backoff().until(waiting(7, count=0)) == 0


def test_an_idle_active_queue_takes_pods_out_of_backoff_in_order_of_their_end_then_priority() -> None:
    queue = simulation().scheduler.queue
    for name, until, priority in (("a", 20, 0), ("b", 20, 5), ("c", 19, 0)):
        info = QueuedPod(a_pod(name, priority=priority), 0, len(name), rejectors={"NodeName"})
        info.backoff_until = until * SECOND
        queue.backing_off.put(info)
    popped = [queue.pop(0) for _ in range(3)]
    assert [info.pod.name for info in popped if info is not None] == ["c", "b", "a"]


def test_a_busy_queue_makes_a_woken_pod_serve_its_backoff() -> None:
    made = settle(simulation(pod_manifest("p", requests={"cpu": "4"}), node_manifest("a", cpu="2"), gates=BUSY_QUEUE))
    made.apply({"type": "apply", "objects": [node_manifest("b", cpu="4")]})
    queue = made.scheduler.queue
    assert [info.pod.name for info in queue.backing_off] == ["p"]
    assert made.next_time() == (made.setup.start_time + 2 * SECOND, False)
    settle(made)
    assert cycles(made)[-1].result == "scheduled"
    assert cycles(made)[-1].time == made.setup.start_time + 2 * SECOND


def test_a_node_too_small_wakes_nobody_and_any_taint_wakes_who_waits_for_cpu() -> None:
    made = settle(simulation(pod_manifest("p", requests={"cpu": "4"}), node_manifest("a", cpu="2")))
    made.apply({"type": "apply", "objects": [node_manifest("b", cpu="2")]})
    assert made.is_idle
    made.apply({"type": "label", "name": "a", "labels": {"x": "y"}})
    assert made.is_idle
    made.apply({"type": "taint", "name": "a", "add": [{"key": "x", "effect": "PreferNoSchedule"}]})
    assert not made.is_idle
    assert made.actions[-1].moves[0].event == "NodeUpdateNodeTaint"


def test_nobody_woke_it_so_the_sweep_does_after_five_minutes() -> None:
    made = settle(simulation(pod_manifest("p", requests={"cpu": "4"}), node_manifest("a", cpu="2")))
    failed_at = made.now
    made.apply({"type": "advance", "seconds": 299})
    assert len(cycles(made)) == 1
    made.apply({"type": "advance", "seconds": 40})
    again = [cycle for cycle in cycles(made) if cycle.kind == "pod"]
    assert len(again) == 2
    assert 5 * MINUTE < again[1].time - failed_at <= 5 * MINUTE + 30 * SECOND
    assert again[1].time % (30 * SECOND) == 0


def test_a_gated_pod_is_never_swept_and_goes_straight_to_the_active_queue() -> None:
    gated = pod_manifest("p", schedulingGates=[{"name": "example.com/a"}, {"name": "example.com/b"}])
    made = settle(simulation(gated, node_manifest()))
    made.apply({"type": "advance", "seconds": 1000})
    assert cycles(made) == []
    one = {"spec": {"schedulingGates": [{"name": "example.com/b"}]}}
    made.apply({"type": "patch", "kind": "Pod", "name": "p", "patch": one})
    assert made.is_idle
    made.apply({"type": "patch", "kind": "Pod", "name": "p", "patch": {"spec": {"schedulingGates": None}}})
    assert [info.pod.name for info in made.scheduler.queue.active] == ["p"]
    assert settle(made).world.pod("default/p").node_name == "n1"


def test_without_any_node_a_pod_waits_with_the_errors_and_always_serves_its_backoff() -> None:
    made = simulation(pod_manifest("p"))
    made.step()
    assert cycles(made)[0].failures[0].message == "no nodes available to schedule pods"
    assert cycles(made)[0].failures[0].rejectors == ()
    assert [info.pod.name for info in made.scheduler.queue.error_backoff] == ["p"]
    assert not made.scheduler.queue.can_pop()


def test_priority_goes_first_then_the_time_of_the_last_failure() -> None:
    made = simulation(node_manifest(cpu="1"), *(pod_manifest(name, requests={"cpu": "2"}) for name in "abc"))
    settle(made)
    made.apply({"type": "label", "kind": "Pod", "name": "a", "labels": {"x": "y"}})
    made.apply({"type": "apply", "objects": [node_manifest("big", cpu="2")]})
    made.step()
    assert cycles(made)[-1].pod == "default/a"


def test_an_event_during_the_attempt_is_remembered() -> None:
    queue = simulation(pod_manifest("p", requests={"cpu": "4"}), node_manifest(cpu="2")).scheduler.queue
    info = queue.pop(0)
    assert info is not None
    queue.move_all(NODE_ADDED, None, a_node("new", cpu="8"), 1)
    info.rejectors = {"NodeResourcesFit"}
    assert queue.put_back(info, 2 * SECOND) == "backoff"
    assert not queue.in_flight


def test_an_event_nobody_waits_for_is_not_remembered() -> None:
    queue = simulation(pod_manifest("p", requests={"cpu": "4"}), node_manifest(cpu="2")).scheduler.queue
    info = queue.pop(0)
    assert info is not None
    queue.move_all(ClusterEvent("ConfigMap", Action.ADD), None, {}, 1)
    info.rejectors = {"NodeResourcesFit"}
    assert queue.put_back(info, 2) == "unschedulable"


def test_activated_pods_skip_the_rest_of_their_backoff() -> None:
    queue = simulation().scheduler.queue
    info = QueuedPod(a_pod("p"), 0, 1, rejectors={"NodeName"})
    info.backoff_until = 100 * SECOND
    queue.backing_off.put(info)
    queue.activate(["default/p", "default/unknown"])
    assert [entry.pod.name for entry in queue.active] == ["p"]
    assert not len(queue.backing_off)


def test_a_changed_pod_keeps_its_place_and_a_deleted_one_leaves_every_queue() -> None:
    made = simulation(node_manifest(cpu="1"), *(pod_manifest(name) for name in "ab"))
    queue = made.scheduler.queue
    made.apply({"type": "label", "kind": "Pod", "name": "a", "labels": {"x": "y"}})
    assert [info.pod.name for info in queue.active.in_order()] == ["a", "b"]
    assert queue.find("default/a").pod.labels == {"x": "y"}
    made.apply({"type": "delete", "kind": "Pod", "name": "a"})
    assert queue.find("default/a") is None
