"""DynamicResources: devices by ResourceClaim. Plain Pods only pass by, and leave a trace in messages.

Decides: for a Pod without claims nothing: PreFilter skips, PostFilter says so, Score adds 0 everywhere.
Kubernetes counterpart: kube-scheduler 1.36 DynamicResources, weight 2; args filterTimeout, bindingTimeout.
Simplified here: claims are not allocated; a Pod with resourceClaims waits as if its claims had not been created.
Reads: pod resourceClaims. Writes: nothing. Wakes on: claims, which do not exist here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.engine.cluster.rows import Rows
from simulator.engine.framework.facts import Formula
from simulator.engine.framework.plugin import (
    CycleState,
    FilterPlugin,
    PostFilterPlugin,
    PostFilterResult,
    PreEnqueuePlugin,
    PreFilterPlugin,
    PreFilterResult,
    Reads,
    ScorePlugin,
)
from simulator.engine.framework.shape_check import Checker, Path
from simulator.engine.framework.status import (
    SKIP,
    SUCCESS,
    Scores,
    Status,
    Verdicts,
    error,
    normalize,
    normalize_facts,
    unresolvable,
    unschedulable,
)
from simulator.engine.objects.pod import Pod
from simulator.engine.objects.times import SECOND, go_duration

if TYPE_CHECKING:
    from simulator.engine.framework.diagnosis import Diagnosis


class DynamicResources(PreEnqueuePlugin, PreFilterPlugin, FilterPlugin, PostFilterPlugin, ScorePlugin):
    name = "DynamicResources"
    filter_reads = Reads.NODE
    without_pre_filter = "dynamic_resources.no_state"
    score_reads = Reads.NODE
    normalizes = True

    @classmethod
    def read_args(cls, args: Mapping[str, Any], root: Path = ()) -> None:
        """DynamicResourcesArgs: checked, and without effect as long as no claim is allocated."""
        check = Checker(root)
        check.mapping((), args, {"filterTimeout": str, "bindingTimeout": str})
        check.raise_problems()
        for name, least, text in (
            ("filterTimeout", 0, "must be zero or positive"),
            ("bindingTimeout", SECOND, "must be at least 1 second"),
        ):
            value = check.duration((name,), args.get(name))
            if value is not None and value < least:
                check.about((name,), f"Invalid value: {go_duration(value)}: {text}", "config.timeout", value=args[name])
        check.raise_problems()

    def pre_enqueue(self, pod: Pod) -> Status:
        if not pod.shape.spec.get("resourceClaims"):
            return SUCCESS
        return unresolvable("dynamic_resources.no_claim", pod=pod.key)

    def pre_filter(self, state: CycleState, pod: Pod) -> PreFilterResult:
        state.data[self.name] = True
        return PreFilterResult(SKIP)

    def filter(self, state: CycleState, pod: Pod, rows: Rows) -> Verdicts:
        return Verdicts.passed(len(rows))

    def post_filter(self, state: CycleState, pod: Pod, diagnosis: Diagnosis) -> PostFilterResult:
        if self.name not in state.data:
            return PostFilterResult(error("dynamic_resources.no_state"))
        return PostFilterResult(unschedulable("dynamic_resources.no_claims"))

    def score_key(self, shape: object) -> None:
        return None

    def score(self, state: CycleState, pod: Pod, rows: Rows) -> Scores:
        return np.zeros(len(rows), dtype=np.int64)

    def score_facts(self, state: CycleState, pod: Pod, rows: Rows, position: int) -> Formula:
        return Formula.of("dynamic_resources.score", 0)

    def normalize(self, state: CycleState, pod: Pod, rows: Rows, scores: Scores) -> Scores:
        return normalize(scores)

    def normalize_facts(self, state: CycleState, pod: Pod, rows: Rows, scores: Scores, position: int) -> Formula:
        return normalize_facts(scores, position)
