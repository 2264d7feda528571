"""Another name for a Node. In Kubernetes a name never changes: this is a deletion and a creation in one step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from simulator.engine.fabric.node_fabric import KIND as NODE_FABRIC
from simulator.engine.world.commands import (
    CREATED,
    DELETED,
    Command,
    Effect,
    Outcome,
    create_object,
    find,
    refused,
    text_of,
)
from simulator.engine.world.world import World, manifest_of

HOSTNAME: Final = "kubernetes.io/hostname"
_SERVERS: Final = ("uid", "creationTimestamp", "resourceVersion", "generation")
_MOST_NAMES: Final = 5


def rename_node(world: World, command: Command) -> Effect:
    """`{type: rename, name, to}`: the Node, and its NodeFabric, deleted and created anew under the name `to`.

    Refused while Pods are there (they belong to the old name), and where the name is taken.
    """
    name, to = text_of(command, "name"), text_of(command, "to")
    node = manifest_of(find(world, "Node", "", name))
    if world.get("Node", "", to) is not None:
        raise refused("command.exists", f'nodes "{to}" already exists', "to", kind="Node", name=to)
    pods = [pod.name for pod in world.list("Pod") if pod.node_name == name and not pod.terminal]
    if pods:
        text = f'node "{name}" cannot be renamed: {len(pods)} Pods are on it'
        raise refused("command.pods_on_node", text, "name", node=name, count=len(pods), pods=pods[:_MOST_NAMES])
    effect = Effect([Outcome("Node", "", name, DELETED)])
    fabric = world.get(NODE_FABRIC, "", name)
    gone = [node] if fabric is None else [node, fabric]
    made = create_object(world, renamed(node, to))
    for manifest in gone:
        world.remove(manifest["kind"], "", name)
    if fabric is not None:
        create_object(world, renamed(fabric, to))
    effect.outcomes.append(Outcome("Node", "", made["metadata"]["name"], CREATED))
    remove = [{"kind": manifest["kind"], "namespace": "", "name": to} for manifest in gone]
    effect.inverse = {"type": "restore", "put": gone, "remove": remove}
    return effect


def renamed(manifest: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The manifest of a cluster-wide object under another name, as something new."""
    metadata = {key: value for key, value in manifest["metadata"].items() if key not in _SERVERS}
    labels = metadata.get("labels") or {}
    if labels.get(HOSTNAME) == metadata["name"]:
        metadata["labels"] = {**labels, HOSTNAME: name}
    return {**manifest, "metadata": {**metadata, "name": name}}
