# ruff: noqa: E501 - the texts are as long as kube's
"""The API server's texts about Pods, each provoked once; the words are those of Kubernetes 1.36's source."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.engine.objects.api import ApiServer, Refusal
from tests.engine.objects.manifests import ALL_GATES, Store, manifest, pod

C0 = "spec.containers[0]"
OWNER = {"apiVersion": "v1", "kind": "X", "name": "x", "uid": "1", "controller": True}
TERM = {"topologyKey": "zone", "labelSelector": {"matchLabels": {"app": "web"}}}
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
HOOK = {"exec": {"command": ["true"]}}


def container(**fields: Any) -> dict[str, Any]:
    return pod(containers=[{"name": "c", "image": "img:1", **fields}])


def init(**fields: Any) -> dict[str, Any]:
    return pod(initContainers=[{"name": "i", "image": "img:1", **fields}])


def resources(**fields: Any) -> dict[str, Any]:
    return container(resources=fields)


def volume(**source: Any) -> dict[str, Any]:
    return pod(volumes=[{"name": "v", **source}])


def mounted(mount: dict[str, Any], **fields: Any) -> dict[str, Any]:
    claims = [{"name": "v", "persistentVolumeClaim": {"claimName": "a"}}, {"name": "e", "emptyDir": {}}]
    return pod(
        containers=[{"name": "c", "image": "i", "volumeMounts": [mount], **fields}],
        volumes=[*claims, {"name": "img", "image": {"reference": "a"}}],
    )


def affinity(term: dict[str, Any]) -> dict[str, Any]:
    return pod(affinity={"podAffinity": {REQUIRED: [term]}})


def meta(kind: str = "Pod", **fields: Any) -> dict[str, Any]:
    made = manifest(kind)
    made["metadata"] |= fields
    return made


def spread(**fields: Any) -> dict[str, Any]:
    constraint = {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}
    return pod(topologySpreadConstraints=[{**constraint, **fields}])


# fmt: off
CASES: list[tuple[dict[str, Any], list[str]]] = [
    (meta(ownerReferences=[OWNER, {**OWNER, "name": "y"}]), ["metadata.ownerReferences: Invalid value: [{"]),
    (meta(ownerReferences=[{"apiVersion": "v1", "kind": "Event", "name": "e", "uid": "1"}]), ['metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"e","uid":"1"}: /v1, Kind=Event is disallowed from being an owner']),
    (meta(ownerReferences=[{"apiVersion": "", "kind": "X", "name": "x", "uid": "1"}]), ['metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty']),
    (meta(finalizers=["orphan", "foregroundDeletion"]), ['metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set']),
    (meta(annotations={"a": "x" * 262144}), ["metadata.annotations: Too long: may not be more than 262144 bytes"]),
    (meta("Node", namespace="default"), ["metadata.namespace: Forbidden: not allowed on this type"]),
    (meta(generation=-1), ["metadata.generation: Invalid value: -1: must be greater than or equal to 0"]),
    (meta(labels={"/x": ""}), ['metadata.labels: Invalid value: "/x": prefix part must be non-empty']),
    (meta(labels={"a" * 254 + "/x": ""}), ['metadata.labels: Invalid value: "aaa']),
    (meta(labels={"A.com/x": ""}), ['metadata.labels: Invalid value: "A.com/x": prefix part a lowercase RFC 1123 subdomain']),
    (meta(labels={"a/b/c": ""}), ['metadata.labels: Invalid value: "a/b/c": a valid label key must consist of']),
    (pod() | {"metadata": {"name": "a" * 254}}, [f"""metadata.name: Invalid value: "{'a' * 254}": must be no more than 253"""]),
    (container(name=""), [f"{C0}.name: Required value"]),
    (container(image=""), [f"{C0}.image: Required value"]),
    (container(image=" a"), [f'{C0}.image: Invalid value: " a": must not have leading or trailing whitespace']),
    (container(imagePullPolicy="Sometimes"), [f'{C0}.imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"']),
    (container(restartPolicyRules=[{"action": "Restart", "exitCodes": {"operator": "In", "values": [1]}}]), [f"{C0}.restartPolicy: Required value: must specify restartPolicy when restart rules are used"]),
    (container(restartPolicy="Never", restartPolicyRules=[{"action": "Restart"}]), [f"{C0}.restartPolicyRules[0].exitCodes: Required value: must be specified"]),
    (container(resizePolicy=[{"resourceName": "cpu", "restartPolicy": "Maybe"}]), [f'{C0}.resizePolicy: Unsupported value: "Maybe": supported values: "NotRequired", "RestartContainer"']),
    (pod(restartPolicy="Never", containers=[{"name": "c", "image": "i", "resizePolicy": [{"resourceName": "cpu", "restartPolicy": "RestartContainer"}]}]), [f"""{C0}.resizePolicy: Invalid value: "RestartContainer": must be 'NotRequired' when `restartPolicy` is 'Never'"""]),
    (init(livenessProbe=HOOK), ["spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always"]),
    (init(restartPolicy="Always", restartPolicyRules=[{"action": "Restart", "exitCodes": {"operator": "In", "values": [1]}}]), ["spec.initContainers[0].restartPolicyRules: Forbidden: restartPolicyRules are not allowed when restartPolicy is Always"]),
    (container(livenessProbe={}), [f"{C0}.livenessProbe: Required value: must specify a handler type"]),
    (container(livenessProbe={**HOOK, "tcpSocket": {"port": 1}}), [f"{C0}.livenessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type"]),
    (container(livenessProbe={**HOOK, "successThreshold": 2}), [f"{C0}.livenessProbe.successThreshold: Invalid value: 2: must be 1"]),
    (container(livenessProbe={**HOOK, "terminationGracePeriodSeconds": 0}), [f"{C0}.livenessProbe.terminationGracePeriodSeconds: Invalid value: 0: must be greater than 0"]),
    (container(readinessProbe={**HOOK, "terminationGracePeriodSeconds": 5}), [f"{C0}.readinessProbe.terminationGracePeriodSeconds: Invalid value: 5: must not be set for readinessProbes"]),
    (container(readinessProbe={"httpGet": {"port": 1, "scheme": "FTP"}}), [f'{C0}.readinessProbe.httpGet.scheme: Unsupported value: "FTP": supported values: "HTTP", "HTTPS"']),
    (container(readinessProbe={"httpGet": {"port": 0}}), [f"{C0}.readinessProbe.httpGet.port: Invalid value: 0: must be between 1 and 65535, inclusive"]),
    (container(readinessProbe={"httpGet": {"port": "a--b"}}), [f'{C0}.readinessProbe.httpGet.port: Invalid value: "a--b": must not contain consecutive hyphens']),
    (container(readinessProbe={"httpGet": {"port": 1, "httpHeaders": [{"name": "a b", "value": ""}]}}), [f'{C0}.readinessProbe.httpGet.httpHeaders: Invalid value: "a b": a valid HTTP header must consist of']),
    (container(lifecycle={"preStop": {"sleep": {"seconds": 31}}}), [f"{C0}.lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)"]),
    (container(ports=[{"containerPort": 1, "name": "-a"}]), [f'{C0}.ports[0].name: Invalid value: "-a": must not begin or end with a hyphen']),
    (init(ports=[{"containerPort": 1, "hostPort": 1}, {"containerPort": 2, "hostPort": 1}]), ['spec.initContainers[0].ports[1].hostPort: Duplicate value: "TCP//1"']),
    (container(env=[{"name": "a=b"}]), [f"""{C0}.env[0].name: Invalid value: "a=b": a valid environment variable name must consist only of printable ASCII characters other than '='"""]),
    (container(env=[{"name": "a", "valueFrom": {}}]), [f'{C0}.env[0].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`']),
    (container(env=[{"name": "a", "value": "x", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}]), [f'{C0}.env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty']),
    (container(env=[{"name": "a", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}, "configMapKeyRef": {"name": "s", "key": "k"}}}]), [f'{C0}.env[0].valueFrom: Invalid value: "": may not have more than one field specified at a time']),
    (container(env=[{"name": "a", "valueFrom": {"secretKeyRef": {"name": "s", "key": "a b"}}}]), [f'{C0}.env[0].valueFrom.secretKeyRef.key: Invalid value: "a b": a valid config key must consist of']),
    (container(env=[{"name": "a", "valueFrom": {"secretKeyRef": {"name": "s", "key": ".."}}}]), [f"""{C0}.env[0].valueFrom.secretKeyRef.key: Invalid value: "..": must not be '..'"""]),
    (container(env=[{"name": "a", "valueFrom": {"secretKeyRef": {"name": "s", "key": "..a"}}}]), [f"""{C0}.env[0].valueFrom.secretKeyRef.key: Invalid value: "..a": must not start with '..'"""]),
    (container(env=[{"name": "a", "valueFrom": {"fieldRef": {"fieldPath": "spec.x"}}}]), [f'{C0}.env[0].valueFrom.fieldRef.fieldPath: Unsupported value: "spec.x": supported values: "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"']),
    (container(env=[{"name": "a", "valueFrom": {"fieldRef": {"fieldPath": "spec.x['a']"}}}]), [f'{C0}.env[0].valueFrom.fieldRef: Invalid value: "spec.x": does not support subscript']),
    *((container(env=[{"name": "a", "valueFrom": {"resourceFieldRef": {"resource": f"limits.{name}", "divisor": "3"}}}]), [f"""{C0}.env[0].valueFrom.resourceFieldRef.divisor: Invalid value: "limits.{name}": only divisor's values 1"""]) for name in ("cpu", "memory", "ephemeral-storage", "hugepages-2Mi")),
    (container(envFrom=[{}]), [f'{C0}.envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`']),
    (mounted({"name": "x", "mountPath": "/a"}), [f'{C0}.volumeMounts[0].name: Not found: "x"']),
    (mounted({"name": "v", "mountPath": "/a"}, volumeDevices=[{"name": "v", "devicePath": "/a"}]), [f'{C0}.volumeDevices[0].devicePath: Invalid value: "/a": must not already exist as a path in volumeMounts', f'{C0}.volumeDevices[0].name: Invalid value: "v": must not already exist in volumeMounts', f'{C0}.volumeMounts[0].mountPath: Invalid value: "/a": must not already exist as a path in volumeDevices', f'{C0}.volumeMounts[0].name: Invalid value: "v": must not already exist in volumeDevices']),
    (mounted({"name": "v", "mountPath": "/a"}, volumeDevices=[{"name": "e", "devicePath": "/b/../c"}]), [f"""{C0}.volumeDevices[0].devicePath: Invalid value: "/b/../c": can not contain backsteps ('..')""", f'{C0}.volumeDevices[0].name: Invalid value: "e": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode']),
    (mounted({"name": "img", "mountPath": "/a", "subPath": "x"}), [f'{C0}.volumeMounts[0].subPath: Invalid value: "x": not allowed in image volume sources']),
    (mounted({"name": "v", "mountPath": "/a", "subPath": "x", "subPathExpr": "y"}), [f'{C0}.volumeMounts[0].subPathExpr: Invalid value: "y": subPathExpr and subPath are mutually exclusive']),
    (mounted({"name": "v", "mountPath": "/a", "subPath": "/x"}), [f'{C0}.volumeMounts.subPath: Invalid value: "/x": must be a relative path']),
    (mounted({"name": "v", "mountPath": "/a", "mountPropagation": "Bidirectional"}), [f"{C0}.volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers"]),
    (mounted({"name": "v", "mountPath": "/a", "recursiveReadOnly": "Enabled"}), [f"{C0}.volumeMounts.recursiveReadOnly: Forbidden: may only be specified when readOnly is true"]),
    (pod(containers=[{"name": "c", "image": "i", "volumeMounts": [{"name": "v", "mountPath": "/a"}] * 2}], volumes=[{"name": "v"}]), [f'{C0}.volumeMounts[1].mountPath: Invalid value: "/a": must be unique']),
    (resources(requests={"nvidia.com/gpu": "1"}), [f"{C0}.resources.limits: Required value: Limit must be set for non overcommitable resources"]),
    (resources(limits={"nvidia.com/gpu": "2"}, requests={"nvidia.com/gpu": "1"}), [f'{C0}.resources.requests: Invalid value: "1": must be equal to nvidia.com/gpu limit of 2']),
    (resources(limits={"hugepages-2Mi": "3Mi", "cpu": "1"}), [f'{C0}.resources.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi', f'{C0}.resources.requests[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi']),
    (resources(limits={"hugepages-2Mi": "4Mi"}), [f"{C0}.resources: Forbidden: HugePages require cpu or memory"]),
    (resources(claims=[{"name": "x"}]), [f'{C0}.resources.claims[0]: Not found: "x": must be one of the names in pod.spec.resourceClaims which is empty']),
    (pod(resourceClaims=[{"name": "a", "resourceClaimName": "x", "resourceClaimTemplateName": "y"}]), ['spec.resourceClaims[0]: Invalid value: {"Name":"a","ResourceClaimName":"x","ResourceClaimTemplateName":"y"}: at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified']),
    (pod(resources={"claims": []}), ["spec.resources.claims: Forbidden: claims may not be set for Resources at pod-level"]),
    (pod(resources={"requests": {"cpu": "1"}}, containers=[{"name": "c", "image": "i", "resources": {"requests": {"cpu": "1500m"}}}]), ['spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 1500m']),
    (pod(resources={"limits": {"cpu": "1"}}, containers=[{"name": "c", "image": "i", "resources": {"limits": {"cpu": "2"}, "requests": {"cpu": "1"}}}]), ['spec.resources.containers[0][cpu].limits: Invalid value: "2": must be less than or equal to pod limits of 1']),
    (pod(resources={"limits": {"cpu": "1", "hugepages-2Mi": "2Mi"}}, containers=[{"name": n, "image": "i", "resources": {"limits": {"cpu": "0", "hugepages-2Mi": "2Mi"}}} for n in "ab"]), ['spec.resources.limits[hugepages-2Mi]: Invalid value: "2Mi": must be greater than or equal to aggregate container limits of 4Mi', 'spec.resources.requests[hugepages-2Mi]: Invalid value: "2Mi": must be greater than or equal to aggregate container requests of 4Mi']),
    (affinity({**TERM, "matchLabelKeys": ["a"], "mismatchLabelKeys": ["a"]}), [f'spec.affinity.podAffinity.{REQUIRED}[0].matchLabelKeys[0]: Invalid value: "a": exists in both matchLabelKeys and mismatchLabelKeys']),
    (spread(minDomains=2, whenUnsatisfiable="ScheduleAnyway"), ["spec.topologySpreadConstraints[0].minDomains: Invalid value: 2: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway"]),
    (spread(topologyKey=""), ["spec.topologySpreadConstraints[0].topologyKey: Required value: can not be empty"]),
    (pod(tolerations=[{"key": "a", "operator": "Gt", "value": "1.5"}]), ['spec.tolerations[0].value: Invalid value: "1.5": ']),
    (pod(tolerations=[{"key": "a", "value": "x " * 40}]), ['spec.tolerations[0].operator: Invalid value: "x x']),
    (container(securityContext={"allowPrivilegeEscalation": False, "privileged": True}), [f'{C0}.securityContext: Invalid value: {{"Capabilities":null,"Privileged":true,']),
    (container(securityContext={"allowPrivilegeEscalation": False, "capabilities": {"add": ["CAP_SYS_ADMIN"]}}), [f'{C0}.securityContext: Invalid value: {{"Capabilities":{{"Add":["CAP_SYS_ADMIN"],"Drop":null}},']),
    (container(securityContext={"procMount": "Unmasked"}), [f'{C0}.securityContext.procMount: Invalid value: "Unmasked": `hostUsers` must be false to use `Unmasked`']),
    (container(securityContext={"runAsUser": -1}), [f"{C0}.securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive"]),
    (container(securityContext={"seccompProfile": {}}), [f"{C0}.securityContext.seccompProfile.type: Required value: type is required when seccompProfile is set"]),
    (container(securityContext={"seccompProfile": {"type": "Localhost"}}), [f"{C0}.securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost"]),
    (container(securityContext={"seccompProfile": {"type": "Unconfined", "localhostProfile": "x"}}), [f'{C0}.securityContext.seccompProfile.localhostProfile: Invalid value: {{"Type":"Unconfined","LocalhostProfile":"x"}}: can only be set when seccomp type is Localhost']),
    (container(securityContext={"appArmorProfile": {"type": "Unconfined", "localhostProfile": "x"}}), [f'{C0}.securityContext.appArmorProfile.localhostProfile: Invalid value: "x": can only be set when AppArmor type is Localhost']),
    (pod(shareProcessNamespace=True, hostPID=True), ["spec.securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled"]),
    (pod(securityContext={"sysctls": [{"name": "A", "value": "1"}]}), ['spec.securityContext.sysctls[0].name: Invalid value: "A": must have at most 253 characters and match regex']),
    (pod(hostUsers=False, hostIPC=True), ["spec.HostIPC: Forbidden: when `hostUsers` is false"]),
    (pod(os={}), ["spec.os.name: Required value: cannot be empty"]),
    (pod(os={"name": "plan9"}), ['spec.os: Unsupported value: "plan9": supported values: "linux", "windows"']),
    (pod(dnsPolicy="None"), ["spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None"]),
    (pod(dnsPolicy="None", dnsConfig={}), ["spec.dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None"]),
    (pod(dnsConfig={"nameservers": ["1.1.1.1"] * 4}), ['spec.dnsConfig.nameservers: Invalid value: ["1.1.1.1","1.1.1.1","1.1.1.1","1.1.1.1"]: must not have more than 3 nameservers']),
    (pod(dnsConfig={"nameservers": ["x"]}), ['spec.dnsConfig.nameservers[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)']),
    (pod(dnsConfig={"nameservers": ["01.1.1.1"]}), ['spec.dnsConfig.nameservers[0]: Invalid value: "01.1.1.1": must not have leading 0s']),
    (pod(dnsConfig={"nameservers": ["::ffff:1.1.1.1"]}), ['spec.dnsConfig.nameservers[0]: Invalid value: "::ffff:1.1.1.1": must not be an IPv4-mapped IPv6 address']),
    (pod(dnsConfig={"searches": ["a"] * 33}), ["spec.dnsConfig.searches: Invalid value: ["]),
    (pod(dnsConfig={"searches": ["a" * 250 + ".b"] * 9}), ["spec.dnsConfig.searches: Invalid value: ["]),
    (pod(dnsConfig={"searches": ["A"]}), ['spec.dnsConfig.searches[0]: Invalid value: "A": a lowercase RFC 1123 subdomain']),
    (pod(dnsConfig={"options": [{}]}), ["spec.dnsConfig.options[0]: Required value: must not be empty"]),
    (pod(nodeName="n", schedulingGates=[{"name": "g"}]), ["spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared"]),
    (pod(ephemeralContainers=[{"name": "e", "image": "i", "targetContainerName": "x", "resources": {"limits": {"cpu": "1"}}}]), ["spec.ephemeralContainers: Forbidden: cannot be set on create", "spec.ephemeralContainers[0].resources: Forbidden: cannot be set for an Ephemeral Container", 'spec.ephemeralContainers[0].targetContainerName: Not found: "x"']),
    (pod(hostNetwork=True, hostnameOverride="h"), ["spec.hostnameOverride: Forbidden: "]),
    (pod(hostNetwork=True, containers=[{"name": "c", "image": "i", "ports": [{"containerPort": 1, "hostPort": 2}]}]), [f"{C0}.ports[0].hostPort: Invalid value: 2: must match `containerPort` when `hostNetwork` is true"]),
    (pod(schedulingGroup={}), ['spec.schedulingGroup: Invalid value: "": must specify one of: `podGroupName`']),
    (pod(volumes=[{"name": "v", "projected": {"sources": [{"serviceAccountToken": {"path": "t"}}]}}]), ["spec.volumes[0].projected.sources[0].serviceAccountToken: Forbidden: must not be specified when serviceAccountName is not set"]),
    (meta(annotations={"controller.kubernetes.io/pod-deletion-cost": "high"}), ['metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "high": must be a 32bit integer']),
    (meta(annotations={"kubernetes.io/config.mirror": "x"}), ['metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set']),
    (volume(emptyDir={}, hostPath={"path": "/a"}), ["spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type"]),
    (volume(emptyDir={"sizeLimit": "-1"}), ["spec.volumes[0].emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity"]),
    (volume(hostPath={"path": "/a/../b"}), ['spec.volumes[0].hostPath.path: Invalid value: "/a/../b": must not contain \'..\'']),
    (volume(nfs={"server": "s", "path": "a"}), ['spec.volumes[0].nfs.path: Invalid value: "a": must be an absolute path']),
    (volume(secret={"secretName": "s", "defaultMode": 512}), ["spec.volumes[0].secret.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive"]),
    (volume(configMap={"name": "s", "items": [{"key": "k", "path": "..a"}]}), ['spec.volumes[0].configMap.items[0].path: Invalid value: "..a": must not start with \'..\'']),
    (volume(downwardAPI={"items": [{"path": "p"}]}), ["spec.volumes[0].downwardAPI.fieldRef: Required value: one of fieldRef and resourceFieldRef is required"]),
    (volume(downwardAPI={"items": [{"path": "p", "fieldRef": {"fieldPath": "metadata.name"}, "resourceFieldRef": {"containerName": "c", "resource": "limits.cpu"}}]}), ['spec.volumes[0].downwardAPI: Invalid value: "resource": fieldRef and resourceFieldRef can not be specified simultaneously']),
    (pod(serviceAccountName="a", volumes=[{"name": "v", "projected": {"sources": [{"serviceAccountToken": {"path": "t", "expirationSeconds": 5}}]}}]), ["spec.volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes"]),
    (pod(serviceAccountName="a", volumes=[{"name": "v", "projected": {"sources": [{"serviceAccountToken": {"path": "t", "expirationSeconds": 2 ** 33}}]}}]), ["spec.volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 8589934592: may not specify a duration larger than 2^32 seconds"]),
    (volume(projected={"sources": [{"secret": {"name": "s"}, "configMap": {"name": "c"}}]}), ["spec.volumes[0].projected.sources[0].configMap: Forbidden: may not specify more than 1 volume type per source"]),
    (volume(fc={}), ["spec.volumes[0].fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both"]),
    (volume(fc={"targetWWNs": ["a"], "wwids": ["b"]}), ["spec.volumes[0].fc.lun: Required value: lun is required if targetWWNs is specified", 'spec.volumes[0].fc.targetWWNs: Invalid value: ["a"]: targetWWNs and wwids can not be specified simultaneously']),
    (volume(iscsi={"targetPortal": "p", "iqn": "x"}), ['spec.volumes[0].iscsi.iqn: Invalid value: "x": must be valid format starting with iqn, eui, or naa']),
    (meta(name="p") | {"spec": {"containers": [{"name": "c", "image": "i"}], "volumes": [{"name": "v", "ephemeral": {"volumeClaimTemplate": {"metadata": {"name": "x"}, "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1"}}}}}}, {"name": "w", "persistentVolumeClaim": {"claimName": "p-v"}}]}}, ["spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.name: Forbidden: cannot be set", 'spec.volumes[1].persistentVolumeClaim.claimName: Invalid value: "p-v": must not reference a PVC that gets created for an ephemeral volume']),
    (meta(name="a" * 250) | {"spec": {"containers": [{"name": "c", "image": "i"}], "volumes": [{"name": "volume", "ephemeral": {"volumeClaimTemplate": {"spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1"}}}}}}]}}, [f"""spec.volumes[0].name: Invalid value: "volume": PVC name "{'a' * 250}-volume": must be no more than 253 characters"""]),
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
