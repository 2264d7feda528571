"""Random scenarios of the kinds that were recorded, and beyond: small clusters in which much goes wrong.

Everything comes from one seed. Values are drawn from short lists, so that ties, equal labels and full nodes are
frequent.
"""

from __future__ import annotations

from random import Random
from typing import Any

ZONE, HOST, RACK = "topology.kubernetes.io/zone", "kubernetes.io/hostname", "rack"
KEYS = (ZONE, HOST, RACK)
APPS = ("web", "db", "gpu")
NAMESPACES = ("default", "team-a", "team-b", "lost")
GPU = "nvidia.com/gpu"
PORTS = (80, 443, 8080)
ADDRESSES = ("", "0.0.0.0", "127.0.0.1", "10.0.0.1")
IMAGES = (
    "nginx", "nginx:1", "reg.io/team/app@sha256:00", "reg.io:5000/app", "reg.io:5000/app:2", "busybox:latest",
)  # fmt: skip

Manifest = dict[str, Any]
CLASSES: list[dict[str, Any]] = [
    {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": f"p{value}"},
        "value": value,
    }
    for value in (1, 5, 10, 50, 100)
]
CLASSES.append({**CLASSES[-1], "metadata": {"name": "polite"}, "preemptionPolicy": "Never"})


class Generator:
    """One scenario from one seed: `scenario()`."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.seed = seed

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def pick(self, *values: Any) -> Any:
        return self.random.choice(values)

    def some(self, values: Any, most: int) -> list[Any]:
        values = list(values)
        return self.random.sample(values, self.random.randint(0, min(most, len(values))))

    # objects

    def scenario(self) -> Manifest:
        nodes = [self.node(index) for index in range(self.random.randint(1, 9))]
        names = [node["metadata"]["name"] for node in nodes]
        running = [self.pod(f"r{index}", running_on=self.pick(*names)) for index in range(self.random.randint(0, 14))]
        pending = [self.pod(f"p{index}", nominate=names) for index in range(self.random.randint(1, 5))]
        others = [*self.namespaces(), *self.budgets(), *self.services(), *CLASSES]
        scenario: Manifest = {"id": f"random-{self.seed}", "family": "random"}
        scenario["objects"] = [*others, *nodes, *running, *pending]
        if self.chance(0.4):
            scenario["config"] = self.config()
        return scenario

    def node(self, index: int) -> Manifest:
        name = f"n{index}"
        labels = {HOST: name}
        if self.chance(0.85):
            labels[ZONE] = self.pick("za", "zb", "zc")
        if self.chance(0.7):
            labels[RACK] = self.pick("r1", "r2")
        if self.chance(0.5):
            labels["gpus"] = self.pick("1", "2", "8", "x", "08")
        if self.chance(0.05):
            del labels[HOST]
        spec: Manifest = {}
        taints = [self.taint() for _ in range(self.random.randint(0, 2))] if self.chance(0.4) else []
        taints = list({(t["key"], t["effect"]): t for t in taints}.values())
        if taints:
            spec["taints"] = taints
        if self.chance(0.1):
            spec["unschedulable"] = True
        allocatable = {
            "cpu": self.pick("2", "4", "8", "3900m", "16"),
            "memory": self.pick("4Gi", "8Gi", "16Gi", "7901Mi", "8e9"),
            "pods": self.pick("110", "110", "3", "2"),
        }
        if self.chance(0.5):
            allocatable[GPU] = self.pick("1", "2", "4", "8")
        if self.chance(0.3):
            allocatable["ephemeral-storage"] = self.pick("10Gi", "50G")
        if self.chance(0.1):
            allocatable["hugepages-2Mi"] = self.pick("4Mi", "64Mi")
        status: Manifest = {"allocatable": allocatable}
        if self.chance(0.4):
            status["images"] = [
                {"names": [image], "sizeBytes": self.pick(5, 40, 300, 900, 5000) * 2**20}
                for image in self.some(IMAGES, 4)
            ]
        if self.chance(0.3):
            status["declaredFeatures"] = self.some(("RestartAllContainersOnContainerExits", "Other"), 2)
        return {
            "apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}, "spec": spec,
            "status": status,
        }  # fmt: skip

    def taint(self) -> Manifest:
        taint = {
            "key": self.pick("dedicated", "gpu"),
            "effect": self.pick("NoSchedule", "NoExecute", "PreferNoSchedule"),
        }
        if self.chance(0.6):
            taint["value"] = self.pick("a", "b")
        return taint

    def pod(self, name: str, *, running_on: str = "", nominate: list[str] | None = None) -> Manifest:
        metadata: Manifest = {"name": name, "namespace": self.pick(*NAMESPACES[:3], "default", "default")}
        if self.chance(0.85):
            metadata["labels"] = {"app": self.pick(*APPS)}
            if self.chance(0.4):
                metadata["labels"]["version"] = self.pick("v1", "v2")
        if self.chance(0.15):
            owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "rs", "uid": "u-rs", "controller": True}
            metadata["ownerReferences"] = [owner]
        spec: Manifest = {"containers": [self.container(f"c{i}") for i in range(self.pick(1, 1, 1, 2))]}
        if self.chance(0.2):
            spec["initContainers"] = [self.init_container(f"i{i}") for i in range(self.pick(1, 2, 3))]
        if self.chance(0.1):
            spec["overhead"] = {"cpu": "250m", "memory": "64Mi"}
        if self.chance(0.08):
            spec["resources"] = {"requests": {"cpu": self.pick("1", "3"), "memory": self.pick("1Gi", "3Gi")}}
            for container in [*spec["containers"], *spec.get("initContainers", ())]:
                container.pop("resources", None)
        priority = self.pick(0, 0, 0, 1, 5, 10, 100, 100) if not running_on else self.pick(0, 0, 1, 5, 50)
        if priority:
            spec["priorityClassName"] = f"p{priority}"
        self.constraints(spec)
        status: Manifest = {}
        if running_on:
            spec["nodeName"] = running_on
            status = {"phase": "Running", "startTime": f"2026-01-01T0{self.random.randint(0, 9)}:00:00Z"}
            self.running(metadata, spec, status)
        elif nominate and self.chance(0.2):
            status["nominatedNodeName"] = self.pick(*nominate, "unknown")
        if not running_on:
            self.pending(spec)
        return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": status}

    def running(self, metadata: Manifest, spec: Manifest, status: Manifest) -> None:
        if self.chance(0.12):
            metadata["deletionTimestamp"] = "2026-01-02T00:00:00Z"
            metadata["deletionGracePeriodSeconds"] = 30
            if self.chance(0.6):
                reason = self.pick("PreemptionByScheduler", "DeletionByTaintManager")
                status["conditions"] = [{"type": "DisruptionTarget", "status": "True", "reason": reason}]
        if self.chance(0.1):
            container = spec["containers"][0]
            actual = {"cpu": self.pick("500m", "2", "3"), "memory": "1Gi"}
            status["containerStatuses"] = [
                {"name": container["name"], "resources": {"requests": actual}, "allocatedResources": {"cpu": "1"},
                 "image": "i", "imageID": "i", "ready": True, "restartCount": 0}
            ]  # fmt: skip
            self.resize(spec, status, actual)

    def resize(self, spec: Manifest, status: Manifest, actual: Manifest) -> None:
        """More of a Pod that is being resized: its init containers, its own level, and that it cannot be."""
        if spec.get("initContainers"):
            allocated = {"memory": self.pick("512Mi", "3Gi")}
            status["initContainerStatuses"] = [
                {"name": c["name"], "resources": {"requests": {"cpu": "2"}}, "allocatedResources": allocated,
                 "image": "i", "imageID": "i", "ready": True, "restartCount": 0}
                for c in spec["initContainers"]
            ]  # fmt: skip
        if spec.get("resources"):
            status["resources"] = {"requests": actual}
            status["allocatedResources"] = {"cpu": self.pick("1", "5")}
        if self.chance(0.4):
            status.setdefault("conditions", []).append(
                {"type": "PodResizePending", "status": "True", "reason": self.pick("Infeasible", "Deferred")}
            )

    def pending(self, spec: Manifest) -> None:
        if self.chance(0.08):
            spec["priorityClassName"] = "polite"
        if self.chance(0.04):
            spec["schedulingGates"] = [{"name": "example.com/wait"}]
        if self.chance(0.04):
            spec["schedulerName"] = self.pick("other", "second")
        if self.chance(0.05):
            rule = {"action": "RestartAllContainers", "exitCodes": {"operator": "In", "values": [1]}}
            spec["containers"][0] |= {"restartPolicy": "Never", "restartPolicyRules": [rule]}

    def requests(self) -> dict[str, str]:
        requests = {}
        if self.chance(0.75):
            requests["cpu"] = self.pick(
                "0", "100m", "500m", "1", "1500m", "2", "4", "0.1", "1e0", "1500e-3", "1.0005", "999999u"
            )  # fmt: skip
        if self.chance(0.65):
            requests["memory"] = self.pick(
                "128Mi", "1Gi", "2Gi", "4Gi", "1.5Gi", "129M", "128974848000m", "1e9", "1.1", "0.1Gi", "1234567.5k"
            )  # fmt: skip
        if self.chance(0.25):
            requests[GPU] = self.pick("1", "2", "4")
        if self.chance(0.1):
            requests["ephemeral-storage"] = self.pick("1Gi", "20Gi")
        return requests

    def container(self, name: str) -> Manifest:
        container: Manifest = {"name": name, "image": self.pick(*IMAGES)}
        requests = self.requests()
        if requests:
            container["resources"] = {"requests": requests}
            if GPU in requests:
                container["resources"]["limits"] = {GPU: requests[GPU]}
        if self.chance(0.15):
            port: Manifest = {"containerPort": self.pick(*PORTS)}
            port["hostPort"] = port["containerPort"]
            if self.chance(0.6):
                port["hostIP"] = self.pick(*ADDRESSES)
            if self.chance(0.3):
                port["protocol"] = "UDP"
            container["ports"] = [port]
        return container

    def init_container(self, name: str) -> Manifest:
        container = self.container(name)
        if self.chance(0.4):
            container["restartPolicy"] = "Always"
        return container

    # constraints

    def constraints(self, spec: Manifest) -> None:
        if self.chance(0.3):
            spec["tolerations"] = [self.toleration() for _ in range(self.pick(1, 2))]
        if self.chance(0.12):
            spec["nodeSelector"] = {self.pick(ZONE, RACK): self.pick("za", "zb", "r1")}
        affinity: Manifest = {}
        if self.chance(0.2):
            affinity["nodeAffinity"] = self.node_affinity()
        for kind, share in (("podAffinity", 0.18), ("podAntiAffinity", 0.22)):
            if self.chance(share):
                affinity[kind] = self.pod_affinity()
        if affinity:
            spec["affinity"] = affinity
        if self.chance(0.25):
            spread = [self.spread() for _ in range(self.pick(1, 1, 2))]
            spec["topologySpreadConstraints"] = list(
                {(c["topologyKey"], c["whenUnsatisfiable"]): c for c in spread}.values()
            )

    def toleration(self) -> Manifest:
        if self.chance(0.25):
            return {"operator": "Exists"} | ({"effect": "NoSchedule"} if self.chance(0.5) else {})
        toleration = {"key": self.pick("dedicated", "gpu", "node.kubernetes.io/unschedulable")}
        if self.chance(0.5):
            toleration["operator"] = "Exists"
        elif self.chance(0.8):
            toleration["value"] = self.pick("a", "b")
        if self.chance(0.5):
            toleration["effect"] = self.pick("NoSchedule", "NoExecute", "PreferNoSchedule")
        return toleration

    def expression(self) -> Manifest:
        operator = self.pick("In", "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt")
        key = "gpus" if operator in ("Gt", "Lt") else self.pick(ZONE, RACK, "gpus")
        values = {"In": ["za", "r1", "8"], "NotIn": ["zb", "r2"], "Gt": ["1"], "Lt": ["4"]}.get(operator)
        return {"key": key, "operator": operator} | ({"values": values} if values else {})

    def node_term(self) -> Manifest:
        term: Manifest = {}
        if self.chance(0.75):
            term["matchExpressions"] = [self.expression() for _ in range(self.pick(1, 1, 2))]
        if self.chance(0.3) or not term:
            field = {"key": "metadata.name", "operator": self.pick("In", "In", "NotIn")}
            term["matchFields"] = [field | {"values": [self.pick("n0", "n1", "n2", "gone")]}]
        return term

    def node_affinity(self) -> Manifest:
        affinity: Manifest = {}
        if self.chance(0.6):
            terms = [self.node_term() for _ in range(self.pick(1, 2))]
            affinity["requiredDuringSchedulingIgnoredDuringExecution"] = {"nodeSelectorTerms": terms}
        if self.chance(0.6):
            affinity["preferredDuringSchedulingIgnoredDuringExecution"] = [
                {"weight": self.pick(1, 10, 50, 100), "preference": self.node_term()} for _ in range(self.pick(1, 2))
            ]
        return affinity

    def selector(self) -> Manifest:
        if self.chance(0.1):
            return {}
        selector: Manifest = {}
        if self.chance(0.7):
            selector["matchLabels"] = {"app": self.pick(*APPS)}
        if self.chance(0.35) or not selector:
            operator = self.pick("In", "NotIn", "Exists", "DoesNotExist")
            values = {"values": ["v1"]} if operator in ("In", "NotIn") else {}
            selector["matchExpressions"] = [{"key": "version", "operator": operator, **values}]
        return selector

    def pod_term(self) -> Manifest:
        term: Manifest = {"topologyKey": self.pick(*KEYS)}
        if self.chance(0.95):
            term["labelSelector"] = self.selector()
            if self.chance(0.1):
                term["matchLabelKeys"] = ["version"]
        if self.chance(0.2):
            term["namespaces"] = self.some(NAMESPACES, 2) or ["default"]
        if self.chance(0.25):
            term["namespaceSelector"] = self.pick(
                {},
                {"matchLabels": {"team": "a"}},
                {"matchExpressions": [{"key": "team", "operator": "NotIn", "values": ["a"]}]},
                {"matchExpressions": [{"key": "team", "operator": "Exists"}]},
                {"matchExpressions": [{"key": "team", "operator": "DoesNotExist"}]},
                {"matchLabels": {"kubernetes.io/metadata.name": "team-b"}},
            )
        return term

    def pod_affinity(self) -> Manifest:
        affinity: Manifest = {}
        if self.chance(0.6):
            terms = [self.pod_term() for _ in range(self.pick(1, 1, 2))]
            affinity["requiredDuringSchedulingIgnoredDuringExecution"] = terms
        if self.chance(0.6):
            affinity["preferredDuringSchedulingIgnoredDuringExecution"] = [
                {"weight": self.pick(1, 7, 100), "podAffinityTerm": self.pod_term()} for _ in range(self.pick(1, 2))
            ]
        return affinity

    def spread(self) -> Manifest:
        constraint: Manifest = {
            "maxSkew": self.pick(1, 1, 2, 5),
            "topologyKey": self.pick(*KEYS),
            "whenUnsatisfiable": self.pick("DoNotSchedule", "DoNotSchedule", "ScheduleAnyway"),
        }
        if self.chance(0.95):
            constraint["labelSelector"] = self.selector()
            if self.chance(0.2):
                constraint["matchLabelKeys"] = ["version"]
        if constraint["whenUnsatisfiable"] == "DoNotSchedule" and self.chance(0.3):
            constraint["minDomains"] = self.pick(1, 2, 3, 5)
        for policy in ("nodeAffinityPolicy", "nodeTaintsPolicy"):
            if self.chance(0.3):
                constraint[policy] = self.pick("Honor", "Ignore")
        return constraint

    # the rest

    def namespaces(self) -> list[Manifest]:
        made = [("team-a", {"team": "a"}), ("team-b", {"team": "b"})]
        return [
            {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}}
            for name, labels in made
            if self.chance(0.8)
        ]

    def budgets(self) -> list[Manifest]:
        return [
            {
                "apiVersion": "policy/v1",
                "kind": "PodDisruptionBudget",
                "metadata": {"name": f"b{index}", "namespace": self.pick(*NAMESPACES[:3], "default")},
                "spec": {"selector": self.selector(), "minAvailable": 1},
                "status": {
                    "disruptionsAllowed": self.pick(0, 0, 1, 2), "currentHealthy": 1, "desiredHealthy": 1,
                    "expectedPods": 1, "disruptedPods": {"r1": "2026-01-01T00:00:00Z"} if self.chance(0.2) else {},
                },
            }
            for index in range(self.pick(0, 0, 1, 2))
        ]  # fmt: skip

    def services(self) -> list[Manifest]:
        found: list[Manifest] = []
        if self.chance(0.4):
            spec = {"selector": {"app": self.pick(*APPS)}, "ports": [{"port": 80}]}
            found.append({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s"}, "spec": spec})
        if self.chance(0.3):
            labels = {"app": self.pick(*APPS)}
            template = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
            spec = {"selector": {"matchLabels": labels}, "template": template}
            found.append({"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": {"name": "rs"}, "spec": spec})
        return found

    # configuration

    def config(self) -> Manifest:
        profile: Manifest = {"schedulerName": "default-scheduler"}
        plugins: Manifest = {}
        if self.chance(0.3):
            off = self.some(
                ("NodePorts", "TaintToleration", "InterPodAffinity", "PodTopologySpread", "NodeAffinity"), 2
            )
            plugins["filter"] = {"disabled": [{"name": name} for name in off]}
        if self.chance(0.3):
            plugins["score"] = {
                "enabled": [{"name": self.pick("NodeResourcesFit", "ImageLocality", "TaintToleration"), "weight": 7}]
            }
        elif self.chance(0.2):
            plugins["score"] = {"disabled": [{"name": "*"}]}
        if self.chance(0.2):
            plugins["multiPoint"] = {
                "enabled": [{"name": self.pick("TaintToleration", "InterPodAffinity")}],
                "disabled": [{"name": self.pick("NodeAffinity", "NodeResourcesBalancedAllocation", "ImageLocality")}],
            }
        if self.chance(0.15):
            plugins["postFilter"] = {"disabled": [{"name": self.pick("*", "DynamicResources", "DefaultPreemption")}]}
        if plugins:
            profile["plugins"] = plugins
        profile["pluginConfig"] = self.plugin_config()
        profiles = [profile]
        if self.chance(0.2):
            profiles.append({"schedulerName": "second"})
        kind = "KubeSchedulerConfiguration"
        return {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": kind, "profiles": profiles}

    def plugin_config(self) -> list[Manifest]:
        found = []
        if self.chance(0.6):
            found.append({"name": "NodeResourcesFit", "args": self.fit_args()})
        if self.chance(0.3):
            names = self.some(("cpu", "memory", GPU, "ephemeral-storage"), 4) or ["cpu"]
            resources = [{"name": name, "weight": 1} for name in names]
            found.append({"name": "NodeResourcesBalancedAllocation", "args": {"resources": resources}})
        if self.chance(0.3):
            args = {"hardPodAffinityWeight": self.pick(0, 1, 50, 100)}
            if self.chance(0.5):
                args["ignorePreferredTermsOfExistingPods"] = True
            found.append({"name": "InterPodAffinity", "args": args})
        if self.chance(0.2):
            found.append({"name": "NodeAffinity", "args": {"addedAffinity": self.node_affinity()}})
        if self.chance(0.3):
            defaults = [
                {
                    "maxSkew": self.pick(1, 3),
                    "topologyKey": key,
                    "whenUnsatisfiable": self.pick("DoNotSchedule", "ScheduleAnyway"),
                }
                for key in self.some(KEYS, 2)
            ]
            args = {"defaultingType": "List", "defaultConstraints": defaults}
            found.append({"name": "PodTopologySpread", "args": args})
        return found

    def fit_args(self) -> Manifest:
        kind = self.pick("LeastAllocated", "MostAllocated", "RequestedToCapacityRatio")
        names = self.some(("cpu", "memory", GPU, "ephemeral-storage"), 4) or ["cpu"]
        strategy: Manifest = {
            "type": kind,
            "resources": [{"name": name, "weight": self.pick(1, 3, 5, 100)} for name in names],
        }
        if kind == "RequestedToCapacityRatio":
            points = sorted(self.random.sample((0, 10, 35, 50, 70, 100), self.pick(1, 2, 3)))
            shape = [{"utilization": point, "score": self.random.randint(0, 10)} for point in points]
            strategy["requestedToCapacityRatio"] = {"shape": shape}
        args: Manifest = {"scoringStrategy": strategy}
        if self.chance(0.2):
            args["ignoredResources"] = [GPU]
        if self.chance(0.1):
            args["ignoredResourceGroups"] = ["nvidia.com"]
        return args
