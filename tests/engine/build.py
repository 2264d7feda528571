"""Short ways to write Pods, nodes and a running simulation."""

from __future__ import annotations

from typing import Any

from simulator.engine.actors.kube_scheduler.cycle import Cycle
from simulator.engine.objects.node import Node
from simulator.engine.objects.pod import Pod, ShapeInterner
from simulator.engine.world.setup import Setup
from simulator.engine.world.simulation import Simulation

Manifest = dict[str, Any]
INTERNER = ShapeInterner()


def node_manifest(
    name: str = "n1",
    *,
    labels: dict[str, str] | None = None,
    taints: str = "",
    cordoned: bool = False,
    **allocatable: str,
) -> Manifest:
    """`taints`: "key=value:Effect key:Effect". Resource names in `allocatable` have `_` for `/` and `__` for `.`."""
    resources = {"cpu": "4", "memory": "8Gi", "pods": "110"}
    resources |= {key.replace("__", ".").replace("_", "/"): value for key, value in allocatable.items()}
    spec: Manifest = {"taints": [_taint(text) for text in taints.split()]} if taints else {}
    if cordoned:
        spec["unschedulable"] = True
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name, **(labels or {})}},
        "spec": spec,
        "status": {"allocatable": resources},
    }


def _taint(text: str) -> Manifest:
    rest, _, effect = text.rpartition(":")
    key, _, value = rest.partition("=")
    return {"key": key, "effect": effect} | ({"value": value} if value else {})


def pod_manifest(
    name: str = "p",
    *,
    namespace: str = "default",
    labels: dict[str, str] | None = None,
    on: str = "",
    nominated: str = "",
    requests: dict[str, str] | None = None,
    ports: tuple[int, ...] = (),
    **spec: Any,
) -> Manifest:
    container: Manifest = {"name": "c", "image": "i"}
    if requests:
        extended = {name: amount for name, amount in requests.items() if "/" in name}
        container["resources"] = {"requests": requests} | ({"limits": extended} if extended else {})
    if ports:
        container["ports"] = [{"containerPort": port, "hostPort": port, "protocol": "TCP"} for port in ports]
    status: Manifest = {"phase": "Running", "startTime": "2026-01-01T00:00:00Z"} if on else {}
    if nominated:
        status["nominatedNodeName"] = nominated
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": namespace, "uid": f"uid-{namespace}-{name}", "labels": labels or {}},
        "spec": {"containers": [container], **spec, **({"nodeName": on} if on else {})},
        "status": status,
    }


def a_node(*args: Any, **kwargs: Any) -> Node:
    return Node(node_manifest(*args, **kwargs))


def a_pod(*args: Any, **kwargs: Any) -> Pod:
    return INTERNER.pod(pod_manifest(*args, **kwargs))


def required_node_affinity(**labels: str) -> Manifest:
    expressions = [{"key": key, "operator": "In", "values": [value]} for key, value in labels.items()]
    terms = {"nodeSelectorTerms": [{"matchExpressions": expressions}]}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}


def pod_term(
    key: str = "kubernetes.io/hostname", namespace_selector: Manifest | None = None, **labels: str
) -> Manifest:
    term: Manifest = {"topologyKey": key, "labelSelector": {"matchLabels": labels}}
    return term if namespace_selector is None else {**term, "namespaceSelector": namespace_selector}


def near(*terms: Manifest) -> Manifest:
    return {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": list(terms)}}


def apart(*terms: Manifest) -> Manifest:
    return {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": list(terms)}}


def spread(key: str, skew: int = 1, when: str = "DoNotSchedule", **rest: Any) -> Manifest:
    selector = rest.pop("selector", {"matchLabels": {"app": "web"}})
    return {"maxSkew": skew, "topologyKey": key, "whenUnsatisfiable": when, "labelSelector": selector, **rest}


def simulation(*objects: Manifest, gates: dict[str, bool] | None = None, config: Manifest | None = None) -> Simulation:
    made = Simulation(Setup(config, gates or {}))
    made.apply({"type": "apply", "objects": list(objects)})
    return made


def cycles(made: Simulation) -> list[Cycle]:
    """The scheduler's turns so far."""
    return [action.record for action in made.actions if isinstance(action.record, Cycle)]


def settle(made: Simulation, turns: int = 200) -> Simulation:
    """Run until idle."""
    for _ in range(turns):
        if made.is_idle or made.step() is None:
            break
    return made
