"""Filter, plugin by plugin, for one Pod and one node (specification, section 4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.engine.oracle.cluster import NATIVE, OracleCluster, OracleNode, OraclePod
from tests.engine.oracle.objects import (
    first_untolerated,
    is_empty,
    is_extended,
    is_scalar,
    node_affinity,
    node_allowed,
    selects,
    term_matches,
    tolerated,
)

U, UU = "Unschedulable", "UnschedulableAndUnresolvable"
Verdict = tuple[str, list[str]] | None
Manifest = Mapping[str, Any]
SKIP = "Skip"
HARD, SOFT = "DoNotSchedule", "ScheduleAnyway"


@dataclass
class Profile:
    """Plugin lists by point, weights, arguments."""

    points: dict[str, list[str]]
    weights: dict[str, int]
    args: dict[str, Manifest]

    def arg(self, plugin: str, name: str, default: Any = None) -> Any:
        value = (self.args.get(plugin) or {}).get(name)
        return default if value is None else value


@dataclass
class State:
    """What PreFilter computed; copied for every trial."""

    skipped: set[str] = field(default_factory=set)
    spread: list[tuple[Manifest, dict[str, int]]] = field(default_factory=list)
    existing_anti: dict[tuple[str, str], int] = field(default_factory=dict)
    affinity: dict[tuple[str, str], int] = field(default_factory=dict)
    anti: dict[tuple[str, str], int] = field(default_factory=dict)

    def copy(self) -> State:
        return State(
            set(self.skipped),
            [(c, dict(counts)) for c, counts in self.spread],
            dict(self.existing_anti),
            dict(self.affinity),
            dict(self.anti),
        )


# topology spread


def constraints(cluster: OracleCluster, profile: Profile, pod: OraclePod, action: str) -> list[Manifest]:
    own = pod.manifest["spec"].get("topologySpreadConstraints") or ()
    if own:
        return [with_keys(c, pod) for c in own if c["whenUnsatisfiable"] == action]
    if profile.arg("PodTopologySpread", "defaultingType", "System") == "System":
        defaults = [
            {"maxSkew": 3, "topologyKey": "kubernetes.io/hostname", "whenUnsatisfiable": SOFT},
            {"maxSkew": 5, "topologyKey": "topology.kubernetes.io/zone", "whenUnsatisfiable": SOFT},
        ]
    else:
        defaults = list(profile.arg("PodTopologySpread", "defaultConstraints", []))
    defaults = [c for c in defaults if c["whenUnsatisfiable"] == action]
    selector = default_selector(cluster, pod)
    if not defaults or is_empty(selector):
        return []
    return [{**c, "labelSelector": selector} for c in defaults]


def with_keys(constraint: Manifest, pod: OraclePod) -> Manifest:
    keys = [key for key in constraint.get("matchLabelKeys") or () if key in pod.labels]
    selector = constraint.get("labelSelector")
    if not keys or selector is None:
        return constraint
    extra = [{"key": key, "operator": "In", "values": [pod.labels[key]]} for key in keys]
    return {
        **constraint,
        "labelSelector": {**selector, "matchExpressions": [*(selector.get("matchExpressions") or ()), *extra]},
    }


def default_selector(cluster: OracleCluster, pod: OraclePod) -> Manifest:
    labels: dict[str, str] = {}
    for service in cluster.of_kind("Service", pod.namespace):
        wanted = (service.get("spec") or {}).get("selector")
        if wanted is not None and all(pod.labels.get(k) == v for k, v in wanted.items()):
            labels |= wanted
    selector: dict[str, Any] = {"matchLabels": labels}
    owners = [o for o in pod.manifest["metadata"].get("ownerReferences") or () if o.get("controller")]
    for owner in owners[:1]:
        found = [o for o in cluster.of_kind(owner["kind"], pod.namespace) if o["metadata"]["name"] == owner["name"]]
        wanted = (found[0].get("spec") or {}).get("selector") if found else None
        if not wanted:
            continue
        if owner["kind"] == "ReplicationController":
            selector = {"matchLabels": {**labels, **wanted}}
        elif owner["kind"] in ("ReplicaSet", "StatefulSet"):
            both = [{"key": k, "operator": "In", "values": [v]} for k, v in (wanted.get("matchLabels") or {}).items()]
            selector = {**selector, "matchExpressions": [*both, *(wanted.get("matchExpressions") or ())]}
    return selector


def eligible(constraint: Manifest, pod: OraclePod, node: OracleNode) -> bool:
    if constraint.get("nodeAffinityPolicy") != "Ignore" and not node_allowed(pod.manifest, node.manifest):
        return False
    honor = constraint.get("nodeTaintsPolicy") == "Honor"
    return not honor or first_untolerated(node.manifest, pod.manifest) is None


def count_on(node: OracleNode, namespace: str, selector: Manifest | None) -> int:
    if selector is None or is_empty(selector):
        return 0
    return sum(p.namespace == namespace and not p.terminating and selects(selector, p.labels) for p in node.pods)


def has_all_keys(node: OracleNode, some: list[Manifest]) -> bool:
    return all(c["topologyKey"] in node.labels for c in some)


def spread_state(cluster: OracleCluster, profile: Profile, pod: OraclePod) -> list[tuple[Manifest, dict[str, int]]]:
    hard = constraints(cluster, profile, pod, HARD)
    found: list[tuple[Manifest, dict[str, int]]] = []
    for constraint in hard:
        counts: dict[str, int] = {}
        for node in cluster.nodes:
            if has_all_keys(node, hard) and eligible(constraint, pod, node):
                value = node.labels[constraint["topologyKey"]]
                counts[value] = counts.get(value, 0) + count_on(node, pod.namespace, constraint.get("labelSelector"))
        found.append((constraint, counts))
    return found


def filter_spread(state: State, pod: OraclePod, node: OracleNode) -> Verdict:
    for constraint, counts in state.spread:
        key = constraint["topologyKey"]
        if key not in node.labels:
            return UU, ["node(s) didn't match pod topology spread constraints (missing required label)"]
        smallest = min(counts.values(), default=2**31 - 1)
        if len(counts) < (constraint.get("minDomains") or 1):
            smallest = 0
        own = int(selects(constraint.get("labelSelector"), pod.labels))
        if counts.get(node.labels[key], 0) + own - smallest > constraint["maxSkew"]:
            return U, ["node(s) didn't match pod topology spread constraints"]
    return None


# inter-pod affinity


def covers(term: Manifest, owner: OraclePod, namespace: str, labels: Mapping[str, str]) -> bool:
    names, selector = term.get("namespaces") or (), term.get("namespaceSelector")
    if not names and selector is None:
        return namespace == owner.namespace
    return namespace in names or selects(selector, labels)


def means(term: Manifest, owner: OraclePod, other: OraclePod, cluster: OracleCluster, *, incoming: bool) -> bool:
    """Whether a term of `owner` means `other`. The incoming Pod's selector is resolved and also seen without labels."""
    labels = cluster.namespace_labels(other.namespace)
    inside = covers(term, owner, other.namespace, labels)
    if incoming:
        inside = inside or covers(term, owner, other.namespace, {})
    return inside and selects(term.get("labelSelector"), other.labels)


