"""Texts of `kubectl describe node` and `kubectl describe pod`, whole or in part, to manifests."""

from __future__ import annotations

import re
from typing import Final

from simulator.manifests.context import Context
from simulator.manifests.describe import node, pod
from simulator.manifests.describe.outline import Described, read_outline
from simulator.manifests.draft import Draft

_EITHER: Final = ("Labels", "Annotations", "Name", "Conditions", "CreationTimestamp", "Status", "Node", "Namespace")
_KNOWN: Final = sorted({*node.FIELDS, *pod.FIELDS, *_EITHER}, key=len, reverse=True)
_FIELD_LINE: Final = re.compile(rf"^[ \t]*(?:{'|'.join(map(re.escape, _KNOWN))}):(?:[ \t]|$)", re.MULTILINE)
_MANIFEST_LINE: Final = re.compile(r"""^\s*["']?(?:apiVersion|kind)["']?\s*:""", re.MULTILINE)


def looks_like_describe(text: str) -> bool:
    """Tell a description from a manifest: its fields begin with capitals, and it has no apiVersion and no kind."""
    return _FIELD_LINE.search(text) is not None and _MANIFEST_LINE.search(text) is None


def read_describe(context: Context) -> list[Draft]:
    """Return the Nodes and Pods of a text, in its order; stand-ins for Pods a node's table tells of come last."""
    drafts: list[Draft] = []
    nodes: list[tuple[Described, Draft]] = []
    for described in read_outline(context):
        names = described.fields.keys()
        if names & node.FIELDS or not (names & pod.FIELDS or "Namespace" in names):
            drafts.append(node.read_node(described, context))
            nodes.append((described, drafts[-1]))
        elif names & pod.FIELDS:
            drafts.append(pod.read_pod(described, context))
        else:
            context.error("describe.other_kind", described.at)
    described_pods = {_pod_key(draft) for draft in drafts if draft.value["kind"] == "Pod"}
    for described, draft in nodes:
        name = str(draft.get(("metadata", "name")) or "")
        if name:
            drafts.extend(node.read_running_pods(described, name, described_pods, context))
    return drafts


def _pod_key(draft: Draft) -> tuple[str, str]:
    return str(draft.get(("metadata", "namespace")) or "default"), str(draft.get(("metadata", "name")))
