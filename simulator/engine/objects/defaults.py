"""Defaults of every kind: what the API server fills in before anyone sees the object.

Pods and Nodes, of which there are thousands, are defaulted part by part, so that equal parts can be shared.

The functions change a decoded mapping in place. Source: Kubernetes 1.36 `pkg/apis/*/v1/defaults.go`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from simulator.engine.objects.defaults_pod import default_pod_spec, default_template_spec, round_list
from simulator.engine.objects.defaults_volume import default_claim_spec, default_persistent_volume_spec

Mutable = dict[str, Any]

_NAMESPACE_LABEL: Final = "kubernetes.io/metadata.name"
_QUARTER: Final = "25%"


def default_object(kind: str, decoded: Mutable) -> None:
    """Fill in a whole object of this kind, metadata included."""
    if kind in _DEFAULTS:
        _DEFAULTS[kind](decoded)


def _part(owner: Mutable, name: str) -> Mutable:
    """Return a sub-mapping, made where it is missing."""
    part = owner.get(name)
    if part is None:
        part = owner[name] = {}
    return part


def _empty_to(owner: Mutable, name: str, value: object) -> None:
    if owner.get(name) in (None, ""):
        owner[name] = value


def default_pod_status(status: Mutable) -> None:
    """Round what the status of a Pod counts."""
    for name in ("initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses"):
        for container in status.get(name) or ():
            round_list(container, "allocatedResources")
            for which in ("requests", "limits"):
                round_list(container.get("resources") or {}, which)


def default_node_status(status: Mutable) -> None:
    """What is allocatable is the capacity where nothing else is said."""
    if status.get("allocatable") is None and status.get("capacity") is not None:
        status["allocatable"] = dict(status["capacity"])
    round_list(status, "capacity")
    round_list(status, "allocatable")


def _pod(pod: Mutable) -> None:
    default_pod_spec(_part(pod, "spec"))


def _namespace(namespace: Mutable) -> None:
    name = _part(namespace, "metadata").get("name")
    if name:
        labels = namespace["metadata"].get("labels") or {}
        labels[_NAMESPACE_LABEL] = name
        namespace["metadata"]["labels"] = labels
    _empty_to(_part(namespace, "status"), "phase", "Active")


def _service(service: Mutable) -> None:
    spec = _part(service, "spec")
    _empty_to(spec, "sessionAffinity", "None")
    _empty_to(spec, "type", "ClusterIP")
    if spec["sessionAffinity"] == "ClientIP":
        client = _part(_part(spec, "sessionAffinityConfig"), "clientIP")
        client.setdefault("timeoutSeconds", 10800)
    for port in spec.get("ports") or ():
        _empty_to(port, "protocol", "TCP")
        if port.get("targetPort") in (None, "", 0) and "port" in port:
            port["targetPort"] = port["port"]
    if spec["type"] in ("NodePort", "LoadBalancer"):
        _empty_to(spec, "externalTrafficPolicy", "Cluster")
    if spec["type"] in ("NodePort", "LoadBalancer", "ClusterIP"):
        spec.setdefault("internalTrafficPolicy", "Cluster")
    if spec["type"] == "LoadBalancer":
        spec.setdefault("allocateLoadBalancerNodePorts", True)
    if spec.get("clusterIP") and not spec.get("clusterIPs"):
        spec["clusterIPs"] = [spec["clusterIP"]]


def _template(spec: Mutable) -> Mutable:
    template = _part(spec, "template")
    default_template_spec(_part(template, "spec"))
    return template


def _replication_controller(controller: Mutable) -> None:
    spec = _part(controller, "spec")
    spec.setdefault("replicas", 1)
    template = spec.get("template")
    if template is None:
        return
    labels = (template.get("metadata") or {}).get("labels")
    if labels:
        metadata = _part(controller, "metadata")
        if not spec.get("selector"):
            spec["selector"] = dict(labels)
        if not metadata.get("labels"):
            metadata["labels"] = dict(labels)
    _template(spec)


def _replica_set(replica_set: Mutable) -> None:
    spec = _part(replica_set, "spec")
    spec.setdefault("replicas", 1)
    _template(spec)


def _deployment(deployment: Mutable) -> None:
    spec = _part(deployment, "spec")
    spec.setdefault("replicas", 1)
    strategy = _part(spec, "strategy")
    _empty_to(strategy, "type", "RollingUpdate")
    if strategy["type"] == "RollingUpdate":
        rolling = _part(strategy, "rollingUpdate")
        rolling.setdefault("maxUnavailable", _QUARTER)
        rolling.setdefault("maxSurge", _QUARTER)
    spec.setdefault("revisionHistoryLimit", 10)
    spec.setdefault("progressDeadlineSeconds", 600)
    _template(spec)


def _daemon_set(daemon_set: Mutable) -> None:
    spec = _part(daemon_set, "spec")
    strategy = _part(spec, "updateStrategy")
    _empty_to(strategy, "type", "RollingUpdate")
    if strategy["type"] == "RollingUpdate":
        rolling = _part(strategy, "rollingUpdate")
        rolling.setdefault("maxUnavailable", 1)
        rolling.setdefault("maxSurge", 0)
    spec.setdefault("revisionHistoryLimit", 10)
    _template(spec)


def _stateful_set(stateful_set: Mutable) -> None:
    spec = _part(stateful_set, "spec")
    _empty_to(spec, "podManagementPolicy", "OrderedReady")
    strategy = _part(spec, "updateStrategy")
    _empty_to(strategy, "type", "RollingUpdate")
    if strategy["type"] == "RollingUpdate":
        _part(strategy, "rollingUpdate").setdefault("partition", 0)
    policy = _part(spec, "persistentVolumeClaimRetentionPolicy")
    _empty_to(policy, "whenDeleted", "Retain")
    _empty_to(policy, "whenScaled", "Retain")
    spec.setdefault("replicas", 1)
    spec.setdefault("revisionHistoryLimit", 10)
    for claim in spec.get("volumeClaimTemplates") or ():
        default_claim_spec(_part(claim, "spec"))
        _empty_to(_part(claim, "status"), "phase", "Pending")
    _template(spec)


def _job(job: Mutable) -> None:
    spec = _part(job, "spec")
    if spec.get("completions") is None and spec.get("parallelism") is None:
        spec["completions"] = 1
    spec.setdefault("parallelism", 1)
    spec.setdefault("backoffLimit", 6 if spec.get("backoffLimitPerIndex") is None else 2**31 - 1)
    _empty_to(spec, "completionMode", "NonIndexed")
    spec.setdefault("suspend", False)
    spec.setdefault("podReplacementPolicy", "TerminatingOrFailed" if not spec.get("podFailurePolicy") else "Failed")
    for rule in (spec.get("podFailurePolicy") or {}).get("rules") or ():
        for pattern in rule.get("onPodConditions") or ():
            _empty_to(pattern, "status", "True")
    template = _template(spec)
    labels = (template.get("metadata") or {}).get("labels")
    metadata = _part(job, "metadata")
    if labels and not metadata.get("labels"):
        metadata["labels"] = dict(labels)


def _claim(claim: Mutable) -> None:
    default_claim_spec(_part(claim, "spec"))
    _empty_to(_part(claim, "status"), "phase", "Pending")


def _persistent_volume(volume: Mutable) -> None:
    default_persistent_volume_spec(_part(volume, "spec"))
    _empty_to(_part(volume, "status"), "phase", "Pending")


def _storage_class(storage_class: Mutable) -> None:
    storage_class.setdefault("reclaimPolicy", "Delete")
    storage_class.setdefault("volumeBindingMode", "Immediate")


def _csi_driver(driver: Mutable) -> None:
    spec = _part(driver, "spec")
    for name, value in (("attachRequired", True), ("podInfoOnMount", False), ("storageCapacity", False)):
        spec.setdefault(name, value)
    spec.setdefault("fsGroupPolicy", "ReadWriteOnceWithFSType")
    if not spec.get("volumeLifecycleModes"):
        spec["volumeLifecycleModes"] = ["Persistent"]
    spec.setdefault("requiresRepublish", False)
    spec.setdefault("seLinuxMount", False)


def _priority_class(priority_class: Mutable) -> None:
    priority_class.setdefault("value", 0)
    priority_class.setdefault("preemptionPolicy", "PreemptLowerPriority")


def _pod_group(group: Mutable) -> None:
    _part(group, "spec").setdefault("disruptionMode", "Pod")


def _device_claim(spec: Mutable) -> None:
    for request in (spec.get("devices") or {}).get("requests") or ():
        for device in (request.get("exactly"), *(request.get("firstAvailable") or ())):
            if device is None:
                continue
            _empty_to(device, "allocationMode", "ExactCount")
            if device["allocationMode"] == "ExactCount" and not device.get("count"):
                device["count"] = 1
            for toleration in device.get("tolerations") or ():
                _empty_to(toleration, "operator", "Equal")


def _resource_claim(claim: Mutable) -> None:
    _device_claim(_part(claim, "spec"))


def _resource_claim_template(template: Mutable) -> None:
    _device_claim(_part(_part(template, "spec"), "spec"))


_DEFAULTS: Final[dict[str, Callable[[Mutable], None]]] = {
    "Pod": _pod,
    "Namespace": _namespace,
    "Service": _service,
    "ReplicationController": _replication_controller,
    "ReplicaSet": _replica_set,
    "Deployment": _deployment,
    "DaemonSet": _daemon_set,
    "StatefulSet": _stateful_set,
    "Job": _job,
    "PersistentVolumeClaim": _claim,
    "PersistentVolume": _persistent_volume,
    "StorageClass": _storage_class,
    "CSIDriver": _csi_driver,
    "PriorityClass": _priority_class,
    "PodGroup": _pod_group,
    "ResourceClaim": _resource_claim,
    "ResourceClaimTemplate": _resource_claim_template,
}
