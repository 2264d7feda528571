"""One attempt to place a Pod: filter, score, pick; and PostFilter where nothing fits.

Source: kube-scheduler 1.36 `schedule_one.go` schedulePod, `framework.go` RunPostFilterPlugins.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from simulator.engine.cluster.columns import Ints
from simulator.engine.cluster.rows import Bools, Rows
from simulator.engine.framework import messages
from simulator.engine.framework.extender_replies import ExtenderError
from simulator.engine.framework.filtering import PluginError, Search
from simulator.engine.framework.plugin import CycleState, PostFilterResult
from simulator.engine.framework.scoring import Scoring, best_rows, score_rows
from simulator.engine.framework.search import find_feasible
from simulator.engine.framework.status import Code, Reason, Status
from simulator.engine.objects.pod import Pod

if TYPE_CHECKING:
    from simulator.engine.framework.runtime import Framework

NO_NODES = Reason("framework.no_nodes")


@dataclass(slots=True)
class Attempt:
    """What came of one attempt.

    node     the chosen node, "" where there is none
    search   None where the cluster has no node at all
    scoring  None where there was nothing to score (one feasible node, or none)
    error    set where a plugin failed: the attempt ended there
    """

    pod: Pod
    state: CycleState
    node: str = ""
    row: int = -1
    search: Search | None = None
    scoring: Scoring | None = None
    best: Ints | None = None
    error: PluginError | None = None

    @property
    def found(self) -> bool:
        return bool(self.node)

    @property
    def message(self) -> str:
        """The text of the failure without a PostFilter part."""
        if self.error is not None:
            return messages.text(self.error.reason)
        if self.search is None:
            return messages.text(NO_NODES)
        return self.search.diagnosis.message()

    @property
    def rejectors(self) -> tuple[str, ...]:
        """Plugins that rejected the Pod, sorted; nobody where the failure was an error or there are no nodes."""
        return () if self.search is None or self.error is not None else self.search.diagnosis.plugins

    @property
    def top_total(self) -> int | None:
        if self.scoring is None or not len(self.scoring.totals):
            return None
        return int(self.scoring.totals.max())


def attempt(
    framework: Framework, pod: Pod, start: int, *, candidates: Bools | None = None, detail: bool = False
) -> Attempt:
    """Try to find a node for `pod`; nothing is changed but kept answers. `start` is the index where the search
    begins."""
    result = Attempt(pod, CycleState())
    cluster = framework.handle.cluster
    cluster.snapshot()
    if len(cluster) == 0:
        return result
    try:
        search = find_feasible(framework, result.state, pod, start, candidates=candidates, detail=detail)
        result.search = search
        _pick(framework, result, search, detail=detail)
    except PluginError as failure:
        result.error = failure
    return result


def _pick(framework: Framework, result: Attempt, search: Search, *, detail: bool) -> None:
    cluster, feasible = framework.handle.cluster, search.feasible
    if not len(feasible):
        return
    if len(feasible) == 1:
        result.row = int(feasible[0])
        result.best = feasible
    else:
        rows = Rows(cluster, feasible, bare=search.bare)
        result.scoring = score_rows(framework, result.state, result.pod, rows, detail=detail)
        _ask_extenders(framework, result.pod, rows, result.scoring)
        totals = result.scoring.totals
        result.row = framework.handle.rules.select(cluster, feasible, totals)
        if detail:
            result.best = best_rows(feasible, totals)
    result.node = cluster.nodes.objects[result.row].name


def _ask_extenders(framework: Framework, pod: Pod, rows: Rows, scoring: Scoring) -> None:
    """Add what extenders give; one that fails gives nothing."""
    extenders = framework.handle.extenders
    if extenders is None:
        return
    position_of = {node.name: position for position, node in enumerate(rows.nodes)}
    for extender in extenders.in_order(pod):
        try:
            scores = extender.prioritize(pod, rows.nodes)
        except ExtenderError:
            continue
        scoring.outside[extender.name] = scores
        for name, score in scores.items():
            if name in position_of:
                scoring.totals[position_of[name] : position_of[name] + 1] += np.int64(score)


@dataclass(slots=True)
class PostFilterOutcome:
    """PostFilter taken together. `nominated` as in `PostFilterResult`; `results` by plugin, in order."""

    status: Status
    message: str
    nominated: str | None = None
    results: list[tuple[str, PostFilterResult]] = field(default_factory=list)

    @property
    def decisive(self) -> PostFilterResult | None:
        """The result that made room, None where none did."""
        return self.results[-1][1] if self.status.is_success and self.results else None


def run_post_filter(framework: Framework, result: Attempt) -> PostFilterOutcome:
    """Run the PostFilter plugins after an attempt that found nothing."""
    assert result.search is not None
    outcome = PostFilterOutcome(Status(Code.UNSCHEDULABLE), "")
    reasons: list[Reason] = []
    for plugin in framework.post_filter:
        answer = plugin.post_filter(result.state, result.pod, result.search.diagnosis)
        outcome.results.append((plugin.name, answer))
        status = answer.status
        if status.is_success:
            return PostFilterOutcome(status.by(plugin.name), "", answer.nominated, outcome.results)
        if status.code != Code.UNSCHEDULABLE:
            return PostFilterOutcome(status.by(plugin.name), messages.status_text(status), None, outcome.results)
        reasons.extend(status.reasons)
        if answer.nominated is not None:
            outcome.nominated = answer.nominated
    outcome.message = ", ".join(messages.text(reason) for reason in reasons)
    outcome.status = Status(Code.UNSCHEDULABLE, tuple(reasons))
    return outcome


def node_names(framework: Framework, rows: Ints) -> list[str]:
    objects = framework.handle.cluster.nodes.objects
    return [objects[row].name for row in np.asarray(rows).tolist()]