def bump(counts: dict[tuple[str, str], int], pair: tuple[str, str], by: int) -> None:
    counts[pair] = counts.get(pair, 0) + by
    if counts[pair] == 0:
        del counts[pair]


def count_affinity(
    state: State, cluster: OracleCluster, pod: OraclePod, node: OracleNode, other: OraclePod, by: int
) -> None:
    """Add (or take away) what one Pod on one node means for the incoming Pod's three maps."""
    for term in other.affinity_terms("podAntiAffinity", "required"):
        if term["topologyKey"] in node.labels and means(term, other, pod, cluster, incoming=False):
            bump(state.existing_anti, (term["topologyKey"], node.labels[term["topologyKey"]]), by)
    near = pod.affinity_terms("podAffinity", "required")
    if near and all(means(term, pod, other, cluster, incoming=True) for term in near):
        for term in near:
            if term["topologyKey"] in node.labels:
                bump(state.affinity, (term["topologyKey"], node.labels[term["topologyKey"]]), by)
    for term in pod.affinity_terms("podAntiAffinity", "required"):
        if term["topologyKey"] in node.labels and means(term, pod, other, cluster, incoming=True):
            bump(state.anti, (term["topologyKey"], node.labels[term["topologyKey"]]), by)


def filter_affinity(state: State, cluster: OracleCluster, pod: OraclePod, node: OracleNode) -> Verdict:
    near = pod.affinity_terms("podAffinity", "required")
    if near:
        failed = UU, ["node(s) didn't match pod affinity rules"]
        if any(term["topologyKey"] not in node.labels for term in near):
            return failed
        pairs = [(term["topologyKey"], node.labels[term["topologyKey"]]) for term in near]
        if not all(state.affinity.get(pair, 0) > 0 for pair in pairs):
            alone = all(means(term, pod, pod, cluster, incoming=True) for term in near)
            if state.affinity or not alone:
                return failed
    for term in pod.affinity_terms("podAntiAffinity", "required"):
        key = term["topologyKey"]
        if key in node.labels and state.anti.get((key, node.labels[key]), 0) > 0:
            return U, ["node(s) didn't match pod anti-affinity rules"]
    if any(state.existing_anti.get(pair, 0) > 0 for pair in node.labels.items()):
        return U, ["node(s) didn't satisfy existing pods anti-affinity rules"]
    return None


