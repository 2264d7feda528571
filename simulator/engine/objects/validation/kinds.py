"""The validation of every kind but Pod, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from simulator.engine.objects.errors import Errors
from simulator.engine.objects.validation import cluster, fabric, groups, services, storage, workloads
from simulator.engine.objects.validation.pod_spec import PodOptions

Check = Callable[[Errors, Mapping[str, Any]], None]
TemplateCheck = Callable[[Errors, Mapping[str, Any], PodOptions], None]

CHECKS: Final[Mapping[str, Check]] = {
    "Node": cluster.validate_node,
    "Namespace": cluster.validate_namespace,
    "PodDisruptionBudget": cluster.validate_budget,
    "PriorityClass": cluster.validate_priority_class,
    "Service": services.validate_service,
    "PersistentVolumeClaim": storage.validate_claim,
    "PersistentVolume": storage.validate_persistent_volume,
    "StorageClass": storage.validate_storage_class,
    "CSINode": storage.validate_csi_node,
    "CSIDriver": storage.validate_csi_driver,
    "CSIStorageCapacity": storage.validate_csi_capacity,
    "VolumeAttachment": storage.validate_attachment,
    "PodGroup": groups.validate_pod_group,
    "Workload": groups.validate_workload,
    "ResourceClaim": groups.validate_resource_claim,
    "ResourceClaimTemplate": groups.validate_resource_claim_template,
    "DeviceClass": groups.validate_device_class,
    "ResourceSlice": groups.validate_resource_slice,
    "NodeFabric": fabric.validate_node_fabric,
    "NetworkSwitch": fabric.validate_network_switch,
    "NodeResourceTopology": fabric.validate_node_resource_topology,
}

TEMPLATE_CHECKS: Final[Mapping[str, TemplateCheck]] = {
    "ReplicationController": workloads.validate_replication_controller,
    "ReplicaSet": workloads.validate_replica_set,
    "Deployment": workloads.validate_deployment,
    "DaemonSet": workloads.validate_daemon_set,
    "StatefulSet": workloads.validate_stateful_set,
    "Job": workloads.validate_job,
}


def validate_object(errors: Errors, kind: str, decoded: Mapping[str, Any], options: PodOptions) -> None:
    """Check an object of any kind but Pod."""
    if kind in TEMPLATE_CHECKS:
        TEMPLATE_CHECKS[kind](errors, decoded, options)
    else:
        CHECKS[kind](errors, decoded)
