"""Families F01-F18 of kube-scheduler: Pods are tried one after the other on a given cluster.

The driving rules are those of the recording: objects go into the cache in their order, a bound Pod runs at once,
victims vanish at once and their preemptor is tried again at once. Format: tests/golden/kube-scheduler/FORMAT.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from simulator.engine.cluster.cluster import Cluster
from simulator.engine.conformance.describe import describe_attempt, describe_post_filter, status_entry
from simulator.engine.conformance.objects import admit_all
from simulator.engine.framework.attempt import Attempt, PostFilterOutcome, attempt, run_post_filter
from simulator.engine.framework.build import build_frameworks
from simulator.engine.framework.config import SchedulerConfig, read_config
from simulator.engine.framework.gates import with_defaults
from simulator.engine.framework.plugin import Handle
from simulator.engine.framework.registry import REGISTRY
from simulator.engine.framework.rules import Rules
from simulator.engine.framework.runtime import Framework
from simulator.engine.objects.node import Node
from simulator.engine.objects.pod import Pod, ShapeInterner
from simulator.engine.objects.times import SECOND, parse_time
from simulator.engine.queue.nominator import Nominator

MAX_TRIES = 4
FIRST_START = parse_time("2030-01-01T00:00:00Z")
RULES = Rules(preemption_tries_all=True)


class Tries:
    """One scenario's run. `run()` gives what `expect` should hold."""

    def __init__(self, scenario: Mapping[str, Any]) -> None:
        self.scenario = scenario
        self.cluster = Cluster()
        self.store, admitted, self.invalid = admit_all(scenario["objects"])
        self.interner = ShapeInterner()
        self.pending: dict[str, Pod] = {}
        self.in_flight = ""
        self.start = 0
        self.nominator = Nominator(lambda key: None if key == self.in_flight else self.pending.get(key))
        self.deleted: list[str] = []
        self.bound: dict[str, str] = {}
        self.placed: set[str] = set()
        config = scenario.get("config")
        self.config = replace(read_config(config) if config else SchedulerConfig(), percentage_of_nodes_to_score=100)
        gates = with_defaults(None)
        self.frameworks = build_frameworks(self.config, REGISTRY, gates, lambda: self._handle(gates))
        self._load(admitted)

    def _handle(self, gates: Mapping[str, bool]) -> Handle:
        return Handle(self.cluster, self.store, self.nominator, gates, RULES, lambda: FIRST_START, detail=True)

    def _load(self, admitted: Sequence[Mapping[str, Any]]) -> None:
        for manifest in admitted:
            if manifest["kind"] == "Node":
                self.cluster.add_node(Node(manifest))
        for manifest in admitted:
            if manifest["kind"] == "Pod":
                self._load_pod(manifest)

    def _load_pod(self, manifest: Mapping[str, Any]) -> None:
        pod = self.interner.pod(manifest)
        pod = replace(pod, uid=pod.uid or f"uid-{pod.namespace}-{pod.name}")
        if pod.terminal:
            return
        if pod.node_name:
            self.cluster.add_pod(pod)
            self.placed.add(pod.key)
            return
        self.pending[pod.key] = pod
        framework = self.frameworks.get(pod.shape.scheduler_name)
        if framework is not None and framework.run_pre_enqueue(pod).is_success:
            self.nominator.add(pod, pod.nominated_node_name)

    def queue_order(self) -> list[str]:
        """Keys of the Pods in the active queue at the start, in the order in which they are popped."""
        first = next(iter(self.frameworks.values()))
        active = [pod for pod in self.pending.values() if self._is_active(pod)]
        keyed = [(first.queue_sort.sort_key(pod, index), pod.key) for index, pod in enumerate(active)]
        return [key for _, key in sorted(keyed)]

    def _is_active(self, pod: Pod) -> bool:
        framework = self.frameworks.get(pod.shape.scheduler_name)
        return framework is not None and framework.run_pre_enqueue(pod).is_success

    def run(self) -> dict[str, Any]:
        order = self.queue_order()
        everyone = [*order, *(key for key in self.pending if key not in order)]
        results: list[dict[str, Any]] = []
        for key in self.scenario.get("schedule") or everyone:
            results.extend(self._schedule(key))
        found: dict[str, Any] = {
            "invalid": self.invalid,
            "queueOrder": order,
            "results": results,
            "bound": self.bound,
            "deleted": self.deleted,
        }
        found["nominations"] = {
            pod.key: pod.nominated_node_name for pod in self.pending.values() if pod.nominated_node_name
        }
        return {name: value for name, value in found.items() if value}

    def _schedule(self, key: str) -> list[dict[str, Any]]:
        pod = self.pending.get(key)
        if pod is None:
            return [{"pod": key, "outcome": self._why_not_pending(key)}]
        framework = self.frameworks.get(pod.shape.scheduler_name)
        if framework is None:
            return [{"pod": key, "outcome": "notResponsible"}]
        if pod.terminating:
            return [{"pod": key, "outcome": "skipped"}]
        gate = framework.run_pre_enqueue(pod)
        if not gate.is_success:
            return [{"pod": key, "outcome": "gated", "preEnqueue": status_entry(gate)}]
        results = []
        for number in range(1, MAX_TRIES + 1):
            result = self._try(framework, key) | {"attempt": number}
            results.append(result)
            if result["outcome"] != "nominated":
                break
        return results

    def _why_not_pending(self, key: str) -> str:
        if key in self.deleted:
            return "deleted"
        return "alreadyBound" if key in self.placed else "missing"

    def _try(self, framework: Framework, key: str) -> dict[str, Any]:
        pod = self.pending[key]
        self.in_flight = key
        tried = attempt(framework, pod, self.start, detail=True)
        self.start = self.start if tried.search is None else tried.search.next_start
        result: dict[str, Any] = {"pod": key} | describe_attempt(framework, tried)
        if pod.nominated_node_name:
            result["nominatedNode"] = pod.nominated_node_name
        if tried.found:
            self._bind(framework, pod, tried)
            result |= {"outcome": "scheduled", "selected": tried.node}
        else:
            result |= self._fail(framework, pod, tried)
        self.in_flight = ""
        return result

    def _bind(self, framework: Framework, pod: Pod, tried: Attempt) -> None:
        self.nominator.delete(pod.key)
        start = FIRST_START + len(self.bound) * SECOND
        self.cluster.add_pod(
            replace(pod, node_name=tried.node, phase="Running", start_time=start, nominated_node_name="")
        )
        framework.run_reserve(tried.state, pod, tried.node)
        del self.pending[pod.key]
        self.bound[pod.key] = tried.node
        self.placed.add(pod.key)

    def _fail(self, framework: Framework, pod: Pod, tried: Attempt) -> dict[str, Any]:
        if tried.error is not None or tried.search is None:
            self._renominate(pod, "")
            return {"outcome": "error" if tried.error else "unschedulable", "message": tried.message}
        if not framework.post_filter:
            self._renominate(pod, None)
            return {"outcome": "unschedulable", "message": tried.message}
        outcome = run_post_filter(framework, tried)
        described = {"postFilter": describe_post_filter(framework, tried, outcome)}
        message = tried.search.diagnosis.message(outcome.message)
        self._renominate(pod, outcome.nominated)
        if outcome.status.is_success and outcome.nominated:
            self._evict(outcome)
            return described | {"outcome": "nominated", "message": message}
        return described | {"outcome": "unschedulable", "message": message}

    def _renominate(self, pod: Pod, nominated: str | None) -> None:
        if nominated is None:
            return
        self.pending[pod.key] = replace(pod, nominated_node_name=nominated)
        self.nominator.add(self.pending[pod.key], nominated)

    def _evict(self, outcome: PostFilterOutcome) -> None:
        decisive = outcome.decisive
        assert decisive is not None
        for victim in decisive.victims:
            self.cluster.remove_pod(victim.key)
            self.deleted.append(victim.key)
            self.bound.pop(victim.key, None)
        for other in decisive.cleared:
            self._renominate(other, "")
