"""NodeDeclaredFeatures: a Pod that needs a kubelet feature goes where the kubelet declares it.

Decides: Filter by the features the Pod needs (restart rules with RestartAllContainers; host network with an own user
namespace). Kubernetes counterpart: kube-scheduler 1.36 NodeDeclaredFeatures (gate NodeDeclaredFeatures, on).
Simplified here: nothing. Reads: node status.declaredFeatures, pod spec. Writes: nothing. Wakes on: node added or its
declared features changed; the Pod's needs changed.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from simulator.engine.cluster.rows import Rows
from simulator.engine.framework.events import NODE, POD, Action, ClusterEvent
from simulator.engine.framework.facts import Fact
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
from simulator.engine.objects.node import Node
from simulator.engine.objects.pod import Pod, PodShape

RESTART_ALL = "RestartAllContainersOnContainerExits"
HOST_USERS = "UserNamespacesHostNetworkSupport"
_REASON = Reason("node_declared_features.missing")


def required_features(shape: PodShape) -> frozenset[str]:
    """Features a node must declare for this Pod."""
    spec = shape.spec
    needed = set()
    containers = [*(spec.get("initContainers") or ()), *(spec.get("containers") or ())]
    rules = (rule for container in containers for rule in container.get("restartPolicyRules") or ())
    if any(rule.get("action") == "RestartAllContainers" for rule in rules):
        needed.add(RESTART_ALL)
    if spec.get("hostNetwork") and spec.get("hostUsers") is False:
        needed.add(HOST_USERS)
    return frozenset(needed)


class NodeDeclaredFeatures(PreFilterPlugin, FilterPlugin):
    name = "NodeDeclaredFeatures"
    filter_reads = Reads.NODE
    without_pre_filter = "node_declared_features.no_state"

    def pre_filter(self, state: CycleState, pod: Pod) -> PreFilterResult:
        needed = self.handle.gate("NodeDeclaredFeatures") and required_features(pod.shape)
        return PreFilterResult() if needed else PreFilterResult(SKIP)

    def filter_key(self, shape: PodShape) -> Hashable:
        return required_features(shape)

    def filter(self, state: CycleState, pod: Pod, rows: Rows) -> Verdicts:
        needed = required_features(pod.shape)
        failed = np.array([not needed <= node.declared_features for node in rows.nodes], dtype=np.bool_)
        return Verdicts.where(failed, Code.UNRESOLVABLE, _REASON)

    def facts(self, state: CycleState, pod: Pod, row: Rows) -> Sequence[Fact]:
        declared = row.nodes[0].declared_features
        needed = sorted(required_features(pod.shape))
        return [Fact.of("node_declared_features.feature", name in declared, feature=name) for name in needed]

    def events(self) -> Sequence[EventInterest]:
        features = Action.ADD | Action.UPDATE_NODE_DECLARED_FEATURE
        return (
            EventInterest(ClusterEvent(NODE, features), self._features_changed),
            EventInterest(ClusterEvent(POD, Action.UPDATE), self._needs_changed),
        )

    @staticmethod
    def _features_changed(_pod: Pod, old: Node | None, new: Node) -> Hint:
        changed = old is None or old.declared_features != new.declared_features
        return Hint.QUEUE if changed else Hint.SKIP

    @staticmethod
    def _needs_changed(pod: Pod, old: Pod | None, new: Pod) -> Hint:
        changed = old is not None and required_features(old.shape) != required_features(new.shape)
        return Hint.QUEUE if new.uid == pod.uid and changed else Hint.SKIP