# the others


def filter_fit(profile: Profile, pod: OraclePod, node: OracleNode) -> Verdict:
    reasons, hopeless = [], False
    if len(node.pods) + 1 > node.allocatable.get("pods", 0):
        reasons.append("Too many pods")
    names = sorted(n for n in pod.incoming if is_scalar(n) and n not in NATIVE)
    ignored = profile.arg("NodeResourcesFit", "ignoredResources", [])
    groups = profile.arg("NodeResourcesFit", "ignoredResourceGroups", [])
    for name in (*NATIVE, *names):
        wanted, there = pod.incoming.get(name, 0), node.allocatable.get(name, 0)
        if wanted == 0 or (is_extended(name) and (name in ignored or name.split("/")[0] in groups)):
            continue
        if wanted > there - node.used(name):
            reasons.append(f"Insufficient {name}")
            hopeless = hopeless or wanted > there
    return ((UU if hopeless else U), reasons) if reasons else None


def filter_ports(pod: OraclePod, node: OracleNode) -> Verdict:
    for address, protocol, port in pod.ports:
        for other, other_protocol, other_port in node.ports:
            same = (protocol, port) == (other_protocol, other_port)
            if same and (address == other or "0.0.0.0" in (address, other)):
                return U, ["node(s) didn't have free ports for the requested pod ports"]
    return None


def filter_node_affinity(profile: Profile, pod: OraclePod, node: OracleNode) -> Verdict:
    added = (profile.arg("NodeAffinity", "addedAffinity") or {}).get("requiredDuringSchedulingIgnoredDuringExecution")
    if added is not None and not any(term_matches(t, node.manifest) for t in added.get("nodeSelectorTerms") or ()):
        return UU, ["node(s) didn't match scheduler-enforced node affinity"]
    if not node_allowed(pod.manifest, node.manifest):
        return UU, ["node(s) didn't match Pod's node affinity/selector"]
    return None


def filter_one(  # noqa: PLR0911 - one answer for every plugin
    plugin: str, cluster: OracleCluster, profile: Profile, state: State, pod: OraclePod, node: OracleNode
) -> Verdict:
    spec = node.manifest.get("spec") or {}
    match plugin:
        case "NodeUnschedulable":
            cordon = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}
            if spec.get("unschedulable") and not tolerated(cordon, pod.manifest["spec"].get("tolerations") or ()):
                return UU, ["node(s) were unschedulable"]
        case "TaintToleration":
            if first_untolerated(node.manifest, pod.manifest):
                return UU, ["node(s) had untolerated taint(s)"]
        case "NodeAffinity":
            return filter_node_affinity(profile, pod, node)
        case "NodePorts":
            return filter_ports(pod, node)
        case "NodeResourcesFit":
            return filter_fit(profile, pod, node)
        case "PodTopologySpread":
            return filter_spread(state, pod, node)
        case "InterPodAffinity":
            return filter_affinity(state, cluster, pod, node)
        case "NodeDeclaredFeatures":
            declared = set((node.manifest.get("status") or {}).get("declaredFeatures") or ())
            if not features(pod) <= declared:
                return UU, ["node(s) didn't match Pod's required features"]
    return None


