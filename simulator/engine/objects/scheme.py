"""The kinds the laboratory knows: version, plural, scope and fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from simulator.engine.objects.schema.core_cluster import CLUSTER, POLICY
from simulator.engine.objects.schema.core_pod import PODS
from simulator.engine.objects.schema.core_volume import VOLUMES
from simulator.engine.objects.schema.fabric import FABRIC, NODE_RESOURCE_TOPOLOGY
from simulator.engine.objects.schema.resource import RESOURCE
from simulator.engine.objects.schema.scheduling import POD_GROUPS, PRIORITY
from simulator.engine.objects.schema.storage import STORAGE
from simulator.engine.objects.schema.types import Struct, Tables
from simulator.engine.objects.schema.workloads import APPS, BATCH


@dataclass(frozen=True)
class Kind:
    """A kind as the API server serves it."""

    kind: str
    api_version: str
    plural: str
    namespaced: bool
    struct: Struct
    gate: str = ""
    """The feature gate without which the API is not served."""

    @property
    def group(self) -> str:
        return self.api_version.rpartition("/")[0]

    @property
    def version(self) -> str:
        return self.api_version.rpartition("/")[2]

    @property
    def resource(self) -> str:
        """The name in API messages: `pods`, `deployments.apps`."""
        return f"{self.plural}.{self.group}" if self.group else self.plural


def _kinds() -> dict[tuple[str, str], Kind]:
    found: dict[tuple[str, str], Kind] = {}

    def add(tables: Tables, api_version: str, namespaced: bool, gate: str, *kinds: tuple[str, str]) -> None:
        for kind, plural in kinds:
            found[api_version, kind] = Kind(kind, api_version, plural, namespaced, tables.struct(kind), gate)

    add(PODS, "v1", True, "", ("Pod", "pods"))
    add(CLUSTER, "v1", False, "", ("Node", "nodes"), ("Namespace", "namespaces"))
    add(CLUSTER, "v1", True, "", ("Service", "services"), ("ReplicationController", "replicationcontrollers"))
    add(VOLUMES, "v1", True, "", ("PersistentVolumeClaim", "persistentvolumeclaims"))
    add(VOLUMES, "v1", False, "", ("PersistentVolume", "persistentvolumes"))
    add(
        APPS,
        "apps/v1",
        True,
        "",
        ("Deployment", "deployments"),
        ("ReplicaSet", "replicasets"),
        ("StatefulSet", "statefulsets"),
        ("DaemonSet", "daemonsets"),
    )
    add(BATCH, "batch/v1", True, "", ("Job", "jobs"))
    add(POLICY, "policy/v1", True, "", ("PodDisruptionBudget", "poddisruptionbudgets"))
    add(PRIORITY, "scheduling.k8s.io/v1", False, "", ("PriorityClass", "priorityclasses"))
    groups = "scheduling.k8s.io/v1alpha2"
    add(POD_GROUPS, groups, True, "GenericWorkload", ("PodGroup", "podgroups"), ("Workload", "workloads"))
    add(
        STORAGE,
        "storage.k8s.io/v1",
        False,
        "",
        ("StorageClass", "storageclasses"),
        ("CSINode", "csinodes"),
        ("CSIDriver", "csidrivers"),
        ("VolumeAttachment", "volumeattachments"),
    )
    add(STORAGE, "storage.k8s.io/v1", True, "", ("CSIStorageCapacity", "csistoragecapacities"))
    add(
        RESOURCE, "resource.k8s.io/v1", False, "", ("DeviceClass", "deviceclasses"), ("ResourceSlice", "resourceslices")
    )
    add(
        RESOURCE,
        "resource.k8s.io/v1",
        True,
        "",
        ("ResourceClaim", "resourceclaims"),
        ("ResourceClaimTemplate", "resourceclaimtemplates"),
    )
    own = "gpuschedlab.io/v1alpha1"
    add(FABRIC, own, False, "", ("NodeFabric", "nodefabrics"), ("NetworkSwitch", "networkswitches"))
    zones = "topology.node.k8s.io/v1alpha2"
    add(NODE_RESOURCE_TOPOLOGY, zones, False, "", ("NodeResourceTopology", "noderesourcetopologies"))
    return found


KINDS: Final[Mapping[tuple[str, str], Kind]] = MappingProxyType(_kinds())
"""By (apiVersion, kind)."""


def list_items(manifest: object) -> list[object] | None:
    """Return the items of a `List` (or `PodList`, ...), None for any other manifest."""
    if not isinstance(manifest, dict):
        return None
    kind, items = manifest.get("kind"), manifest.get("items")
    if not isinstance(kind, str) or not kind.endswith("List") or not isinstance(items, (list, tuple)):
        return None
    return list(items)
