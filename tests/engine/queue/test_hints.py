"""Queueing hints: which event wakes a Pod that which plugin rejected, row by row as in the real plugins.

Volumes have their own tests (plugins/test_volume_hints.py).
"""

# ruff: noqa: E501 - a row of the table stands on one line
from __future__ import annotations

from typing import Any

import pytest

from simulator.engine.framework.events import ASSIGNED_POD, NODE, UNSCHEDULED_POD, Action, ClusterEvent
from simulator.engine.queue.hints import Strategy
from simulator.engine.queue.info import QueuedPod
from simulator.engine.queue.object_events import node_update_events, pod_update_events
from simulator.engine.world.setup import Setup
from simulator.engine.world.simulation import Simulation
from tests.engine.build import a_node, a_pod, apart, near, pod_term, required_node_affinity, spread

ZONE = "zone"
WAITING = a_pod("waiting")
GANG_GATES = {"GenericWorkload": True, "GangScheduling": True}

NODE_ADDED = ClusterEvent(NODE, Action.ADD)
NODE_DELETED = ClusterEvent(NODE, Action.DELETE)
LABELS = ClusterEvent(NODE, Action.UPDATE_NODE_LABEL)
TAINTS = ClusterEvent(NODE, Action.UPDATE_NODE_TAINT)
ALLOCATABLE = ClusterEvent(NODE, Action.UPDATE_NODE_ALLOCATABLE)
FEATURES = ClusterEvent(NODE, Action.UPDATE_NODE_DECLARED_FEATURE)
POD_ADDED = ClusterEvent(ASSIGNED_POD, Action.ADD)
POD_DELETED = ClusterEvent(ASSIGNED_POD, Action.DELETE)
POD_LABELS = ClusterEvent(ASSIGNED_POD, Action.UPDATE_POD_LABEL)
POD_SCALED = ClusterEvent(ASSIGNED_POD, Action.UPDATE_POD_SCALE_DOWN)
OWN_LABELS = ClusterEvent(UNSCHEDULED_POD, Action.UPDATE_POD_LABEL)
OWN_TOLERATIONS = ClusterEvent(UNSCHEDULED_POD, Action.UPDATE_POD_TOLERATION)
OWN_GATES = ClusterEvent(UNSCHEDULED_POD, Action.UPDATE_POD_GATES_ELIMINATED)
OWN_SCALED = ClusterEvent(UNSCHEDULED_POD, Action.UPDATE_POD_SCALE_DOWN)

CPU4 = {"cpu": "4"}
TOLERANT = [{"key": "gpu", "operator": "Exists"}]
CORDON_TOLERANT = [{"key": "node.kubernetes.io/unschedulable", "operator": "Exists"}]
WEB = {"app": "web"}
HARD = [spread(ZONE)]
HONOR = [spread(ZONE, nodeTaintsPolicy="Honor")]
BUSY = a_pod("busy", on="n1", labels=WEB, requests={"cpu": "3"})
SMALLER = a_pod("busy", on="n1", labels=WEB, requests={"cpu": "1"})
LESS_MEMORY = (a_pod("m", on="n1", requests={"memory": "2Gi"}), a_pod("m", on="n1", requests={"memory": "1Gi"}))


def row(plugin: str, waiting: Any, event: ClusterEvent, old: Any, new: Any, *, wakes: bool, why: str) -> Any:
    return pytest.param(plugin, waiting, event, old, new, wakes, id=f"{plugin}: {why}")


