"""What a rule may name, explained: for completion in the editor and the list beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True, slots=True)
class Entry:
    """`label` is what is completed, `signature` how it is written, `insert` what the editor puts in."""

    label: str
    signature: str
    about: StrOrPromise
    insert: str = ""


POD: Final = (
    Entry("pod.name", "pod.name: string", _("the Pod's name")),
    Entry("pod.namespace", "pod.namespace: string", _("its namespace")),
    Entry("pod.labels", "pod.labels: map", _("its labels"), 'pod.labels["'),
    Entry("pod.annotations", "pod.annotations: map", _("its annotations"), 'pod.annotations["'),
    Entry("pod.priority", "pod.priority: int", _("its priority")),
    Entry("pod.priorityClassName", "pod.priorityClassName: string", _("the name of its PriorityClass, or empty")),
    Entry(
        "pod.requests",
        "pod.requests: map",
        _("what it requests; cpu in thousandths, memory in bytes"),
        'pod.requests["',
    ),
    Entry("pod.nodeSelector", "pod.nodeSelector: map", _("its nodeSelector"), 'pod.nodeSelector["'),
    Entry("pod.podGroup", "pod.podGroup: string", _("the PodGroup it belongs to, or empty")),
)
NODE: Final = (
    Entry("node.name", "node.name: string", _("the node's name")),
    Entry(
        "node.labels",
        "node.labels: map",
        _("its labels; a missing key is an error, label() gives an empty text"),
        'node.labels["',
    ),
    Entry("node.annotations", "node.annotations: map", _("its annotations"), 'node.annotations["'),
    Entry("node.allocatable", "node.allocatable: map", _("what it offers, by resource"), 'node.allocatable["'),
    Entry("node.requested", "node.requested: map", _("what its Pods request, by resource"), 'node.requested["'),
    Entry("node.free", "node.free: map", _("allocatable − requested, by resource"), 'node.free["'),
    Entry("node.taints", "node.taints: list", _("its taints: key, value, effect"), "node.taints.exists(t, t.key == "),
    Entry("node.unschedulable", "node.unschedulable: bool", _("whether it is cordoned")),
    Entry("node.podCount", "node.podCount: int", _("how many Pods are on it")),
)
FUNCTIONS: Final = (
    Entry("gpus", "gpus(pod): int", _("whole GPUs the Pod requests, of any vendor"), "gpus(pod)"),
    Entry("gpuModel", "gpuModel(node): string", _("the product label of its GPUs, or empty"), "gpuModel(node)"),
    Entry("gpuCount", "gpuCount(node): int", _("GPUs the node offers"), "gpuCount(node)"),
    Entry("freeGpus", "freeGpus(node): int", _("GPUs nobody uses"), "freeGpus(node)"),
    Entry("usedGpus", "usedGpus(node): int", _("GPUs in use"), "usedGpus(node)"),
    Entry(
        "gpuMemoryMiB", "gpuMemoryMiB(node): int", _("memory of one GPU in MiB, 0 where unknown"), "gpuMemoryMiB(node)"
    ),
    Entry(
        "nvswitchDomain",
        "nvswitchDomain(node)",
        _("the GPUs joined by NVSwitch: name, nodes, gpus, freeGpus"),
        "nvswitchDomain(node).",
    ),
    Entry(
        "domain",
        'domain(node, "key")',
        _("all nodes with the same value of a label: name, nodes, gpus, freeGpus"),
        'domain(node, "',
    ),
    Entry(
        "podsOn",
        "podsOn(node): list",
        _("the Pods on it: name, namespace, labels, priority, podGroup, gpus"),
        "podsOn(node)",
    ),
    Entry(
        "label",
        'label(node, "key"): string',
        _("the value of a label of node or pod, empty where it has none"),
        'label(node, "',
    ),
)
LANGUAGE: Final = (
    Entry("contains", 'text.contains("part")', _("whether a text has a part"), 'contains("'),
    Entry("startsWith", 'text.startsWith("part")', _("whether it begins so"), 'startsWith("'),
    Entry("matches", 'text.matches("pattern")', _("whether a regular expression (RE2) is found in it"), 'matches("'),
    Entry("exists", "list.exists(x, condition)", _("whether some item meets the condition"), "exists(x, "),
    Entry("all", "list.all(x, condition)", _("whether every item does"), "all(x, "),
    Entry("filter", "list.filter(x, condition)", _("the items that do"), "filter(x, "),
    Entry("map", "list.map(x, value)", _("a value for every item"), "map(x, "),
    Entry("size", "list.size()", _("how many; of a text, its characters"), "size()"),
    Entry("sum", "list.sum()", _("the sum of numbers; also min() and max()"), "sum()"),
    Entry(
        "math.greatest", "math.greatest(a, b)", _("the larger of several numbers; also math.least"), "math.greatest("
    ),
    Entry("int", "int(value)", _("as a whole number; also double() and string()"), "int("),
    Entry("cel.bind", "cel.bind(x, value, expression)", _("gives a value a name"), "cel.bind(x, "),
)


@dataclass(frozen=True, slots=True)
class Group:
    title: StrOrPromise
    entries: tuple[Entry, ...]


LIBRARY: Final = (
    Group(_("Functions of the field"), FUNCTIONS),
    Group(_("The Pod"), POD),
    Group(_("The node"), NODE),
    Group(_("The language (CEL)"), LANGUAGE),
)


def completions() -> list[dict[str, Any]]:
    """What the editor offers, as JSON."""
    return [
        {
            "label": entry.label,
            "detail": entry.signature,
            "info": str(entry.about),
            "apply": entry.insert or entry.label,
        }
        for group in LIBRARY
        for entry in group.entries
    ]


@dataclass(frozen=True, slots=True)
class Example:
    slug: str
    title: StrOrPromise
    name: str
    filter: str = ""
    score: str = ""
    normalize: str = "none"


EXAMPLES: Final = (
    Example(
        "model",
        _("Score by GPU model"),
        "GpuModelScore",
        score='gpuModel(node).contains("H100") ? 100 :\ngpuModel(node).contains("A100") ? 60 : 0',
    ),
    Example(
        "no-cpu",
        _("CPU-only Pods stay off GPU nodes"),
        "GpuNodesForGpus",
        filter="gpus(pod) > 0 || gpuCount(node) == 0",
    ),
    Example(
        "reason",
        _("A filter that says why"),
        "EnoughMemory",
        filter=(
            'gpus(pod) == 0 || gpuMemoryMiB(node) >= 40960 ? "" :\n'
            '"GPU has " + string(gpuMemoryMiB(node)) + " MiB, 40960 wanted"'
        ),
    ),
    Example("pack", _("Fill GPU nodes one after another"), "GpuPacking", score="usedGpus(node)", normalize="largest"),
    Example(
        "domain",
        _("Whole free NVSwitch domains first"),
        "WholeDomains",
        score=(
            'nvswitchDomain(node).name != "" &&\nnvswitchDomain(node).freeGpus == nvswitchDomain(node).gpus ? 100 : 0'
        ),
    ),
    Example(
        "neighbours",
        _("Away from nodes with inference Pods"),
        "AwayFromInference",
        score='podsOn(node).filter(p, "app" in p.labels && p.labels["app"] == "inference").size()',
        normalize="reversed",
    ),
)