def features(pod: OraclePod) -> set[str]:
    spec = pod.manifest["spec"]
    needed = set()
    for container in [*(spec.get("containers") or ()), *(spec.get("initContainers") or ())]:
        if any(rule["action"] == "RestartAllContainers" for rule in container.get("restartPolicyRules") or ()):
            needed.add("RestartAllContainersOnContainerExits")
    if spec.get("hostNetwork") and spec.get("hostUsers") is False:
        needed.add("UserNamespacesHostNetworkSupport")
    return needed


def pre_filter(cluster: OracleCluster, profile: Profile, pod: OraclePod) -> tuple[State, set[str] | None, str]:
    """(state, node names left, rejection)."""
    state, names = State(), None
    required = node_affinity(pod.manifest).get("requiredDuringSchedulingIgnoredDuringExecution")
    added = (profile.arg("NodeAffinity", "addedAffinity") or {}).get("requiredDuringSchedulingIgnoredDuringExecution")
    for plugin in profile.points["preFilter"]:
        skip = False
        if plugin == "NodeAffinity":
            skip = not pod.manifest["spec"].get("nodeSelector") and required is None and added is None
            names = named_nodes(required)
            if names is not None and not names:
                return state, names, "pod affinity terms conflict"
        elif plugin == "NodePorts":
            skip = not pod.ports
        elif plugin == "PodTopologySpread":
            state.spread = spread_state(cluster, profile, pod)
            skip = not state.spread
        elif plugin == "InterPodAffinity":
            for node in cluster.nodes:
                for other in node.pods:
                    count_affinity(state, cluster, pod, node, other, 1)
            own = pod.affinity_terms("podAffinity", "required") + pod.affinity_terms("podAntiAffinity", "required")
            skip = not state.existing_anti and not own
        elif plugin == "NodeDeclaredFeatures":
            skip = not features(pod)
        elif plugin != "NodeResourcesFit":
            skip = True
        if skip:
            state.skipped.add(plugin)
    return state, names, ""


def named_nodes(required: Manifest | None) -> set[str] | None:
    """The node names that every required term names, None where some term names none."""
    terms = (required or {}).get("nodeSelectorTerms") or ()
    union: set[str] | None = None
    for term in terms:
        lists = [
            set(f.get("values") or ())
            for f in term.get("matchFields") or ()
            if f["key"] == "metadata.name" and f["operator"] == "In"
        ]
        if not lists:
            return None
        union = (union or set()) | set.intersection(*lists)
    return union


def add_to_state(
    state: State, cluster: OracleCluster, pod: OraclePod, node: OracleNode, other: OraclePod, by: int
) -> None:
    """AddPod and RemovePod of the PreFilter extensions that were not skipped."""
    if "PodTopologySpread" not in state.skipped and other.namespace == pod.namespace:
        hard = [constraint for constraint, _ in state.spread]
        for constraint, counts in state.spread:
            fits = has_all_keys(node, hard) and eligible(constraint, pod, node)
            if fits and selects(constraint.get("labelSelector"), other.labels):
                value = node.labels[constraint["topologyKey"]]
                counts[value] = counts.get(value, 0) + by
    if "InterPodAffinity" not in state.skipped:
        count_affinity(state, cluster, pod, node, other, by)


def run_filters(
    cluster: OracleCluster, profile: Profile, state: State, pod: OraclePod, node: OracleNode
) -> tuple[str, Verdict]:
    """(plugin, verdict) of the first plugin that rejects the node."""
    for plugin in profile.points["filter"]:
        if plugin in state.skipped:
            continue
        verdict = filter_one(plugin, cluster, profile, state, pod, node)
        if verdict is not None:
            return plugin, verdict
    return "", None


def filter_node(
    cluster: OracleCluster, profile: Profile, state: State, pod: OraclePod, node: OracleNode
) -> tuple[str, Verdict]:
    """Both passes: with the Pods nominated to the node that are not less important, then without them."""
    others = [
        other
        for other in cluster.nominated.values()
        if other.nominated == node.name and other.priority >= pod.priority and other.key != pod.key
    ]
    if others:
        trial, trial_state = node.copy(), state.copy()
        for other in others:
            trial.add(other)
            add_to_state(trial_state, cluster, pod, trial, other, 1)
        plugin, verdict = run_filters(cluster, profile, trial_state, pod, trial)
        if verdict is not None:
            return plugin, verdict
    return run_filters(cluster, profile, state, pod, node)
