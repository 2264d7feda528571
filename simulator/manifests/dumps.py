"""What a server wrote into an object and a lab has no use for.

Dropped, whatever the kind:
- `metadata`: managedFields, resourceVersion, generation, selfLink, and the annotation
  `kubectl.kubernetes.io/last-applied-configuration` (it describes another cluster's history).
- Nodes, `status`: all but capacity, allocatable, the Ready condition, nodeInfo (without the machine's ids) and
  declaredFeatures. Heartbeats, images, addresses, attached volumes and daemon ports go.
- Pods, `status`: all but phase, startTime, nominatedNodeName, reason, qosClass and the PodScheduled condition.
  `spec`: the token volume that the API server puts into every Pod (`kube-api-access-…`) and its mounts.

Kept: names, uid (ownerReferences point at it), labels, other annotations, creationTimestamp (it orders the queue),
deletionTimestamp, ownerReferences, finalizers and everything else of spec, above all nodeName.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

_METADATA: Final = ("managedFields", "resourceVersion", "generation", "selfLink")
_LAST_APPLIED: Final = "kubectl.kubernetes.io/last-applied-configuration"

_STATUS_KEPT: Final = {
    "Node": ("capacity", "allocatable", "conditions", "nodeInfo", "declaredFeatures", "phase"),
    "Pod": ("phase", "startTime", "nominatedNodeName", "reason", "qosClass", "conditions"),
}
_CONDITIONS_KEPT: Final = {"Node": "Ready", "Pod": "PodScheduled"}
_MACHINE_IDS: Final = ("bootID", "machineID", "systemUUID")

_ACCESS_VOLUME: Final = "kube-api-access-"
_ACCESS_MOUNT: Final = "/var/run/secrets/kubernetes.io/serviceaccount"
_CONTAINER_LISTS: Final = ("initContainers", "containers", "ephemeralContainers")


def without_server_fields(manifest: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the object as a lab wants it and the names of the fields that were dropped, each once.

    The manifest itself is not changed. Fields of an unexpected type are left as they are: validation will tell.
    """
    dropped: list[str] = []
    cleaned = dict(manifest)
    if isinstance(manifest.get("metadata"), dict):
        cleaned["metadata"] = _metadata(manifest["metadata"], dropped)
    kind = manifest.get("kind")
    if manifest.get("apiVersion") == "v1" and kind in _STATUS_KEPT:
        if isinstance(manifest.get("status"), dict):
            cleaned["status"] = _status(manifest["status"], kind, dropped)
        if kind == "Pod" and isinstance(manifest.get("spec"), dict):
            cleaned["spec"] = _pod_spec(manifest["spec"], dropped)
    return cleaned, list(dict.fromkeys(dropped))


def _without(mapping: dict[str, Any], keys: Iterable[str], dropped: list[str]) -> dict[str, Any]:
    gone = [key for key in keys if key in mapping]
    dropped += gone
    return {key: value for key, value in mapping.items() if key not in gone}


def _metadata(metadata: dict[str, Any], dropped: list[str]) -> dict[str, Any]:
    cleaned = _without(metadata, _METADATA, dropped)
    annotations = cleaned.get("annotations")
    if isinstance(annotations, dict) and _LAST_APPLIED in annotations:
        cleaned["annotations"] = _without(annotations, (_LAST_APPLIED,), dropped)
    return cleaned


def _status(status: dict[str, Any], kind: str, dropped: list[str]) -> dict[str, Any]:
    cleaned = _without(status, (key for key in status if key not in _STATUS_KEPT[kind]), dropped)
    if isinstance(cleaned.get("conditions"), list):
        cleaned["conditions"] = [
            condition
            for condition in cleaned["conditions"]
            if not isinstance(condition, dict) or condition.get("type") == _CONDITIONS_KEPT[kind]
        ]
    if isinstance(cleaned.get("nodeInfo"), dict):
        cleaned["nodeInfo"] = _without(cleaned["nodeInfo"], _MACHINE_IDS, dropped)
    return cleaned


def _pod_spec(spec: dict[str, Any], dropped: list[str]) -> dict[str, Any]:
    volumes = spec.get("volumes")
    if not isinstance(volumes, list) or not any(_is_token_volume(volume) for volume in volumes):
        return spec
    dropped.append("kube-api-access")
    cleaned = {**spec, "volumes": [volume for volume in volumes if not _is_token_volume(volume)]}
    for field in _CONTAINER_LISTS:
        if isinstance(spec.get(field), list):
            cleaned[field] = [_without_token_mount(container) for container in spec[field]]
    return {key: value for key, value in cleaned.items() if key != "volumes" or value}


def _is_token_volume(volume: Any) -> bool:
    return isinstance(volume, dict) and str(volume.get("name", "")).startswith(_ACCESS_VOLUME)


def _without_token_mount(container: Any) -> Any:
    if not isinstance(container, dict) or not isinstance(container.get("volumeMounts"), list):
        return container
    mounts = [
        mount
        for mount in container["volumeMounts"]
        if not isinstance(mount, dict) or mount.get("mountPath") != _ACCESS_MOUNT
    ]
    rest = {key: value for key, value in container.items() if key != "volumeMounts"}
    return {**rest, "volumeMounts": mounts} if mounts else rest
