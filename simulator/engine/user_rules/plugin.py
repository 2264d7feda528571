"""A learner's rule as a plugin like any other.

Decides: Filter by the rule's filter expression; Score by its score expression, with the normalization it chose.
Kubernetes counterpart: an out-of-tree plugin of the scheduling framework; the lab exports the rule as one.
Simplified here: the expression may cost so many steps a node and no more (`STEPS`); all that a rule reads of other
nodes are the totals of their domain.
Reads: what the expressions name of Pod and node. Writes: nothing.
Wakes on: node added; the changes of nodes, assigned Pods and the Pod itself that could change what the filter reads.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, ClassVar, Final

import numpy as np

from simulator.engine.cel.program import Input, Program, Result
from simulator.engine.cel.syntax import Conditional, Literal
from simulator.engine.cel.syntax import Node as Part
from simulator.engine.cel.values import ABSENT, BOOL
from simulator.engine.cluster.rows import Rows
from simulator.engine.framework.events import ASSIGNED_POD, NODE, POD, Action, ClusterEvent
from simulator.engine.framework.facts import Fact, Formula
from simulator.engine.framework.filtering import PluginError
from simulator.engine.framework.plugin import (
    CycleState,
    EventInterest,
    FilterPlugin,
    Handle,
    Plugin,
    Reads,
    ScorePlugin,
)
from simulator.engine.framework.status import (
    Code,
    Reason,
    Scores,
    Verdicts,
    normalize_facts,
)
from simulator.engine.objects.pod import Pod, PodShape
from simulator.engine.user_rules.inputs import DomainTotals, column, pod_value, reads_of, shape_value
from simulator.engine.user_rules.rule import LARGEST, NONE, RANGE, REVERSED, Rule
from simulator.engine.user_rules.scores import normalized_scores

STEPS: Final = 200_000
"""Steps of one question about all nodes (some 20 ms); every node may use its share."""

MOST_STEPS, LEAST_STEPS = 10_000, 30
"""The share of one node, however few or many nodes there are."""

MAX_REASON = 200
MAX_RAW_SCORE = 10**15
MOST_REASONS = 60
KEPT = 50_000


def steps_for(nodes: int) -> int:
    """What an evaluation may cost in a cluster of so many nodes: the same whichever of them are asked about."""
    return max(LEAST_STEPS, min(MOST_STEPS, STEPS // max(1, nodes)))


class Evaluator:
    """Runs one expression for many rows; rows of which it reads the same get the same answer, worked out once."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.pod_inputs = [item for item in program.inputs if item.path[0] == "pod"]
        self._node_inputs = [item for item in program.inputs if item.path[0] == "node"]
        self._known: dict[Hashable, Result] = {}
        self._domains = DomainTotals()

    def results(self, pod: Pod, rows: Rows) -> list[Result]:
        limit = steps_for(len(rows.cluster))
        of_pod = self.pod_values(pod)
        return [self._result((of_pod, of_row, limit)) for of_row in self._of_rows(rows)]

    def pod_values(self, pod: Pod) -> tuple[Any, ...]:
        """What is read of the Pod, in the order of `pod_inputs`."""
        return tuple(pod_value(pod, item) for item in self.pod_inputs)

    def is_of_node(self, name: str) -> bool:
        """Whether the input with this text is read of nodes."""
        return any(str(item) == name for item in self._node_inputs)

    def _of_rows(self, rows: Rows) -> list[tuple[Any, ...]]:
        if not self._node_inputs:
            return [()] * len(rows)
        columns = [column(item, rows, self._domains) for item in self._node_inputs]
        return list(zip(*columns, strict=True))

    def _result(self, case: tuple[tuple[Any, ...], tuple[Any, ...], int]) -> Result:
        known = self._known.get(case)
        if known is None:
            if len(self._known) >= KEPT:
                self._known.clear()
            known = self._known[case] = self._run(*case)
        return known

    def _run(self, of_pod: tuple[Any, ...], of_row: tuple[Any, ...], limit: int) -> Result:
        pods, nodes = iter(of_pod), iter(of_row)
        values = [next(pods) if item.path[0] == "pod" else next(nodes) for item in self.program.inputs]
        return self.program.run(values, limit)

    def told(self, pod: Pod, rows: Rows, position: int) -> list[list[Any]]:
        """[what the expression reads, its value] for one row, in the order of the source."""
        row = rows.subset(np.array([position]))
        found: list[list[Any]] = []
        for item in self.program.inputs:
            value = pod_value(pod, item) if item.path[0] == "pod" else column(item, row, self._domains)[0]
            found.append([str(item), _plain(value)])
        return found


