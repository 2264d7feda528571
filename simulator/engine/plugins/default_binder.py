"""DefaultBinder: write the chosen node into the Pod.

Decides: Bind: posts a Binding, which the API server turns into `spec.nodeName`.
Kubernetes counterpart: kube-scheduler 1.36 DefaultBinder.
Simplified here: the API server never refuses.
Reads: nothing. Writes: pod nodeName. Wakes on: nothing.
"""

from __future__ import annotations

from simulator.engine.framework.plugin import BindPlugin, CycleState
from simulator.engine.framework.status import SUCCESS, Status
from simulator.engine.objects.pod import Pod


class DefaultBinder(BindPlugin):
    name = "DefaultBinder"

    def bind(self, state: CycleState, pod: Pod, node: str) -> Status:
        return SUCCESS
