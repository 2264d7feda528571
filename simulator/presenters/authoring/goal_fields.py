"""The goals one can choose from, as forms made from what each kind says of its parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext_lazy as _

from gpuschedlab.materials.documents import fields as form
from simulator.engine.goals import fields as goal_fields
from simulator.engine.goals.registry import GOALS

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

KINDS: Final[Mapping[str, StrOrPromise]] = {
    "allBound": _("Pods have a node"),
    "boundToNode": _("Pods are on one node"),
    "boundToNodeWith": _("Pods are on nodes with labels"),
    "notBound": _("Pods have no node"),
    "finished": _("Pods have succeeded"),
    "podCount": _("So many Pods on nodes"),
    "sameDomain": _("Pods are in one domain"),
    "maxPerDomain": _("At most so many Pods in a domain"),
    "binpacked": _("Pods are packed onto few nodes"),
    "gangComplete": _("A gang is complete"),
    "gangDeadlock": _("Gangs block each other"),
    "noneEvicted": _("Nobody was evicted"),
    "evicted": _("Pods were evicted"),
    "preemptedFor": _("Pods were preempted for another"),
    "gpuNodesKeptFromCpuPods": _("GPU nodes are kept from CPU Pods"),
    "wholeGpusFree": _("So many GPUs are free"),
    "wholeNodesFree": _("So many nodes are free"),
    "nodeEmpty": _("A node is empty"),
    "nodeCount": _("So many nodes are there"),
    "nodeTainted": _("Nodes have a taint"),
    "winner": _("A node won a Pod"),
    "totalScore": _("The winning total"),
    "eventSeen": _("An Event was written"),
    "usedProfile": _("A profile has a plugin so"),
    "withinTime": _("Within so much time"),
    "bandwidth": _("GPUs reach a bandwidth"),
}

FIELDS: Final[Mapping[str, StrOrPromise]] = {
    "pods": _("Which Pods"),
    "victims": _("Which victims"),
    "node": _("Node"),
    "nodeLabels": _("Node labels"),
    "atLeast": _("At least"),
    "atMost": _("At most"),
    "equals": _("Exactly"),
    "topologyKey": _("Label of the domain"),
    "atMostNodes": _("Nodes at most"),
    "podGroup": _("PodGroup"),
    "size": _("Members"),
    "bound": _("Members with a node"),
    "resource": _("Resource"),
    "gpus": _("GPUs of the node"),
    "key": _("Key"),
    "effect": _("Effect"),
    "pod": _("Pod"),
    "reason": _("Reason"),
    "contains": _("Its message contains"),
    "plugin": _("Plugin"),
    "enabled": _("It is enabled"),
    "weight": _("Weight"),
    "scheduler": _("Scheduler name"),
    "seconds": _("Seconds"),
}

TITLE: Final = _("Your own wording")
EVERY_POD: Final = _("Leave all empty for every Pod.")


def goal_groups(pods: Sequence[str], nodes: Sequence[str]) -> dict[str, form.Group]:
    """Kind -> its form; names of Pods and nodes that are there are offered."""
    return {name: form.Group(label=KINDS.get(name, name), fields=_fields(name, pods, nodes)) for name in GOALS}


def _fields(kind: str, pods: Sequence[str], nodes: Sequence[str]) -> tuple[form.Field, ...]:
    made = [_field(name, field, pods, nodes) for name, field in GOALS[kind].fields.items()]
    return (*made, form.Localized(name="title", label=TITLE, of=form.Line(most=200), quiet=True))


def _field(name: str, field: goal_fields.Field, pods: Sequence[str], nodes: Sequence[str]) -> form.Field:
    shared: dict[str, Any] = {"name": name, "label": FIELDS.get(name, name), "needed": field.required}
    match field:
        case goal_fields.Pods():
            return _pods(shared, pods)
        case goal_fields.Labels():
            return form.Pairs(**shared, help=_("Like gpu-type=a100, zone=z1."))
        case goal_fields.Number():
            return form.Whole(**shared, least=field.least, most=field.most)
        case goal_fields.Truth():
            return form.Truth(**shared, default=bool(field.default))
    known = {"pod": pods, "node": nodes}.get(name, ())
    return form.Line(**shared, most=goal_fields.MOST_TEXT, code=True, suggestions=known)


def _pods(shared: Mapping[str, Any], pods: Sequence[str]) -> form.Group:
    parts = (
        form.Line(name="name", label=_("Name"), code=True, suggestions=pods),
        form.Pairs(name="labels", label=_("Labels")),
        form.Line(name="namespace", label=_("Namespace"), code=True, quiet=True),
    )
    helped = "" if shared["needed"] else EVERY_POD
    return form.Group(name=shared["name"], label=shared["label"], help=helped, needed=shared["needed"], fields=parts)
