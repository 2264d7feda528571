"""What an expression reads, as Go: of `pod *v1.Pod` and `node fwk.NodeInfo`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from simulator.engine.cel.program import Input
from simulator.goexport.types import quoted


@dataclass(frozen=True, slots=True)
class Read:
    """`value` is a Go expression; `present` one that tells whether there is a value ("" where there always is)."""

    value: str
    present: str = ""
    helpers: tuple[str, ...] = ()


def read_of(wanted: Input) -> Read:
    variable, name, *keys = wanted.path
    if wanted.call:
        return _call(variable, name, keys)
    if variable == "pod":
        return _pod(name, keys)
    return _node(name, keys)


def _keyed(items: str, keys: list[str], *helpers: str) -> Read:
    if not keys:
        return Read(items, "", helpers)
    key = quoted(keys[0])
    return Read(f"key({items}, {key})", f"hasKey({items}, {key})", (*helpers, "key", "hasKey"))


def _pod(name: str, keys: list[str]) -> Read:
    if name in _POD_MAPS:
        return _keyed(_POD_MAPS[name], keys)
    if name == "requests":
        return _keyed("requests(pod)", keys, "requests")
    return _POD[name]


_POD_MAPS: Final = {"labels": "pod.Labels", "annotations": "pod.Annotations", "nodeSelector": "pod.Spec.NodeSelector"}
_POD: Final = {
    "name": Read("pod.Name"),
    "namespace": Read("pod.Namespace"),
    "priority": Read("priority(pod)", "", ("priority",)),
    "priorityClassName": Read("pod.Spec.PriorityClassName"),
    "podGroup": Read("podGroup(pod)", "", ("podGroup",)),
}


def _node(name: str, keys: list[str]) -> Read:
    if name in ("labels", "annotations"):
        return _keyed(f"node.Node().{name.capitalize()}", keys)
    if name == "allocatable":
        return _keyed("allocatable(node)", keys, "allocatable")
    if name in ("requested", "free"):
        return _keyed(f"{name}(node)", keys, name, "allocatable")
    return _NODE[name]


_NODE: Final = {
    "name": Read("node.Node().Name"),
    "taints": Read("node.Node().Spec.Taints"),
    "unschedulable": Read("node.Node().Spec.Unschedulable"),
    "podCount": Read("int64(len(node.GetPods()))"),
}


def _call(variable: str, name: str, keys: list[str]) -> Read:
    if name == "label":
        labels = "pod.Labels" if variable == "pod" else "node.Node().Labels"
        return Read(f"{labels}[{quoted(keys[0])}]")
    if name == "domain":
        return Read(f"pl.domain(node, labelDomain({quoted(keys[0])}))", "", ("domain", "labelDomain", "gpus"))
    return _CALLS[name]


_CALLS: Final = {
    "gpus": Read("podGPUs(pod)", "", ("podGPUs", "gpus", "requests")),
    "gpuModel": Read("gpuModel(node.Node())", "", ("gpuModel",)),
    "gpuCount": Read("gpuCount(node)", "", ("gpus",)),
    "freeGpus": Read("freeGPUs(node)", "", ("freeGPUs", "gpus")),
    "usedGpus": Read("usedGPUs(node)", "", ("gpus",)),
    "gpuMemoryMiB": Read("gpuMemoryMiB(node.Node())", "", ("gpuMemoryMiB",)),
    "nvswitchDomain": Read("pl.domain(node, nvswitchDomain)", "", ("domain", "nvswitchDomain", "gpuModel", "gpus")),
    "podsOn": Read("podsOn(node)", "", ("podsOn", "gpus", "requests", "priority", "podGroup")),
}
