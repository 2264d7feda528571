"""NodeAffinity: Pods go where their nodeSelector and node affinity allow, and rather where they prefer.

Decides: PreFilter narrows to the nodes a Pod names by metadata.name; Filter by required terms; Score by the weights
of the preferred terms that match. Kubernetes counterpart: kube-scheduler 1.36 NodeAffinity, weight 2; args
addedAffinity. Simplified here: nothing. Reads: node labels and name, pod nodeSelector and affinity. Writes: nothing.
Wakes on: node added or its labels changed so that the required terms now match.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simulator.engine.cluster.rows import Bools, Rows
from simulator.engine.framework.events import NODE, Action, ClusterEvent
from simulator.engine.framework.facts import Fact, Formula
from simulator.engine.framework.plugin import (
    CycleState,
    EventInterest,
    FilterPlugin,
    Hint,
    PreFilterPlugin,
    PreFilterResult,
    PreScorePlugin,
    Reads,
    ScorePlugin,
)
from simulator.engine.framework.shape_check import Checker, Path
from simulator.engine.framework.status import (
    SKIP,
    SUCCESS,
    Code,
    Reason,
    Scores,
    Status,
    Verdicts,
    error,
    normalize,
    normalize_facts,
    unresolvable,
)
from simulator.engine.objects.affinity import NodeAffinity as Affinity
from simulator.engine.objects.affinity import PreferredNodeTerm, parse_node_affinity
from simulator.engine.objects.decode import decode
from simulator.engine.objects.node import Node
from simulator.engine.objects.pod import Pod, PodShape
from simulator.engine.objects.schema.core_pod import PODS
from simulator.engine.objects.selectors import parse_node_selector_term
from simulator.engine.plugins.selector_facts import requirement_facts, selector_facts, term_facts

_POD = Reason("node_affinity.pod")
_ENFORCED = Reason("node_affinity.enforced")


@dataclass(frozen=True)
class Args:
    added: Affinity


class NodeAffinity(PreFilterPlugin, FilterPlugin, PreScorePlugin, ScorePlugin):
    name = "NodeAffinity"
    filter_reads = Reads.NODE
    score_reads = Reads.NODE
    normalizes = True
    args: Args

    @classmethod
    def read_args(cls, args: Mapping[str, Any], root: Path = ()) -> Args:
        check = Checker(root)
        check.mapping((), args, {"addedAffinity": dict})
        check.raise_problems()
        read = decode(args.get("addedAffinity") or {}, PODS.struct("NodeAffinity"), "NodeAffinityArgs", "addedAffinity")
        problem = read.abort or read.mismatch
        if problem is not None:
            check.problem(("addedAffinity",), problem.text, "config.selector", error=problem.text)
        for _, keys in read.unknown:
            check.unknown(("addedAffinity", *keys))
        check.raise_problems()
        added = parse_node_affinity({"nodeAffinity": read.value})
        _check_terms(check, read.value or {})
        check.raise_problems()
        return Args(added)

    def pre_filter(self, state: CycleState, pod: Pod) -> PreFilterResult:
        shape = pod.shape
        required = shape.node_affinity.required
        if shape.node_selector is None and required is None and self.args.added.required is None:
            return PreFilterResult(SKIP)
        if required is None or not required.terms:
            return PreFilterResult()
        sets = [term.names for term in required.terms if term.names is not None]
        if len(sets) < len(required.terms):
            return PreFilterResult()
        nodes = frozenset().union(*sets)
        if not nodes:
            return PreFilterResult(unresolvable("node_affinity.conflict"))
        return PreFilterResult(nodes=nodes)

    def filter_key(self, shape: PodShape) -> Hashable:
        return (shape.node_selector, shape.node_affinity.required)

    def filter(self, state: CycleState, pod: Pod, rows: Rows) -> Verdicts:
        own = Verdicts.where(~required_matches(pod.shape, rows), Code.UNRESOLVABLE, _POD)
        added = self.args.added.required
        if added is None:
            return own
        enforced = rows.cluster.nodes.labels.matches_node_selector(added, rows.ids)
        return Verdicts.first_of(Verdicts.where(~enforced, Code.UNRESOLVABLE, _ENFORCED), own)

    def facts(self, state: CycleState, pod: Pod, row: Rows) -> Sequence[Fact]:
        node, shape, found = row.nodes[0], pod.shape, []
        for code, selector in (
            ("node_affinity.enforced", self.args.added.required),
            ("node_affinity.required", shape.node_affinity.required),
        ):
            if selector is not None:
                asked = selector_facts(selector, node)
                found.append(Fact(code, asked["matched"] is not None, asked))
        for requirement in () if shape.node_selector is None else shape.node_selector.requirements:
            asked = requirement_facts(requirement, node)
            found.append(Fact("node_affinity.selector", asked["holds"], asked))
        return found

    def pre_score(self, state: CycleState, pod: Pod, rows: Rows) -> Status:
        preferred = pod.shape.node_affinity.preferred
        if not preferred and not self.args.added.preferred:
            return SKIP
        problems = [item.term.error for item in preferred if item.weight and item.term.error is not None]
        if problems:
            return error(
                "node_affinity.invalid", error=problems[0] if len(problems) == 1 else f"[{', '.join(problems)}]"
            )
        return SUCCESS

    def score_key(self, shape: PodShape) -> Hashable:
        return shape.node_affinity.preferred

    def score(self, state: CycleState, pod: Pod, rows: Rows) -> Scores:
        scores = np.zeros(len(rows), dtype=np.int64)
        for item in self.preferred_terms(pod.shape):
            scores += item.weight * rows.cluster.nodes.labels.matches_term(item.term, rows.ids)
        return scores

    def preferred_terms(self, shape: PodShape) -> Sequence[PreferredNodeTerm]:
        """The preferred terms that count: the profile's and the Pod's, without empty ones and those of weight 0."""
        items = (*self.args.added.preferred, *shape.node_affinity.preferred)
        return [item for item in items if item.weight and not item.term.is_empty]

    def score_facts(self, state: CycleState, pod: Pod, rows: Rows, position: int) -> Formula:
        node = rows.cluster.nodes.objects[int(rows.ids[position])]
        terms = [{"weight": item.weight, **term_facts(item.term, node)} for item in self.preferred_terms(pod.shape)]
        value = sum(term["weight"] for term in terms if term["matches"])
        return Formula.of("node_affinity.score", value, terms=terms)

    def normalize(self, state: CycleState, pod: Pod, rows: Rows, scores: Scores) -> Scores:
        return normalize(scores)

    def normalize_facts(self, state: CycleState, pod: Pod, rows: Rows, scores: Scores, position: int) -> Formula:
        return normalize_facts(scores, position)

    def events(self) -> Sequence[EventInterest]:
        return (EventInterest(ClusterEvent(NODE, Action.ADD | Action.UPDATE_NODE_LABEL), self._matches_now),)

    def _matches_now(self, pod: Pod, old: Node | None, new: Node) -> Hint:
        if not self._matches(pod.shape, new):
            return Hint.SKIP
        return Hint.QUEUE if old is None or not self._matches(pod.shape, old) else Hint.SKIP

    def _matches(self, shape: PodShape, node: Node) -> bool:
        added = self.args.added.required
        return (added is None or added.matches(node.name, node.labels)) and node_matches(shape, node)


def _check_terms(check: Checker, added: Mapping[str, Any]) -> None:
    """The problems of single terms of `addedAffinity`, each with its place."""
    required, preferred = (f"{when}DuringSchedulingIgnoredDuringExecution" for when in ("required", "preferred"))
    terms = (added.get(required) or {}).get("nodeSelectorTerms") or ()
    placed: list[tuple[Path, Mapping[str, Any]]] = [
        (("addedAffinity", required, "nodeSelectorTerms", index), term) for index, term in enumerate(terms)
    ]
    for index, item in enumerate(added.get(preferred) or ()):
        placed.append((("addedAffinity", preferred, index), item.get("preference") or {}))
    for path, term in placed:
        text = parse_node_selector_term(term, check.place(path)).error
        if text is not None:
            check.problem(path, text, "config.selector", error=text)


def required_matches(shape: PodShape, rows: Rows) -> Bools:
    """(k,) whether nodeSelector and required node affinity allow each row."""
    labels = rows.cluster.nodes.labels
    matched = np.ones(len(rows), dtype=np.bool_)
    if shape.node_selector is not None:
        matched &= labels.matches_selector(shape.node_selector, rows.ids)
    if shape.node_affinity.required is not None:
        matched &= labels.matches_node_selector(shape.node_affinity.required, rows.ids)
    return matched


def node_matches(shape: PodShape, node: Node) -> bool:
    """`required_matches` for a single Node object."""
    if shape.node_selector is not None and not shape.node_selector.matches(node.labels):
        return False
    required = shape.node_affinity.required
    return required is None or required.matches(node.name, node.labels)
