"""A small cluster for tests of the volume plugins: nodes, Pods, claims and volumes in a few words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from simulator.engine.cluster.cluster import Cluster
from simulator.engine.cluster.rows import Rows
from simulator.engine.framework import messages
from simulator.engine.framework.attempt import Attempt, attempt
from simulator.engine.framework.build import build_frameworks
from simulator.engine.framework.config import SchedulerConfig, read_config
from simulator.engine.framework.gates import with_defaults
from simulator.engine.framework.plugin import CycleState, FilterPlugin, Handle, PreFilterPlugin
from simulator.engine.framework.registry import REGISTRY
from simulator.engine.framework.rules import Rules
from simulator.engine.framework.status import Status
from simulator.engine.objects.node import Node
from simulator.engine.objects.pod import Pod, ShapeInterner
from simulator.engine.queue.nominator import Nominator

Manifest = dict[str, Any]


class Store:
    """Objects by kind, namespace and name; what is put again takes its old place."""

    def __init__(self) -> None:
        self._objects: dict[tuple[str, str, str], Mapping[str, Any]] = {}

    def put(self, *manifests: Mapping[str, Any]) -> None:
        for manifest in manifests:
            metadata = manifest["metadata"]
            self._objects[manifest["kind"], metadata.get("namespace", ""), metadata["name"]] = manifest

    def delete(self, kind: str, namespace: str, name: str) -> None:
        del self._objects[kind, namespace, name]

    def get(self, kind: str, namespace: str, name: str) -> Mapping[str, Any] | None:
        return self._objects.get((kind, namespace, name))

    def list(self, kind: str, namespace: str | None = None) -> Iterable[Mapping[str, Any]]:
        keys = [key for key in self._objects if key[0] == kind and namespace in (None, key[1])]
        return [self._objects[key] for key in keys]


class World:
    """A cluster, a store and the framework of one profile over both."""

    def __init__(
        self, *nodes: str | Manifest, gates: Mapping[str, bool] | None = None, config: Manifest | None = None
    ) -> None:
        self.cluster = Cluster()
        self.store = Store()
        self.interner = ShapeInterner()
        self.gates = with_defaults(gates)
        read = SchedulerConfig() if config is None else read_config(config)
        self.framework = next(iter(build_frameworks(read, REGISTRY, self.gates, self._handle).values()))
        for each in nodes:
            self.cluster.add_node(Node(node(each) if isinstance(each, str) else each))

    def _handle(self) -> Handle:
        return Handle(self.cluster, self.store, Nominator(lambda key: None), self.gates, Rules(), lambda: 0)

    def plugin(self, name: str) -> Any:
        return self.framework.plugins[name]

    def pod(self, name: str, *volumes: Manifest, on: str = "", namespace: str = "default", priority: int = 0) -> Pod:
        """A Pod; with `on` it is counted there."""
        manifest: Manifest = {
            "metadata": {"name": name, "namespace": namespace, "uid": f"uid-{namespace}-{name}"},
            "spec": {
                "containers": [{"name": "c"}],
                "volumes": [{"name": f"v{index}", **volume} for index, volume in enumerate(volumes)],
                "priority": priority,
            },
        }
        if on:
            manifest["spec"]["nodeName"] = on
        pod = self.interner.pod(manifest)
        if on:
            self.cluster.add_pod(pod)
        return pod

    def attempt(self, pod: Pod) -> Attempt:
        return attempt(self.framework, pod, 0, detail=True)

    def bind(self, pod: Pod, node_name: str) -> CycleState:
        """Filter and reserve `pod` on a node."""
        tried = self.attempt(pod)
        assert self.framework.run_reserve(tried.state, pod, node_name).is_success
        return tried.state

    def pre_filter(self, name: str, pod: Pod) -> tuple[CycleState, str]:
        """PreFilter of one plugin: its state, and `Skip`, `Success` or its texts."""
        plugin = self.plugin(name)
        assert isinstance(plugin, PreFilterPlugin)
        state = CycleState()
        status = plugin.pre_filter(state, pod).status
        return state, told(status)

    def filter(self, name: str, pod: Pod, rows: Rows | None = None) -> dict[str, str]:
        """What one plugin says of every row it refuses: node -> code and texts."""
        plugin = self.plugin(name)
        assert isinstance(plugin, FilterPlugin)
        state, said = self.pre_filter(name, pod)
        if said == "Skip":
            return {}
        assert said == "Success", said
        rows = self.cluster.all_rows() if rows is None else rows
        verdicts = plugin.filter(state, pod, rows)
        names = [each.name for each in rows.nodes]
        return {names[i]: told(verdicts.status(i)) for i in range(len(rows)) if verdicts.codes[i]}


def told(status: Status) -> str:
    """`U: text, text` for Unschedulable, `UU:` for UnschedulableAndUnresolvable, `Error:`, else the code's name."""
    short = {"Unschedulable": "U: ", "UnschedulableAndUnresolvable": "UU: ", "Error": "Error: "}
    name = str(status.code)
    return short[name] + messages.status_text(status) if name in short else name


def node(name: str, **labels: str) -> Manifest:
    """A Node with room for everything, labelled with its host name; `zone` and `region` are the GA labels."""
    keys = {"zone": "topology.kubernetes.io/zone", "region": "topology.kubernetes.io/region"}
    named = {keys.get(key, key): value for key, value in labels.items()}
    return {
        "kind": "Node",
        "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name, **named}},
        "status": {"allocatable": {"cpu": "64", "memory": "512Gi", "pods": "110"}},
    }