ROWS = [
    row("SchedulingGates", WAITING, OWN_GATES, WAITING, WAITING, wakes=True, why="own gates gone"),
    row("SchedulingGates", WAITING, OWN_GATES, BUSY, a_pod("other"), wakes=False, why="another Pod's gates gone"),
    row("NodeUnschedulable", WAITING, NODE_ADDED, None, a_node(), wakes=True, why="schedulable node added"),
    row("NodeUnschedulable", WAITING, NODE_ADDED, None, a_node(cordoned=True), wakes=False, why="cordoned node added"),
    row("NodeUnschedulable", WAITING, TAINTS, a_node(cordoned=True), a_node(), wakes=True, why="uncordoned"),
    row("NodeUnschedulable", WAITING, TAINTS, a_node(taints="a:NoSchedule"), a_node(), wakes=False, why="other taint"),
    row(
        "NodeUnschedulable", WAITING, OWN_TOLERATIONS, WAITING, a_pod("waiting", tolerations=CORDON_TOLERANT),
        wakes=True, why="tolerates the cordon now",
    ),
    row(
        "NodeUnschedulable", WAITING, OWN_TOLERATIONS, WAITING, a_pod("waiting", tolerations=TOLERANT),
        wakes=False, why="tolerates something else now",
    ),
    row("NodeName", WAITING, NODE_ADDED, None, a_node(), wakes=True, why="any node added"),
    row("TaintToleration", WAITING, NODE_ADDED, None, a_node(), wakes=True, why="clean node added"),
    row("TaintToleration", WAITING, NODE_ADDED, None, a_node(taints="gpu:NoSchedule"), wakes=False, why="tainted node"),
    row(
        "TaintToleration", a_pod("waiting", tolerations=TOLERANT), NODE_ADDED, None, a_node(taints="gpu:NoSchedule"),
        wakes=True, why="tolerated taint",
    ),
    row("TaintToleration", WAITING, TAINTS, a_node(taints="a:NoExecute"), a_node(), wakes=True, why="taint removed"),
    row(
        "TaintToleration", WAITING, TAINTS, a_node(taints="a:PreferNoSchedule"), a_node(),
        wakes=False, why="was never in the way",
    ),
    row(
        "TaintToleration", WAITING, TAINTS, a_node(taints="a:NoSchedule b:NoSchedule"), a_node(taints="a:NoSchedule"),
        wakes=False, why="one of two taints removed",
    ),
    row("TaintToleration", WAITING, OWN_TOLERATIONS, WAITING, WAITING, wakes=True, why="own tolerations"),
    row("TaintToleration", WAITING, OWN_TOLERATIONS, BUSY, BUSY, wakes=False, why="another Pod's tolerations"),
    row(
        "NodeAffinity", a_pod("waiting", affinity=required_node_affinity(disk="ssd")), NODE_ADDED, None,
        a_node(labels={"disk": "ssd"}), wakes=True, why="matching node added",
    ),
    row(
        "NodeAffinity", a_pod("waiting", affinity=required_node_affinity(disk="ssd")), NODE_ADDED, None, a_node(),
        wakes=False, why="other node added",
    ),
    row(
        "NodeAffinity", a_pod("waiting", nodeSelector={"disk": "ssd"}), LABELS, a_node(), a_node(labels={"disk": "ssd"}),
        wakes=True, why="matches now",
    ),
    row(
        "NodeAffinity", a_pod("waiting", nodeSelector={"disk": "ssd"}), LABELS, a_node(labels={"disk": "ssd"}),
        a_node(labels={"disk": "ssd", "x": "y"}), wakes=False, why="matched before",
    ),
    row("NodePorts", a_pod("waiting", ports=(80,)), NODE_ADDED, None, a_node(), wakes=True, why="any node added"),
    row(
        "NodePorts", a_pod("waiting", ports=(80,)), POD_DELETED, a_pod("x", on="n1", ports=(80,)), None,
        wakes=True, why="its port is free",
    ),
    row(
        "NodePorts", a_pod("waiting", ports=(80,)), POD_DELETED, a_pod("x", on="n1", ports=(81,)), None,
        wakes=False, why="another port is free",
    ),
    row(
        "NodePorts", a_pod("waiting", ports=(80,)), POD_DELETED, a_pod("x", nominated="n1", ports=(80,)), None,
        wakes=True, why="nominated Pod with the port deleted",
    ),
    row(
        "NodePorts", a_pod("waiting", ports=(80,)), POD_DELETED, a_pod("x", ports=(80,)), None,
        wakes=False, why="Pod without a node deleted",
    ),
    row("NodeResourcesFit", a_pod("waiting", requests=CPU4), POD_DELETED, BUSY, None, wakes=True, why="Pod deleted"),
    row(
        "NodeResourcesFit", a_pod("waiting", requests=CPU4), POD_DELETED, a_pod("x", nominated="n1"), None,
        wakes=True, why="nominated Pod deleted",
    ),
    row(
        "NodeResourcesFit", a_pod("waiting", requests=CPU4), POD_DELETED, a_pod("x"), None,
        wakes=False, why="Pod without a node deleted",
    ),
    row("NodeResourcesFit", a_pod("waiting", requests=CPU4), POD_SCALED, BUSY, SMALLER, wakes=True, why="cpu given back"),
    row(
        "NodeResourcesFit", a_pod("waiting", requests=CPU4), POD_SCALED, *LESS_MEMORY,
        wakes=False, why="something else given back",
    ),
    row(
        "NodeResourcesFit", a_pod("waiting", requests=CPU4), OWN_SCALED, a_pod("waiting", requests=CPU4),
        a_pod("waiting", requests={"cpu": "1"}), wakes=True, why="own requests reduced",
    ),
    row("NodeResourcesFit", a_pod("waiting", requests=CPU4), NODE_ADDED, None, a_node(cpu="4"), wakes=True, why="fits"),
    row(
        "NodeResourcesFit", a_pod("waiting", requests=CPU4), NODE_ADDED, None, a_node(cpu="2"),
        wakes=False, why="does not fit the empty node",
    ),
    row(
        "NodeResourcesFit", a_pod("waiting", requests=CPU4), NODE_ADDED, None, a_node(cpu="8", pods="0"),
        wakes=False, why="no slot on the empty node",
    ),
    row(
        "NodeResourcesFit", a_pod("waiting", requests=CPU4), ALLOCATABLE, a_node(cpu="2"), a_node(cpu="4"),
        wakes=True, why="more of what it asks",
    ),
    row(
        "NodeResourcesFit", a_pod("waiting", requests=CPU4), ALLOCATABLE, a_node(memory="1Gi"), a_node(memory="2Gi"),
        wakes=False, why="more of something else",
    ),
    row(
        "NodeResourcesFit", a_pod("waiting", requests=CPU4), ALLOCATABLE, a_node(pods="1"), a_node(pods="2"),
        wakes=True, why="more Pod slots",
    ),
    row("PodTopologySpread", a_pod("waiting", labels=WEB, topologySpreadConstraints=HARD), POD_ADDED, None, BUSY, wakes=True, why="matching Pod added"),
    row("PodTopologySpread", a_pod("waiting", labels=WEB, topologySpreadConstraints=HARD), POD_DELETED, BUSY, None, wakes=True, why="matching Pod deleted"),
    row("PodTopologySpread", a_pod("waiting", topologySpreadConstraints=HARD), POD_ADDED, None, a_pod("x", on="n1"), wakes=False, why="other Pod added"),
    row(
        "PodTopologySpread", a_pod("waiting", topologySpreadConstraints=HARD), POD_ADDED, None,
        a_pod("x", namespace="other", on="n1", labels=WEB), wakes=False, why="Pod of another namespace",
    ),
    row(
        "PodTopologySpread", a_pod("waiting", topologySpreadConstraints=HARD), POD_LABELS, BUSY,
        a_pod("busy", on="n1", labels={"app": "db"}), wakes=True, why="a Pod stops matching",
    ),
    row(
        "PodTopologySpread", a_pod("waiting", topologySpreadConstraints=HARD), POD_LABELS, BUSY,
        a_pod("busy", on="n1", labels={**WEB, "x": "y"}), wakes=False, why="a Pod still matches",
    ),
    row(
        "PodTopologySpread", a_pod("waiting", labels=WEB, topologySpreadConstraints=HARD), OWN_LABELS,
        a_pod("waiting"), a_pod("waiting", labels=WEB), wakes=True, why="own labels match now",
    ),
    row(
        "PodTopologySpread", a_pod("waiting", topologySpreadConstraints=HONOR), OWN_TOLERATIONS, WAITING,
        a_pod("waiting", tolerations=TOLERANT), wakes=True, why="own toleration and taints are honoured",
    ),
    row(
        "PodTopologySpread", a_pod("waiting", topologySpreadConstraints=HARD), OWN_TOLERATIONS, WAITING,
        a_pod("waiting", tolerations=TOLERANT), wakes=False, why="own toleration, taints are ignored",
    ),
    row("PodTopologySpread", a_pod("waiting", topologySpreadConstraints=HARD), NODE_ADDED, None, a_node(labels={ZONE: "a"}), wakes=True, why="node with the key added"),
    row("PodTopologySpread", a_pod("waiting", topologySpreadConstraints=HARD), NODE_ADDED, None, a_node(), wakes=False, why="node without the key added"),
    row("PodTopologySpread", a_pod("waiting", topologySpreadConstraints=HARD), NODE_DELETED, a_node(labels={ZONE: "a"}), None, wakes=True, why="node with the key deleted"),
    row("PodTopologySpread", a_pod("waiting", topologySpreadConstraints=HARD), LABELS, a_node(labels={ZONE: "a"}), a_node(labels={ZONE: "b"}), wakes=True, why="domain changed"),
    row("PodTopologySpread", a_pod("waiting", topologySpreadConstraints=HARD), LABELS, a_node(labels={ZONE: "a"}), a_node(labels={ZONE: "a", "x": "y"}), wakes=False, why="other label"),
    row("PodTopologySpread", a_pod("waiting", topologySpreadConstraints=HARD), LABELS, a_node(), a_node(labels={ZONE: "a"}), wakes=True, why="key appeared"),
    row("PodTopologySpread", a_pod("waiting", topologySpreadConstraints=HARD), TAINTS, a_node(labels={ZONE: "a"}), a_node(labels={ZONE: "a"}, taints="x:NoSchedule"), wakes=True, why="taints of a domain's node"),
    row("PodTopologySpread", a_pod("waiting", topologySpreadConstraints=HARD), TAINTS, a_node(), a_node(taints="x:NoSchedule"), wakes=False, why="taints of a node without the key"),
    row("InterPodAffinity", a_pod("waiting", affinity=near(pod_term(app="web"))), POD_ADDED, None, BUSY, wakes=True, why="partner added"),
    row("InterPodAffinity", a_pod("waiting", affinity=near(pod_term(app="web"))), POD_ADDED, None, a_pod("x", on="n1"), wakes=False, why="stranger added"),
    row("InterPodAffinity", a_pod("waiting", affinity=near(pod_term(app="web"), pod_term(tier="x"))), POD_ADDED, None, BUSY, wakes=False, why="meets one of two terms"),
    row("InterPodAffinity", a_pod("waiting", affinity=apart(pod_term(app="web"))), POD_DELETED, BUSY, None, wakes=True, why="who was in the way is gone"),
    row("InterPodAffinity", a_pod("waiting", labels={"app": "db"}), POD_DELETED, a_pod("x", on="n1", affinity=apart(pod_term(app="db"))), None, wakes=True, why="who kept it away is gone"),
    row("InterPodAffinity", a_pod("waiting", affinity=apart(pod_term(app="web"))), POD_DELETED, a_pod("x", on="n1"), None, wakes=False, why="stranger gone"),
    row("InterPodAffinity", a_pod("waiting", affinity=near(pod_term(app="web"))), POD_LABELS, a_pod("busy", on="n1"), BUSY, wakes=True, why="starts to match"),
    row("InterPodAffinity", a_pod("waiting", affinity=apart(pod_term(app="web"))), POD_LABELS, BUSY, a_pod("busy", on="n1"), wakes=True, why="stops to match"),
    row("InterPodAffinity", a_pod("waiting", affinity=apart(pod_term(app="web"))), POD_LABELS, a_pod("busy", on="n1"), BUSY, wakes=False, why="starts to be in the way"),
    row("InterPodAffinity", a_pod("waiting"), OWN_LABELS, a_pod("waiting"), a_pod("waiting", labels=WEB), wakes=True, why="own labels"),
    row("InterPodAffinity", a_pod("waiting", affinity=near(pod_term("zone", {"matchLabels": {"team": "a"}}, app="web"))), POD_ADDED, None, a_pod("x", namespace="team-a", on="n1", labels=WEB), wakes=False, why="a namespace chosen by labels only does not wake"),
    row("InterPodAffinity", a_pod("waiting", affinity=near(pod_term(ZONE, app="web"))), NODE_ADDED, None, a_node(labels={ZONE: "a"}), wakes=True, why="node with the key added"),
    row("InterPodAffinity", a_pod("waiting", affinity=near(pod_term(ZONE, app="web"))), NODE_ADDED, None, a_node(), wakes=False, why="node without the key added"),
    row("InterPodAffinity", a_pod("waiting", affinity=near(pod_term(ZONE, app="web"))), LABELS, a_node(labels={ZONE: "a"}), a_node(labels={ZONE: "b"}), wakes=True, why="domain changed"),
    row("InterPodAffinity", a_pod("waiting", affinity=apart(pod_term(ZONE, app="web"))), NODE_ADDED, None, a_node(), wakes=True, why="anti-affinity and any new node"),
    row("InterPodAffinity", a_pod("waiting", affinity=apart(pod_term(ZONE, app="web"))), LABELS, a_node(labels={ZONE: "a"}), a_node(), wakes=True, why="anti-affinity and the key is gone"),
    row("InterPodAffinity", a_pod("waiting", affinity=apart(pod_term(ZONE, app="web"))), LABELS, a_node(), a_node(labels={"x": "y"}), wakes=False, why="anti-affinity and another label"),
    row("DefaultPreemption", WAITING, POD_DELETED, BUSY, None, wakes=False, why="never by itself"),
]  # fmt: skip


