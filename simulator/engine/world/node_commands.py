"""Commands of `kubectl label`, `annotate`, `taint`, `cordon`, `drain` and `scale`, and patches of any object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from simulator.engine.objects.patch import json_merge_patch
from simulator.engine.objects.pdb import PodDisruptionBudget
from simulator.engine.objects.pod import Pod
from simulator.engine.objects.values import copied
from simulator.engine.world.commands import (
    DELETED,
    EVICTED,
    KEPT,
    UNCHANGED,
    Command,
    Effect,
    Outcome,
    find,
    items_of,
    mapping_of,
    references_of,
    refused,
    replace_object,
    text_of,
)
from simulator.engine.world.world import World, manifest_of

Mutable = dict[str, Any]
SCALED_BY = {
    "Deployment": "replicas",
    "ReplicaSet": "replicas",
    "ReplicationController": "replicas",
    "StatefulSet": "replicas",
    "Job": "parallelism",
}
"""The field that `scale` sets, by kind."""
_LONGEST_GRACE = 86_400 * 30
_MOST_NAMES = 5


def _target(world: World, command: Command) -> tuple[str, Mutable]:
    """(kind, a copy of the manifest) of the object a command is about."""
    kind = text_of(command, "kind", default="Node")
    item = find(world, kind, text_of(command, "namespace", default="default"), text_of(command, "name"))
    return kind, copied(dict(manifest_of(item)))


def _store(world: World, kind: str, before: Mapping[str, Any], changed: Mutable) -> Effect:
    if changed == before:
        metadata = changed["metadata"]
        return Effect([Outcome(kind, metadata.get("namespace") or "", metadata["name"], UNCHANGED)])
    return replace_object(world, changed)


def label(world: World, command: Command) -> Effect:
    """`{type: label, kind, namespace, name, labels: {key: value or null}}`; null takes the label away."""
    return _set_strings(world, command, "labels")


def annotate(world: World, command: Command) -> Effect:
    """`{type: annotate, kind, namespace, name, annotations: {key: value or null}}`."""
    return _set_strings(world, command, "annotations")


def _set_strings(world: World, command: Command, which: str) -> Effect:
    kind, manifest = _target(world, command)
    before = copied(manifest)
    values = manifest["metadata"].get(which) or {}
    for key, value in mapping_of(command, which).items():
        if value is None:
            values.pop(key, None)
        else:
            values[key] = value
    manifest["metadata"][which] = values
    if not values:
        del manifest["metadata"][which]
    return _store(world, kind, before, manifest)


def taint(world: World, command: Command) -> Effect:
    """`{type: taint, name, add: [{key, value, effect}], remove: [{key, effect?}]}`; a taint with the same key and
    effect is replaced."""
    kind, manifest = _target(world, command)
    before = copied(manifest)
    spec = manifest.setdefault("spec", {})
    taints = [dict(item) for item in spec.get("taints") or ()]
    for item in items_of(command, "remove"):
        effect = item.get("effect")
        taints = [t for t in taints if t.get("key") != item.get("key") or (effect and t.get("effect") != effect)]
    for item in items_of(command, "add"):
        same = (item.get("key"), item.get("effect"))
        taints = [t for t in taints if (t.get("key"), t.get("effect")) != same]
        taints.append(dict(item))
    spec["taints"] = taints
    if not taints:
        del spec["taints"]
    return _store(world, kind, before, manifest)


def cordon(world: World, command: Command) -> Effect:
    """`{type: cordon, name, on: true or false}`."""
    kind, manifest = _target(world, command)
    before = copied(manifest)
    spec = manifest.setdefault("spec", {})
    if command.get("on", True):
        spec["unschedulable"] = True
    else:
        spec.pop("unschedulable", None)
    return _store(world, kind, before, manifest)


def drain(world: World, command: Command) -> Effect:
    """`{type: drain, name, [force], [disableEviction], [gracePeriod], [podSelector]}`: cordon, then evict every Pod
    that its PodDisruptionBudgets allow to go.

    The options are kubectl's, DaemonSets are always left alone: `force: false` refuses where Pods without a controller
    would be lost (kubectl's default; here the default is true), `disableEviction` deletes and asks no budget,
    `gracePeriod` in seconds counts instead of each Pod's own (-1), `podSelector` are labels that Pods must have.
    """
    name = text_of(command, "name")
    options = _drain_options(command)
    pods = [pod for pod in world.list("Pod") if pod.node_name == name and options.takes(pod)]
    alone = [pod.key for pod in pods if pod.shape.controller is None]
    if alone and not options.force:
        text = "cannot delete Pods that declare no controller (use --force to override): " + ", ".join(alone)
        raise refused("command.unmanaged_pods", text, "force", node=name, count=len(alone), pods=alone[:_MOST_NAMES])
    effect = cordon(world, {"name": name, "on": True})
    put = list((effect.inverse or {"put": []})["put"])
    budgets = [PodDisruptionBudget.parse(manifest) for manifest in world.list("PodDisruptionBudget")]
    allowed = {(budget.namespace, budget.name): budget.disruptions_allowed for budget in budgets}
    for pod in pods:
        own = [] if options.disable_eviction else [budget for budget in budgets if budget.counts(pod)]
        blocking = next((budget.name for budget in own if allowed[(budget.namespace, budget.name)] <= 0), "")
        if blocking:
            effect.outcomes.append(Outcome("Pod", pod.namespace, pod.name, KEPT, blocking))
            continue
        for budget in own:
            allowed[(budget.namespace, budget.name)] -= 1
        put.append(pod.to_manifest())
        world.delete_pod(pod.key, grace=options.grace)
        result = DELETED if options.disable_eviction else EVICTED
        effect.outcomes.append(Outcome("Pod", pod.namespace, pod.name, result))
    effect.inverse = {"type": "restore", "put": put, "remove": []}
    return effect


@dataclass(frozen=True, slots=True)
class _DrainOptions:
    """`grace` in seconds, None for each Pod's own."""

    force: bool
    disable_eviction: bool
    grace: int | None
    labels: Mapping[str, Any]

    def takes(self, pod: Pod) -> bool:
        if pod.terminating or pod.terminal or _is_daemon(pod):
            return False
        return all(pod.labels.get(key) == value for key, value in self.labels.items())


def _drain_options(command: Command) -> _DrainOptions:
    grace = command.get("gracePeriod", -1)
    if not isinstance(grace, int) or isinstance(grace, bool) or not -1 <= grace <= _LONGEST_GRACE:
        text = "gracePeriod: must be a whole number of seconds"
        raise refused("command.field", text, "gracePeriod", field="gracePeriod", wanted="number")
    labels = mapping_of(command, "podSelector") if command.get("podSelector") is not None else {}
    force, disable_eviction = command.get("force", True), command.get("disableEviction", False)
    return _DrainOptions(bool(force), bool(disable_eviction), None if grace < 0 else grace, labels)


def _is_daemon(pod: Pod) -> bool:
    return pod.shape.controller is not None and pod.shape.controller[0] == "DaemonSet"


def scale(world: World, command: Command) -> Effect:
    """`{type: scale, kind, namespace, name, replicas}`."""
    kind, manifest = _target(world, command)
    before = copied(manifest)
    replicas = command.get("replicas")
    if not isinstance(replicas, int) or isinstance(replicas, bool) or replicas < 0:
        raise refused(
            "command.field", "replicas: must be a whole number", "replicas", field="replicas", wanted="number"
        )
    if kind not in SCALED_BY:
        text = f"{kind} cannot be scaled"
        raise refused("command.not_scalable", text, "kind", kind=kind)
    manifest["spec"][SCALED_BY[kind]] = replicas
    return _store(world, kind, before, manifest)


def patch(world: World, command: Command) -> Effect:
    """`{type: patch, kind, namespace, name, patch}`: a JSON merge patch, checked like any update."""
    kind, manifest = _target(world, command)
    changed = json_merge_patch(manifest, mapping_of(command, "patch"))
    return _store(world, kind, manifest, changed)


def delete_many(world: World, command: Command) -> Effect:
    """`{type: deleteMany, objects: [{kind, namespace, name}]}`: several deletions as one step."""
    whole = Effect(inverse={"type": "restore", "put": [], "remove": []})
    wanted = references_of(command, "objects")
    found = [(kind, find(world, kind, namespace or "default", name)) for kind, namespace, name in wanted]
    assert whole.inverse is not None
    for kind, item in found:
        manifest = manifest_of(item)
        metadata = manifest["metadata"]
        if kind == "Pod":
            world.delete_pod(item.key)
        else:
            world.remove(kind, metadata.get("namespace") or "", metadata["name"])
        whole.inverse["put"].append(manifest)
        whole.outcomes.append(Outcome(kind, metadata.get("namespace") or "", metadata["name"], DELETED))
    return whole