def claim_volume(name: str) -> Manifest:
    return {"persistentVolumeClaim": {"claimName": name}}


def ephemeral_volume() -> Manifest:
    return {"ephemeral": {"volumeClaimTemplate": {"spec": {}}}}


def claim(
    name: str,
    storage_class: str | None = "wait",
    *,
    size: str | None = "10Gi",
    volume: str = "",
    modes: Iterable[str] = ("ReadWriteOnce",),
    namespace: str = "default",
    annotations: Mapping[str, str] | None = None,
    **spec: Any,
) -> Manifest:
    """A claim, bound to `volume` where one is given."""
    found: Manifest = {
        "kind": "PersistentVolumeClaim",
        "metadata": {
            "name": name,
            "namespace": namespace,
            "uid": f"uid-claim-{name}",
            "annotations": dict(annotations or {}),
        },
        "spec": {"accessModes": list(modes), "resources": {"requests": {}}, **spec},
        "status": {"phase": "Bound" if volume else "Pending"},
    }
    if storage_class is not None:
        found["spec"]["storageClassName"] = storage_class
    if size is not None:
        found["spec"]["resources"]["requests"]["storage"] = size
    if volume:
        found["spec"]["volumeName"] = volume
        found["metadata"]["annotations"]["pv.kubernetes.io/bind-completed"] = "yes"
    return found


def volume(
    name: str,
    storage_class: str = "wait",
    *,
    size: str = "10Gi",
    on: Iterable[str] | None = None,
    labels: Mapping[str, str] | None = None,
    phase: str = "Available",
    modes: Iterable[str] = ("ReadWriteOnce",),
    **spec: Any,
) -> Manifest:
    """A PersistentVolume, on the hosts `on` only where these are given."""
    found: Manifest = {
        "kind": "PersistentVolume",
        "metadata": {"name": name, "labels": dict(labels or {})},
        "spec": {
            "capacity": {"storage": size},
            "accessModes": list(modes),
            "storageClassName": storage_class,
            **spec,
        },
        "status": {"phase": phase},
    }
    if on is not None:
        found["spec"]["nodeAffinity"] = affinity("kubernetes.io/hostname", *on)
    return found


def affinity(key: str, *values: str) -> Manifest:
    wish = {"key": key, "operator": "In", "values": list(values)}
    return {"required": {"nodeSelectorTerms": [{"matchExpressions": [wish]}]}}


def csi(driver: str, handle: str) -> Manifest:
    """The `csi` source of a PersistentVolume."""
    return {"driver": driver, "volumeHandle": handle}


def storage_class(
    name: str = "wait",
    provisioner: str = "kubernetes.io/no-provisioner",
    mode: str | None = "WaitForFirstConsumer",
    **fields: Any,
) -> Manifest:
    found: Manifest = {"kind": "StorageClass", "metadata": {"name": name}, "provisioner": provisioner, **fields}
    if mode is not None:
        found["volumeBindingMode"] = mode
    return found


def allowed(key: str, *values: str) -> list[Manifest]:
    """`allowedTopologies` with one term."""
    return [{"matchLabelExpressions": [{"key": key, "values": list(values)}]}]


def csi_node(name: str, migrated: str = "", **limits: int | None) -> Manifest:
    """A CSINode; `limits` are by driver name with `_` for `.`, None for no limit."""
    drivers = []
    for driver, count in limits.items():
        entry: Manifest = {"name": driver.replace("_", "."), "nodeID": name}
        if count is not None:
            entry["allocatable"] = {"count": count}
        drivers.append(entry)
    metadata: Manifest = {"name": name}
    if migrated:
        metadata["annotations"] = {"storage.alpha.kubernetes.io/migrated-plugins": migrated}
    return {"kind": "CSINode", "metadata": metadata, "spec": {"drivers": drivers}}


def csi_driver(name: str, **spec: Any) -> Manifest:
    return {"kind": "CSIDriver", "metadata": {"name": name}, "spec": spec}


def storage_pool(name: str, storage_class: str, topology: Mapping[str, str] | None, **sizes: str) -> Manifest:
    """A CSIStorageCapacity; `topology` None: nobody reaches it."""
    found: Manifest = {
        "kind": "CSIStorageCapacity",
        "metadata": {"name": name, "namespace": "kube-system"},
        "storageClassName": storage_class,
        **sizes,
    }
    if topology is not None:
        found["nodeTopology"] = {"matchLabels": dict(topology)}
    return found


def attachment(name: str, driver: str, volume_name: str, on: str) -> Manifest:
    return {
        "kind": "VolumeAttachment",
        "metadata": {"name": name},
        "spec": {"attacher": driver, "nodeName": on, "source": {"persistentVolumeName": volume_name}},
    }


def owned(manifest: Manifest, pod: Pod) -> Manifest:
    """A claim made for an ephemeral volume of `pod`."""
    owner = {"kind": "Pod", "name": pod.name, "uid": pod.uid, "controller": True}
    return {**manifest, "metadata": {**manifest["metadata"], "ownerReferences": [owner]}}


def configured(plugin: str, args: Manifest) -> Manifest:
    """A configuration with arguments for one plugin."""
    profile = {"pluginConfig": [{"name": plugin, "args": args}]}
    config = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
    return config | {"profiles": [profile]}
