# ruff: noqa: E501 - the texts are as long as kube's
"""What may change in an object that exists, and the words where it may not (Kubernetes 1.36's source)."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.engine.objects.api import Admitted, ApiServer, Refusal
from tests.engine.objects.manifests import ALL_GATES, Store, manifest

POD_SPEC = (
    "spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,"
    "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,"
    "`spec.tolerations` (only additions to existing tolerations),"
    "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)"
)
TERM = "spec__affinity__nodeAffinity__requiredDuringSchedulingIgnoredDuringExecution__nodeSelectorTerms"
TERMS = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms"
EXISTS = {"key": "a", "operator": "Exists"}


def update(kind: str, before: dict[str, Any], after: dict[str, Any]) -> Admitted | Refusal:
    """Create the example with `before`, then replace what was stored with it changed by `after`."""
    server, store = ApiServer(ALL_GATES), Store()
    example = manifest(kind, **before)
    if kind == "Pod":
        del example["spec"]["affinity"]["podAntiAffinity"]
        del example["spec"]["topologySpreadConstraints"]
    created = server.admit(example, store)
    assert isinstance(created, Admitted), created.errors
    store.add(created)
    changed = manifest(kind, **before)
    if kind == "Pod":
        del changed["spec"]["affinity"]["podAntiAffinity"]
        del changed["spec"]["topologySpreadConstraints"]
    for path, value in after.items():
        *parents, last = path.split("__")
        place: Any = changed
        for key in parents:
            place = place[int(key)] if key.isdigit() else place.setdefault(key, {})
        if value is None:
            place.pop(last)
        else:
            place[int(last) if last.isdigit() else last] = value
    return server.admit_update(changed, store)


UNGATED: dict[str, Any] = {"spec__schedulingGates": None}
PATIENT: dict[str, Any] = {"spec__containers__0__lifecycle": None}

ALLOWED: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("Pod", {}, {}),
    ("Pod", {}, {"metadata__labels__new": "x"}),
    ("Pod", {}, {"spec__containers__0__image": "other:2"}),
    ("Pod", {}, {"spec__activeDeadlineSeconds": 5}),
    ("Pod", {"spec__activeDeadlineSeconds": 9}, {"spec__activeDeadlineSeconds": 5}),
    ("Pod", {}, {"spec__schedulingGates": None}),
    ("Pod", {}, {"spec__tolerations__1__tolerationSeconds": 60}),
    ("Pod", {}, {"spec__nodeSelector__zone": "z1"}),
    ("Pod", {}, {f"{TERM}__0__matchExpressions": [{"key": "gpu.count", "operator": "Gt", "values": ["3"]}, EXISTS]}),
    ("Pod", {**PATIENT, "spec__terminationGracePeriodSeconds": -1}, {"spec__terminationGracePeriodSeconds": 1}),
    ("Pod", {}, {"spec__containers__0__resources__requests__memory": "1024Mi"}),
    ("Node", {}, {"spec__unschedulable": True, "spec__taints": [], "metadata__labels__a": "b"}),
    ("Node", {}, {"status__allocatable__cpu": "32"}),
    ("Deployment", {}, {"spec__replicas": 9}),
    ("StatefulSet", {}, {"spec__replicas": 9}),
    ("Job", {}, {"spec__parallelism": 9}),
    (
        "PersistentVolumeClaim",
        {"status": {"capacity": {"storage": "10Gi"}}},
        {"spec__resources__requests__storage": "20Gi"},
    ),
    ("PersistentVolumeClaim", {}, {"spec__volumeName": "pv-1"}),
    ("PriorityClass", {}, {"description": "other"}),
    ("Namespace", {}, {"metadata__labels": {"a": "b"}}),
    ("PodDisruptionBudget", {}, {"spec__minAvailable": 3}),
]

REFUSED: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    ("Pod", {}, {"spec__nodeName": "n2"}, POD_SPEC),
    ("Pod", {}, {"spec__containers__0__resources__requests__memory": "2Gi"}, POD_SPEC),
    ("Pod", UNGATED, {"spec__nodeSelector__zone": "z1"}, POD_SPEC),
    ("Pod", {}, {"spec__containers": [{"name": "c", "image": "i"}, {"name": "d", "image": "i"}]}, "spec.containers: Forbidden: pod updates may not add or remove containers"),
    ("Pod", {"spec__activeDeadlineSeconds": 9}, {"spec__activeDeadlineSeconds": 10}, "spec.activeDeadlineSeconds: Invalid value: 10: must be less than or equal to previous value"),
    ("Pod", {"spec__activeDeadlineSeconds": 9}, {"spec__activeDeadlineSeconds": None}, "spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer to nil value"),
    ("Pod", {}, {"spec__tolerations__0__key": "x"}, "spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds"),
    ("Pod", {}, {"spec__schedulingGates__0__name": "other"}, "spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'other'"),
    ("Pod", {}, {"spec__nodeSelector": {"accelerator": "l40s"}}, 'spec.nodeSelector: Invalid value: {"accelerator":"l40s"}: only additions to spec.nodeSelector are allowed (no mutations or deletions)'),
    ("Pod", {}, {TERM: [{"matchExpressions": [EXISTS]}] * 2}, f'{TERMS}: Invalid value: [{{"MatchExpressions":[{{"Key":"a","Operator":"Exists","Values":null}}],"MatchFields":null}},'),
    ("Pod", {}, {f"{TERM}__0__matchExpressions": [EXISTS]}, f'{TERMS}[0]: Invalid value: {{"MatchExpressions":[{{"Key":"a"'),
    ("Pod", {}, {"metadata__uid": "other"}, 'metadata.uid: Invalid value: "other": field is immutable'),
    ("Pod", {"metadata__generation": 3}, {"metadata__generation": 2}, "metadata.generation: Invalid value: 2: must not be decremented"),
    ("Pod", {"metadata__deletionTimestamp": "2030-01-01T00:00:00Z"}, {"metadata__finalizers": ["a.b/c"]}, 'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers ["a.b/c"]'),
    ("Node", {}, {"spec__podCIDRs": ["10.9.0.0/24"]}, 'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid'),
    ("Node", {"spec__providerID": "a"}, {"spec__providerID": "b"}, 'spec.providerID: Forbidden: node updates may not change providerID except from "" to valid'),
    ("Node", {}, {"spec__externalID": "x"}, "spec.externalID: Forbidden: may not be updated"),
    ("Node", {}, {"spec__taints__0__effect": "Never"}, 'metadata.taints[0].effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"'),
    ("Node", {}, {"status__addresses": [{"type": "Hostname", "address": "a"}] * 2}, 'status.addresses[1]: Duplicate value: {"Type":"Hostname","Address":"a"}'),
    ("Deployment", {}, {"spec__selector__matchLabels__x": "y", "spec__template__metadata__labels__x": "y"}, 'spec.selector: Invalid value: {"matchLabels":{"app":"web","x":"y"}}: field is immutable'),
    ("StatefulSet", {}, {"spec__serviceName": "x"}, "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"),
    ("Job", {}, {"spec__completionMode": "NonIndexed"}, 'spec.completionMode: Invalid value: "NonIndexed": field is immutable'),
    ("PersistentVolumeClaim", {}, {"spec__accessModes": ["ReadWriteMany"]}, "spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims"),
    ("PersistentVolumeClaim", {"status": {"capacity": {"storage": "10Gi"}}}, {"spec__resources__requests__storage": "5Gi"}, "spec.resources.requests.storage: Forbidden: field can not be less than status.capacity"),
    ("PersistentVolume", {}, {"spec__local__path": "/other"}, "spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation"),
    ("PersistentVolume", {}, {"spec__nodeAffinity__required__nodeSelectorTerms__0__matchExpressions": [EXISTS]}, "nodeAffinity: Invalid value: "),
    ("PriorityClass", {}, {"value": 5}, "Value: Forbidden: may not be changed in an update."),
    ("PriorityClass", {}, {"preemptionPolicy": "PreemptLowerPriority"}, 'preemptionPolicy: Invalid value: "PreemptLowerPriority": field is immutable'),
    ("StorageClass", {}, {"provisioner": "other"}, "provisioner: Forbidden: updates to provisioner are forbidden."),
    ("StorageClass", {}, {"volumeBindingMode": "Immediate"}, 'volumeBindingMode: Invalid value: "Immediate": field is immutable'),
    ("Service", {"spec__clusterIP": "10.0.0.1"}, {"spec__clusterIP": "10.0.0.2"}, 'spec.clusterIPs[0]: Invalid value: ["10.0.0.2"]: may not change once set'),
    ("PodGroup", {}, {"spec__schedulingPolicy": {"gang": {"minCount": 5}}}, 'spec.schedulingPolicy: Invalid value: {"gang":{"minCount":5}}: field is immutable'),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "before", "after"), ALLOWED, ids=range(len(ALLOWED)))
def test_allowed_change(kind: str, before: dict[str, Any], after: dict[str, Any]) -> None:
    answer = update(kind, before, after)
    assert isinstance(answer, Admitted), [error.text for error in answer.errors]


@pytest.mark.parametrize(("kind", "before", "after", "text"), REFUSED, ids=range(len(REFUSED)))
def test_refused_change(kind: str, before: dict[str, Any], after: dict[str, Any], text: str) -> None:
    answer = update(kind, before, after)
    assert isinstance(answer, Refusal)
    found = [error.text for error in answer.errors]
    assert len(found) == 1, found
    assert found[0].startswith(text), found[0]


def test_refused_pod_change_names_the_fields() -> None:
    answer = update("Pod", {}, {"spec__nodeName": "n2", "spec__hostname": "h"})
    assert isinstance(answer, Refusal)
    assert answer.errors[0].params["changed"] == ("hostname", "nodeName")


def test_update_of_nothing() -> None:
    answer = ApiServer().admit_update(manifest("Node"), Store())
    assert isinstance(answer, Refusal)
    assert answer.message == 'nodes "n1" not found'


def test_status_and_system_metadata_stay_when_they_are_not_sent() -> None:
    store = Store()
    created = ApiServer().admit(
        manifest("Node", metadata__uid="u", metadata__creationTimestamp="2030-01-01T00:00:00Z"), store
    )
    assert isinstance(created, Admitted)
    store.add(created)
    answer = ApiServer().admit_update(manifest("Node", status=None), store)
    assert isinstance(answer, Admitted)
    assert answer.manifest["status"] == created.manifest["status"]
    assert answer.manifest["metadata"]["uid"] == "u"