def _plain(value: Any) -> Any:
    """A value as JSON has it; None for what is not there."""
    if value is ABSENT:
        return None
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


class RuleFilter(FilterPlugin):
    """The Filter half. `rule` is the class's own."""

    rule: ClassVar[Rule]
    may_fail = True

    def __init__(self, args: Any, handle: Handle) -> None:
        super().__init__(args, handle)
        assert self.rule.filter is not None
        self._filter = Evaluator(self.rule.filter)

    def filter_key(self, shape: PodShape) -> Hashable:
        return tuple(shape_value(shape, item) for item in self._filter.pod_inputs)

    def filter(self, state: CycleState, pod: Pod, rows: Rows) -> Verdicts:
        rejection = self._rejection
        reasons = [Reason.of("user_rule.rejected", message=f"node(s) rejected by {self.name}")]
        index_of: dict[tuple[Code, str], int] = {}
        codes = np.zeros(len(rows), dtype=np.int8)
        bits = np.zeros(len(rows), dtype=np.int64)
        for position, result in enumerate(self._filter.results(pod, rows)):
            code, text = self._verdict(result, rejection)
            if code == Code.SUCCESS:
                continue
            codes[position] = code
            bits[position] = 1 << self._reason(reasons, index_of, code, text)
        return Verdicts(codes, bits, tuple(reasons))

    @staticmethod
    def _reason(reasons: list[Reason], index_of: dict[tuple[Code, str], int], code: Code, text: str) -> int:
        """The index of the reason with this text; 0, the general one, for no text and for one too many."""
        if not text:
            return 0
        if (code, text) not in index_of:
            if len(reasons) > MOST_REASONS:
                return 0
            index_of[code, text] = len(reasons)
            name = "user_rule.failed" if code == Code.ERROR else "user_rule.rejected"
            reasons.append(Reason.of(name, message=text))
        return index_of[code, text]

    def _verdict(self, result: Result, rejection: Code) -> tuple[Code, str]:
        if result.problem is not None:
            return Code.ERROR, f"rule {self.name}, filter {result.problem.text}"
        if result.value is True or result.value == "":
            return Code.SUCCESS, ""
        return rejection, "" if result.value is False else str(result.value)[:MAX_REASON]

    @property
    def _rejection(self) -> Code:
        """Where nothing that the filter reads of the node changes with its Pods, evicting some does not help."""
        reads = reads_of(self._filter.program.inputs)
        only_node = not reads & (Reads.USAGE | Reads.ANYTHING)
        return Code.UNRESOLVABLE if only_node else Code.UNSCHEDULABLE

    def facts(self, state: CycleState, pod: Pod, row: Rows) -> Sequence[Fact]:
        result = self._filter.results(pod, row)[0]
        passed = self._verdict(result, Code.UNSCHEDULABLE)[0] == Code.SUCCESS
        return (
            Fact.of(
                "user_rule.filter",
                passed,
                source=self._filter.program.source,
                result=None if result.problem else result.value,
                problem=result.problem.text if result.problem else "",
                inputs=self._filter.told(pod, row, 0),
            ),
        )

    def events(self) -> Sequence[EventInterest]:
        return tuple(EventInterest(event) for event in wakes(self._filter.program.inputs))


_NODE_ACTIONS: Final = {
    "labels": Action.UPDATE_NODE_LABEL,
    "annotations": Action.UPDATE_NODE_ANNOTATION,
    "taints": Action.UPDATE_NODE_TAINT,
    "unschedulable": Action.UPDATE_NODE_TAINT,
    "allocatable": Action.UPDATE_NODE_ALLOCATABLE,
    "free": Action.UPDATE_NODE_ALLOCATABLE,
}
_NODE_FUNCTIONS: Final = {
    "gpuCount": Action.UPDATE_NODE_ALLOCATABLE,
    "freeGpus": Action.UPDATE_NODE_ALLOCATABLE,
    "domain": Action.UPDATE_NODE_ALLOCATABLE | Action.UPDATE_NODE_LABEL,
    "nvswitchDomain": Action.UPDATE_NODE_ALLOCATABLE | Action.UPDATE_NODE_LABEL,
    "gpuModel": Action.UPDATE_NODE_LABEL,
    "gpuMemoryMiB": Action.UPDATE_NODE_LABEL,
    "label": Action.UPDATE_NODE_LABEL,
}


