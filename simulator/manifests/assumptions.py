"""What a text does not say and a lab needs: a Node's name and what it has to give, the priority classes of Pods."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from simulator.manifests.accelerators import guess_accelerators
from simulator.manifests.documents import Document
from simulator.manifests.draft import Draft
from simulator.manifests.instance_types import INSTANCE_TYPE_LABELS, INSTANCE_TYPES
from simulator.manifests.remarks import Notice, Param, Path, Remarks

MODEL_ANNOTATION: Final = "gpuschedlab.io/gpu-model"
"""The accelerator's model where no label of the node names it. A label of our own would change what Pods select."""

_PRODUCT_LABELS: Final = ("nvidia.com/gpu.product", "amd.com/gpu.product-name", "gpu.intel.com/product")

_CPUS_PER_GPU: Final = 16
_MEMORY_GIB_PER_GPU: Final = 128
_PLAIN_CPUS: Final = 8
_PLAIN_MEMORY_GIB: Final = 32
_PODS: Final = 110
"""The kubelet's default for maxPods."""

_SYSTEM_CLASS: Final = "system-"
_HOSTNAME: Final = "kubernetes.io/hostname"
_NO_NAME: Final = re.compile(r"[^a-z0-9]+")
_MAX_NAME: Final = 40


def complete_node(draft: Draft, taken: set[str], remarks: Remarks) -> None:
    """Give a Node a name that is not yet `taken` (now it is) and amounts it can allocate; say what was assumed."""
    labels = _texts(draft.get(("metadata", "labels")))
    annotations = _texts(draft.get(("metadata", "annotations")))
    if not draft.get(("metadata", "name")):
        name = labels.get(_HOSTNAME) or _free_name(labels, taken)
        draft.put(("metadata", "name"), name)
        _say(remarks, "assumed.name", ("metadata", "name"), node=name)
    name = str(draft.get(("metadata", "name")))
    taken.add(name)
    if draft.get(("status", "capacity")) or draft.get(("status", "allocatable")):
        return
    gpus = _put_accelerators(draft, name, labels, annotations, remarks)
    _put_machine(draft, name, labels, gpus, remarks)


def priority_classes(documents: Sequence[Document], remarks: Remarks) -> list[Document]:
    """Return the PriorityClasses that dumped Pods name and the text does not hold.

    A Pod from a server has its class resolved: name and value stand in it, and it has a phase. What somebody writes by
    hand has not, and a missing class is an error as in a cluster.
    """
    known = {_name_of(item.value) for item in documents if item.value["kind"] == "PriorityClass"}
    assumed: list[Document] = []
    for document in documents:
        pod = document.value
        spec, status = pod.get("spec"), pod.get("status")
        if pod["kind"] != "Pod" or not isinstance(spec, dict) or not (isinstance(status, dict) and status.get("phase")):
            continue
        name, value = spec.get("priorityClassName"), spec.get("priority")
        if isinstance(name, str) and type(value) is int and name not in known and not name.startswith(_SYSTEM_CLASS):
            known.add(name)
            assumed.append(_priority_class(document, name, value))
            place = document.marks.nearest(("spec", "priorityClassName"))
            remarks.notice(Notice("assumed.priority_class", {"name": name, "value": value}, *place))
    return assumed


def _priority_class(pod: Document, name: str, value: int) -> Document:
    place = pod.marks.nearest(("spec", "priorityClassName"))
    source = pod.marks.source
    draft = Draft("scheduling.k8s.io/v1", "PriorityClass", source.line_start(place.line) + place.column - 1)
    draft.put(("metadata", "name"), name)
    draft.put(("value",), value)
    policy = pod.value["spec"].get("preemptionPolicy")
    if isinstance(policy, str):
        draft.put(("preemptionPolicy",), policy)
    return draft.document(source)


def _name_of(manifest: Mapping[str, Any]) -> str:
    metadata = manifest.get("metadata")
    return str(metadata.get("name")) if isinstance(metadata, dict) else ""


def _put_accelerators(
    draft: Draft, name: str, labels: dict[str, str], annotations: dict[str, str], remarks: Remarks
) -> int:
    """Return how many cards the accelerators are."""
    found = guess_accelerators(labels, annotations)
    if found is None:
        return 0
    for resource, amount in found.resources.items():
        _put_amount(draft, resource, str(amount))
        _say(
            remarks,
            "assumed.accelerators",
            ("status", "allocatable", resource),
            node=name,
            resource=resource,
            amount=amount,
            source=found.source,
        )
    if found.model and not any(labels.get(label) for label in _PRODUCT_LABELS):
        draft.put(("metadata", "annotations", MODEL_ANNOTATION), found.model)
        _say(
            remarks,
            "assumed.model",
            ("metadata", "annotations", MODEL_ANNOTATION),
            node=name,
            model=found.model,
            source=found.source,
        )
    return found.devices


def _put_machine(draft: Draft, name: str, labels: dict[str, str], gpus: int, remarks: Remarks) -> None:
    machine = next(
        (INSTANCE_TYPES[labels[key]] for key in INSTANCE_TYPE_LABELS if labels.get(key) in INSTANCE_TYPES), None
    )
    if machine:
        cpus, memory = machine.cpus, machine.memory_gib
    elif gpus:
        cpus, memory = _CPUS_PER_GPU * gpus, _MEMORY_GIB_PER_GPU * gpus
    else:
        cpus, memory = _PLAIN_CPUS, _PLAIN_MEMORY_GIB
    _put_amount(draft, "cpu", str(cpus))
    _put_amount(draft, "memory", f"{memory}Gi")
    _put_amount(draft, "pods", str(_PODS))
    _say(
        remarks,
        "assumed.machine",
        ("status", "allocatable"),
        node=name,
        cpu=cpus,
        memory=f"{memory}Gi",
        pods=_PODS,
    )


def _put_amount(draft: Draft, resource: str, amount: str) -> None:
    draft.put(("status", "capacity", resource), amount)
    draft.put(("status", "allocatable", resource), amount)


def _free_name(labels: dict[str, str], taken: set[str]) -> str:
    """Return the GPU's product, or "node", with the first number that makes a new name."""
    product = next((labels[label] for label in _PRODUCT_LABELS if labels.get(label)), "node")
    stem = _NO_NAME.sub("-", product.lower()).strip("-")[:_MAX_NAME].strip("-") or "node"
    number = 1
    while f"{stem}-{number}" in taken:
        number += 1
    return f"{stem}-{number}"


def _texts(mapping: Any) -> dict[str, str]:
    return {key: value for key, value in (mapping or {}).items() if isinstance(value, str)}


def _say(remarks: Remarks, code: str, path: Path, **params: Param) -> None:
    remarks.notice(Notice(code, params, path=path))
