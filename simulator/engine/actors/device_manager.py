"""The kubelet's admission of a Pod: the Topology Manager's decision, then devices for one container after another.

Source: kubelet 1.36 pkg/kubelet/cm (topologymanager, devicemanager) and their texts.
Simplified here: devices of init containers are reused by the containers; where an init container asks for more, the
Pod keeps the larger number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from simulator.engine.fabric.devices import choose, choose_shares, device_names, share_request, shared_gpus, shares_gpus
from simulator.engine.fabric.machine import Machine
from simulator.engine.fabric.numa_zones import RESTRICTED, SINGLE_NUMA_NODE, Amounts, NodeZones
from simulator.engine.fabric.topology_manager import REJECTED, Admission, Alignment, ContainerRequest, admit
from simulator.engine.objects.pod import Pod
from simulator.engine.objects.requests import amounts, quantities
from simulator.engine.objects.strategy import qos_class

TOPOLOGY_AFFINITY_ERROR: Final = "TopologyAffinityError"
UNEXPECTED_ADMISSION_ERROR: Final = "UnexpectedAdmissionError"
_GUARANTEED: Final = "Guaranteed"


@dataclass(frozen=True, slots=True)
class Started:
    """What a Pod got: device ids, by container too, and CPU and memory by NUMA node; `alignments` say why there."""

    devices: tuple[str, ...]
    containers: tuple[tuple[str, tuple[str, ...]], ...] = ()
    numa: Mapping[int, Amounts] = field(default_factory=dict)
    alignments: tuple[Alignment, ...] = ()


@dataclass(frozen=True, slots=True)
class Rejected:
    """Why the kubelet does not run a Pod: the reason of its Failed status, and the kubelet's text."""

    reason: str
    message: str
    alignments: tuple[Alignment, ...] = ()


@dataclass(frozen=True, slots=True)
class Holder:
    """A Pod that has devices already: their ids, and what it asked for."""

    devices: tuple[str, ...]
    requests: Amounts


def wants_devices(machine: Machine, pod: Pod) -> bool:
    """Whether a Pod asks for something this machine's device plugin hands out."""
    return any(pod.shape.requests.on_node.get(name) for name in device_names(machine))


def start(machine: Machine, zones: NodeZones | None, holders: Sequence[Holder], pod: Pod) -> Started | Rejected:
    """Admit a Pod to its node. `zones` is None where no Topology Manager policy counts (or the Pod runs already)."""
    alignments: tuple[Alignment, ...] = ()
    if zones is not None:
        admission = _admission(zones, pod)
        refusal = None if admission.admitted else _refusal(machine, admission)
        if refusal is not None:
            return refusal
        alignments = admission.alignments
    if shares_gpus(machine):
        return _shares(machine, holders, pod, alignments)
    return _devices(machine, holders, pod, alignments)


def _admission(zones: NodeZones, pod: Pod) -> Admission:
    spec = pod.shape.spec
    running, init = _containers(spec)
    return admit(
        zones,
        [ContainerRequest(name, requests) for name, requests in running],
        [ContainerRequest(name, requests) for name, requests in init],
        guaranteed=qos_class(spec) == _GUARANTEED,
    )


def _refusal(machine: Machine, admission: Admission) -> Rejected | None:
    """restricted and single-numa-node: no locality. The other policies admit what fits, so something is missing; of
    devices it is told when they are given out.
    """
    if machine.numa_policy in (RESTRICTED, SINGLE_NUMA_NODE):
        return Rejected(TOPOLOGY_AFFINITY_ERROR, REJECTED, admission.alignments)
    missing = [name for name, hints in admission.alignments[-1].hints.items() if not hints]
    if all(name in device_names(machine) for name in missing):
        return None
    return Rejected(UNEXPECTED_ADMISSION_ERROR, f"Allocate failed due to not enough {missing[0]}, which is unexpected")


