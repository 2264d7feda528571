"""Small clusters with something going on, for tests of what is told about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from simulator.engine.world.history import History
from simulator.engine.world.setup import Setup

GPU = "nvidia.com/gpu"
GANG_GATES = {"GenericWorkload": True, "GangScheduling": True}

Manifest = dict[str, Any]


def node(
    name: str,
    *,
    cpu: int = 64,
    gpus: int = 0,
    pods: int = 110,
    labels: Mapping[str, str] | None = None,
    taints: Iterable[Mapping[str, str]] = (),
    **spec: Any,
) -> Manifest:
    allocatable = {"cpu": str(cpu), "memory": "256Gi", "pods": str(pods)}
    if gpus:
        allocatable[GPU] = str(gpus)
    own = {"kubernetes.io/hostname": name, **(labels or {})}
    if taints:
        spec["taints"] = list(taints)
    manifest: Manifest = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": own}}
    return manifest | {"spec": spec, "status": {"allocatable": allocatable}}


def pod(
    name: str,
    *,
    gpus: int = 0,
    cpu: str = "1",
    priority: int = 0,
    labels: Mapping[str, str] | None = None,
    run_seconds: int | None = None,
    grace: int = 30,
    **spec: Any,
) -> Manifest:
    requests = {"cpu": cpu, "memory": "1Gi"}
    if gpus:
        requests[GPU] = str(gpus)
    container = {"name": "main", "image": "app:1", "resources": {"requests": requests, "limits": dict(requests)}}
    metadata: Manifest = {"name": name, "namespace": "default", "labels": dict(labels or {})}
    if run_seconds is not None:
        metadata["annotations"] = {"gpuschedlab.io/run-seconds": str(run_seconds)}
    common = {"containers": [container], "terminationGracePeriodSeconds": grace}
    if priority:
        spec["priorityClassName"] = f"p{priority}"
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {**common, **spec}}


def priority_class(value: int) -> Manifest:
    named = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": f"p{value}"}}
    return {**named, "value": value}


def pod_group(name: str, size: int) -> Manifest:
    metadata = {"name": name, "namespace": "default"}
    spec = {"schedulingPolicy": {"gang": {"minCount": size}}}
    return {"apiVersion": "scheduling.k8s.io/v1alpha2", "kind": "PodGroup", "metadata": metadata, "spec": spec}


def apply(*objects: Manifest) -> Manifest:
    return {"type": "apply", "objects": list(objects)}


def run(turns: int = 200) -> Manifest:
    return {"type": "run", "turns": turns}


def lab(*commands: Manifest, setup: Setup | None = None) -> History:
    history = History.begin(setup or Setup())
    for command in commands:
        if command["type"] == "run":
            history.run(lambda _: history.head.is_idle, most=command["turns"])
        else:
            history.apply(command)
    return history


def placed() -> History:
    """Four GPU nodes and three Pods that find their place."""
    nodes = [node("h100-1", gpus=8), node("h100-2", gpus=8), node("t4-1", gpus=2), node("cpu-1")]
    return lab(apply(*nodes), apply(pod("a", gpus=4), pod("b", gpus=8), pod("c", cpu="2")), run())


def preempted() -> History:
    """A full node, less important Pods on it, and one that needs their GPUs."""
    objects = [priority_class(10), priority_class(1000), node("h100-1", gpus=8), node("h100-2", gpus=8)]
    low = [pod(f"low-{i}", gpus=4, priority=10, labels={"app": "low"}) for i in range(4)]
    return lab(
        apply(*objects),
        apply(*low),
        run(),
        apply(pod("train", gpus=8, priority=1000)),
        run(),
        {"type": "advance", "seconds": 60},
    )


def unschedulable() -> History:
    """Nodes that all say no, each for a reason of its own."""
    taint = {"key": GPU, "value": "present", "effect": "NoSchedule"}
    nodes = [
        node("small", gpus=2),
        node("tainted", gpus=8, taints=[taint]),
        node("cordoned", gpus=8, unschedulable=True),
        node("other-zone", gpus=8, labels={"zone": "b"}),
    ]
    train = pod("train", gpus=4, nodeSelector={"zone": "a"})
    for manifest in nodes[:3]:
        manifest["metadata"]["labels"]["zone"] = "a"
    return lab(apply(*nodes), run(), apply(train), run())


def gang(*, size: int = 2, members: int = 2, nodes: int = 1) -> History:
    """A pod group on nodes with 8 GPUs each; every member wants 8."""
    made = [node(f"h100-{i}", gpus=8) for i in range(1, nodes + 1)]
    pods = [pod(f"w-{i}", gpus=8, schedulingGroup={"podGroupName": "train"}) for i in range(members)]
    return lab(apply(*made, pod_group("train", size)), apply(*pods), run(8), setup=Setup(gates=GANG_GATES))


def gated() -> History:
    held = pod("held", gpus=1, schedulingGates=[{"name": "example.com/quota"}])
    return lab(apply(node("h100-1", gpus=8)), apply(held), run())


def workloads() -> History:
    """Controllers at work: a ReplicaSet that loses a Pod, a Job that ends, a cordon, a drain, a budget."""
    template = {"metadata": {"labels": {"app": "web"}}, "spec": pod("x", gpus=1)["spec"]}
    web = {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {"replicas": 2, "selector": {"matchLabels": {"app": "web"}}, "template": template},
    }
    work = {"metadata": {"labels": {"app": "job"}, "annotations": {"gpuschedlab.io/run-seconds": "20"}}}
    job = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "job", "namespace": "default"},
        "spec": {
            "completions": 2,
            "parallelism": 1,
            "template": {**work, "spec": {**pod("y")["spec"], "restartPolicy": "Never"}},
        },
    }
    budget = {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {"maxUnavailable": 1, "selector": {"matchLabels": {"app": "web"}}},
    }
    return lab(
        apply(node("n1", gpus=2), node("n2", gpus=2), budget),
        apply(web, job),
        run(),
        {"type": "delete", "kind": "Pod", "namespace": "default", "name": "web-1"},
        run(),
        {"type": "drain", "name": "n1"},
        run(),
        {"type": "cordon", "name": "n1", "on": False},
        run(),
        {"type": "taint", "name": "n2", "add": [{"key": "broken", "effect": "NoExecute"}]},
        run(),
        {"type": "advance", "seconds": 120},
    )


ALL = {
    "placed": placed,
    "preempted": preempted,
    "unschedulable": unschedulable,
    "gang that waits": lambda: gang(size=2, members=1),
    "gang in two halves": lambda: gang(size=2, members=2, nodes=1),
    "gang that fits": lambda: gang(size=2, members=3, nodes=2),
    "gated": gated,
    "workloads": workloads,
}
