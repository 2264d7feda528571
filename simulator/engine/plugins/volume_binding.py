"""VolumeBinding: placeholder text replaced with the plugin itself.

Decides: nothing yet: PreFilter skips.
Kubernetes counterpart: kube-scheduler 1.36 VolumeBinding.
Simplified here: everything.
Reads: nothing. Writes: nothing. Wakes on: nothing.
"""

from __future__ import annotations

import numpy as np

from simulator.engine.cluster.rows import Rows
from simulator.engine.framework.plugin import (
    CycleState,
    FilterPlugin,
    PreFilterPlugin,
    PreFilterResult,
    PreScorePlugin,
    ScorePlugin,
)
from simulator.engine.framework.status import SKIP, Scores, Status, Verdicts
from simulator.engine.objects.pod import Pod


class VolumeBinding(PreFilterPlugin, FilterPlugin, PreScorePlugin, ScorePlugin):
    name = "VolumeBinding"

    def pre_filter(self, state: CycleState, pod: Pod) -> PreFilterResult:  # noqa: ARG002
        return PreFilterResult(SKIP)

    def filter(self, state: CycleState, pod: Pod, rows: Rows) -> Verdicts:  # noqa: ARG002
        return Verdicts.passed(len(rows))

    def pre_score(self, state: CycleState, pod: Pod, rows: Rows) -> Status:  # noqa: ARG002
        return SKIP

    def score(self, state: CycleState, pod: Pod, rows: Rows) -> Scores:  # noqa: ARG002
        return np.zeros(len(rows), dtype=np.int64)
