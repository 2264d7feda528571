"""`kubectl describe node` to a Node, and the Pods its tables tell of."""

from __future__ import annotations

import re
from collections.abc import Set
from typing import Final

from simulator.manifests.context import Context
from simulator.manifests.describe.common import put_annotations, put_labels, timestamp
from simulator.manifests.describe.outline import NONE, Described, Line, pair
from simulator.manifests.draft import Draft
from simulator.manifests.remarks import shorten

FIELDS: Final = frozenset(
    (
        "Roles",
        "Taints",
        "Unschedulable",
        "Lease",
        "Capacity",
        "Allocatable",
        "System Info",
        "PodCIDR",
        "ProviderID",
        "Non-terminated Pods",
        "Allocated resources",
    )
)
"""Fields that only a Node has."""

_ROLE_LABEL: Final = "node-role.kubernetes.io/"
_TAINT: Final = re.compile(r"([^=:\s]+)(?:=([^:\s]*))?:(NoSchedule|PreferNoSchedule|NoExecute)")
_INFO: Final = {
    "Kernel Version": "kernelVersion",
    "OS Image": "osImage",
    "Operating System": "operatingSystem",
    "Architecture": "architecture",
    "Container Runtime Version": "containerRuntimeVersion",
    "Kubelet Version": "kubeletVersion",
}
_COLUMNS: Final = re.compile(r"\s{2,}")
_PERCENTAGE: Final = re.compile(r" \(-?\d+%\)")
_POD_COLUMNS: Final = 6
_IN_POD_TABLE: Final = frozenset(("cpu", "memory", "Resource", "--------"))


def read_node(described: Described, context: Context) -> Draft:
    """Return the Node of one described object; what the text does not show is left out."""
    draft = Draft("v1", "Node", described.at)
    name = described.fields.get("Name")
    if name and name.text:
        draft.put(("metadata", "name"), name.text, name.lines[0].at)
    put_labels(draft, described)
    _put_roles(draft, described)
    put_annotations(draft, described, context)
    created = timestamp(described.text("CreationTimestamp"))
    if created:
        draft.put(("metadata", "creationTimestamp"), created, described.fields["CreationTimestamp"].at)
    _put_spec(draft, described, context)
    for name_, field in (("Capacity", "capacity"), ("Allocatable", "allocatable")):
        for line in described.listed(name_):
            resource, amount = pair(line)
            if amount:
                draft.put(("status", field, resource), amount, line.at)
    _put_status(draft, described)
    return draft


def read_running_pods(described: Described, node: str, already: Set[tuple[str, str]], context: Context) -> list[Draft]:
    """Return stand-ins for the Pods of the table "Non-terminated Pods" that are not `already` read (namespace, name).

    Requests and limits of CPU and memory are theirs. Other resources are only told as a sum for the node: what of
    them is in use gets a stand-in of its own, unless Pods of this node were read in full.
    """
    rows = [(line, row) for line, row in _pod_rows(described) if (row[0], row[1]) not in already]
    pods = []
    for line, row in rows:
        context.budget.spend_document()
        pods.append(_stand_in(row, line.at, node))
    if pods:
        at = described.fields["Non-terminated Pods"].at
        context.notice("assumed.pods_of_table", at, count=len(pods), node=node)
    if len(rows) == len(_pod_rows(described)):
        pods += _rest(described, node, context)
    return pods


def _rest(described: Described, node: str, context: Context) -> list[Draft]:
    amounts = _unattributed(described)
    if not amounts:
        return []
    pod = _pod("default", f"{node}-allocated", node, described.fields["Allocated resources"].at)
    for resource, line, amount in amounts:
        for group in ("requests", "limits"):
            pod.put(("spec", "containers", 0, "resources", group, resource), amount, line.at)
        context.notice("assumed.allocated", line.at, node=node, resource=resource, amount=amount)
    return [pod]


def _put_roles(draft: Draft, described: Described) -> None:
    if "Labels" in described.fields:
        return
    for line in described.listed("Roles"):
        for role in line.text.split(","):
            draft.put(("metadata", "labels", _ROLE_LABEL + role.strip()), "", line.at)


def _put_spec(draft: Draft, described: Described, context: Context) -> None:
    for line in described.listed("Taints"):
        found = _TAINT.fullmatch(line.text)
        if not found:
            context.notice("describe.line_ignored", line.at, text=shorten(line.text))
            continue
        parts = (("key", found[1]), ("value", found[2]), ("effect", found[3]))
        taint = {field: text for field, text in parts if text is not None}
        draft.put(("spec", "taints", len(draft.get(("spec", "taints")) or ())), taint, line.at)
    if described.text("Unschedulable") == "true":
        draft.put(("spec", "unschedulable"), True, described.fields["Unschedulable"].at)
    for name, field in (("PodCIDR", "podCIDR"), ("ProviderID", "providerID")):
        if described.text(name):
            draft.put(("spec", field), described.text(name), described.fields[name].lines[0].at)


def _put_status(draft: Draft, described: Described) -> None:
    for line in described.listed("Conditions"):
        columns = _COLUMNS.split(line.text)
        if columns[0] == "Ready" and len(columns) > 1:
            draft.put(("status", "conditions", 0), {"type": "Ready", "status": columns[1]}, line.at)
    for line in described.listed("System Info"):
        name, value = pair(line)
        if name in _INFO and value:
            draft.put(("status", "nodeInfo", _INFO[name]), value, line.at)


def _pod_rows(described: Described) -> list[tuple[Line, list[str]]]:
    rows = []
    for line in described.listed("Non-terminated Pods"):
        columns = _PERCENTAGE.sub("", line.text).split()
        is_header = columns[0] in ("Namespace", "---------") or line.text.startswith("(")
        if len(columns) >= _POD_COLUMNS and not is_header:
            rows.append((line, columns[:_POD_COLUMNS]))
    return rows


def _stand_in(row: list[str], at: int, node: str) -> Draft:
    namespace, name, cpu_request, cpu_limit, memory_request, memory_limit = row
    pod = _pod(namespace, name, node, at)
    amounts = (
        ("requests", "cpu", cpu_request),
        ("requests", "memory", memory_request),
        ("limits", "cpu", cpu_limit),
        ("limits", "memory", memory_limit),
    )
    for group, resource, amount in amounts:
        if amount != "0":
            pod.put(("spec", "containers", 0, "resources", group, resource), amount, at)
    return pod


def _pod(namespace: str, name: str, node: str, at: int) -> Draft:
    pod = Draft("v1", "Pod", at)
    pod.put(("metadata", "name"), name, at)
    pod.put(("metadata", "namespace"), namespace, at)
    pod.put(("spec", "nodeName"), node, at)
    pod.put(("spec", "containers", 0, "name"), "main", at)
    pod.put(("spec", "containers", 0, "image"), "imported", at)
    pod.put(("spec", "tolerations"), [{"operator": "Exists"}], at)
    pod.put(("status", "phase"), "Running", at)
    return pod


def _unattributed(described: Described) -> list[tuple[str, Line, str]]:
    rest = []
    for line in described.listed("Allocated resources"):
        columns = _PERCENTAGE.sub("", line.text).split()
        is_amount = len(columns) > 1 and columns[0] not in _IN_POD_TABLE and not line.text.startswith("(")
        if is_amount and columns[1] not in ("0", *NONE):
            rest.append((columns[0], line, columns[1]))
    return rest
