"""`kubectl describe pod` to a Pod, as far as that text tells.

Read: name, namespace, labels, annotations, controller, node, priority and its class, runtime class, service account,
phase, start time, nominated node, init and other containers (image, command, arguments, ports, requests, limits), node
selector, tolerations, host network ports. kubectl prints neither affinity nor the scheduler's name, gates or volumes'
claims in full, and prints spread constraints without all their fields: these are left out, which is said.
"""

from __future__ import annotations

import re
from typing import Any, Final

from simulator.manifests.context import Context
from simulator.manifests.describe.common import put_annotations, put_labels, timestamp
from simulator.manifests.describe.outline import NONE, Described, Line, blocks, pair
from simulator.manifests.draft import Draft
from simulator.manifests.remarks import Path

FIELDS: Final = frozenset(
    ("Containers", "Init Containers", "Node-Selectors", "Tolerations", "QoS Class", "Controlled By", "Start Time")
)
"""Fields that a Node has not."""

_TEXTS: Final = (
    ("Name", ("metadata", "name")),
    ("Namespace", ("metadata", "namespace")),
    ("Priority Class Name", ("spec", "priorityClassName")),
    ("Runtime Class Name", ("spec", "runtimeClassName")),
    ("Service Account", ("spec", "serviceAccountName")),
    ("NominatedNodeName", ("status", "nominatedNodeName")),
)
_PHASES: Final = frozenset(("Pending", "Running", "Succeeded", "Failed", "Unknown"))
_API_VERSIONS: Final = {"ReplicaSet": "apps/v1", "StatefulSet": "apps/v1", "DaemonSet": "apps/v1", "Job": "batch/v1"}
_TOLERATION: Final = re.compile(
    r"(?P<key>(?!op=)[^\s=:]+)?(?:=(?P<value>[^\s:]*))?(?::(?P<effect>\w+))?"
    r"(?:\s*op=(?P<operator>\w+))?(?:\s+for (?P<seconds>\d+)s)?"
)
_PORT: Final = re.compile(r"(\d+)(?: \([^)]*\))?/(TCP|UDP|SCTP)(?: \([^)]*\))?")


def read_pod(described: Described, context: Context) -> Draft:
    """Return the Pod of one described object."""
    draft = Draft("v1", "Pod", described.at)
    for name, path in _TEXTS:
        if described.text(name):
            draft.put(path, described.text(name), described.fields[name].lines[0].at)
    put_labels(draft, described)
    put_annotations(draft, described, context)
    _put_owner(draft, described)
    _put_placement(draft, described)
    for name, field in (("Init Containers", "initContainers"), ("Containers", "containers")):
        for index, (header, lines) in enumerate(blocks(described.listed(name))):
            _put_container(draft, ("spec", field, index), header, lines)
    for line in described.listed("Node-Selectors"):
        key, _, value = line.text.partition("=")
        draft.put(("spec", "nodeSelector", key), value, line.at)
    _put_tolerations(draft, described)
    context.notice("describe.pod_incomplete", described.at, pod=described.text("Name"))
    return draft


def _put_owner(draft: Draft, described: Described) -> None:
    kind, _, name = described.text("Controlled By").partition("/")
    if name:
        owner = {
            "apiVersion": _API_VERSIONS.get(kind, "v1"),
            "kind": kind,
            "name": name,
            "uid": f"{kind}-{name}".lower(),
            "controller": True,
        }
        draft.put(("metadata", "ownerReferences", 0), owner, described.fields["Controlled By"].at)


def _put_placement(draft: Draft, described: Described) -> None:
    node = described.text("Node").partition("/")[0]
    if node:
        draft.put(("spec", "nodeName"), node, described.fields["Node"].at)
    priority = described.text("Priority")
    if priority.removeprefix("-").isdecimal() and len(priority) <= 11:
        draft.put(("spec", "priority"), int(priority), described.fields["Priority"].at)
    phase = described.text("Status").partition(" ")[0]
    if phase == "Terminating" or phase in _PHASES:
        draft.put(("status", "phase"), "Running" if phase == "Terminating" else phase, described.fields["Status"].at)
    started = timestamp(described.text("Start Time"))
    if started:
        draft.put(("status", "startTime"), started, described.fields["Start Time"].at)


def _put_container(draft: Draft, path: Path, header: Line, lines: list[Line]) -> None:
    draft.put((*path, "name"), header.text.rstrip(":"), header.at)
    fields = {pair(line)[0]: (line, deeper) for line, deeper in blocks(lines)}
    if "Image" in fields:
        draft.put((*path, "image"), pair(fields["Image"][0])[1] or "unknown", fields["Image"][0].at)
    for name, field in (("Command", "command"), ("Args", "args")):
        for index, line in enumerate(fields[name][1] if name in fields else ()):
            draft.put((*path, field, index), line.text, line.at)
    for name, field in (("Limits", "limits"), ("Requests", "requests")):
        for line in fields[name][1] if name in fields else ():
            resource, amount = pair(line)
            if amount:
                draft.put((*path, "resources", field, resource), amount, line.at)
    _put_ports(draft, path, fields)


def _put_ports(draft: Draft, path: Path, fields: dict[str, tuple[Line, list[Line]]]) -> None:
    """Read `Ports: 80/TCP (http), 443/TCP` and, of the same length, `Host Ports: 0/TCP, 443/TCP`."""
    line = (fields.get("Port") or fields.get("Ports") or (None,))[0]
    host_line = (fields.get("Host Port") or fields.get("Host Ports") or (None,))[0]
    if line is None:
        return
    hosts = _PORT.findall(pair(host_line)[1]) if host_line else []
    for index, (number, protocol) in enumerate(_PORT.findall(pair(line)[1])):
        port: dict[str, Any] = {"containerPort": int(number[:9]), "protocol": protocol}
        if index < len(hosts) and int(hosts[index][0][:9]):
            port["hostPort"] = int(hosts[index][0][:9])
        draft.put((*path, "ports", index), port, line.at)


def _put_tolerations(draft: Draft, described: Described) -> None:
    for line in described.listed("Tolerations"):
        found = _TOLERATION.fullmatch(line.text)
        if found and line.text not in NONE:
            toleration = {field: text for field, text in found.groupdict().items() if text and field != "seconds"}
            if found["seconds"]:
                toleration["tolerationSeconds"] = int(found["seconds"][:15])
            draft.put(("spec", "tolerations", len(draft.get(("spec", "tolerations")) or ())), toleration, line.at)