def asked(
    plugin: str, waiting: Any, event: ClusterEvent, old: Any, new: Any, gates: dict[str, bool] | None = None
) -> Strategy:
    queue = Simulation(Setup(None, gates or {})).scheduler.queue
    info = QueuedPod(waiting, 0, 1, rejectors={plugin})
    return queue._hints.ask(info, event, old, new).strategy


@pytest.mark.parametrize(("plugin", "waiting", "event", "old", "new", "wakes"), ROWS)
def test_hint(plugin: str, waiting: Any, event: ClusterEvent, old: Any, new: Any, wakes: bool) -> None:
    assert asked(plugin, waiting, event, old, new) == (Strategy.AFTER_BACKOFF if wakes else Strategy.SKIP)


TAINT_FOLLOWERS = (
    "NodeName", "NodeAffinity", "NodePorts", "NodeResourcesFit", "VolumeRestrictions", "VolumeBinding", "VolumeZone",
    "InterPodAffinity", "NodeDeclaredFeatures",
)  # fmt: skip


@pytest.mark.parametrize("plugin", TAINT_FOLLOWERS)
def test_plugins_that_wait_for_nodes_also_hear_of_every_taint(plugin: str) -> None:
    waiting = a_pod("waiting", requests={"cpu": "100"}, nodeSelector={"no": "where"})
    assert asked(plugin, waiting, TAINTS, a_node(taints="x:NoSchedule"), a_node()) == Strategy.AFTER_BACKOFF


