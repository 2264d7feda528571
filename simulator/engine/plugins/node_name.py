"""NodeName: a Pod that names its node runs nowhere else.

Decides: Filter by `spec.nodeName`. A Pod with a node name never enters the queue, so this shows only in hypothetical
questions. Kubernetes counterpart: kube-scheduler 1.36 NodeName. Simplified here: nothing. Reads: pod nodeName, node
name. Writes: nothing. Wakes on: node added.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from simulator.engine.cluster.rows import Rows
from simulator.engine.framework.events import NODE, Action, ClusterEvent
from simulator.engine.framework.facts import Fact
from simulator.engine.framework.plugin import CycleState, EventInterest, FilterPlugin
from simulator.engine.framework.status import Code, Reason, Verdicts
from simulator.engine.objects.pod import Pod

_REASON = Reason("node_name.other")


class NodeName(FilterPlugin):
    name = "NodeName"

    def filter(self, state: CycleState, pod: Pod, rows: Rows) -> Verdicts:
        if not pod.node_name:
            return Verdicts.passed(len(rows))
        row = rows.cluster.nodes.row_of.get(pod.node_name, -1)
        return Verdicts.where(np.asarray(rows.ids != row), Code.UNRESOLVABLE, _REASON)

    def facts(self, state: CycleState, pod: Pod, row: Rows) -> Sequence[Fact]:
        if not pod.node_name:
            return ()
        return (Fact.of("node_name.wanted", pod.node_name == row.nodes[0].name, wanted=pod.node_name),)

    def events(self) -> Sequence[EventInterest]:
        return (EventInterest(ClusterEvent(NODE, Action.ADD)),)
