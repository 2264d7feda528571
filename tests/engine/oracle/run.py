"""A whole scenario by the oracle: tries, scores, preemption, messages, in the words of the recorded data."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.engine.oracle.cluster import OracleCluster, OracleNode, OraclePod
from tests.engine.oracle.filters import (
    UU,
    Manifest,
    Profile,
    State,
    U,
    Verdict,
    add_to_state,
    filter_node,
    pre_filter,
)
from tests.engine.oracle.objects import is_empty, selects
from tests.engine.oracle.profiles import profiles_of
from tests.engine.oracle.scores import score_all

NOT_HELPFUL = "Preemption is not helpful for scheduling"
NO_VICTIMS = "No preemption victims found for incoming pod"
START = "2030-01-01T00:{:02d}:{:02d}Z"


def visiting_order(nodes: list[OracleNode]) -> list[OracleNode]:
    """Round robin over zones, in order of their first node."""
    zones: dict[tuple[str, str], list[OracleNode]] = {}
    for node in nodes:
        region = node.labels.get("topology.kubernetes.io/region", "")
        zones.setdefault((region, node.labels.get("topology.kubernetes.io/zone", "")), []).append(node)
    longest = max(len(zone) for zone in zones.values())
    return [zone[turn] for turn in range(longest) for zone in zones.values() if turn < len(zone)]


def histogram(total: int, reasons: Counter[str]) -> str:
    entries = sorted((f"{count} {text}" for text, count in reasons.items()), key=str.encode)
    listed = f" {', '.join(entries)}." if entries else ""
    return f"0/{total} nodes are available:{listed}"


class OracleRun:
    """`admitted` are manifests after defaulting."""

    def __init__(self, scenario: Manifest, admitted: list[Manifest]) -> None:
        self.scenario = scenario
        self.profiles = profiles_of(scenario.get("config"))
        nodes = [OracleNode(m) for m in admitted if m["kind"] == "Node"]
        self.cluster = OracleCluster(nodes, [m for m in admitted if m["kind"] not in ("Node", "Pod")])
        self.pending: dict[str, OraclePod] = {}
        self.bound: dict[str, str] = {}
        self.start = 0
        for manifest in admitted:
            if manifest["kind"] == "Pod" and (manifest.get("status") or {}).get("phase") not in ("Succeeded", "Failed"):
                self._load(OraclePod(manifest))

    def _load(self, pod: OraclePod) -> None:
        if pod.node:
            home = self.cluster.node(pod.node)
            if home is not None:
                home.add(pod)
            return
        self.pending[pod.key] = pod
        if pod.nominated and pod.scheduler in self.profiles and not pod.gates:
            self.cluster.nominated[pod.key] = pod

    def run(self) -> list[dict[str, Any]]:
        results: list[dict[str, Any]] = []
        keys = self.scenario.get("schedule")
        if not keys:
            active = [p for p in self.pending.values() if p.scheduler in self.profiles and not p.gates]
            active.sort(key=lambda p: -p.priority)
            keys = [p.key for p in active] + [k for k, p in self.pending.items() if p not in active]
        for key in keys:
            pod = self.pending.get(key)
            if pod is None or pod.scheduler not in self.profiles or pod.gates or pod.terminating:
                continue
            for attempt in range(1, 5):
                result = self._try(self.profiles[pod.scheduler], pod) | {"pod": key, "attempt": attempt}
                results.append(result)
                if result["outcome"] != "nominated":
                    break
        return results

    def _try(self, profile: Profile, pod: OraclePod) -> dict[str, Any]:
        cluster = self.cluster
        if not cluster.nodes:
            self._renominate(pod, "")
            return {"outcome": "unschedulable", "message": "no nodes available to schedule pods"}
        state, names, rejection = pre_filter(cluster, profile, pod)
        if rejection:
            return self._rejected(profile, pod, rejection)
        known = {node.name for node in cluster.nodes}
        failed: dict[str, tuple[str, str, list[str]]] = {}
        feasible: list[OracleNode] = []
        if pod.nominated in known:
            home = cluster.node(pod.nominated)
            assert home is not None
            plugin, verdict = filter_node(cluster, profile, state, pod, home)
            if verdict is None:
                return self._bind(pod, home, {"feasible": [home.name]})
            failed[home.name] = (plugin, *verdict)
        candidates = [node for node in visiting_order(cluster.nodes) if names is None or node.name in names]
        wanted = len(candidates) if profile.points["score"] else 1
        shift = self.start % len(candidates) if candidates else 0
        for node in candidates[shift:] + candidates[:shift]:
            plugin, verdict = filter_node(cluster, profile, state, pod, node)
            if verdict is not None:
                failed[node.name] = (plugin, *verdict)
            elif len(feasible) == wanted:
                break
            else:
                feasible.append(node)
        self.start = (self.start + len(feasible) + len(failed)) % len(cluster.nodes)
        feasible.sort(key=cluster.nodes.index)
        result: dict[str, Any] = {
            "filter": {n: {"plugin": p, "code": c, "reasons": r} for n, (p, c, r) in failed.items()},
            "feasible": [node.name for node in feasible],
        }
        if not feasible:
            absent = "node(s) didn't satisfy plugin(s) [NodeAffinity]" if names is not None else ""
            return result | self._fail(profile, state, pod, failed, absent)
        if len(feasible) == 1:
            return self._bind(pod, feasible[0], result)
        scores = score_all(cluster, profile, pod, feasible) if profile.points["score"] else {}
        totals = [
            sum(normal[i] * profile.weights[plugin] for plugin, (_, normal) in scores.items())
            if profile.points["score"] else 1
            for i in range(len(feasible))
        ]  # fmt: skip
        result["raw"] = {n.name: [raw[i] for raw, _ in scores.values()] for i, n in enumerate(feasible)}
        result["total"] = {n.name: totals[i] for i, n in enumerate(feasible)}
        return self._bind(pod, feasible[totals.index(max(totals))], result)

    def _bind(self, pod: OraclePod, node: OracleNode, result: dict[str, Any]) -> dict[str, Any]:
        self.cluster.nominated.pop(pod.key, None)
        del self.pending[pod.key]
        start = START.format(*divmod(len(self.bound), 60))
        node.add(OraclePod(pod.manifest, start))
        self.bound[pod.key] = node.name
        return result | {"outcome": "scheduled", "selected": node.name}

    def _rejected(self, profile: Profile, pod: OraclePod, text: str) -> dict[str, Any]:
        """PreFilter ended the try before DynamicResources: its PostFilter finds no state."""
        total = len(self.cluster.nodes)
        message = f"0/{total} nodes are available: {text}."
        after = profile.points["postFilter"]
        if after and after[0] == "DynamicResources":
            return {"outcome": "unschedulable", "message": f"{message} not found"}
        if after:
            self._renominate(pod, "")
            message += f" preemption: 0/{total} nodes are available: {total} {NOT_HELPFUL}."
        return {"outcome": "unschedulable", "message": message}

    def _fail(
        self, profile: Profile, state: State, pod: OraclePod, failed: dict[str, tuple[str, str, list[str]]], absent: str
    ) -> dict[str, Any]:
        total = len(self.cluster.nodes)
        reasons = Counter(text for _, _, texts in failed.values() for text in texts)
        if absent and total > len(failed):
            reasons[absent] += total - len(failed)
        message = histogram(total, reasons)
        parts = []
        for plugin in profile.points["postFilter"]:
            if plugin == "DynamicResources":
                parts.append("no new claims to deallocate")
            elif plugin == "DefaultPreemption":
                found = self._preempt(profile, state, pod, {n: c for n, (_, c, _) in failed.items()})
                if "chosen" in found:
                    return {"outcome": "nominated", "message": message, **found}
                parts.append(f"preemption: {found['text']}")
        if parts:
            message += f" {', '.join(parts)}"
        return {"outcome": "unschedulable", "message": message}

    def _renominate(self, pod: OraclePod, node: str) -> None:
        pod.nominated = node
        self.cluster.nominated.pop(pod.key, None)
        if node:
            self.cluster.nominated[pod.key] = pod

    # preemption, section 5

    def _preempt(self, profile: Profile, state: State, pod: OraclePod, codes: dict[str, str]) -> dict[str, Any]:
        if pod.manifest["spec"].get("preemptionPolicy") == "Never":
            return {"text": "not eligible due to preemptionPolicy=Never."}
        home = self.cluster.node(pod.nominated) if pod.nominated else None
        if home is not None and codes.get(home.name, UU) != UU and any(self._leaves_for(pod, p) for p in home.pods):
            return {"text": "not eligible due to a terminating pod on the nominated node."}
        candidates: list[tuple[OracleNode, list[OraclePod], int]] = []
        statuses: dict[str, list[str]] = {}
        for node in self.cluster.nodes:
            if codes.get(node.name) != U:
                continue
            victims, violations, reasons = self._victims(profile, state, pod, node)
            if reasons:
                statuses[node.name] = reasons
            else:
                candidates.append((node, victims, violations))
        if not candidates:
            self._renominate(pod, "")
            reasons_count = Counter(text for texts in statuses.values() for text in texts)
            if len(self.cluster.nodes) > len(statuses):
                reasons_count[NOT_HELPFUL] += len(self.cluster.nodes) - len(statuses)
            return {"text": histogram(len(self.cluster.nodes), reasons_count)}
        node, victims, _ = choose(candidates)
        for victim in victims:
            node.remove(victim)
            self.bound.pop(victim.key, None)
        for other in list(self.cluster.nominated.values()):
            if other.nominated == node.name and other.priority < pod.priority and other.key != pod.key:
                self._renominate(other, "")
        self._renominate(pod, node.name)
        told = [{"node": n.name, "victims": [v.key for v in vs], "pdbViolations": k} for n, vs, k in candidates]
        return {"chosen": node.name, "victims": [v.key for v in victims], "candidates": told}

    @staticmethod
    def _leaves_for(pod: OraclePod, other: OraclePod) -> bool:
        conditions = (other.manifest.get("status") or {}).get("conditions") or ()
        first = next((c for c in conditions if c["type"] == "DisruptionTarget"), None)
        return (
            other.priority < pod.priority
            and other.terminating
            and first is not None
            and first["status"] == "True"
            and first.get("reason") == "PreemptionByScheduler"
        )

    def _victims(
        self, profile: Profile, state: State, pod: OraclePod, node: OracleNode
    ) -> tuple[list[OraclePod], int, list[str]]:
        """(victims, PDB violations, why there are none)."""
        trial, trial_state = node.copy(), state.copy()
        lower = [p for p in node.pods if p.priority < pod.priority]
        if not lower:
            return [], 0, [NO_VICTIMS]
        for other in lower:
            self._move(trial, trial_state, pod, other, -1)
        verdict = self._filter(profile, trial_state, pod, trial)
        if verdict is not None:
            return [], 0, verdict[1]
        lower.sort(key=lambda p: (-p.priority, p.start))
        violating, others = self._split(lower)
        victims, violations = [], 0
        for other in [*violating, *others]:
            self._move(trial, trial_state, pod, other, 1)
            if self._filter(profile, trial_state, pod, trial) is not None:
                self._move(trial, trial_state, pod, other, -1)
                victims.append(other)
                violations += other in violating
        if violating and others:
            victims.sort(key=lambda p: (-p.priority, p.start))
        return victims, violations, []

    def _filter(self, profile: Profile, state: State, pod: OraclePod, node: OracleNode) -> Verdict:
        return filter_node(self.cluster, profile, state, pod, node)[1]

    def _move(self, node: OracleNode, state: State, pod: OraclePod, other: OraclePod, by: int) -> None:
        (node.add if by > 0 else node.remove)(other)
        add_to_state(state, self.cluster, pod, node, other, by)

    def _split(self, pods: list[OraclePod]) -> tuple[list[OraclePod], list[OraclePod]]:
        budgets = [
            [b, ((b.get("status") or {}).get("disruptionsAllowed") or 0)]
            for b in self.cluster.of_kind("PodDisruptionBudget")
        ]
        violating, others = [], []
        for pod in pods:
            breaks = False
            for entry in budgets:
                budget = entry[0]
                selector = (budget.get("spec") or {}).get("selector")
                if (
                    (budget["metadata"].get("namespace") or "default") != pod.namespace
                    or not pod.labels
                    or selector is None
                    or is_empty(selector)
                    or not selects(selector, pod.labels)
                    or pod.name in ((budget.get("status") or {}).get("disruptedPods") or {})
                ):
                    continue
                entry[1] -= 1
                breaks = breaks or entry[1] < 0
            (violating if breaks else others).append(pod)
        return violating, others


def choose(candidates: list[tuple[OracleNode, list[OraclePod], int]]) -> tuple[OracleNode, list[OraclePod], int]:
    def earliest(victims: list[OraclePod]) -> str:
        top = max(v.priority for v in victims)
        return min(v.start for v in victims if v.priority == top)

    left = candidates
    for value in (
        lambda c: c[2],
        lambda c: c[1][0].priority,
        lambda c: sum(v.priority + 2**31 for v in c[1]),
        lambda c: len(c[1]),
    ):
        best = min(value(c) for c in left)
        left = [c for c in left if value(c) == best]
    latest = max(earliest(c[1]) for c in left)
    return next(c for c in left if earliest(c[1]) == latest)
