# ruff: noqa: E501 - the texts are as long as kube's
"""The API server's texts about other kinds and from the other stages; the words are those of Kubernetes 1.36's source."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from simulator.engine import objects
from simulator.engine.objects.api import Admitted, ApiServer, Refusal, Rules
from simulator.engine.objects.texts import TEXTS
from tests.engine.objects.manifests import ALL_GATES, Store, manifest, pod

# fmt: off
CASES: list[tuple[dict[str, Any], list[str]]] = [
    (manifest("Node", spec__taints=[{"key": "a", "effect": "NoSchedule", "value": "x " * 40}]), ['metadata.taints[0].value: Invalid value: "x x']),
    (manifest("Node", spec__podCIDRs=["10.0.0.0/24", "10.0.1.0/24"]), ['spec.podCIDRs: Invalid value: ["10.0.0.0/24","10.0.1.0/24"]: may specify no more than one CIDR for each IP family']),
    (manifest("Node", spec__podCIDRs=["10.0.0.0/33"]), ['spec.podCIDRs[0]: Invalid value: "10.0.0.0/33": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)']),
    (manifest("PodDisruptionBudget", spec__maxUnavailable=1), ['spec: Invalid value: "(spec)": minAvailable and maxUnavailable cannot be both set']),
    (manifest("PodDisruptionBudget", spec__minAvailable="101%"), ['spec.minAvailable: Invalid value: "101%": must not be greater than 100%']),
    (manifest("PriorityClass", value=1000000001), ["value: Forbidden: maximum allowed value of a user defined priority is 1000000000"]),
    (manifest("PriorityClass", metadata__name="system-x"), ["metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-x is not a known system priority class"]),
    (manifest("Deployment", spec__selector=None), ["spec.selector: Required value", 'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`']),
    (manifest("Deployment", spec__selector={}), ["spec.selector: Invalid value: {}: empty selector is invalid for deployment"]),
    (manifest("Deployment", spec__selector={"matchLabels": {"app": "db"}}), ['spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`']),
    (manifest("Deployment", spec__strategy={"type": "Recreate", "rollingUpdate": {}}), ["spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'"]),
    (manifest("Deployment", spec__strategy={"rollingUpdate": {"maxUnavailable": 0, "maxSurge": "0%"}}), ["spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0"]),
    (manifest("Deployment", spec__progressDeadlineSeconds=5, spec__minReadySeconds=5), ["spec.progressDeadlineSeconds: Invalid value: 5: must be greater than minReadySeconds"]),
    (manifest("ReplicaSet", spec__template__spec__activeDeadlineSeconds=5), ["spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported"]),
    (manifest("ReplicaSet", spec__template__spec__restartPolicy="Never"), ['spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"']),
    (manifest("ReplicaSet", spec__template__spec__ephemeralContainers=[{"name": "e", "image": "i"}]), ["spec.template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template"]),
    (manifest("StatefulSet", spec__podManagementPolicy="Any"), ['spec.podManagementPolicy: Invalid value: "Any": must be \'OrderedReady\' or \'Parallel\'']),
    (manifest("Job", spec__template__spec__restartPolicy=None), ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"']),
    (manifest("Job", spec__completions=None), ["spec.completions: Required value: when completion mode is Indexed"]),
    (manifest("Job", spec__completions=100001, spec__parallelism=100001), ["spec.parallelism: Invalid value: 100001: should be less than or equal to 100000 when completion mode is Indexed"]),
    (manifest("Job", spec__completionMode="NonIndexed", spec__backoffLimitPerIndex=1), ["spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode"]),
    (manifest("Service", spec__type="NodePort", spec__clusterIP="None"), ['spec.clusterIPs[0]: Invalid value: "None": may not be set to \'None\' for NodePort services']),
    (manifest("Service", spec__type="ExternalName", spec__externalName="a.b", spec__clusterIPs=["1.1.1.1"]), ["spec.clusterIPs: Forbidden: may not be set for ExternalName services"]),
    (manifest("Service", spec__ports=[{"port": 1, "nodePort": 30000}]), ["spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"]),
    (manifest("Service", spec__ports=[{"name": "a", "port": 1}, {"name": "b", "port": 1}]), ['spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":1,"TargetPort":0,"NodePort":0}']),
    (manifest("Service", spec__clusterIP="1.1.1.1", spec__clusterIPs=["1.1.1.2"]), ['spec.clusterIPs: Invalid value: ["1.1.1.2"]: first value must match `clusterIP`']),
    (manifest("Service", spec__clusterIPs=["1.1.1.2"]), ['spec.clusterIPs: Invalid value: ["1.1.1.2"]: must be empty when `clusterIP` is not specified']),
    (manifest("Service", spec__sessionAffinityConfig={"clientIP": {"timeoutSeconds": 1}}), ["spec.sessionAffinityConfig: Forbidden: must not be set when session affinity is None"]),
    (manifest("Service", spec__externalTrafficPolicy="Local"), ['spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services']),
    (manifest("Service", spec__loadBalancerClass="a.b/c"), ["spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'"]),
    (manifest("PersistentVolumeClaim", spec__accessModes=[]), ["spec.accessModes: Required value: at least 1 access mode is required"]),
    (manifest("PersistentVolumeClaim", spec__accessModes=["ReadWriteOncePod", "ReadWriteOnce"]), ["spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes"]),
    (manifest("PersistentVolumeClaim", spec__dataSource={"kind": "X", "name": "y"}), ['spec.dataSource: Invalid value: "X": must be \'PersistentVolumeClaim\' when referencing the default apiGroup']),
    (manifest("PersistentVolumeClaim", spec__resources={"requests": {"storage": "0"}}), ['spec.resources[storage]: Invalid value: "0": must be greater than zero']),
    (manifest("PersistentVolume", spec__nodeAffinity=None), ["spec.nodeAffinity: Required value: Local volume requires node affinity"]),
    (manifest("PersistentVolume", spec__nodeAffinity={}), ["spec.nodeAffinity.required: Required value: must specify required node constraints"]),
    (manifest("PersistentVolume", spec__capacity={"storage": "-1"}), ['spec.capacity[storage]: Invalid value: "-1": must be greater than zero', "spec.capacity[storage]: Invalid value: -1: must be a valid resource quantity"]),
    (manifest("PersistentVolume", spec__local=None, spec__hostPath={"path": "/a/.."}, spec__persistentVolumeReclaimPolicy="Recycle"), ['spec.hostPath.path: Invalid value: "/a/..": must not contain \'..\'', "spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'"]),
    (manifest("PersistentVolume", spec__local=None), ["spec: Required value: must specify a volume type"]),
    (manifest("PodGroup", spec__schedulingPolicy={}), ['spec.schedulingPolicy: Invalid value: "": must specify one of: `basic`, `gang`']),
    (manifest("PodGroup", spec__schedulingPolicy={"basic": {}, "gang": {"minCount": 1}}), ['spec.schedulingPolicy: Invalid value: "{basic, gang}": must specify exactly one of: `basic`, `gang`']),
    (manifest("PodGroup", spec__schedulingPolicy={"gang": {"minCount": -1}}), ["spec.schedulingPolicy.gang.minCount: Invalid value: -1: must be greater than or equal to 1"]),
    (manifest("PodGroup", spec__priority=1000000001), ["spec.priority: Invalid value: 1000000001: must be less than or equal to 1000000000"]),
    (manifest("PodGroup", spec__schedulingConstraints={"topology": [{"key": "a"}, {"key": "b"}]}), ["spec.schedulingConstraints.topology: Too many: 2: must have at most 1 item"]),
    (manifest("ResourceClaim", spec__devices={"requests": [{"name": "a"}]}), ["spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required"]),
    (manifest("ResourceClaim", spec__devices={"requests": [{"name": "a", "exactly": {"deviceClassName": "c", "allocationMode": "All", "count": 1}}]}), ["spec.devices.requests[0].exactly.count: Invalid value: 1: must not be specified when allocationMode is 'All'"]),
]

STAGES: list[tuple[object, str, str, str]] = [
    ([], "decode", "couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion", ""),
    ({"apiVersion": "v1", "kind": 1}, "decode", "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string", ""),
    ({"apiVersion": "v1"}, "decode", 'Object \'Kind\' is missing in \'{"apiVersion":"v1"}\'', ""),
    ({"kind": "Pod"}, "decode", 'Object \'apiVersion\' is missing in \'{"kind":"Pod"}\'', ""),
    ({"apiVersion": "v1", "kind": "Pods"}, "decode", 'no matches for kind "Pods" in version "v1"', 'no matches for kind "Pods" in version "v1"'),
    (pod(priorityClassName="x"), "admission", "no PriorityClass with name x was found", 'pods "p" is forbidden: no PriorityClass with name x was found'),
    (pod(priority=5), "admission", "the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name", ""),
    (pod(containers=[{"image": 5}]), "decode", "json: cannot unmarshal number into Go struct field Container.spec.containers.image of type string", 'Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal number'),
    (pod(nodeSelector={"a": True}), "decode", "json: cannot unmarshal bool into Go struct field PodSpec.spec.nodeSelector of type string", ""),
    (pod(affinity=[]), "decode", "json: cannot unmarshal array into Go struct field PodSpec.spec.affinity of type v1.Affinity", ""),
    (pod(containers=["c"]), "decode", "json: cannot unmarshal string into Go struct field PodSpec.spec.containers of type v1.Container", ""),
    (pod(containers=[{"resources": {"requests": ["cpu"]}}]), "decode", "json: cannot unmarshal array into Go struct field ResourceRequirements.spec.containers.resources.requests of type v1.ResourceList", ""),
    (pod(restartPolicy=1), "decode", "json: cannot unmarshal number into Go struct field PodSpec.spec.restartPolicy of type v1.RestartPolicy", ""),
    (pod(priority=1.5), "decode", "json: cannot unmarshal number 1.5 into Go struct field PodSpec.spec.priority of type int32", ""),
    (pod(volumes={"a": 1}), "decode", "json: cannot unmarshal object into Go struct field PodSpec.spec.volumes of type []v1.Volume", ""),
    (pod(volumes=[{"name": "v", "emptyDir": {"sizeLimit": {}}}]), "decode", "quantities must match the regular expression", ""),
    (pod(a=1, containers=[{"name": "c", "image": "i", "b": 1}]), "decode", 'strict decoding error: unknown field "spec.containers[0].b", unknown field "spec.a"', ""),
    (pod(a=1, hostNetwork="no"), "decode", "json: cannot unmarshal string into Go struct field PodSpec.spec.hostNetwork of type bool", ""),
    ({**pod(hostNetwork="no"), "status": {"startTime": "2030-13-01T00:00:00Z"}}, "decode", 'parsing time "2030-13-01T00:00:00Z": month out of range', ""),
    ({**pod(), "status": {"startTime": "2030-01-01"}}, "decode", 'parsing time "2030-01-01" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"', ""),
    ({**pod(), "status": {"startTime": 5}}, "decode", "json: cannot unmarshal number into Go struct field PodStatus.status.startTime of type string", ""),
    ({**pod(), "status": {"startTime": "2030-02-30T00:00:00Z"}}, "decode", 'parsing time "2030-02-30T00:00:00Z": day out of range', ""),
    ({**pod(), "status": {"startTime": "2030-01-01T00:00:00Zx"}}, "decode", 'parsing time "2030-01-01T00:00:00Zx": extra text: "x"', ""),
    (manifest("Pod", metadata__labels={"a": 1}), "decode", "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string", ""),
    ({"apiVersion": "v1", "kind": "Pod", "spec": "x"}, "decode", "json: cannot unmarshal string into Go struct field Pod.spec of type v1.PodSpec", ""),
    (manifest("PodDisruptionBudget", spec__minAvailable=[]), "decode", "json: cannot unmarshal array into Go struct field PodDisruptionBudgetSpec.spec.minAvailable of type int32", ""),
    (manifest("Deployment", spec__selector={"matchLabels": {"app": "db"}}), "validate", "spec.template.metadata.labels: Invalid value", 'Deployment.apps "web" is invalid: spec.template.metadata.labels: Invalid value: {"app":"web"}'),
]
# fmt: on


@pytest.mark.parametrize(("bad", "texts"), CASES, ids=[f"{number:03d}" for number in range(len(CASES))])
def test_refusal_text(bad: dict[str, Any], texts: list[str]) -> None:
    answer = ApiServer(ALL_GATES).admit(bad, Store())
    assert isinstance(answer, Refusal)
    assert answer.stage == "validate"
    found = [error.text for error in answer.errors]
    assert len(found) == len(texts), found
    for got, expected in zip(found, texts, strict=True):
        assert got.startswith(expected), got


@pytest.mark.parametrize(
    ("bad", "stage", "text", "message"), STAGES, ids=[f"{number:02d}" for number in range(len(STAGES))]
)
def test_refusal_by_stage(bad: object, stage: str, text: str, message: str) -> None:
    answer = ApiServer(ALL_GATES).admit(bad, Store())
    assert isinstance(answer, Refusal)
    assert answer.stage == stage
    assert answer.errors[0].text.startswith(text), answer.errors[0].text
    assert answer.message.startswith(message or ""), answer.message


def test_object_exists() -> None:
    server, store = ApiServer(), Store()
    first = server.admit(manifest("Node"), store)
    assert isinstance(first, Admitted)
    store.add(first)
    second = server.admit(manifest("Node"), store)
    assert isinstance(second, Refusal)
    assert second.stage == "create"
    assert second.errors[0].text == '"n1" already exists'
    assert second.message == 'nodes "n1" already exists'


def test_namespace_is_required_by_rule() -> None:
    answer = ApiServer(rules=Rules(require_namespace=True)).admit(pod(), Store())
    assert isinstance(answer, Refusal)
    assert answer.message == 'namespaces "default" not found'


def test_pod_group_needs_its_gate() -> None:
    answer = ApiServer().admit(manifest("PodGroup"), Store())
    assert isinstance(answer, Refusal)
    assert answer.errors[0].text == 'no matches for kind "PodGroup" in version "scheduling.k8s.io/v1alpha2"'


def test_second_default_class_is_refused() -> None:
    server, store = ApiServer(), Store()
    first = server.admit(manifest("PriorityClass", globalDefault=True), store)
    assert isinstance(first, Admitted)
    store.add(first)
    second = server.admit(manifest("PriorityClass", metadata__name="other", globalDefault=True), store)
    assert isinstance(second, Refusal)
    assert second.errors[0].text == "PriorityClass high is already marked as default. Only one default can exist"


def test_every_code_in_the_source_has_a_text_and_every_text_a_use() -> None:
    groups = {code.partition(".")[0] for code in TEXTS}
    source = "".join(path.read_text() for path in Path(objects.__path__[0]).rglob("*.py") if path.name != "texts.py")
    literals = set(re.findall(r'"([a-z_]+\.[a-z_0-9]+)"', source))
    used = {literal for literal in literals if literal.partition(".")[0] in groups}
    fields = {"metadata.name", "metadata.namespace", "metadata.uid", "metadata.annotations", "metadata.labels"}
    assert used - fields <= set(TEXTS)
    assert set(TEXTS) <= used
