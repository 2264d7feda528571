"""DefaultPreemption: make room for a Pod by evicting less important ones from one node.

Decides: PostFilter: dry run on every node that was rejected but not for good; fewest and least important victims win;
the Pod is nominated to that node and its victims are evicted. PreEnqueue: a Pod waits while its own preemption is
being carried out. Kubernetes counterpart: kube-scheduler 1.36 DefaultPreemption; args minCandidateNodesPercentage,
minCandidateNodesAbsolute. Simplified here: the search starts at the first node instead of a random one. Reads:
everything Filter reads, Pod priorities and start times, PodDisruptionBudgets. Writes: nomination, evictions. Wakes
on: Pod deleted (a gated preemptor only).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from simulator.engine.cluster.pod_groups import topology_key
from simulator.engine.cluster.rows import Rows
from simulator.engine.framework import messages
from simulator.engine.framework.diagnosis import Diagnosis, Findings
from simulator.engine.framework.events import POD, Action, ClusterEvent
from simulator.engine.framework.extender_replies import ExtenderError
from simulator.engine.framework.extenders import PREEMPT, Victims
from simulator.engine.framework.filtering import evaluate_with_nominated
from simulator.engine.framework.plugin import (
    CycleState,
    EventInterest,
    Handle,
    Hint,
    PostFilterPlugin,
    PostFilterResult,
    PreEnqueuePlugin,
)
from simulator.engine.framework.shape_check import Checker, Path
from simulator.engine.framework.status import SUCCESS, Code, Reason, Status, error, unresolvable, unschedulable
from simulator.engine.objects.pdb import PodDisruptionBudget
from simulator.engine.objects.pod import Pod
from simulator.engine.preemption.choice import choose
from simulator.engine.preemption.dry_run import DryRun, dry_run
from simulator.engine.preemption.story import Candidate, Story

TERMINATING_BY_PREEMPTION = "PreemptionByScheduler"
_PERCENTAGE, _ABSOLUTE = ("minCandidateNodesPercentage",), ("minCandidateNodesAbsolute",)


@dataclass(frozen=True)
class Args:
    percentage: int = 10
    absolute: int = 100


class DefaultPreemption(PreEnqueuePlugin, PostFilterPlugin):
    name = "DefaultPreemption"
    args: Args

    def __init__(self, args: Any, handle: Handle) -> None:
        super().__init__(args, handle)
        self.preempting: set[str] = set()

    @classmethod
    def read_args(cls, args: Mapping[str, Any], root: Path = ()) -> Args:
        check = Checker(root)
        check.mapping((), args, {"minCandidateNodesPercentage": int, "minCandidateNodesAbsolute": int})
        check.raise_problems()
        percentage = args.get("minCandidateNodesPercentage")
        absolute = args.get("minCandidateNodesAbsolute")
        percentage = 10 if percentage is None else percentage
        absolute = 100 if absolute is None else absolute
        if not 0 <= percentage <= 100:
            check.invalid(_PERCENTAGE, percentage, "not in valid range [0, 100]", "config.candidates_percentage")
        if absolute < 0:
            check.invalid(_ABSOLUTE, absolute, "not in valid range [0, inf)", "config.candidates_absolute")
        if percentage == 0 and absolute == 0:
            for path, other in ((_PERCENTAGE, _ABSOLUTE), (_ABSOLUTE, _PERCENTAGE)):
                text = f"cannot be zero at the same time as {check.place(other)}"
                check.invalid(path, 0, text, "config.candidates_zero")
        check.raise_problems()
        return Args(percentage, absolute)

    def pre_enqueue(self, pod: Pod) -> Status:
        if pod.uid in self.preempting:
            return unresolvable("default_preemption.running")
        return SUCCESS

    def post_filter(self, state: CycleState, pod: Pod, diagnosis: Diagnosis) -> PostFilterResult:
        story = Story(refusal=self._refusal(pod, diagnosis))
        if story.refusal is not None:
            return PostFilterResult(_prefixed(messages.status_text(story.refusal)), story=story)
        cluster = self.handle.cluster
        potential = diagnosis.rows_with_code(Code.UNSCHEDULABLE)
        if self.handle.detail:
            story.potential = tuple(cluster.nodes.objects[row].name for row in potential.tolist())
        run = self._dry_run(state, pod, cluster.rows(potential))
        story.candidates = tuple(run.candidates)
        story.statuses = {cluster.nodes.objects[row].name: status for row, status in run.statuses.items()}
        if not run.candidates and run.victimless:
            return PostFilterResult(_victimless(run.victimless), story=story)
        if not run.candidates:
            return PostFilterResult(_prefixed(_not_helpful(diagnosis.nodes, run)), nominated="", story=story)
        try:
            candidates = self._ask_extenders(pod, run.candidates)
        except ExtenderError as failure:
            return PostFilterResult(error("default_preemption.prefixed", message=str(failure)), story=story)
        if not candidates:
            return PostFilterResult(_prefixed(messages.TEXTS["default_preemption.no_candidate"]), story=story)
        ties, story.decided_by, criteria = choose(candidates)
        story.ties = tuple(candidate.node for candidate in ties)
        story.criteria = tuple(criteria)
        row = self.handle.rules.pick(cluster, [candidate.row for candidate in ties])
        story.chosen = next(candidate for candidate in ties if candidate.row == row)
        return PostFilterResult(
            SUCCESS,
            nominated=story.chosen.node,
            victims=story.chosen.victims,
            cleared=self._cleared(pod, story.chosen),
            story=story,
        )

    def _refusal(self, pod: Pod, diagnosis: Diagnosis) -> Status | None:
        """Why `pod` may not preempt now, None where it may."""
        if pod.shape.pod_group:
            refusal = self._group_refusal(pod)
            if refusal is not None:
                return refusal
        if pod.shape.preemption_policy == "Never":
            return unschedulable("default_preemption.never")
        row = self.handle.cluster.nodes.row_of.get(pod.nominated_node_name)
        if row is None or diagnosis.status(row).code == Code.UNRESOLVABLE:
            return None
        on_node = self.handle.cluster.rows([row]).pods_on(0)
        if any(other.priority < pod.priority and _is_being_preempted(other) for other in on_node):
            return unschedulable("default_preemption.terminating")
        return None

    def _group_refusal(self, pod: Pod) -> Status | None:
        if self.handle.gate("TopologyAwareWorkloadScheduling"):
            group = self.handle.groups.object_of(pod)
            if group is None:
                return unschedulable("default_preemption.group_missing")
            if topology_key(group) is not None:
                return unschedulable("default_preemption.group_placement")
        if self.handle.gate("WorkloadAwarePreemption"):
            return unschedulable("default_preemption.group_aware")
        return None

    def _dry_run(self, state: CycleState, pod: Pod, rows: Rows) -> DryRun:
        """Dry runs in visiting order until there are enough candidates."""
        budgets = [PodDisruptionBudget.parse(m) for m in self.handle.objects.list("PodDisruptionBudget")]

        def evaluate(some: Rows) -> Findings:
            return evaluate_with_nominated(self.handle.framework, state, pod, some)

        wanted = len(rows)
        if not self.handle.rules.preemption_tries_all:
            wanted = self.candidates_wanted(len(rows))
        whole = DryRun([], {})
        for start in range(0, len(rows), max(wanted, 1)):
            block = rows.subset(np.arange(start, min(start + wanted, len(rows)), dtype=np.int64))
            run = dry_run(block, pod.priority, budgets, evaluate, detail=self.handle.detail)
            whole.candidates += run.candidates
            whole.statuses |= run.statuses
            whole.victimless += run.victimless
            if len(whole.candidates) >= wanted and any(c.violations == 0 for c in whole.candidates):
                break
        return whole if wanted == len(rows) else _enough(whole, wanted)

    def candidates_wanted(self, nodes: int) -> int:
        """How many candidates end the search among `nodes` potential nodes."""
        return min(nodes, max(self.args.absolute, nodes * self.args.percentage // 100))

    def _ask_extenders(self, pod: Pod, candidates: list[Candidate]) -> list[Candidate]:
        """What extenders leave of the candidates. Raises `ExtenderError`."""
        extenders = self.handle.extenders
        asked = [] if extenders is None else extenders.interested(pod, PREEMPT)
        if not asked:
            return candidates
        by_node = {candidate.node: candidate for candidate in candidates}
        victims = {c.node: Victims(c.victims, c.violations) for c in candidates}
        on_node = {c.node: self.handle.cluster.rows([c.row]).pods_on(0) for c in candidates}
        for extender in asked:
            try:
                victims = _checked(extender.preempt(pod, victims, on_node), ignorable=extender.ignorable)
            except ExtenderError:
                if not extender.ignorable:
                    raise
            if not victims:
                break
        return [
            replace(by_node[node], victims=item.pods, violations=item.violations)
            for node, item in victims.items()
            if node in by_node
        ]

    def _cleared(self, pod: Pod, chosen: Candidate) -> tuple[Pod, ...]:
        """Less important other Pods nominated to the chosen node: they lose their nomination."""
        nominees = self.handle.nominator.pods_for(chosen.node)
        return tuple(other for other in nominees if other.priority < pod.priority and other.uid != pod.uid)

    def events(self) -> Sequence[EventInterest]:
        return (EventInterest(ClusterEvent(POD, Action.DELETE), lambda _pod, _old, _new: Hint.SKIP),)


def _checked(victims: dict[str, Victims], *, ignorable: bool) -> dict[str, Victims]:
    for node in [node for node, item in victims.items() if not item.pods]:
        if not ignorable:
            raise ExtenderError(messages.text(Reason.of("default_preemption.no_victim_left", node=node)))
        del victims[node]
    return victims


def _victimless(nodes: list[str]) -> Status:
    texts = [messages.text(Reason.of("default_preemption.no_victim_left", node=node)) for node in nodes]
    return error("default_preemption.prefixed", message=texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]")


def _is_being_preempted(pod: Pod) -> bool:
    condition = pod.condition("DisruptionTarget")
    return (
        pod.terminating
        and condition is not None
        and condition.status == "True"
        and condition.reason == TERMINATING_BY_PREEMPTION
    )


def _enough(run: DryRun, wanted: int) -> DryRun:
    """What the real search keeps: it stops at enough candidates of which one is without a violation, and has room for
    `wanted` of either kind. Those without come first."""
    clean: list[Candidate] = []
    violating: list[Candidate] = []
    for candidate in run.candidates:
        kind = violating if candidate.violations else clean
        if len(kind) < wanted:
            kind.append(candidate)
        if clean and len(clean) + len(violating) >= wanted:
            break
    return DryRun([*clean, *violating], run.statuses, run.victimless)


def _not_helpful(nodes: int, run: DryRun) -> str:
    counts = messages.count_reasons(run.statuses.values())
    others = nodes - len(run.statuses)
    if others > 0:
        counts[messages.TEXTS["default_preemption.not_helpful"]] += others
    return messages.fit_error(nodes, counts)


def _prefixed(message: str) -> Status:
    return unschedulable("default_preemption.prefixed", message=message)