def _devices(
    machine: Machine, holders: Sequence[Holder], pod: Pod, alignments: tuple[Alignment, ...]
) -> Started | Rejected:
    taken = [device for holder in holders for device in holder.devices]
    hints = {alignment.name: alignment.hint.nodes for alignment in alignments}
    running, _ = _containers(pod.shape.spec)
    asked = [(name, requests, hints.get(name, hints.get(""))) for name, requests in running]
    given: list[tuple[str, tuple[str, ...]]] = []
    for name, requests, zones in [*asked, ("", _beyond(pod, [requests for _, requests in running]), None)]:
        got: list[str] = []
        for resource in device_names(machine):
            count = requests.get(resource, 0)
            chosen = choose(machine, resource, count, taken, zones) if count else ()
            if chosen is None:
                return _too_few(machine, resource, count, taken)
            got += chosen
            taken += chosen
        if got:
            given.append((name, tuple(got)))
    devices = tuple(device for _, ids in given for device in ids)
    return Started(devices, tuple(given), _numa(machine, pod, alignments), alignments)


def _beyond(pod: Pod, running: Sequence[Amounts]) -> dict[str, int]:
    """What init containers ask for beyond the containers' sum."""
    return {
        name: amount - sum(requests.get(name, 0) for requests in running)
        for name, amount in pod.shape.requests.on_node.items()
        if "/" in name and amount > sum(requests.get(name, 0) for requests in running)
    }


def _too_few(machine: Machine, resource: str, count: int, taken: Sequence[str]) -> Rejected:
    healthy = machine.resources[resource].allocatable
    left = max(0, healthy - len([device for device in taken if _is_healthy(machine, device)]))
    text = (
        f"Allocate failed due to requested number of devices unavailable for {resource}. "
        f"Requested: {count}, Available: {left}, which is unexpected"
    )
    return Rejected(UNEXPECTED_ADMISSION_ERROR, text)


def _is_healthy(machine: Machine, device: str) -> bool:
    return int(device.partition(":")[0]) not in machine.host.failed


def _shares(
    machine: Machine, holders: Sequence[Holder], pod: Pod, alignments: tuple[Alignment, ...]
) -> Started | Rejected:
    requests = pod.shape.requests.on_node
    try:
        request = share_request(requests)
    except ValueError:
        text = "Allocate failed due to a request for more than one GPU in uneven parts, which is unexpected"
        return Rejected(UNEXPECTED_ADMISSION_ERROR, text)
    if request is None:
        return Started((), (), _numa(machine, pod, alignments), alignments)
    state = shared_gpus(machine, [(holder.devices, holder.requests) for holder in holders])
    chosen = choose_shares(machine, state, request)
    if chosen is None:
        text = (
            f"Allocate failed due to no GPU with {request.milli} thousandths and {request.memory} MiB left, "
            f"which is unexpected"
        )
        return Rejected(UNEXPECTED_ADMISSION_ERROR, text)
    return Started(chosen, (("", chosen),), _numa(machine, pod, alignments), alignments)


def _numa(machine: Machine, pod: Pod, alignments: Sequence[Alignment]) -> dict[int, Amounts]:
    """CPU and memory that containers keep, by NUMA node; devices are known by their ids."""
    devices, ending = device_names(machine), [name for name, _ in _containers(pod.shape.spec)[1]]
    total: dict[int, dict[str, int]] = {}
    for alignment in alignments:
        if alignment.name in ending:
            continue
        for zone, taken in alignment.taken.items():
            for name, amount in taken.items():
                if name not in devices:
                    place = total.setdefault(zone, {})
                    place[name] = place.get(name, 0) + amount
    return dict(total)


def _containers(spec: Mapping[str, Any]) -> tuple[list[tuple[str, Amounts]], list[tuple[str, Amounts]]]:
    """(containers and sidecars, init containers that end) with their requests."""
    init = list(spec.get("initContainers") or ())
    sidecars = [container for container in init if container.get("restartPolicy") == "Always"]
    ending = [container for container in init if container not in sidecars]
    running = [*sidecars, *(spec.get("containers") or ())]
    return [_named(container) for container in running], [_named(container) for container in ending]


def _named(container: Mapping[str, Any]) -> tuple[str, Amounts]:
    requests = (container.get("resources") or {}).get("requests")
    return str(container["name"]), amounts(quantities(requests))
