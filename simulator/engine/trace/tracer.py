"""Writes down what a turn of kube-scheduler does, while it does it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simulator.engine.framework import messages
from simulator.engine.framework.attempt import Attempt, PostFilterOutcome
from simulator.engine.framework.runtime import Framework
from simulator.engine.framework.status import Status
from simulator.engine.preemption.story import Candidate, Story
from simulator.engine.queue.info import QueuedPod
from simulator.engine.trace import records
from simulator.engine.trace.detail import detail_of
from simulator.engine.trace.records import AttemptDetail, Record, Trace

NODE_BY_NODE = 60
"""Up to so many nodes Filter is told node by node, as it happens; beyond, plugin by plugin."""


class Tracer:
    """Collects the records of one turn. `pod` is the Pod whose records come next."""

    def __init__(self) -> None:
        self.trace = Trace()
        self._pod = ""

    def add(
        self, point: str, code: str, *, plugin: str = "", node: str = "", status: Status | None = None, **params: Any
    ) -> None:
        attempt = max(0, len(self.trace.attempts) - 1)
        index = len(self.trace.records)
        told = Status() if status is None else status
        self.trace.records.append(Record(index, point, code, self._pod, attempt, plugin, node, told, params))

    def popped(self, info: QueuedPod) -> None:
        self._pod = info.key
        self.add(
            records.QUEUE,
            "queue.popped",
            priority=info.pod.priority,
            attempts=info.attempts,
            since=info.timestamp,
            woken_by=info.woken_by,
        )

    def skipped(self, info: QueuedPod) -> None:
        self.add(records.QUEUE, "queue.skipped", terminating=info.pod.terminating)

    def collected(self, infos: Sequence[QueuedPod], group: str, needed: int | None) -> None:
        self.add(records.GROUP, "group.collected", group=group, members=[info.key for info in infos], needed=needed)

    def member(self, info: QueuedPod, placement: str | None) -> None:
        self._pod = info.key
        self.add(records.GROUP, "group.member", placement=placement)

    def group_result(self, pod: str, group: str, message: str, *, success: bool, waiting: bool) -> None:
        self._pod = pod
        self.add(records.GROUP, "group.result", group=group, message=message, success=success, waiting=waiting)

    # the algorithm

    def attempt(self, framework: Framework, tried: Attempt, placement: str | None) -> None:
        self._pod = tried.pod.key
        detail = detail_of(framework, tried, placement)
        self.trace.attempts.append(detail)
        if tried.search is None:
            self.add(records.FILTER, "filter.no_nodes")
            return
        for plugin, result in tried.search.pre_filter.results:
            nodes = None if result.nodes is None else sorted(result.nodes)
            self.add(records.PRE_FILTER, "pre_filter.result", plugin=plugin, status=result.status, nodes=nodes)
        outcome = tried.search.pre_filter
        if not outcome.status.is_success:
            self.add(records.PRE_FILTER, "pre_filter.rejected", plugin=outcome.status.plugin, status=outcome.status)
            return
        if outcome.rows is not None:
            self.add(records.PRE_FILTER, "pre_filter.narrowed", nodes=sorted(outcome.names or ()))
        self._filter(detail, tried)
        self._score(detail, tried)

    def _filter(self, detail: AttemptDetail, tried: Attempt) -> None:
        search = tried.search
        assert search is not None
        if search.nominated:
            self.add(records.FILTER, "filter.nominated_fits", node=detail.feasible[0])
            return
        if len(detail.visited) <= NODE_BY_NODE:
            for node in detail.visited:
                self._filter_node(detail, node)
        else:
            self._filter_by_plugin(detail)
        for node, status in detail.rejections.items():
            if status.reasons and status.reasons[0].code == "extender.rejected":
                self.add(records.EXTENDERS, "extenders.rejected", node=node, status=status)
        unseen = len(detail.nodes) - len(detail.visited)
        self.add(
            records.FILTER,
            "filter.summary",
            looked_at=len(detail.visited),
            feasible=len(detail.feasible),
            unseen=unseen,
        )

    def _filter_node(self, detail: AttemptDetail, node: str) -> None:
        for plugin in detail.plugins:
            cell = detail.matrix[node][plugin]
            self.add(records.FILTER, "filter.verdict", plugin=plugin, node=node, status=cell.status)
            if not cell.status.is_success:
                return
        if node in detail.nominees:
            status = detail.rejections[node]
            self.add(records.FILTER, "filter.nominees", plugin=status.plugin, node=node, status=status)

    def _filter_by_plugin(self, detail: AttemptDetail) -> None:
        left = list(detail.visited)
        for plugin in detail.plugins:
            out = [node for node in left if not detail.matrix[node][plugin].status.is_success]
            self.add(records.FILTER, "filter.plugin", plugin=plugin, before=len(left), rejected=len(out))
            gone = set(out)
            left = [node for node in left if node not in gone]
        if detail.nominees:
            self.add(records.FILTER, "filter.nominees_many", count=len(detail.nominees))

    def _score(self, detail: AttemptDetail, tried: Attempt) -> None:
        if tried.error is not None:
            for status in tried.error.pre_score:
                self.add(records.PRE_SCORE, "pre_score.result", plugin=status.plugin, status=status)
            text = messages.text(tried.error.reason)
            self.add(records.SCORE, "attempt.error", plugin=tried.error.plugin, message=text)
            return
        if tried.scoring is None:
            if detail.feasible:
                self.add(records.SELECT, "select.only", node=tried.node)
            return
        for status in tried.scoring.pre_score:
            self.add(records.PRE_SCORE, "pre_score.result", plugin=status.plugin, status=status)
        for column in detail.scores:
            self.add(records.SCORE, "score.raw", plugin=column.plugin, weight=column.weight)
        for column in detail.scores:
            self.add(records.NORMALIZE, "score.normalized", plugin=column.plugin, weight=column.weight)
        for url, scores in detail.outside.items():
            self.add(records.EXTENDERS, "extenders.scored", plugin=url, nodes=len(scores))
        total = detail.totals.get(tried.node)
        self.add(records.SELECT, "select.best", node=tried.node, total=total, best=list(detail.best))

    # PostFilter

    def post_filter(self, outcome: PostFilterOutcome) -> None:
        for plugin, result in outcome.results:
            self.add(records.POST_FILTER, "post_filter.result", plugin=plugin, status=result.status)
            if isinstance(result.story, Story):
                self._tell_story(plugin, result.story)

    def _tell_story(self, plugin: str, story: Story) -> None:
        if story.refusal is not None:
            self.add(records.POST_FILTER, "preemption.refused", plugin=plugin, status=story.refusal)
            return
        self.add(records.POST_FILTER, "preemption.potential", plugin=plugin, nodes=list(story.potential))
        by_node = {candidate.node: candidate for candidate in story.candidates}
        for node in story.potential:
            if node in by_node:
                self._tell_candidate(plugin, by_node[node])
            elif node in story.statuses:
                self.add(
                    records.POST_FILTER,
                    "preemption.no_candidate",
                    plugin=plugin,
                    node=node,
                    status=story.statuses[node],
                )
        for criterion in story.criteria:
            self.add(
                records.POST_FILTER,
                "preemption.criterion",
                plugin=plugin,
                name=criterion.name,
                values=criterion.values,
                left=list(criterion.left),
            )
        if story.chosen is not None:
            self.add(
                records.POST_FILTER,
                "preemption.chosen",
                plugin=plugin,
                node=story.chosen.node,
                victims=[victim.key for victim in story.chosen.victims],
                decided_by=story.decided_by,
                ties=list(story.ties),
            )

    def _tell_candidate(self, plugin: str, candidate: Candidate) -> None:
        pods = [step.pod.key for step in candidate.reprieves]
        self.add(records.POST_FILTER, "preemption.removed", plugin=plugin, node=candidate.node, pods=pods)
        for step in candidate.reprieves:
            code = "preemption.reprieved" if step.kept else "preemption.victim"
            self.add(
                records.POST_FILTER,
                code,
                plugin=plugin,
                node=candidate.node,
                status=step.why,
                victim=step.pod.key,
                priority=step.pod.priority,
                violates=step.violates_budget,
            )
        self.add(
            records.POST_FILTER,
            "preemption.candidate",
            plugin=plugin,
            node=candidate.node,
            victims=[victim.key for victim in candidate.victims],
            violations=candidate.violations,
        )

    # from the chosen node on

    def assumed(self, pod: str, node: str) -> None:
        self._pod = pod
        self.add(records.RESERVE, "reserve.assumed", node=node)

    def plugin_result(self, point: str, plugin: str, node: str, status: Status, **params: Any) -> None:
        self.add(point, f"{_CODES[point]}.result", plugin=plugin, node=node, status=status, **params)

    def waits(self, pod: str, node: str, deadlines: dict[str, int]) -> None:
        self._pod = pod
        self.add(records.PERMIT, "permit.waits", node=node, deadlines=dict(deadlines))

    def released(self, pod: str, node: str) -> None:
        self._pod = pod
        self.add(records.PERMIT, "permit.released", node=node)

    def timed_out(self, pod: str, node: str, plugin: str) -> None:
        self._pod = pod
        self.add(records.PERMIT, "permit.timed_out", plugin=plugin, node=node)

    def bound(self, pod: str, node: str) -> None:
        self._pod = pod
        self.add(records.BIND, "bind.done", node=node)

    def binding_failed(self, pod: str, node: str, message: str) -> None:
        self._pod = pod
        self.add(records.BIND, "bind.failed", node=node, message=message)

    def undone(self, pod: str, node: str) -> None:
        self._pod = pod
        self.add(records.RESERVE, "reserve.undone", node=node)

    def evicted(self, victim: str, node: str) -> None:
        self.add(records.POST_FILTER, "preemption.evicted", node=node, victim=victim)

    def failed(self, pod: str, message: str, queue: str, rejectors: Sequence[str], nominated: str | None) -> None:
        self._pod = pod
        self.add(
            records.REQUEUE,
            "requeue.failed",
            message=message,
            queue=queue,
            rejectors=list(rejectors),
            nominated=nominated,
        )


_CODES = {
    records.RESERVE: "reserve",
    records.PERMIT: "permit",
    records.PRE_BIND: "pre_bind",
    records.BIND: "bind",
    records.POST_BIND: "post_bind",
}