def test_declared_features_wake_when_the_list_changed() -> None:
    def featured(*names: str) -> Any:
        manifest = dict(a_node().manifest)
        return type(a_node())({**manifest, "status": {**manifest["status"], "declaredFeatures": list(names)}})

    plugin = "NodeDeclaredFeatures"
    assert asked(plugin, WAITING, FEATURES, featured("a"), featured("a", "b")) == Strategy.AFTER_BACKOFF
    assert asked(plugin, WAITING, FEATURES, featured("a"), featured("a")) == Strategy.SKIP
    assert asked(plugin, WAITING, NODE_ADDED, None, featured()) == Strategy.AFTER_BACKOFF


def test_gang_members_and_their_group_wake_each_other() -> None:
    group = {"podGroupName": "g"}
    waiting, member = a_pod("waiting", schedulingGroup=group), a_pod("member", schedulingGroup=group)
    added = ClusterEvent(UNSCHEDULED_POD, Action.ADD)
    made = ClusterEvent("PodGroup", Action.ADD)
    own, other = ({"metadata": {"name": name, "namespace": "default"}} for name in ("g", "h"))
    assert asked("GangScheduling", waiting, added, None, member, GANG_GATES) == Strategy.AFTER_BACKOFF
    assert asked("GangScheduling", waiting, added, None, a_pod("stranger"), GANG_GATES) == Strategy.SKIP
    assert asked("GangScheduling", waiting, made, None, own, GANG_GATES) == Strategy.AFTER_BACKOFF
    assert asked("GangScheduling", waiting, made, None, other, GANG_GATES) == Strategy.SKIP


