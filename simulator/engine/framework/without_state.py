"""Plugins one of whose extension points is switched off in the profile, so that they miss what it would have prepared.

Source: kube-scheduler 1.36, the getPreFilterState and getPreScoreState of the plugins.
"""

from __future__ import annotations

from collections.abc import Container

import numpy as np

from simulator.engine.cluster.rows import Rows
from simulator.engine.framework.plugin import CycleState, FilterPlugin, Reads, ScorePlugin
from simulator.engine.framework.status import Code, Reason, Status, Verdicts, error
from simulator.engine.objects.pod import Pod


def able_filter(plugin: FilterPlugin, pre_filters: Container[str]) -> FilterPlugin:
    """`plugin`, or its stand-in that answers Error where it needs its PreFilter and that is not in `pre_filters`."""
    if not plugin.without_pre_filter or plugin.name in pre_filters:
        return plugin
    reason = Reason(plugin.without_pre_filter)

    class Unprepared(FilterPlugin):
        name = plugin.name
        filter_reads = Reads.NODE
        may_fail = True

        def filter(self, state: CycleState, pod: Pod, rows: Rows) -> Verdicts:
            return Verdicts.where(np.ones(len(rows), dtype=np.bool_), Code.ERROR, reason)

    return Unprepared(plugin.args, plugin.handle)


def score_failure(plugin: ScorePlugin, pre_scores: Container[str]) -> Status | None:
    """The error of a Score plugin that needs its PreScore where that is not in `pre_scores`."""
    if not plugin.without_pre_score or plugin.name in pre_scores:
        return None
    return error(plugin.without_pre_score)
