"""Families F19-F22 of kube-scheduler: a run on a virtual clock, from timed events to bindings.

The driving rules are those of the recording: a cycle takes one millisecond, creating a pending Pod takes one, cycles
run as long as a Pod can be popped, and at one instant flushes come before Permit deadlines, events and cycles.
Format: tests/golden/kube-scheduler/FORMAT-additions.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from simulator.engine.actors.actor import Turn
from simulator.engine.actors.kube_scheduler.cycle import FLUSH
from simulator.engine.actors.kube_scheduler.scheduler import KubeScheduler
from simulator.engine.conformance.extenders import Answers, RecordedExtenders, describe_outside
from simulator.engine.conformance.records import describe_cycle, describe_queues
from simulator.engine.framework.config import ExtenderConfig, SchedulerConfig, read_config, read_extenders
from simulator.engine.framework.gates import with_defaults
from simulator.engine.framework.rules import BY_NAME, Rules
from simulator.engine.objects.times import MILLISECOND, SECOND, parse_time
from simulator.engine.world.world import World, WorldRules

BASE_GATES = {"SchedulerAsyncPreemption": False, "OpportunisticBatching": False}
CREATE_ORDER = ("Node", "PodDisruptionBudget", "PodGroup", "Pod")
RULES = Rules(tie_rule=BY_NAME, preemption_tries_all=False)


class Timeline:
    """One scenario's run. `run()` gives what `expect` should hold."""

    def __init__(self, scenario: Mapping[str, Any]) -> None:
        self.scenario = scenario
        self.start = parse_time(scenario["now"])
        self.world = World(self.start, WorldRules(graceful=False))
        gates = with_defaults({**BASE_GATES, **(scenario.get("gates") or {})})
        config = read_config(scenario["config"]) if scenario.get("config") else SchedulerConfig()
        percentage = scenario.get("percentageOfNodesToScore", 100)
        config = replace(config, percentage_of_nodes_to_score=percentage)
        answers = [Answers(entry["replies"]) for entry in scenario.get("extenders") or ()]
        if answers:
            config = replace(config, extenders=_extenders(scenario["extenders"]))
        self.scheduler = KubeScheduler(
            config, gates, RULES, self.world, port=RecordedExtenders(answers) if answers else None
        )
        self.attempts: list[dict[str, Any]] = []
        if scenario.get("record") == "extender":
            for framework in self.scheduler.frameworks.values():
                framework.handle.detail = True
            self.scheduler.observed_attempt = lambda framework, tried: self.attempts.append(
                describe_outside(framework, tried)
            )
        self.world.watch(lambda change: self.scheduler.observe(change, self.world.now))
        self.records: list[dict[str, Any]] = []
        self.events = list(scenario.get("events") or ())

    def run(self) -> dict[str, Any]:
        stop = self._loop()
        queue = self.scheduler.queue
        final: dict[str, Any] = {
            "bound": {
                pod.key: pod.node_name for pod in sorted(self.world.list("Pod"), key=lambda p: p.key) if pod.node_name
            },
            "nominations": queue.nominator.all(),
            "queues": describe_queues(self.scheduler, self.start),
        }
        if self.scenario.get("record") == "sampling":
            del final["queues"]
            nodes = self.scheduler.cluster.nodes.objects
            final["nodeOrder"] = [nodes[row].name for row in self.scheduler.cluster.order.tolist()]
        return {"cycles": self.records, "final": {k: v for k, v in final.items() if v or k == "bound"}, "stop": stop}

    def _loop(self) -> str:
        until = self.start + round(self.scenario["until"] * SECOND)
        limit = self.scenario.get("maxCycles") or 10**9
        self._instant()
        while True:
            ready = self.scheduler.queue.can_pop()
            due = None if ready else self._next_time()
            if not ready and (due is None or due >= until):
                return "until"
            if len(self.records) >= limit:
                return "maxCycles"
            if due is not None:
                self.world.now = max(self.world.now, due)
                self._instant()
                continue
            turn = self.scheduler.schedule_one(self.world.now)
            assert turn is not None
            self._finish(turn)

    def _next_time(self) -> int | None:
        wakeup = self.scheduler.next_wakeup(self.world.now)
        times = [] if wakeup is None else [wakeup.time]
        if self.events:
            times.append(self._event_time())
        return min(times) if times else None

    def _event_time(self) -> int:
        return self.start + int(self.events[0]["at"] * 1000) * MILLISECOND

    def _instant(self) -> None:
        """Everything that is due now, before any cycle."""
        while (turn := self.scheduler.timer(self.world.now)) is not None:
            self._finish(turn)
        while self.events and self._event_time() <= self.world.now:
            self._event(self.events.pop(0))

    def _event(self, event: Mapping[str, Any]) -> None:
        began = self.world.now
        created = event.get("create") or ()
        for kind in CREATE_ORDER:
            for manifest in created:
                if manifest["kind"] == kind:
                    self._create(manifest)
        for name in event.get("delete") or ():
            self._delete(name)
        for key in event.get("finish") or ():
            pod = self.world.pod(key)
            if pod is not None and pod.node_name:
                self.world.remove("Pod", pod.namespace, pod.name)
        for patch in event.get("patch") or ():
            self._patch(patch)
        self.scheduler.queue.moves.clear()
        self._record({"kind": "event"}, began)

    def _create(self, manifest: Mapping[str, Any]) -> None:
        metadata = dict(manifest["metadata"])
        if manifest["kind"] == "Node":
            metadata["labels"] = {"kubernetes.io/hostname": metadata["name"], **(metadata.get("labels") or {})}
        pending = manifest["kind"] == "Pod" and not (manifest.get("spec") or {}).get("nodeName")
        self.world.create({**manifest, "metadata": metadata})
        if pending:
            self.world.now += MILLISECOND

    def _delete(self, name: str) -> None:
        if "/" in name:
            self.world.delete_pod(name)
            return
        self.world.remove("Node", "", name)

    def _patch(self, patch: Mapping[str, Any]) -> None:
        namespace, _, name = patch["name"].rpartition("/")
        if patch["kind"] == "Pod":
            namespace = namespace or "default"
        self.world.patch(patch["kind"], namespace, name, patch["patch"])

    def _finish(self, turn: Turn) -> None:
        began = turn.record.time
        for decision in turn.decisions:
            self.world.carry_out(decision, "default-scheduler")
        self.scheduler.queue.moves.clear()
        if turn.record.kind != FLUSH:
            described = describe_cycle(turn.record, self.scenario.get("record", ""))
            tries = zip(described.get("tries", ()), self.attempts, strict=False)
            for told, extra in tries:
                told.update(extra)
            self.attempts.clear()
            self._record(described, began)
        self.world.now += turn.cost

    def _record(self, described: dict[str, Any], began: int) -> None:
        described["n"] = len(self.records) + 1
        described["t"] = (began - self.start) // MILLISECOND / 1000
        if self.scenario.get("record") != "sampling":
            described["queues"] = describe_queues(self.scheduler, self.start)
        self.records.append(described)


def _extenders(entries: Sequence[Mapping[str, Any]]) -> tuple[ExtenderConfig, ...]:
    configs = [{**entry["config"], "urlPrefix": f"http://extender/e{index}"} for index, entry in enumerate(entries)]
    return read_extenders(configs)
