"""The unit test's cases: nodes, the Pods on them, and what the engine decides about a Pod there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from simulator.engine.cluster.cluster import Cluster
from simulator.engine.objects.node import Node
from simulator.engine.objects.pod import Pod
from simulator.engine.user_rules.plugin import Evaluator
from simulator.engine.user_rules.rule import Rule
from simulator.goexport.expressions import Go, Listed, plain
from simulator.goexport.types import quoted

MOST_CASES: Final = 10
MOST_PODS: Final = 20


@dataclass(frozen=True, slots=True)
class Case:
    """A node with its Pods, as Go, and the decision about the Pod."""

    node: str
    pods: str
    fits: bool
    score: int
    filter_fails: bool
    score_fails: bool

    def go(self) -> str:
        parts = [f"node: {self.node}"]
        parts += [f"pods: {self.pods}"] if self.pods else []
        parts += ["fits: true"] if self.fits else []
        parts += [f"score: {self.score}"] if self.score else []
        parts += ["filterFails: true"] if self.filter_fails else []
        parts += ["scoreFails: true"] if self.score_fails else []
        return f"\t{{{', '.join(parts)}}},"


def cases_of(rule: Rule, cluster: Cluster, pod: Pod) -> list[Case]:
    """What the rule says of the first nodes of a cluster."""
    rows = cluster.rows(np.arange(min(len(cluster), MOST_CASES)))
    filtered = None if rule.filter is None else Evaluator(rule.filter).results(pod, rows)
    scored = None if rule.score is None else Evaluator(rule.score).results(pod, rows)
    made = []
    for index, node in enumerate(rows.nodes):
        fits = filtered is None or filtered[index].value is True or filtered[index].value == ""
        score = 0 if scored is None or scored[index].problem else int(scored[index].value)
        made.append(
            Case(
                _node(node),
                _pods(rows.pods_on(index)),
                fits,
                score,
                filtered is not None and filtered[index].problem is not None,
                scored is not None and scored[index].problem is not None,
            )
        )
    return made


def _texts(kind: str, items: Mapping[str, Any]) -> Go:
    """A map literal, nil where it is empty."""
    if not items:
        return plain("nil")
    return Listed(kind, [(plain(quoted(key)), plain(quoted(str(value)))) for key, value in sorted(items.items())])


def _node(node: Node) -> str:
    spec = []
    if node.taints:
        taints = [
            f"{{Key: {quoted(taint.key)}, Value: {quoted(taint.value)}, Effect: {quoted(taint.effect)}}}"
            for taint in node.taints
        ]
        spec.append(f"Taints: []v1.Taint{{{', '.join(taints)}}}")
    if node.unschedulable:
        spec.append("Unschedulable: true")
    labels = _texts("map[string]string", node.labels)
    offered = (node.manifest.get("status") or {}).get("allocatable") or {}
    amounts = _texts("map[v1.ResourceName]string", offered)
    return f"newNode({quoted(node.name)}, {labels.show()}, v1.NodeSpec{{{', '.join(spec)}}}, {amounts.show()})"


def _pods(pods: Sequence[Pod]) -> str:
    if not pods:
        return ""
    return f"[]*v1.Pod{{{', '.join(_pod(pod) for pod in pods[:MOST_PODS])}}}"


def _amounts(pod: Pod) -> Go:
    """What the Pod requests, as quantities."""
    amounts = {name: amount for name, amount in pod.shape.requests.on_node.items() if name != "pods"}
    told = {name: f"{amount}m" if name == "cpu" else str(amount) for name, amount in amounts.items()}
    return _texts("map[v1.ResourceName]string", told)


def _pod(pod: Pod) -> str:
    labels = _texts("map[string]string", pod.labels)
    name, node = quoted(pod.name), quoted(pod.node_name)
    return f"newPod({name}, {node}, {labels.show()}, {pod.priority}, {_amounts(pod).show()})"


def pod_under_test(pod: Pod) -> list[str]:
    """Statements that make the Pod."""
    lines = [f"pod := {_pod(pod)}"]
    if pod.namespace != "default":
        lines.append(f"pod.Namespace = {quoted(pod.namespace)}")
    if pod.annotations:
        lines.append(f"pod.Annotations = {_texts('map[string]string', pod.annotations).show()}")
    if pod.shape.spec.get("nodeSelector"):
        selector = _texts("map[string]string", pod.shape.spec["nodeSelector"])
        lines.append(f"pod.Spec.NodeSelector = {selector.show()}")
    if pod.shape.spec.get("priorityClassName"):
        lines.append(f"pod.Spec.PriorityClassName = {quoted(pod.shape.spec['priorityClassName'])}")
    if pod.shape.pod_group:
        lines.append(f"group := {quoted(pod.shape.pod_group)}")
        lines.append("pod.Spec.SchedulingGroup = &v1.PodSchedulingGroup{PodGroupName: &group}")
    return lines
