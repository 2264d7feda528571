"""A valid manifest of every kind, with many fields set: what the tests start from."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from typing import Any

from simulator.engine.fabric.presets import PRESETS
from simulator.engine.fabric.serial import shape_to_mapping
from simulator.engine.objects.api import Admitted

ALL_GATES = {
    "GenericWorkload": True,
    "GangScheduling": True,
    "TopologyAwareWorkloadScheduling": True,
    "WorkloadAwarePreemption": True,
    "DRAWorkloadResourceClaims": True,
    "TaintTolerationComparisonOperators": True,
}

POD_SPEC: dict[str, Any] = {
    "containers": [
        {
            "name": "main",
            "image": "registry.example.com/train:1.2",
            "command": ["python", "train.py"],
            "ports": [{"name": "http", "containerPort": 8080}, {"containerPort": 9000, "hostPort": 9000}],
            "env": [
                {"name": "RANK", "value": "0"},
                {"name": "NODE", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}},
                {"name": "CPU", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu", "divisor": "1m"}}},
            ],
            "envFrom": [{"prefix": "P_", "configMapRef": {"name": "settings"}}],
            "resources": {
                "requests": {"cpu": "500m", "memory": "1Gi"},
                "limits": {"cpu": 2, "memory": "2Gi", "nvidia.com/gpu": 1},
                "claims": [{"name": "device"}],
            },
            "volumeMounts": [{"name": "data", "mountPath": "/data", "subPath": "a"}],
            "livenessProbe": {"httpGet": {"path": "/healthz", "port": "http"}},
            "readinessProbe": {"tcpSocket": {"port": 8080}},
            "lifecycle": {"preStop": {"sleep": {"seconds": 5}}},
            "securityContext": {"runAsUser": 1000, "capabilities": {"drop": ["ALL"]}},
        }
    ],
    "initContainers": [
        {"name": "fetch", "image": "fetch", "resources": {"limits": {"cpu": "1"}}},
        {"name": "log", "image": "log:2", "restartPolicy": "Always", "startupProbe": {"exec": {"command": ["true"]}}},
    ],
    "volumes": [
        {"name": "data", "persistentVolumeClaim": {"claimName": "data"}},
        {"name": "scratch", "emptyDir": {"sizeLimit": "1Gi"}},
        {"name": "config", "configMap": {"name": "c", "items": [{"key": "k", "path": "p"}]}},
        {
            "name": "own",
            "ephemeral": {
                "volumeClaimTemplate": {
                    "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
                }
            },
        },
        {"name": "tokens", "projected": {"sources": [{"configMap": {"name": "c"}}]}},
    ],
    "nodeSelector": {"accelerator": "a100"},
    "affinity": {
        "nodeAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": {
                "nodeSelectorTerms": [
                    {
                        "matchExpressions": [{"key": "gpu.count", "operator": "Gt", "values": ["3"]}],
                        "matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n1"]}],
                    }
                ]
            },
            "preferredDuringSchedulingIgnoredDuringExecution": [
                {"weight": 5, "preference": {"matchExpressions": [{"key": "zone", "operator": "Exists"}]}}
            ],
        },
        "podAntiAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": [
                {
                    "topologyKey": "kubernetes.io/hostname",
                    "labelSelector": {"matchLabels": {"app": "train"}},
                    "matchLabelKeys": ["version"],
                    "mismatchLabelKeys": ["tenant"],
                }
            ],
            "preferredDuringSchedulingIgnoredDuringExecution": [
                {"weight": 1, "podAffinityTerm": {"topologyKey": "zone", "namespaces": ["team-a"]}}
            ],
        },
    },
    "topologySpreadConstraints": [
        {
            "maxSkew": 1,
            "topologyKey": "zone",
            "whenUnsatisfiable": "DoNotSchedule",
            "minDomains": 2,
            "nodeTaintsPolicy": "Honor",
            "labelSelector": {"matchExpressions": [{"key": "app", "operator": "In", "values": ["train"]}]},
            "matchLabelKeys": ["version"],
        }
    ],
    "tolerations": [
        {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"},
        {"key": "spot", "value": "yes", "effect": "NoExecute", "tolerationSeconds": 30},
    ],
    "schedulingGates": [{"name": "example.com/quota"}],
    "resourceClaims": [{"name": "device", "resourceClaimTemplateName": "one-gpu"}],
    "overhead": {"cpu": "100m"},
    "terminationGracePeriodSeconds": 10,
    "securityContext": {"fsGroup": 2000, "seccompProfile": {"type": "RuntimeDefault"}},
    "dnsConfig": {
        "nameservers": ["10.0.0.10"],
        "searches": ["example.com"],
        "options": [{"name": "ndots", "value": "2"}],
    },
    "hostAliases": [{"ip": "10.1.2.3", "hostnames": ["db.example.com"]}],
    "readinessGates": [{"conditionType": "example.com/ready"}],
    "os": {"name": "linux"},
}
LABELS = {"app": "train", "version": "v1", "tenant": "blue"}
TEMPLATE = {
    "metadata": {"labels": {"app": "web"}},
    "spec": {"containers": [{"name": "c", "image": "web:1", "resources": {"requests": {"cpu": "100m"}}}]},
}
JOB_TEMPLATE = {"spec": {**TEMPLATE["spec"], "restartPolicy": "Never"}}
SELECTOR = {"matchLabels": {"app": "web"}}
CLAIM_SPEC = {
    "accessModes": ["ReadWriteOnce"],
    "resources": {"requests": {"storage": "10Gi"}},
    "storageClassName": "fast",
}
DEVICE_CLAIM = {
    "devices": {
        "requests": [
            {"name": "gpu", "exactly": {"deviceClassName": "gpu.example.com", "count": 2}},
            {"name": "any", "firstAvailable": [{"name": "big", "deviceClassName": "big.example.com"}]},
        ],
        "constraints": [{"requests": ["gpu"], "matchAttribute": "example.com/numa"}],
    }
}

MANIFESTS: dict[str, dict[str, Any]] = {
    manifest["kind"]: manifest
    for manifest in (
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {
                "name": "train-0",
                "namespace": "team-a",
                "labels": LABELS,
                "annotations": {"note": "hello", "controller.kubernetes.io/pod-deletion-cost": "-5"},
                "ownerReferences": [
                    {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "rs", "uid": "1", "controller": True}
                ],
                "finalizers": ["example.com/keep"],
                "creationTimestamp": None,
            },
            "spec": POD_SPEC,
            "status": {"phase": "Pending", "startTime": "2030-01-01T00:00:00Z"},
        },
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": "n1", "labels": {"kubernetes.io/hostname": "n1", "zone": "z1"}},
            "spec": {
                "taints": [{"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}],
                "podCIDRs": ["10.0.1.0/24"],
                "unschedulable": False,
            },
            "status": {
                "capacity": {"cpu": "64", "memory": "512Gi", "pods": "110", "nvidia.com/gpu": 8},
                "allocatable": {"cpu": "63500m", "memory": "500Gi", "pods": "110", "nvidia.com/gpu": 8},
                "conditions": [{"type": "Ready", "status": "True", "lastHeartbeatTime": "2030-01-01T00:00:00Z"}],
                "images": [{"names": ["web:1"], "sizeBytes": 1000000}],
                "addresses": [{"type": "InternalIP", "address": "10.0.0.1"}],
                "nodeInfo": {"architecture": "amd64"},
                "declaredFeatures": ["A"],
            },
        },
        {
            "apiVersion": "v1",
            "kind": "Namespace",
            "metadata": {"name": "team-a"},
            "spec": {"finalizers": ["kubernetes"]},
        },
        {
            "apiVersion": "v1",
            "kind": "Service",
            "metadata": {"name": "web"},
            "spec": {"selector": {"app": "web"}, "ports": [{"port": 80, "targetPort": "http"}]},
        },
        {
            "apiVersion": "v1",
            "kind": "ReplicationController",
            "metadata": {"name": "rc"},
            "spec": {"replicas": 2, "template": TEMPLATE},
        },
        {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "data"}, "spec": CLAIM_SPEC},
        {
            "apiVersion": "v1",
            "kind": "PersistentVolume",
            "metadata": {"name": "pv-1"},
            "spec": {
                "capacity": {"storage": "10Gi"},
                "accessModes": ["ReadWriteOnce"],
                "storageClassName": "fast",
                "local": {"path": "/mnt/disk"},
                "nodeAffinity": {
                    "required": {
                        "nodeSelectorTerms": [
                            {
                                "matchExpressions": [
                                    {"key": "kubernetes.io/hostname", "operator": "In", "values": ["n1"]}
                                ]
                            }
                        ]
                    }
                },
            },
        },
        {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"name": "web"},
            "spec": {"replicas": 3, "selector": SELECTOR, "template": TEMPLATE},
        },
        {
            "apiVersion": "apps/v1",
            "kind": "ReplicaSet",
            "metadata": {"name": "web"},
            "spec": {"replicas": 3, "selector": SELECTOR, "template": TEMPLATE},
        },
        {
            "apiVersion": "apps/v1",
            "kind": "StatefulSet",
            "metadata": {"name": "db"},
            "spec": {
                "serviceName": "db",
                "selector": SELECTOR,
                "template": TEMPLATE,
                "volumeClaimTemplates": [{"metadata": {"name": "data"}, "spec": CLAIM_SPEC}],
            },
        },
        {
            "apiVersion": "apps/v1",
            "kind": "DaemonSet",
            "metadata": {"name": "agent"},
            "spec": {"selector": SELECTOR, "template": TEMPLATE},
        },
        {
            "apiVersion": "batch/v1",
            "kind": "Job",
            "metadata": {"name": "train"},
            "spec": {"parallelism": 4, "completions": 4, "completionMode": "Indexed", "template": JOB_TEMPLATE},
        },
        {
            "apiVersion": "policy/v1",
            "kind": "PodDisruptionBudget",
            "metadata": {"name": "web"},
            "spec": {"minAvailable": "50%", "selector": SELECTOR},
            "status": {"disruptionsAllowed": 1, "disruptedPods": {"p": "2030-01-01T00:00:00Z"}},
        },
        {
            "apiVersion": "scheduling.k8s.io/v1",
            "kind": "PriorityClass",
            "metadata": {"name": "high"},
            "value": 1000,
            "preemptionPolicy": "Never",
            "description": "for trainings",
        },
        {
            "apiVersion": "scheduling.k8s.io/v1alpha2",
            "kind": "PodGroup",
            "metadata": {"name": "gang"},
            "spec": {
                "schedulingPolicy": {"gang": {"minCount": 4}},
                "schedulingConstraints": {"topology": [{"key": "rack"}]},
                "disruptionMode": "PodGroup",
                "priority": 10,
            },
        },
        {
            "apiVersion": "scheduling.k8s.io/v1alpha2",
            "kind": "Workload",
            "metadata": {"name": "work"},
            "spec": {"podGroupTemplates": [{"name": "workers", "schedulingPolicy": {"basic": {}}}]},
        },
        {
            "apiVersion": "storage.k8s.io/v1",
            "kind": "StorageClass",
            "metadata": {"name": "fast"},
            "provisioner": "csi.example.com",
            "volumeBindingMode": "WaitForFirstConsumer",
            "allowedTopologies": [{"matchLabelExpressions": [{"key": "zone", "values": ["z1", "z2"]}]}],
        },
        {
            "apiVersion": "storage.k8s.io/v1",
            "kind": "CSINode",
            "metadata": {"name": "n1"},
            "spec": {"drivers": [{"name": "csi.example.com", "nodeID": "i-1", "allocatable": {"count": 25}}]},
        },
        {"apiVersion": "storage.k8s.io/v1", "kind": "CSIDriver", "metadata": {"name": "csi.example.com"}, "spec": {}},
        {
            "apiVersion": "storage.k8s.io/v1",
            "kind": "CSIStorageCapacity",
            "metadata": {"name": "capacity"},
            "storageClassName": "fast",
            "capacity": "100Gi",
        },
        {
            "apiVersion": "storage.k8s.io/v1",
            "kind": "VolumeAttachment",
            "metadata": {"name": "attachment"},
            "spec": {"attacher": "csi.example.com", "nodeName": "n1", "source": {"persistentVolumeName": "pv-1"}},
        },
        {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "DeviceClass",
            "metadata": {"name": "gpu.example.com"},
            "spec": {"selectors": [{"cel": {"expression": "true"}}]},
        },
        {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceSlice",
            "metadata": {"name": "n1-gpus"},
            "spec": {
                "driver": "gpu.example.com",
                "nodeName": "n1",
                "pool": {"name": "n1", "generation": 1, "resourceSliceCount": 1},
                "devices": [
                    {
                        "name": "gpu-0",
                        "attributes": {"model": {"string": "H100"}},
                        "capacity": {"memory": {"value": "80Gi"}},
                    }
                ],
            },
        },
        {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": "c"}, "spec": DEVICE_CLAIM},
        {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceClaimTemplate",
            "metadata": {"name": "one-gpu"},
            "spec": {"spec": DEVICE_CLAIM},
        },
        {
            "apiVersion": "gpuschedlab.io/v1alpha1",
            "kind": "NodeFabric",
            "metadata": {"name": "gpu-1"},
            "spec": {
                "shape": shape_to_mapping(PRESETS["a100-pcie-4"].shape),
                "leaves": ["leaf-0"],
                "nvlinkDomain": "rack-1",
                "faults": {
                    "gpus": [3],
                    "pairs": [{"first": 0, "second": 1, "links": 8}],
                    "nics": [{"nic": 0, "link": "ib-edr"}],
                },
                "devicePolicy": "best-effort",
                "topologyManager": {"policy": "single-numa-node", "scope": "pod"},
                "sharing": {"strategy": "time-slicing", "replicas": 4, "renamed": True},
                "mig": {"strategy": "mixed", "instances": [{"gpu": 0, "profiles": ["1g.10gb", "2g.20gb"]}]},
            },
        },
        {
            "apiVersion": "gpuschedlab.io/v1alpha1",
            "kind": "NetworkSwitch",
            "metadata": {"name": "leaf-0"},
            "spec": {"tier": 1, "parent": "spine", "oversubscription": 2.5},
        },
        {
            "apiVersion": "topology.node.k8s.io/v1alpha2",
            "kind": "NodeResourceTopology",
            "metadata": {"name": "gpu-1"},
            "attributes": [{"name": "topologyManagerPolicy", "value": "single-numa-node"}],
            "topologyPolicies": ["SingleNUMANodeContainerLevel"],
            "zones": [
                {
                    "name": "node-0",
                    "type": "Node",
                    "costs": [{"name": "node-0", "value": 10}],
                    "resources": [{"name": "cpu", "capacity": "4", "allocatable": "4", "available": "2"}],
                }
            ],
        },
    )
}


def manifest(kind: str, **changes: Any) -> dict[str, Any]:
    """Return a fresh copy. Changes are named by path: `spec__nodeName="n1"`; None removes."""
    fresh = copy.deepcopy(MANIFESTS[kind])
    for path, value in changes.items():
        *parents, last = path.split("__")
        place = fresh
        for key in parents:
            place = place[int(key)] if key.isdigit() else place.setdefault(key, {})
        if value is None:
            place.pop(last, None)
        else:
            place[last] = value
    return fresh


def pod(**spec: Any) -> dict[str, Any]:
    """Return a plain Pod with one container."""
    container = {"name": "c", "image": "img:1"}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p", "labels": {"app": "web"}},
        "spec": {"containers": [container], **spec},
    }


class Store:
    """A registry for tests."""

    def __init__(self) -> None:
        self.objects: dict[tuple[str, str, str], Mapping[str, Any]] = {}

    def add(self, admitted: Admitted) -> None:
        self.objects[admitted.kind.kind, admitted.namespace, admitted.name] = admitted.manifest

    def get(self, kind: str, namespace: str, name: str) -> Mapping[str, Any] | None:
        return self.objects.get((kind, namespace, name))

    def all(self, kind: str) -> Iterable[Mapping[str, Any]]:
        return [value for key, value in self.objects.items() if key[0] == kind]
