"""Facts as sentences: why a node passes or drops out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from simulator.engine.framework.facts import Fact
from simulator.engine.framework.messages import status_text
from simulator.engine.trace.explain import Check
from simulator.presenters.sentences import formats, units
from simulator.presenters.sentences.both import unknown
from simulator.presenters.sentences.say import Sentence, joined, say
from simulator.presenters.sentences.tables.facts import DIFFERS, FAILS, HOLDS, OUT, USER, USERS

Params = Mapping[str, Any]


def present_fact(fact: Fact, *, pod: str, node: str) -> Sentence:
    """One condition about one node, with the numbers."""
    opening = None if fact.holds else say(OUT, {"node": node})
    return joined(_clauses(fact, pod, node), opening=opening)


def _clauses(fact: Fact, pod: str, node: str) -> list[Sentence]:
    params = {**fact.params, "pod": pod, "node": node}
    table = HOLDS if fact.holds else FAILS
    variant = _VARIANTS.get(fact.code)
    suffix, more = ("", {}) if variant is None else variant(fact)
    both = table.get(f"{fact.code}{suffix}") or table.get(fact.code) or unknown(fact.code)
    said = [say(both, {**params, **more})]
    if fact.code == "node_resources_fit.resource" and not fact.holds and fact.params["users"] and not suffix:
        said.append(_users(fact))
    return said


def present_check(check: Check, *, pod: str, node: str) -> Sentence:
    """A plugin's verdict about a node: the facts that do not hold, else all of them; kube's text beside."""
    failed = failed_clauses(check, pod=pod, node=node)
    said = failed or [clause for fact in check.facts for clause in _clauses(fact, pod, node)]
    kube = status_text(check.status)
    if not said:
        return Sentence(kube, kube)
    return joined(said, opening=say(OUT, {"node": node}) if failed else None, kube=kube)


def failed_clauses(check: Check, *, pod: str, node: str) -> list[Sentence]:
    """Why a plugin rejects a node, to go on after something about that node."""
    return [clause for fact in check.facts if not fact.holds for clause in _clauses(fact, pod, node)]


def _users(fact: Fact) -> Sentence:
    resource = fact.params["resource"]
    users = [say(USER, {"pod": pod, "resource": resource, "amount": amount}) for pod, amount in fact.params["users"]]
    return say(USERS, {"users": users})


Variant = tuple[str, dict[str, Any]]


def _cordon(fact: Fact) -> Variant:
    return (".tolerated" if fact.params["cordoned"] and fact.holds else ""), {}


def _taint(fact: Fact) -> Variant:
    near = fact.params["near"]
    if fact.holds or not near:
        return "", {}
    differs = say(DIFFERS[near[0]["differs"]], {}).text
    return ".near", {"toleration": near[0]["toleration"], "differs": differs}


def _affinity_terms(fact: Fact) -> Variant:
    terms = fact.params["terms"]
    if fact.holds:
        return "", {"term": fact.params["matched"] + 1}
    missed = [item for term in terms for item in term["requirements"] if not item["holds"] and term["error"] is None]
    if not missed:
        return ".empty", {}
    return (".terms" if len(terms) > 1 else _missing(missed[0])), {**_wants(missed[0]), "count": len(terms)}


def _selector(fact: Fact) -> Variant:
    return _missing(fact.params), _wants(fact.params)


def _missing(item: Params) -> str:
    return ".missing" if item["have"] is None else ""


def _wants(item: Params) -> dict[str, Any]:
    have = item["have"]
    return {"wants": formats.requirement_text(item), "key": item["key"], "have": "–" if have is None else have}


def _port(fact: Fact) -> Variant:
    return ("" if fact.holds or fact.params["pods"] else ".unowned"), {}


def _resource(fact: Fact) -> Variant:
    if fact.holds or not fact.params["hopeless"]:
        return "", {}
    return (".hopeless" if fact.params["allocatable"] else ".absent"), {}


def _spread(fact: Fact) -> Variant:
    few = fact.params["domains"] < fact.params["min_domains"]
    with_pod = fact.params["count"] + fact.params["own"]
    return (".few" if few and not fact.holds else ""), {"with_pod": with_pod}


def _affinity(fact: Fact) -> Variant:
    if fact.params["domain"] is None:
        return ".keyless", {}
    return (".first" if fact.holds and fact.params["first"] and fact.params["count"] <= 0 else ""), {}


def _keyless(fact: Fact) -> Variant:
    return (".keyless" if fact.params["domain"] is None else ""), {}


def _volumes(fact: Fact) -> Variant:
    return (".unlimited" if fact.params["limit"] is None else ""), {}


def _sent(fact: Fact) -> Variant:
    return "", {"wanted_node": fact.params["wanted"]}


def _provisioned(fact: Fact) -> Variant:
    return (".full" if not fact.holds and fact.params["possible"] else ""), {}


def _numa(fact: Fact) -> Variant:
    request = amounts_text(fact.params["request"])
    names = list(fact.params["request"])
    zones = [_zone(zone["id"], zone["available"], names) for zone in fact.params["zones"]]
    return "", {"number": fact.params["index"] + 1, "request": request, "zones": zones}


def amounts_text(amounts: Mapping[str, int]) -> list[str]:
    """`cpu 4`, `nvidia.com/gpu 1` and so on."""
    return [f"{name} {units.number(name, amount)}" for name, amount in amounts.items()]


def _zone(number: int, available: Mapping[str, int], names: Iterable[str]) -> str:
    """`NUMA 0: cpu 4, nvidia.com/gpu 1`."""
    return f"NUMA {number}: {', '.join(amounts_text({name: available.get(name, 0) for name in names}))}"


def _rule(fact: Fact) -> Variant:
    return (".problem" if fact.params["problem"] else ""), {"inputs": inputs_text(fact.params["inputs"])}


_VARIANTS: Mapping[str, Callable[[Fact], Variant]] = {
    "node_unschedulable.cordon": _cordon,
    "taint_toleration.taint": _taint,
    "node_affinity.required": _affinity_terms,
    "node_affinity.enforced": _affinity_terms,
    "node_affinity.selector": _selector,
    "node_ports.port": _port,
    "node_resources_fit.resource": _resource,
    "pod_topology_spread.constraint": _spread,
    "inter_pod_affinity.affinity": _affinity,
    "inter_pod_affinity.anti_affinity": _keyless,
    "node_volume_limits.volumes": _volumes,
    "volume_binding.sent": _sent,
    "volume_binding.provisioned": _provisioned,
    "node_resource_topology_match.init_container": _numa,
    "node_resource_topology_match.container": _numa,
    "node_resource_topology_match.pod": _numa,
    "user_rule.filter": _rule,
}
"""Which variant of a fact's sentence is meant, and what it needs beside the fact's own parameters."""


def inputs_text(inputs: Iterable[Sequence[Any]]) -> list[str]:
    """What a rule read: `node.free["nvidia.com/gpu"] = 4`."""
    return [f"{name} = {value}" for name, value in inputs]
