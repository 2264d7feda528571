"""VolumeRestrictions: placeholder text replaced with the plugin itself.

Decides: nothing yet: PreFilter skips.
Kubernetes counterpart: kube-scheduler 1.36 VolumeRestrictions.
Simplified here: everything.
Reads: nothing. Writes: nothing. Wakes on: nothing.
"""

from __future__ import annotations

from simulator.engine.cluster.rows import Rows
from simulator.engine.framework.plugin import CycleState, FilterPlugin, PreFilterPlugin, PreFilterResult
from simulator.engine.framework.status import SKIP, Verdicts
from simulator.engine.objects.pod import Pod


class VolumeRestrictions(PreFilterPlugin, FilterPlugin):
    name = "VolumeRestrictions"

    def pre_filter(self, state: CycleState, pod: Pod) -> PreFilterResult:  # noqa: ARG002
        return PreFilterResult(SKIP)

    def filter(self, state: CycleState, pod: Pod, rows: Rows) -> Verdicts:  # noqa: ARG002
        return Verdicts.passed(len(rows))
