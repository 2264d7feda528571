"""How the fields of Kubernetes' kinds are merged: the tags `patchStrategy` and `patchMergeKey` of k8s.io/api 1.36.

Where the tables say nothing, mappings merge member by member and lists are replaced whole (taints and tolerations too).
Compared with kubectl field by field in the tests.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

Fields = Mapping[str, "Merging"]


@dataclass(frozen=True, slots=True)
class Merging:
    """How a field is merged where that is not the rule (mappings key by key, lists replaced).

    `key`: a list of mappings merges by this member. `as_set`: a list of plain values merges as a set. `retains`: of a
    mapping (or each item), members that the change does not name are dropped. `replaces`: a mapping is replaced whole.
    `fields`: the same for the members.
    """

    fields: Fields = field(default_factory=dict)
    key: str = ""
    as_set: bool = False
    retains: bool = False
    replaces: bool = False


def _by(key: str, fields: Fields | None = None, *, retains: bool = False) -> Merging:
    return Merging(fields or {}, key, retains=retains)


_CONDITIONS: Final = {"conditions": _by("type")}
_SELECTOR_REPLACED: Final = {"selector": Merging(replaces=True)}

_METADATA: Final = Merging({"ownerReferences": _by("uid"), "finalizers": Merging(as_set=True)})

_CONTAINER: Final[Fields] = {
    "env": _by("name"),
    "ports": _by("containerPort"),
    "volumeMounts": _by("mountPath"),
    "volumeDevices": _by("devicePath"),
}
_POD_SPEC: Final = Merging(
    {
        "containers": _by("name", _CONTAINER),
        "initContainers": _by("name", _CONTAINER),
        "ephemeralContainers": _by("name", _CONTAINER),
        "volumes": _by("name", retains=True),
        "resourceClaims": _by("name", retains=True),
        "imagePullSecrets": _by("name"),
        "schedulingGates": _by("name"),
        "topologySpreadConstraints": _by("topologyKey"),
        "hostAliases": _by("ip"),
    }
)
_POD_STATUS: Final = Merging(
    {
        **_CONDITIONS,
        "podIPs": _by("ip"),
        "hostIPs": _by("ip"),
        "resourceClaimStatuses": _by("name", retains=True),
    }
)
_TEMPLATE: Final = Merging({"metadata": _METADATA, "spec": _POD_SPEC})
_TEMPLATED: Final = Merging({"template": _TEMPLATE})
_DEPLOYMENT_SPEC: Final = Merging({"template": _TEMPLATE, "strategy": Merging(retains=True)})
_JOB_TEMPLATE: Final = Merging({"metadata": _METADATA, "spec": _TEMPLATED})

_STATUS: Final = Merging(_CONDITIONS)

_KINDS: Final[Mapping[tuple[str, str], Fields]] = {
    ("v1", "Pod"): {"spec": _POD_SPEC, "status": _POD_STATUS},
    ("v1", "Node"): {
        "spec": Merging({"podCIDRs": Merging(as_set=True)}),
        "status": Merging({**_CONDITIONS, "addresses": _by("type")}),
    },
    ("v1", "Namespace"): {"status": _STATUS},
    ("v1", "Service"): {"spec": Merging({"ports": _by("port")}), "status": _STATUS},
    ("v1", "PersistentVolumeClaim"): {"status": _STATUS},
    ("v1", "PersistentVolume"): {},
    ("v1", "ConfigMap"): {},
    ("v1", "ReplicationController"): {"spec": _TEMPLATED, "status": _STATUS},
    ("apps/v1", "ReplicaSet"): {"spec": _TEMPLATED, "status": _STATUS},
    ("apps/v1", "StatefulSet"): {"spec": _TEMPLATED, "status": _STATUS},
    ("apps/v1", "DaemonSet"): {"spec": _TEMPLATED, "status": _STATUS},
    ("apps/v1", "Deployment"): {"spec": _DEPLOYMENT_SPEC, "status": _STATUS},
    ("batch/v1", "Job"): {"spec": _TEMPLATED, "status": _STATUS},
    ("batch/v1", "CronJob"): {"spec": Merging({"jobTemplate": _JOB_TEMPLATE})},
    ("policy/v1", "PodDisruptionBudget"): {"spec": Merging(_SELECTOR_REPLACED), "status": _STATUS},
    ("scheduling.k8s.io/v1", "PriorityClass"): {},
    ("scheduling.k8s.io/v1alpha2", "PodGroup"): {"status": _STATUS},
    ("scheduling.k8s.io/v1alpha2", "Workload"): {},
    ("storage.k8s.io/v1", "StorageClass"): {},
    ("storage.k8s.io/v1", "CSIDriver"): {},
    ("storage.k8s.io/v1", "CSIStorageCapacity"): {},
    ("storage.k8s.io/v1", "VolumeAttachment"): {},
    ("storage.k8s.io/v1", "CSINode"): {"spec": Merging({"drivers": _by("name")})},
    ("v1", "ServiceAccount"): {"secrets": _by("name")},
    ("resource.k8s.io/v1", "DeviceClass"): {},
    ("resource.k8s.io/v1", "ResourceSlice"): {},
    ("resource.k8s.io/v1", "ResourceClaimTemplate"): {},
    ("resource.k8s.io/v1", "ResourceClaim"): {"status": Merging({"reservedFor": _by("uid")})},
}

PLAIN: Final = Merging()


def has_strategy(api_version: str, kind: str) -> bool:
    """Tell whether a kind takes strategic merge patches; others (custom resources) take JSON merge patches only."""
    return (api_version, kind) in _KINDS


def fields_of(manifest: Mapping[str, Any]) -> Fields:
    """Return the rules for an object's kind; a kind that is not built in has none."""
    known = _KINDS.get((str(manifest.get("apiVersion")), str(manifest.get("kind"))))
    return {} if known is None else {"metadata": _METADATA, **known}
