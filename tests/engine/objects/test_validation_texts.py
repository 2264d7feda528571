# ruff: noqa: E501 - the texts are as long as kube's
"""Every text of the API server, provoked once. Expected words are those of Kubernetes 1.36's source, not of our output."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from simulator.engine import objects
from simulator.engine.objects.api import Admitted, ApiServer, Refusal, Rules
from simulator.engine.objects.texts import TEXTS
from tests.engine.objects.manifests import Store, manifest, pod
from tests.engine.objects.test_api_hostile import ALL_GATES

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


CASES: list[tuple[dict[str, Any], list[str]]] = [
    # metadata
    (meta(ownerReferences=[OWNER, {**OWNER, "name": "y"}]), ["metadata.ownerReferences: Invalid value: [{"]),
    (
        meta(ownerReferences=[{"apiVersion": "v1", "kind": "Event", "name": "e", "uid": "1"}]),
        [
            'metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"e","uid":"1"}: /v1, Kind=Event is disallowed from being an owner'
        ],
    ),
    (
        meta(ownerReferences=[{"apiVersion": "", "kind": "X", "name": "x", "uid": "1"}]),
        ['metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty'],
    ),
    (
        meta(finalizers=["orphan", "foregroundDeletion"]),
        [
            'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set'
        ],
    ),
    (meta(annotations={"a": "x" * 262144}), ["metadata.annotations: Too long: may not be more than 262144 bytes"]),
    (meta("Node", namespace="default"), ["metadata.namespace: Forbidden: not allowed on this type"]),
    (meta(generation=-1), ["metadata.generation: Invalid value: -1: must be greater than or equal to 0"]),
    (meta(labels={"/x": ""}), ['metadata.labels: Invalid value: "/x": prefix part must be non-empty']),
    (meta(labels={"a" * 254 + "/x": ""}), ['metadata.labels: Invalid value: "aaa']),
    (
        meta(labels={"A.com/x": ""}),
        ['metadata.labels: Invalid value: "A.com/x": prefix part a lowercase RFC 1123 subdomain'],
    ),
    (meta(labels={"a/b/c": ""}), ['metadata.labels: Invalid value: "a/b/c": a valid label key must consist of']),
    (
        pod() | {"metadata": {"name": "a" * 254}},
        [f'metadata.name: Invalid value: "{"a" * 254}": must be no more than 253'],
    ),
    # containers
    (container(name=""), [f"{C0}.name: Required value"]),
    (container(image=""), [f"{C0}.image: Required value"]),
    (container(image=" a"), [f'{C0}.image: Invalid value: " a": must not have leading or trailing whitespace']),
    (
        container(imagePullPolicy="Sometimes"),
        [f'{C0}.imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"'],
    ),
    (
        container(restartPolicyRules=[{"action": "Restart", "exitCodes": {"operator": "In", "values": [1]}}]),
        [f"{C0}.restartPolicy: Required value: must specify restartPolicy when restart rules are used"],
    ),
    (
        container(restartPolicy="Never", restartPolicyRules=[{"action": "Restart"}]),
        [f"{C0}.restartPolicyRules[0].exitCodes: Required value: must be specified"],
    ),
    (
        container(resizePolicy=[{"resourceName": "cpu", "restartPolicy": "Maybe"}]),
        [f'{C0}.resizePolicy: Unsupported value: "Maybe": supported values: "NotRequired", "RestartContainer"'],
    ),
    (
        pod(
            restartPolicy="Never",
            containers=[
                {
                    "name": "c",
                    "image": "i",
                    "resizePolicy": [{"resourceName": "cpu", "restartPolicy": "RestartContainer"}],
                }
            ],
        ),
        [
            f"{C0}.resizePolicy: Invalid value: \"RestartContainer\": must be 'NotRequired' when `restartPolicy` is 'Never'"
        ],
    ),
    (
        init(livenessProbe=HOOK),
        [
            "spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always"
        ],
    ),
    (
        init(
            restartPolicy="Always",
            restartPolicyRules=[{"action": "Restart", "exitCodes": {"operator": "In", "values": [1]}}],
        ),
        [
            "spec.initContainers[0].restartPolicyRules: Forbidden: restartPolicyRules are not allowed when restartPolicy is Always"
        ],
    ),
    (container(livenessProbe={}), [f"{C0}.livenessProbe: Required value: must specify a handler type"]),
    (
        container(livenessProbe={**HOOK, "tcpSocket": {"port": 1}}),
        [f"{C0}.livenessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type"],
    ),
    (
        container(livenessProbe={**HOOK, "successThreshold": 2}),
        [f"{C0}.livenessProbe.successThreshold: Invalid value: 2: must be 1"],
    ),
    (
        container(livenessProbe={**HOOK, "terminationGracePeriodSeconds": 0}),
        [f"{C0}.livenessProbe.terminationGracePeriodSeconds: Invalid value: 0: must be greater than 0"],
    ),
    (
        container(readinessProbe={**HOOK, "terminationGracePeriodSeconds": 5}),
        [f"{C0}.readinessProbe.terminationGracePeriodSeconds: Invalid value: 5: must not be set for readinessProbes"],
    ),
    (
        container(readinessProbe={"httpGet": {"port": 1, "scheme": "FTP"}}),
        [f'{C0}.readinessProbe.httpGet.scheme: Unsupported value: "FTP": supported values: "HTTP", "HTTPS"'],
    ),
    (
        container(readinessProbe={"httpGet": {"port": 0}}),
        [f"{C0}.readinessProbe.httpGet.port: Invalid value: 0: must be between 1 and 65535, inclusive"],
    ),
    (
        container(readinessProbe={"httpGet": {"port": "a--b"}}),
        [f'{C0}.readinessProbe.httpGet.port: Invalid value: "a--b": must not contain consecutive hyphens'],
    ),
    (
        container(readinessProbe={"httpGet": {"port": 1, "httpHeaders": [{"name": "a b", "value": ""}]}}),
        [f'{C0}.readinessProbe.httpGet.httpHeaders: Invalid value: "a b": a valid HTTP header must consist of'],
    ),
    (
        container(lifecycle={"preStop": {"sleep": {"seconds": 31}}}),
        [
            f"{C0}.lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)"
        ],
    ),
    (
        container(ports=[{"containerPort": 1, "name": "-a"}]),
        [f'{C0}.ports[0].name: Invalid value: "-a": must not begin or end with a hyphen'],
    ),
    (
        init(ports=[{"containerPort": 1, "hostPort": 1}, {"containerPort": 2, "hostPort": 1}]),
        ['spec.initContainers[0].ports[1].hostPort: Duplicate value: "TCP//1"'],
    ),
    # environment
    (
        container(env=[{"name": "a=b"}]),
        [
            f"{C0}.env[0].name: Invalid value: \"a=b\": a valid environment variable name must consist only of printable ASCII characters other than '='"
        ],
    ),
    (
        container(env=[{"name": "a", "valueFrom": {}}]),
        [
            f'{C0}.env[0].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`'
        ],
    ),
    (
        container(env=[{"name": "a", "value": "x", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}]),
        [f'{C0}.env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty'],
    ),
    (
        container(
            env=[
                {
                    "name": "a",
                    "valueFrom": {
                        "secretKeyRef": {"name": "s", "key": "k"},
                        "configMapKeyRef": {"name": "s", "key": "k"},
                    },
                }
            ]
        ),
        [f'{C0}.env[0].valueFrom: Invalid value: "": may not have more than one field specified at a time'],
    ),
    (
        container(env=[{"name": "a", "valueFrom": {"secretKeyRef": {"name": "s", "key": "a b"}}}]),
        [f'{C0}.env[0].valueFrom.secretKeyRef.key: Invalid value: "a b": a valid config key must consist of'],
    ),
    (
        container(env=[{"name": "a", "valueFrom": {"secretKeyRef": {"name": "s", "key": ".."}}}]),
        [f"{C0}.env[0].valueFrom.secretKeyRef.key: Invalid value: \"..\": must not be '..'"],
    ),
    (
        container(env=[{"name": "a", "valueFrom": {"secretKeyRef": {"name": "s", "key": "..a"}}}]),
        [f"{C0}.env[0].valueFrom.secretKeyRef.key: Invalid value: \"..a\": must not start with '..'"],
    ),
    (
        container(env=[{"name": "a", "valueFrom": {"fieldRef": {"fieldPath": "spec.x"}}}]),
        [
            f'{C0}.env[0].valueFrom.fieldRef.fieldPath: Unsupported value: "spec.x": supported values: "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"'
        ],
    ),
    (
        container(env=[{"name": "a", "valueFrom": {"fieldRef": {"fieldPath": "spec.x['a']"}}}]),
        [f'{C0}.env[0].valueFrom.fieldRef: Invalid value: "spec.x": does not support subscript'],
    ),
    *(
        (
            container(
                env=[{"name": "a", "valueFrom": {"resourceFieldRef": {"resource": f"limits.{name}", "divisor": "3"}}}]
            ),
            [
                f'{C0}.env[0].valueFrom.resourceFieldRef.divisor: Invalid value: "limits.{name}": only divisor\'s values 1'
            ],
        )
        for name in ("cpu", "memory", "ephemeral-storage", "hugepages-2Mi")
    ),
    (container(envFrom=[{}]), [f'{C0}.envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`']),
    # mounts
    (mounted({"name": "x", "mountPath": "/a"}), [f'{C0}.volumeMounts[0].name: Not found: "x"']),
    (
        mounted({"name": "v", "mountPath": "/a"}, volumeDevices=[{"name": "v", "devicePath": "/a"}]),
        [
            f'{C0}.volumeDevices[0].devicePath: Invalid value: "/a": must not already exist as a path in volumeMounts',
            f'{C0}.volumeDevices[0].name: Invalid value: "v": must not already exist in volumeMounts',
            f'{C0}.volumeMounts[0].mountPath: Invalid value: "/a": must not already exist as a path in volumeDevices',
            f'{C0}.volumeMounts[0].name: Invalid value: "v": must not already exist in volumeDevices',
        ],
    ),
    (
        mounted({"name": "v", "mountPath": "/a"}, volumeDevices=[{"name": "e", "devicePath": "/b/../c"}]),
        [
            f"{C0}.volumeDevices[0].devicePath: Invalid value: \"/b/../c\": can not contain backsteps ('..')",
            f'{C0}.volumeDevices[0].name: Invalid value: "e": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
        ],
    ),
    (
        mounted({"name": "img", "mountPath": "/a", "subPath": "x"}),
        [f'{C0}.volumeMounts[0].subPath: Invalid value: "x": not allowed in image volume sources'],
    ),
    (
        mounted({"name": "v", "mountPath": "/a", "subPath": "x", "subPathExpr": "y"}),
        [f'{C0}.volumeMounts[0].subPathExpr: Invalid value: "y": subPathExpr and subPath are mutually exclusive'],
    ),
    (
        mounted({"name": "v", "mountPath": "/a", "subPath": "/x"}),
        [f'{C0}.volumeMounts.subPath: Invalid value: "/x": must be a relative path'],
    ),
    (
        mounted({"name": "v", "mountPath": "/a", "mountPropagation": "Bidirectional"}),
        [
            f"{C0}.volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers"
        ],
    ),
    (
        mounted({"name": "v", "mountPath": "/a", "recursiveReadOnly": "Enabled"}),
        [f"{C0}.volumeMounts.recursiveReadOnly: Forbidden: may only be specified when readOnly is true"],
    ),
    (
        pod(
            containers=[{"name": "c", "image": "i", "volumeMounts": [{"name": "v", "mountPath": "/a"}] * 2}],
            volumes=[{"name": "v"}],
        ),
        [f'{C0}.volumeMounts[1].mountPath: Invalid value: "/a": must be unique'],
    ),
    # resources
    (
        resources(requests={"nvidia.com/gpu": "1"}),
        [f"{C0}.resources.limits: Required value: Limit must be set for non overcommitable resources"],
    ),
    (
        resources(limits={"nvidia.com/gpu": "2"}, requests={"nvidia.com/gpu": "1"}),
        [f'{C0}.resources.requests: Invalid value: "1": must be equal to nvidia.com/gpu limit of 2'],
    ),
    (
        resources(limits={"hugepages-2Mi": "3Mi", "cpu": "1"}),
        [
            f'{C0}.resources.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
            f'{C0}.resources.requests[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
        ],
    ),
    (resources(limits={"hugepages-2Mi": "4Mi"}), [f"{C0}.resources: Forbidden: HugePages require cpu or memory"]),
    (
        resources(claims=[{"name": "x"}]),
        [
            f'{C0}.resources.claims[0]: Not found: "x": must be one of the names in pod.spec.resourceClaims which is empty'
        ],
    ),
    (
        pod(resourceClaims=[{"name": "a", "resourceClaimName": "x", "resourceClaimTemplateName": "y"}]),
        [
            'spec.resourceClaims[0]: Invalid value: {"Name":"a","ResourceClaimName":"x","ResourceClaimTemplateName":"y"}: at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified'
        ],
    ),
    (
        pod(resources={"claims": []}),
        ["spec.resources.claims: Forbidden: claims may not be set for Resources at pod-level"],
    ),
    (
        pod(
            resources={"requests": {"cpu": "1"}},
            containers=[{"name": "c", "image": "i", "resources": {"requests": {"cpu": "1500m"}}}],
        ),
        [
            'spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 1500m'
        ],
    ),
    (
        pod(
            resources={"limits": {"cpu": "1"}},
            containers=[{"name": "c", "image": "i", "resources": {"limits": {"cpu": "2"}, "requests": {"cpu": "1"}}}],
        ),
        ['spec.resources.containers[0][cpu].limits: Invalid value: "2": must be less than or equal to pod limits of 1'],
    ),
    (
        pod(
            resources={"limits": {"cpu": "1", "hugepages-2Mi": "2Mi"}},
            containers=[
                {"name": n, "image": "i", "resources": {"limits": {"cpu": "0", "hugepages-2Mi": "2Mi"}}} for n in "ab"
            ],
        ),
        [
            'spec.resources.limits[hugepages-2Mi]: Invalid value: "2Mi": must be greater than or equal to aggregate container limits of 4Mi',
            'spec.resources.requests[hugepages-2Mi]: Invalid value: "2Mi": must be greater than or equal to aggregate container requests of 4Mi',
        ],
    ),
    # affinity and spread
    (
        affinity({**TERM, "matchLabelKeys": ["a"], "mismatchLabelKeys": ["a"]}),
        [
            f'spec.affinity.podAffinity.{REQUIRED}[0].matchLabelKeys[0]: Invalid value: "a": exists in both matchLabelKeys and mismatchLabelKeys'
        ],
    ),
    (
        spread(minDomains=2, whenUnsatisfiable="ScheduleAnyway"),
        [
            "spec.topologySpreadConstraints[0].minDomains: Invalid value: 2: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway"
        ],
    ),
    (spread(topologyKey=""), ["spec.topologySpreadConstraints[0].topologyKey: Required value: can not be empty"]),
    # tolerations and taints
    (
        pod(tolerations=[{"key": "a", "operator": "Gt", "value": "1.5"}]),
        ['spec.tolerations[0].value: Invalid value: "1.5": '],
    ),
    (pod(tolerations=[{"key": "a", "value": "x " * 40}]), ['spec.tolerations[0].operator: Invalid value: "x x']),
    (
        manifest("Node", spec__taints=[{"key": "a", "effect": "NoSchedule", "value": "x " * 40}]),
        ['metadata.taints[0].value: Invalid value: "x x'],
    ),
    # security
    (
        container(securityContext={"allowPrivilegeEscalation": False, "privileged": True}),
        [f'{C0}.securityContext: Invalid value: {{"Capabilities":null,"Privileged":true,'],
    ),
    (
        container(securityContext={"allowPrivilegeEscalation": False, "capabilities": {"add": ["CAP_SYS_ADMIN"]}}),
        [f'{C0}.securityContext: Invalid value: {{"Capabilities":{{"Add":["CAP_SYS_ADMIN"],"Drop":null}},'],
    ),
    (
        container(securityContext={"procMount": "Unmasked"}),
        [f'{C0}.securityContext.procMount: Invalid value: "Unmasked": `hostUsers` must be false to use `Unmasked`'],
    ),
    (
        container(securityContext={"runAsUser": -1}),
        [f"{C0}.securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive"],
    ),
    (
        container(securityContext={"seccompProfile": {}}),
        [f"{C0}.securityContext.seccompProfile.type: Required value: type is required when seccompProfile is set"],
    ),
    (
        container(securityContext={"seccompProfile": {"type": "Localhost"}}),
        [
            f"{C0}.securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost"
        ],
    ),
    (
        container(securityContext={"seccompProfile": {"type": "Unconfined", "localhostProfile": "x"}}),
        [
            f'{C0}.securityContext.seccompProfile.localhostProfile: Invalid value: {{"Type":"Unconfined","LocalhostProfile":"x"}}: can only be set when seccomp type is Localhost'
        ],
    ),
    (
        container(securityContext={"appArmorProfile": {"type": "Unconfined", "localhostProfile": "x"}}),
        [
            f'{C0}.securityContext.appArmorProfile.localhostProfile: Invalid value: "x": can only be set when AppArmor type is Localhost'
        ],
    ),
    (
        pod(shareProcessNamespace=True, hostPID=True),
        [
            "spec.securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled"
        ],
    ),
    (
        pod(securityContext={"sysctls": [{"name": "A", "value": "1"}]}),
        ['spec.securityContext.sysctls[0].name: Invalid value: "A": must have at most 253 characters and match regex'],
    ),
    # Pod
    (pod(hostUsers=False, hostIPC=True), ["spec.HostIPC: Forbidden: when `hostUsers` is false"]),
    (pod(os={}), ["spec.os.name: Required value: cannot be empty"]),
    (pod(os={"name": "plan9"}), ['spec.os: Unsupported value: "plan9": supported values: "linux", "windows"']),
    (pod(dnsPolicy="None"), ["spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None"]),
    (
        pod(dnsPolicy="None", dnsConfig={}),
        [
            "spec.dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None"
        ],
    ),
    (
        pod(dnsConfig={"nameservers": ["1.1.1.1"] * 4}),
        [
            'spec.dnsConfig.nameservers: Invalid value: ["1.1.1.1","1.1.1.1","1.1.1.1","1.1.1.1"]: must not have more than 3 nameservers'
        ],
    ),
    (
        pod(dnsConfig={"nameservers": ["x"]}),
        [
            'spec.dnsConfig.nameservers[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'
        ],
    ),
    (
        pod(dnsConfig={"nameservers": ["01.1.1.1"]}),
        ['spec.dnsConfig.nameservers[0]: Invalid value: "01.1.1.1": must not have leading 0s'],
    ),
    (
        pod(dnsConfig={"nameservers": ["::ffff:1.1.1.1"]}),
        ['spec.dnsConfig.nameservers[0]: Invalid value: "::ffff:1.1.1.1": must not be an IPv4-mapped IPv6 address'],
    ),
    (pod(dnsConfig={"searches": ["a"] * 33}), ["spec.dnsConfig.searches: Invalid value: ["]),
    (pod(dnsConfig={"searches": ["a" * 250 + ".b"] * 9}), ["spec.dnsConfig.searches: Invalid value: ["]),
    (
        pod(dnsConfig={"searches": ["A"]}),
        ['spec.dnsConfig.searches[0]: Invalid value: "A": a lowercase RFC 1123 subdomain'],
    ),
    (pod(dnsConfig={"options": [{}]}), ["spec.dnsConfig.options[0]: Required value: must not be empty"]),
    (
        pod(nodeName="n", schedulingGates=[{"name": "g"}]),
        ["spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared"],
    ),
    (
        pod(
            ephemeralContainers=[
                {"name": "e", "image": "i", "targetContainerName": "x", "resources": {"limits": {"cpu": "1"}}}
            ]
        ),
        [
            "spec.ephemeralContainers: Forbidden: cannot be set on create",
            "spec.ephemeralContainers[0].resources: Forbidden: cannot be set for an Ephemeral Container",
            'spec.ephemeralContainers[0].targetContainerName: Not found: "x"',
        ],
    ),
    (pod(hostNetwork=True, hostnameOverride="h"), ["spec.hostnameOverride: Forbidden: "]),
    (
        pod(hostNetwork=True, containers=[{"name": "c", "image": "i", "ports": [{"containerPort": 1, "hostPort": 2}]}]),
        [f"{C0}.ports[0].hostPort: Invalid value: 2: must match `containerPort` when `hostNetwork` is true"],
    ),
    (pod(schedulingGroup={}), ['spec.schedulingGroup: Invalid value: "": must specify one of: `podGroupName`']),
    (
        pod(volumes=[{"name": "v", "projected": {"sources": [{"serviceAccountToken": {"path": "t"}}]}}]),
        [
            "spec.volumes[0].projected.sources[0].serviceAccountToken: Forbidden: must not be specified when serviceAccountName is not set"
        ],
    ),
    (
        meta(annotations={"controller.kubernetes.io/pod-deletion-cost": "high"}),
        [
            'metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "high": must be a 32bit integer'
        ],
    ),
    (
        meta(annotations={"kubernetes.io/config.mirror": "x"}),
        [
            'metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set'
        ],
    ),
    # volumes
    (
        volume(emptyDir={}, hostPath={"path": "/a"}),
        ["spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type"],
    ),
    (
        volume(emptyDir={"sizeLimit": "-1"}),
        ["spec.volumes[0].emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity"],
    ),
    (
        volume(hostPath={"path": "/a/../b"}),
        ["spec.volumes[0].hostPath.path: Invalid value: \"/a/../b\": must not contain '..'"],
    ),
    (
        volume(nfs={"server": "s", "path": "a"}),
        ['spec.volumes[0].nfs.path: Invalid value: "a": must be an absolute path'],
    ),
    (
        volume(secret={"secretName": "s", "defaultMode": 512}),
        [
            "spec.volumes[0].secret.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive"
        ],
    ),
    (
        volume(configMap={"name": "s", "items": [{"key": "k", "path": "..a"}]}),
        ["spec.volumes[0].configMap.items[0].path: Invalid value: \"..a\": must not start with '..'"],
    ),
    (
        volume(downwardAPI={"items": [{"path": "p"}]}),
        ["spec.volumes[0].downwardAPI.fieldRef: Required value: one of fieldRef and resourceFieldRef is required"],
    ),
    (
        volume(
            downwardAPI={
                "items": [
                    {
                        "path": "p",
                        "fieldRef": {"fieldPath": "metadata.name"},
                        "resourceFieldRef": {"containerName": "c", "resource": "limits.cpu"},
                    }
                ]
            }
        ),
        [
            'spec.volumes[0].downwardAPI: Invalid value: "resource": fieldRef and resourceFieldRef can not be specified simultaneously'
        ],
    ),
    (
        pod(
            serviceAccountName="a",
            volumes=[
                {
                    "name": "v",
                    "projected": {"sources": [{"serviceAccountToken": {"path": "t", "expirationSeconds": 5}}]},
                }
            ],
        ),
        [
            "spec.volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes"
        ],
    ),
    (
        pod(
            serviceAccountName="a",
            volumes=[
                {
                    "name": "v",
                    "projected": {"sources": [{"serviceAccountToken": {"path": "t", "expirationSeconds": 2**33}}]},
                }
            ],
        ),
        [
            "spec.volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 8589934592: may not specify a duration larger than 2^32 seconds"
        ],
    ),
    (
        volume(projected={"sources": [{"secret": {"name": "s"}, "configMap": {"name": "c"}}]}),
        [
            "spec.volumes[0].projected.sources[0].configMap: Forbidden: may not specify more than 1 volume type per source"
        ],
    ),
    (
        volume(fc={}),
        ["spec.volumes[0].fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both"],
    ),
    (
        volume(fc={"targetWWNs": ["a"], "wwids": ["b"]}),
        [
            "spec.volumes[0].fc.lun: Required value: lun is required if targetWWNs is specified",
            'spec.volumes[0].fc.targetWWNs: Invalid value: ["a"]: targetWWNs and wwids can not be specified simultaneously',
        ],
    ),
    (
        volume(iscsi={"targetPortal": "p", "iqn": "x"}),
        ['spec.volumes[0].iscsi.iqn: Invalid value: "x": must be valid format starting with iqn, eui, or naa'],
    ),
    (
        meta(name="p")
        | {
            "spec": {
                "containers": [{"name": "c", "image": "i"}],
                "volumes": [
                    {
                        "name": "v",
                        "ephemeral": {
                            "volumeClaimTemplate": {
                                "metadata": {"name": "x"},
                                "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1"}}},
                            }
                        },
                    },
                    {"name": "w", "persistentVolumeClaim": {"claimName": "p-v"}},
                ],
            }
        },
        [
            "spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.name: Forbidden: cannot be set",
            'spec.volumes[1].persistentVolumeClaim.claimName: Invalid value: "p-v": must not reference a PVC that gets created for an ephemeral volume',
        ],
    ),
    (
        meta(name="a" * 250)
        | {
            "spec": {
                "containers": [{"name": "c", "image": "i"}],
                "volumes": [
                    {
                        "name": "volume",
                        "ephemeral": {
                            "volumeClaimTemplate": {
                                "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1"}}}
                            }
                        },
                    },
                ],
            }
        },
        [
            f'spec.volumes[0].name: Invalid value: "volume": PVC name "{"a" * 250}-volume": must be no more than 253 characters'
        ],
    ),
    # Nodes, budgets, classes
    (
        manifest("Node", spec__podCIDRs=["10.0.0.0/24", "10.0.1.0/24"]),
        [
            'spec.podCIDRs: Invalid value: ["10.0.0.0/24","10.0.1.0/24"]: may specify no more than one CIDR for each IP family'
        ],
    ),
    (
        manifest("Node", spec__podCIDRs=["10.0.0.0/33"]),
        [
            'spec.podCIDRs[0]: Invalid value: "10.0.0.0/33": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'
        ],
    ),
    (
        manifest("PodDisruptionBudget", spec__maxUnavailable=1),
        ['spec: Invalid value: "(spec)": minAvailable and maxUnavailable cannot be both set'],
    ),
    (
        manifest("PodDisruptionBudget", spec__minAvailable="101%"),
        ['spec.minAvailable: Invalid value: "101%": must not be greater than 100%'],
    ),
    (
        manifest("PriorityClass", value=1000000001),
        ["value: Forbidden: maximum allowed value of a user defined priority is 1000000000"],
    ),
    (
        manifest("PriorityClass", metadata__name="system-x"),
        [
            "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-x is not a known system priority class"
        ],
    ),
    # workloads
    (
        manifest("Deployment", spec__selector=None),
        [
            "spec.selector: Required value",
            'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
        ],
    ),
    (
        manifest("Deployment", spec__selector={}),
        ["spec.selector: Invalid value: {}: empty selector is invalid for deployment"],
    ),
    (
        manifest("Deployment", spec__selector={"matchLabels": {"app": "db"}}),
        ['spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`'],
    ),
    (
        manifest("Deployment", spec__strategy={"type": "Recreate", "rollingUpdate": {}}),
        ["spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'"],
    ),
    (
        manifest("Deployment", spec__strategy={"rollingUpdate": {"maxUnavailable": 0, "maxSurge": "0%"}}),
        ["spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0"],
    ),
    (
        manifest("Deployment", spec__progressDeadlineSeconds=5, spec__minReadySeconds=5),
        ["spec.progressDeadlineSeconds: Invalid value: 5: must be greater than minReadySeconds"],
    ),
    (
        manifest("ReplicaSet", spec__template__spec__activeDeadlineSeconds=5),
        ["spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported"],
    ),
    (
        manifest("ReplicaSet", spec__template__spec__restartPolicy="Never"),
        ['spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"'],
    ),
    (
        manifest("ReplicaSet", spec__template__spec__ephemeralContainers=[{"name": "e", "image": "i"}]),
        ["spec.template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template"],
    ),
    (
        manifest("StatefulSet", spec__podManagementPolicy="Any"),
        ["spec.podManagementPolicy: Invalid value: \"Any\": must be 'OrderedReady' or 'Parallel'"],
    ),
    (
        manifest("Job", spec__template__spec__restartPolicy=None),
        ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
    ),
    (manifest("Job", spec__completions=None), ["spec.completions: Required value: when completion mode is Indexed"]),
    (
        manifest("Job", spec__completions=100001, spec__parallelism=100001),
        [
            "spec.parallelism: Invalid value: 100001: should be less than or equal to 100000 when completion mode is Indexed"
        ],
    ),
    (
        manifest("Job", spec__completionMode="NonIndexed", spec__backoffLimitPerIndex=1),
        ["spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode"],
    ),
    # Services
    (
        manifest("Service", spec__type="NodePort", spec__clusterIP="None"),
        ["spec.clusterIPs[0]: Invalid value: \"None\": may not be set to 'None' for NodePort services"],
    ),
    (
        manifest("Service", spec__type="ExternalName", spec__externalName="a.b", spec__clusterIPs=["1.1.1.1"]),
        ["spec.clusterIPs: Forbidden: may not be set for ExternalName services"],
    ),
    (
        manifest("Service", spec__ports=[{"port": 1, "nodePort": 30000}]),
        ["spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"],
    ),
    (
        manifest("Service", spec__ports=[{"name": "a", "port": 1}, {"name": "b", "port": 1}]),
        [
            'spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":1,"TargetPort":0,"NodePort":0}'
        ],
    ),
    (
        manifest("Service", spec__clusterIP="1.1.1.1", spec__clusterIPs=["1.1.1.2"]),
        ['spec.clusterIPs: Invalid value: ["1.1.1.2"]: first value must match `clusterIP`'],
    ),
    (
        manifest("Service", spec__clusterIPs=["1.1.1.2"]),
        ['spec.clusterIPs: Invalid value: ["1.1.1.2"]: must be empty when `clusterIP` is not specified'],
    ),
    (
        manifest("Service", spec__sessionAffinityConfig={"clientIP": {"timeoutSeconds": 1}}),
        ["spec.sessionAffinityConfig: Forbidden: must not be set when session affinity is None"],
    ),
    (
        manifest("Service", spec__externalTrafficPolicy="Local"),
        ['spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services'],
    ),
    (
        manifest("Service", spec__loadBalancerClass="a.b/c"),
        ["spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'"],
    ),
    # storage
    (
        manifest("PersistentVolumeClaim", spec__accessModes=[]),
        ["spec.accessModes: Required value: at least 1 access mode is required"],
    ),
    (
        manifest("PersistentVolumeClaim", spec__accessModes=["ReadWriteOncePod", "ReadWriteOnce"]),
        ["spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes"],
    ),
    (
        manifest("PersistentVolumeClaim", spec__dataSource={"kind": "X", "name": "y"}),
        [
            "spec.dataSource: Invalid value: \"X\": must be 'PersistentVolumeClaim' when referencing the default apiGroup"
        ],
    ),
    (
        manifest("PersistentVolumeClaim", spec__resources={"requests": {"storage": "0"}}),
        ['spec.resources[storage]: Invalid value: "0": must be greater than zero'],
    ),
    (
        manifest("PersistentVolume", spec__nodeAffinity=None),
        ["spec.nodeAffinity: Required value: Local volume requires node affinity"],
    ),
    (
        manifest("PersistentVolume", spec__nodeAffinity={}),
        ["spec.nodeAffinity.required: Required value: must specify required node constraints"],
    ),
    (
        manifest("PersistentVolume", spec__capacity={"storage": "-1"}),
        [
            'spec.capacity[storage]: Invalid value: "-1": must be greater than zero',
            "spec.capacity[storage]: Invalid value: -1: must be a valid resource quantity",
        ],
    ),
    (
        manifest(
            "PersistentVolume",
            spec__local=None,
            spec__hostPath={"path": "/a/.."},
            spec__persistentVolumeReclaimPolicy="Recycle",
        ),
        [
            "spec.hostPath.path: Invalid value: \"/a/..\": must not contain '..'",
            "spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'",
        ],
    ),
    (manifest("PersistentVolume", spec__local=None), ["spec: Required value: must specify a volume type"]),
    # groups and devices
    (
        manifest("PodGroup", spec__schedulingPolicy={}),
        ['spec.schedulingPolicy: Invalid value: "": must specify one of: `basic`, `gang`'],
    ),
    (
        manifest("PodGroup", spec__schedulingPolicy={"basic": {}, "gang": {"minCount": 1}}),
        ['spec.schedulingPolicy: Invalid value: "{basic, gang}": must specify exactly one of: `basic`, `gang`'],
    ),
    (
        manifest("PodGroup", spec__schedulingPolicy={"gang": {"minCount": -1}}),
        ["spec.schedulingPolicy.gang.minCount: Invalid value: -1: must be greater than or equal to 1"],
    ),
    (
        manifest("PodGroup", spec__priority=1000000001),
        ["spec.priority: Invalid value: 1000000001: must be less than or equal to 1000000000"],
    ),
    (
        manifest("PodGroup", spec__schedulingConstraints={"topology": [{"key": "a"}, {"key": "b"}]}),
        ["spec.schedulingConstraints.topology: Too many: 2: must have at most 1 item"],
    ),
    (
        manifest("ResourceClaim", spec__devices={"requests": [{"name": "a"}]}),
        ["spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required"],
    ),
    (
        manifest(
            "ResourceClaim",
            spec__devices={
                "requests": [{"name": "a", "exactly": {"deviceClassName": "c", "allocationMode": "All", "count": 1}}]
            },
        ),
        [
            "spec.devices.requests[0].exactly.count: Invalid value: 1: must not be specified when allocationMode is 'All'"
        ],
    ),
]


@pytest.mark.parametrize(("bad", "texts"), CASES, ids=[f"{number:03d}" for number in range(len(CASES))])
def test_refusal_text(bad: dict[str, Any], texts: list[str]) -> None:
    answer = ApiServer(ALL_GATES).admit(bad, Store())
    assert isinstance(answer, Refusal)
    assert answer.stage == "validate"
    found = [error.text for error in answer.errors]
    assert len(found) == len(texts), found
    for got, expected in zip(found, texts, strict=True):
        assert got.startswith(expected), got


STAGES: list[tuple[object, str, str, str]] = [
    (
        [],
        "decode",
        "couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion",
        "",
    ),
    (
        {"apiVersion": "v1", "kind": 1},
        "decode",
        "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string",
        "",
    ),
    ({"apiVersion": "v1"}, "decode", "Object 'Kind' is missing in '{\"apiVersion\":\"v1\"}'", ""),
    ({"kind": "Pod"}, "decode", "Object 'apiVersion' is missing in '{\"kind\":\"Pod\"}'", ""),
    (
        {"apiVersion": "v1", "kind": "Pods"},
        "decode",
        'no matches for kind "Pods" in version "v1"',
        'no matches for kind "Pods" in version "v1"',
    ),
    (
        pod(priorityClassName="x"),
        "admission",
        "no PriorityClass with name x was found",
        'pods "p" is forbidden: no PriorityClass with name x was found',
    ),
    (
        pod(priority=5),
        "admission",
        "the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name",
        "",
    ),
    (
        container(image=5),
        "decode",
        "json: cannot unmarshal number into Go struct field Container.spec.containers.image of type string",
        'Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal number',
    ),
    (
        pod(nodeSelector={"a": True}),
        "decode",
        "json: cannot unmarshal bool into Go struct field PodSpec.spec.nodeSelector of type string",
        "",
    ),
    (
        pod(affinity=[]),
        "decode",
        "json: cannot unmarshal array into Go struct field PodSpec.spec.affinity of type v1.Affinity",
        "",
    ),
    (
        pod(containers=["c"]),
        "decode",
        "json: cannot unmarshal string into Go struct field PodSpec.spec.containers of type v1.Container",
        "",
    ),
    (
        resources(requests=["cpu"]),
        "decode",
        "json: cannot unmarshal array into Go struct field ResourceRequirements.spec.containers.resources.requests of type v1.ResourceList",
        "",
    ),
    (
        pod(restartPolicy=1),
        "decode",
        "json: cannot unmarshal number into Go struct field PodSpec.spec.restartPolicy of type v1.RestartPolicy",
        "",
    ),
    (
        pod(priority=1.5),
        "decode",
        "json: cannot unmarshal number 1.5 into Go struct field PodSpec.spec.priority of type int32",
        "",
    ),
    (
        pod(volumes={"a": 1}),
        "decode",
        "json: cannot unmarshal object into Go struct field PodSpec.spec.volumes of type []v1.Volume",
        "",
    ),
    (
        pod(volumes=[{"name": "v", "emptyDir": {"sizeLimit": {}}}]),
        "decode",
        "quantities must match the regular expression",
        "",
    ),
    (
        pod(a=1, containers=[{"name": "c", "image": "i", "b": 1}]),
        "decode",
        'strict decoding error: unknown field "spec.containers[0].b", unknown field "spec.a"',
        "",
    ),
    (
        pod(a=1, hostNetwork="no"),
        "decode",
        "json: cannot unmarshal string into Go struct field PodSpec.spec.hostNetwork of type bool",
        "",
    ),
    (
        {**pod(hostNetwork="no"), "status": {"startTime": "2030-13-01T00:00:00Z"}},
        "decode",
        'parsing time "2030-13-01T00:00:00Z": month out of range',
        "",
    ),
    (
        {**pod(), "status": {"startTime": "2030-01-01"}},
        "decode",
        'parsing time "2030-01-01" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"',
        "",
    ),
    (
        {**pod(), "status": {"startTime": 5}},
        "decode",
        "json: cannot unmarshal number into Go struct field PodStatus.status.startTime of type string",
        "",
    ),
    (
        {**pod(), "status": {"startTime": "2030-02-30T00:00:00Z"}},
        "decode",
        'parsing time "2030-02-30T00:00:00Z": day out of range',
        "",
    ),
    (
        {**pod(), "status": {"startTime": "2030-01-01T00:00:00Zx"}},
        "decode",
        'parsing time "2030-01-01T00:00:00Zx": extra text: "x"',
        "",
    ),
    (
        meta(labels={"a": 1}),
        "decode",
        "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string",
        "",
    ),
    (
        {"apiVersion": "v1", "kind": "Pod", "spec": "x"},
        "decode",
        "json: cannot unmarshal string into Go struct field Pod.spec of type v1.PodSpec",
        "",
    ),
    (
        manifest("PodDisruptionBudget", spec__minAvailable=[]),
        "decode",
        "json: cannot unmarshal array into Go struct field PodDisruptionBudgetSpec.spec.minAvailable of type int32",
        "",
    ),
    (
        manifest("Deployment", spec__selector={"matchLabels": {"app": "db"}}),
        "validate",
        "spec.template.metadata.labels: Invalid value",
        'Deployment.apps "web" is invalid: spec.template.metadata.labels: Invalid value: {"app":"web"}',
    ),
]


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