def test_a_pod_that_was_told_pending_goes_on_at_once_and_one_without_rejector_after_backoff() -> None:
    queue = Simulation(Setup()).scheduler.queue
    pending = QueuedPod(WAITING, 0, 1, pending={"NodeName"})
    assert queue._hints.ask(pending, NODE_ADDED, None, a_node()).strategy == Strategy.IMMEDIATELY
    free = QueuedPod(WAITING, 0, 1)
    assert queue._hints.ask(free, NODE_DELETED, a_node(), None).strategy == Strategy.AFTER_BACKOFF


# which events an update amounts to


def test_node_updates_become_events_in_order() -> None:
    old = a_node(taints="a:NoSchedule", cordoned=True)
    new = a_node(labels={"x": "y"}, cpu="8")
    labels = [event.label for event in node_update_events(old, new)]
    assert labels == ["NodeUpdateNodeTaint", "NodeUpdateNodeAllocatable", "NodeUpdateNodeLabel", "NodeUpdateNodeTaint"]
    assert node_update_events(new, new) == []
    assert node_update_events(a_node(), a_node(cordoned=True)) == []


def test_pod_updates_become_events() -> None:
    def labels(old: Any, new: Any) -> list[str]:
        return [event.label for event in pod_update_events(old, new)]

    assert labels(BUSY, SMALLER) == ["AssignedPodUpdatePodScaleDown"]
    assert labels(a_pod("p", requests={"cpu": "0"}), a_pod("p")) == ["UnschedulablePodUpdatePodScaleDown"]
    assert labels(SMALLER, BUSY) == ["AssignedPodUpdate"]
    gated = a_pod("p", schedulingGates=[{"name": "a/b"}])
    assert labels(gated, a_pod("p", labels=WEB)) == [
        "UnschedulablePodUpdatePodLabel",
        "UnschedulablePodUpdatePodSchedulingGatesEliminated",
    ]
    two = a_pod("p", schedulingGates=[{"name": "a/b"}, {"name": "a/c"}])
    assert labels(two, gated) == ["UnschedulablePodUpdate"]
    assert labels(a_pod("p"), a_pod("p", tolerations=TOLERANT)) == ["UnschedulablePodUpdatePodToleration"]
