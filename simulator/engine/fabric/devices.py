"""Devices of a machine one by one: their ids, which are free, and which of them a container gets.

Ids: `3` GPU 3 as a whole (or a share of it), `3::1` its second replica, `3:1g.10gb@4` a MIG instance at memory slice 4.
Whole GPUs go by the node's policy. Replicas and MIG instances go to the least used GPU, as NVIDIA's device plugin
distributes them (k8s-device-plugin internal/rm/allocate.go, distributedAlloc). Shares go by their own card policy.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from simulator.engine.fabric.allocation import choose_gpus
from simulator.engine.fabric.device_plugin import MILLI, SHARED_MEMORY, SHARES
from simulator.engine.fabric.machine import Machine
from simulator.engine.fabric.mig import arrange, mig_profile
from simulator.engine.fabric.numa_zones import LOCAL_COST, REMOTE_COST, Amounts, NodeZones, Zone, share_of
from simulator.engine.fabric.sharing import WHOLE, SharedGpus, ShareRequest, choose_devices
from simulator.engine.objects.requests import CPU, MEMORY


@dataclass(frozen=True, slots=True)
class Device:
    """Something the device plugin advertises: its id and the GPU it is on or is."""

    id: str
    gpu: int


def gpu_of(device: str) -> int:
    """The GPU number in a device id; raises ValueError for what is none."""
    return int(device.partition(":")[0])


def devices_of(machine: Machine) -> dict[str, tuple[Device, ...]]:
    """All devices by resource, healthy or not, in device order; {} for one that is shared by thousandths."""
    if not machine.host.shape.gpus or shares_gpus(machine):
        return {}
    whole = machine.host.shape.model(0).resource
    found: dict[str, list[Device]] = {}
    for gpu in machine.host.shape.gpus:
        instances = machine.mig.profiles.get(gpu.index, ()) if machine.mig else ()
        single = machine.mig is not None and machine.mig.strategy == "single"
        for resource, device in _instances(gpu.model, gpu.index, instances):
            found.setdefault(whole if single else resource, []).append(device)
        if not instances:
            found.setdefault(_advertised(machine, whole), []).extend(_replicas(machine, gpu.index))
    return {resource: tuple(devices) for resource, devices in found.items()}


def shares_gpus(machine: Machine) -> bool:
    """Whether its GPUs are handed out in thousandths and MiB."""
    return machine.sharing is not None and machine.sharing.strategy == SHARES


def device_names(machine: Machine) -> tuple[str, ...]:
    """The resources whose devices its kubelet hands out."""
    return tuple(machine.resources)


def _advertised(machine: Machine, whole: str) -> str:
    sharing = machine.sharing
    return f"{whole}.shared" if sharing and sharing.renamed and sharing.replicas > 1 else whole


def _replicas(machine: Machine, gpu: int) -> list[Device]:
    count = machine.sharing.replicas if machine.sharing else 1
    if count == 1:
        return [Device(str(gpu), gpu)]
    return [Device(f"{gpu}::{number}", gpu) for number in range(count)]


def _instances(model: str, gpu: int, names: Sequence[str]) -> list[tuple[str, Device]]:
    placed = arrange([mig_profile(model, name) for name in names]) or ()
    return [(one.profile.resource, Device(f"{gpu}:{one.profile.name}@{one.start}", gpu)) for one in placed]


def free_devices(machine: Machine, resource: str, taken: Collection[str]) -> tuple[Device, ...]:
    """Healthy devices of a resource that nobody has."""
    healthy = machine.host.healthy_gpus
    devices = devices_of(machine).get(resource, ())
    return tuple(device for device in devices if device.gpu in healthy and device.id not in taken)


def choose(
    machine: Machine, resource: str, count: int, taken: Collection[str], zones: Sequence[int] | None = None
) -> tuple[str, ...] | None:
    """`count` free devices of a resource, None if there are too few.

    `zones`: NUMA nodes whose devices come first (the Topology Manager's hint), None for all alike.
    """
    free = free_devices(machine, resource, taken)
    if len(free) < count:
        return None
    near = free if zones is None else tuple(device for device in free if _zone(machine, device) in zones)
    if len(near) >= count:
        return _pick(machine, near, count, taken)
    rest = tuple(device for device in free if device not in near)
    more = _pick(machine, rest, count - len(near), [*taken, *(device.id for device in near)])
    return _in_order(machine, resource, [*(device.id for device in near), *more])


def _pick(machine: Machine, free: Sequence[Device], count: int, taken: Collection[str]) -> tuple[str, ...]:
    if all(device.id == str(device.gpu) for device in free):
        chosen = choose_gpus(machine.host.shape, [device.gpu for device in free], count, machine.device_policy)
        return tuple(str(gpu) for gpu in chosen.gpus) if chosen else ()
    used = _uses(taken)
    left = list(free)
    picked: list[Device] = []
    for _ in range(count):
        device = min(left, key=lambda device: used.get(device.gpu, 0))
        left.remove(device)
        picked.append(device)
        used[device.gpu] = used.get(device.gpu, 0) + 1
    return tuple(device.id for device in free if device in picked)


def _uses(taken: Iterable[str]) -> dict[int, int]:
    used: dict[int, int] = {}
    for device in taken:
        used[gpu_of(device)] = used.get(gpu_of(device), 0) + 1
    return used


def _in_order(machine: Machine, resource: str, ids: Collection[str]) -> tuple[str, ...]:
    return tuple(device.id for device in devices_of(machine)[resource] if device.id in ids)


def _zone(machine: Machine, device: Device) -> int:
    return machine.host.shape.numa_of(f"GPU{device.gpu}")


# shares


def share_request(requests: Amounts) -> ShareRequest | None:
    """What a Pod asks of shared GPUs, None for nothing; raises ValueError for more than one GPU in uneven parts."""
    milli, memory = requests.get(MILLI, 0), requests.get(SHARED_MEMORY, 0)
    if not milli and not memory:
        return None
    if milli <= WHOLE:
        return ShareRequest(milli, memory)
    if milli % WHOLE:
        raise ValueError("more than one GPU in uneven parts")
    count = milli // WHOLE
    return ShareRequest(WHOLE, memory // count, count)


def shared_gpus(machine: Machine, holders: Iterable[tuple[Sequence[str], Amounts]]) -> SharedGpus:
    """What is left on each GPU. `holders` are devices and requests of the Pods on it; unhealthy GPUs have nothing."""
    gpus = machine.host.shape.gpus
    milli = [WHOLE if gpu.index in machine.host.healthy_gpus else 0 for gpu in gpus]
    memory = [machine.host.shape.model(gpu.index).memory_mib for gpu in gpus]
    for devices, requests in holders:
        request = share_request(requests)
        for device in devices if request else ():
            milli[gpu_of(device)] = max(0, milli[gpu_of(device)] - (request.milli if request else 0))
            memory[gpu_of(device)] = max(0, memory[gpu_of(device)] - (request.memory if request else 0))
    left = [size if gpu.index in machine.host.healthy_gpus else 0 for gpu, size in zip(gpus, memory, strict=True)]
    return SharedGpus(tuple(milli), tuple(left))


def choose_shares(machine: Machine, state: SharedGpus, request: ShareRequest) -> tuple[str, ...] | None:
    """GPUs for a request in thousandths and MiB, None where no single one has both."""
    healthy = machine.host.healthy_gpus
    assert machine.sharing is not None
    chosen = choose_devices(state, request, machine.sharing.cards)
    if chosen is None or any(gpu not in healthy for gpu in chosen):
        return None
    return tuple(str(gpu) for gpu in chosen)


# NUMA


def zones_of_machine(machine: Machine, allocatable: Amounts, taken: Collection[str]) -> NodeZones:
    """NUMA zones with CPU and memory in equal shares (as if nothing were used) and the devices that are on them."""
    nodes = machine.host.shape.numa
    devices = devices_of(machine)
    zones = []
    for index, node in enumerate(nodes):
        capacity = {n: share_of(allocatable[n], index, len(nodes)) for n in (CPU, MEMORY) if n in allocatable}
        available = dict(capacity)
        for resource, all_devices in devices.items():
            own = [device.id for device in all_devices if _zone(machine, device) == node.id]
            free = [device.id for device in free_devices(machine, resource, taken) if device.id in own]
            if own:
                capacity[resource], available[resource] = len(own), len(free)
        costs = {other.id: LOCAL_COST if other.id == node.id else REMOTE_COST for other in nodes}
        zones.append(Zone(node.id, capacity, available, costs))
    return NodeZones(machine.name, tuple(zones), machine.numa_policy, machine.numa_scope)


def with_taken(zones: NodeZones, taken: Mapping[int, Amounts]) -> NodeZones:
    """Zones with this much CPU and memory gone."""
    left = tuple(zone.minus(taken.get(zone.id, {})) for zone in zones.zones)
    return NodeZones(zones.node, left, zones.policy, zones.scope, zones.max_numa_nodes)
