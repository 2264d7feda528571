"""One card for each node: its GPUs by owner, its CPUs, and what is out of the ordinary about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from simulator.engine.fabric.devices import gpu_of
from simulator.engine.fabric.node_fabric import KIND
from simulator.engine.objects.node import Node
from simulator.engine.objects.pod import Pod
from simulator.engine.objects.pod_devices import devices_held
from simulator.engine.objects.requests import CPU, quantities
from simulator.engine.objects.requests import amounts as amounts_of
from simulator.presenters.pods import hue_of, owner_of, short_name
from simulator.presenters.resources import amount_text, amounts_text, gpus_of
from simulator.selectors.frames import Frame

_MODEL_LABELS = (
    "nvidia.com/gpu.product",
    "amd.com/gpu.product-name",
    "gpu.intel.com/product",
    "accelerator",
)
_MODEL_ANNOTATION = "gpuschedlab.io/gpu-model"
_GROUP_LABELS = ("gpuschedlab.io/rack", "topology.kubernetes.io/rack", "topology.kubernetes.io/zone")
_VENDOR_WORDS = ("NVIDIA-", "Tesla-", "AMD_", "Instinct_")


@dataclass(frozen=True, slots=True)
class Tenant:
    """A Pod on a node, or about to be: `state` is running, leaving (being deleted), or holding (reserved, waiting at
    Permit). `devices` are the numbers of its GPUs, where the kubelet has written them down."""

    key: str
    name: str
    owner: str
    hue: str
    state: str
    gpus: int
    cpu: int
    priority: int
    amounts: str
    devices: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """`cpu` and `cpu_used` in thousandths; `group` is the rack or zone the node is drawn in; `failed` are the numbers
    of GPUs that are broken, `slots` how many GPUs there are with them.
    """

    name: str
    model: str
    gpus: int
    gpus_used: int
    cpu: int
    cpu_used: int
    cordoned: bool
    taints: tuple[str, ...]
    group: str
    tenants: tuple[Tenant, ...]
    pods: int
    failed: tuple[int, ...] = ()
    slots: int = 0

    @property
    def cpu_text(self) -> str:
        return amount_text(CPU, self.cpu)

    @property
    def cpu_used_text(self) -> str:
        return amount_text(CPU, self.cpu_used)

    def to_json(self) -> dict[str, Any]:
        """For the script that draws it; the tenants in the order in which they fill the GPUs."""
        return {
            "model": self.model,
            "gpus": self.gpus,
            "slots": self.slots,
            "failed": list(self.failed),
            "cpu": self.cpu,
            "cordoned": self.cordoned,
            "group": self.group,
            "pods": self.pods,
            "tenants": [
                {
                    "key": tenant.key,
                    "name": tenant.name,
                    "owner": tenant.owner,
                    "hue": tenant.hue,
                    "state": tenant.state,
                    "gpus": tenant.gpus,
                    "devices": list(tenant.devices),
                    "cpu": tenant.cpu,
                }
                for tenant in self.tenants
            ],
        }


def cards_of(frame: Frame) -> dict[str, Card]:
    """Node name -> card, in order of creation."""
    by_node: dict[str, list[Tenant]] = {}
    for pod in _in_order_of_start(frame.pods):
        held = frame.assumed.get(pod.key, "")
        node = pod.node_name or held
        if node and not pod.terminal:
            by_node.setdefault(node, []).append(_tenant(frame, pod, holding=not pod.node_name))
    broken = {item["metadata"]["name"]: _failed(item) for item in frame.objects.get(KIND, ())}
    return {node.name: _card(node, by_node.get(node.name, []), broken.get(node.name, ())) for node in frame.nodes}


def _failed(fabric: Mapping[str, Any]) -> tuple[int, ...]:
    """GPUs that a NodeFabric says are broken."""
    return tuple((fabric["spec"].get("faults") or {}).get("gpus") or ())


def _in_order_of_start(pods: Iterable[Pod]) -> list[Pod]:
    return sorted(pods, key=lambda pod: (pod.start_time is None, pod.start_time or 0))


def _tenant(frame: Frame, pod: Pod, *, holding: bool) -> Tenant:
    amounts = pod.shape.requests.on_node
    state = "holding" if holding else "leaving" if pod.terminating else "running"
    return Tenant(
        pod.key,
        short_name(pod.key),
        owner_of(pod),
        hue_of(pod, frame),
        state,
        gpus_of(amounts),
        amounts.get(CPU, 0),
        pod.priority,
        amounts_text(amounts),
        tuple(dict.fromkeys(map(gpu_of, devices_held(pod)))),
    )


def _card(node: Node, tenants: list[Tenant], failed: tuple[int, ...]) -> Card:
    gpus = gpus_of(node.allocatable)
    return Card(
        node.name,
        model_of(node),
        gpus,
        sum(tenant.gpus for tenant in tenants),
        node.allocatable.get(CPU, 0),
        sum(tenant.cpu for tenant in tenants),
        node.unschedulable,
        tuple(str(taint) for taint in node.taints),
        next((node.labels[label] for label in _GROUP_LABELS if node.labels.get(label)), ""),
        tuple(tenants),
        len(tenants),
        failed,
        max(gpus, gpus_of(amounts_of(quantities(node.manifest["status"].get("capacity"))))) if failed else gpus,
    )


def model_of(node: Node) -> str:
    """The accelerators' model in short, "" for a node without."""
    known = next((node.labels[label] for label in _MODEL_LABELS if node.labels.get(label)), "")
    model = known or node.annotations.get(_MODEL_ANNOTATION, "")
    for word in _VENDOR_WORDS:
        model = model.removeprefix(word)
    return model.replace("_", " ").replace("-", " ")