def wakes(inputs: Sequence[Input]) -> list[ClusterEvent]:
    """The events that can change what a filter with these inputs says."""
    node, pod = Action.ADD, Action(0)
    for item in inputs:
        variable, name = item.path[:2]
        if variable == "node":
            node |= (_NODE_FUNCTIONS if item.call else _NODE_ACTIONS).get(name, Action(0))
        elif name in ("labels", "label"):
            pod |= Action.UPDATE_POD_LABEL
        elif name in ("requests", "gpus"):
            pod |= Action.UPDATE_POD_SCALE_DOWN
    found = [ClusterEvent(NODE, node)]
    if reads_of(inputs) & (Reads.USAGE | Reads.ANYTHING):
        found.append(ClusterEvent(ASSIGNED_POD, Action.ADD | Action.UPDATE | Action.DELETE))
    if pod:
        found.append(ClusterEvent(POD, pod))
    return found


class RuleScore(ScorePlugin):
    """The Score half."""

    rule: ClassVar[Rule]

    def __init__(self, args: Any, handle: Handle) -> None:
        super().__init__(args, handle)
        assert self.rule.score is not None
        self._score = Evaluator(self.rule.score)

    def score_key(self, shape: PodShape) -> Hashable:
        return tuple(shape_value(shape, item) for item in self._score.pod_inputs)

    def score(self, state: CycleState, pod: Pod, rows: Rows) -> Scores:
        return np.array([self._number(result) for result in self._score.results(pod, rows)], dtype=np.int64)

    def _number(self, result: Result) -> int:
        if result.problem is not None:
            raise self._failed(result.problem.text)
        value = int(result.value)
        if abs(value) > MAX_RAW_SCORE:
            raise self._failed(f"score {value} is out of range")
        return value

    def _failed(self, text: str) -> PluginError:
        error = f"rule {self.name}, score {text}"
        return PluginError(Reason.of("framework.score", plugin=self.name, error=error), self.name)

    def score_facts(self, state: CycleState, pod: Pod, rows: Rows, position: int) -> Formula:
        result = self._score.results(pod, rows.subset(np.array([position])))[0]
        told = self._score.told(pod, rows, position)
        return Formula.of("user_rule.score", self._number(result), source=self._score.program.source, inputs=told)

    def normalize(self, state: CycleState, pod: Pod, rows: Rows, scores: Scores) -> Scores:
        return normalized_scores(scores, self.rule.normalize)

    def normalize_facts(self, state: CycleState, pod: Pod, rows: Rows, scores: Scores, position: int) -> Formula:
        raw = int(scores[position])
        if self.rule.normalize == NONE:
            return Formula.of("normalize.none", raw)
        if self.rule.normalize == RANGE:
            smallest, largest = int(scores.min()), int(scores.max())
            value = normalized_scores(scores, RANGE)[position]
            return Formula.of("normalize.range", value, raw=raw, smallest=smallest, largest=largest)
        return normalize_facts(scores, position, reverse=self.rule.normalize == REVERSED)


def plugin_of(rule: Rule) -> type[Plugin]:
    """A plugin class for `rule`, to be put into a registry."""
    bases: list[type[Plugin]] = []
    members: dict[str, Any] = {"name": rule.name, "rule": rule, "__doc__": f"The rule {rule.name}."}
    if rule.filter is not None:
        bases.append(RuleFilter)
        if is_certain(rule.filter) and rule.filter.type == BOOL:
            members |= {"filter_reads": reads_of(rule.filter.inputs), "may_fail": False}
    if rule.score is not None:
        bases.append(RuleScore)
        members["normalizes"] = rule.normalize != NONE
        if is_certain(rule.score) and (rule.normalize in (LARGEST, REVERSED, RANGE) or _in_range(rule.score.tree)):
            members["score_reads"] = reads_of(rule.score.inputs)
    return type(rule.name, (_Rule, *bases), members)


class _Rule(Plugin):
    """Both halves in one plugin."""


def is_certain(program: Program) -> bool:
    """Whether an expression can neither fail nor cost more than any node may: then answers may be kept by row."""
    return not program.can_fail and program.smallest_cost <= LEAST_STEPS


def _in_range(part: Part) -> bool:
    """Whether a score is one of some numbers 0..100 written out."""
    if isinstance(part, Conditional):
        return _in_range(part.then) and _in_range(part.otherwise)
    return isinstance(part, Literal) and 0 <= part.value <= 100  # type: ignore[operator]
