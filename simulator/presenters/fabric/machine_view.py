"""One machine as text: what it is, its GPUs with their health and Pods, its matrix with the legend, a path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from simulator.engine.fabric.devices import devices_of, shared_gpus, shares_gpus
from simulator.engine.fabric.distance import nearest_nics
from simulator.engine.fabric.fabric import Fabric
from simulator.engine.fabric.graph import fabric_graph
from simulator.engine.fabric.machine import ASSUMED, FABRIC, LABELS, Machine
from simulator.engine.fabric.numa_zones import BEST_EFFORT, NONE, RESTRICTED, SINGLE_NUMA_NODE
from simulator.engine.fabric.shape import HostShape
from simulator.engine.objects.pod_devices import devices_held
from simulator.presenters.fabric.looks import links_name
from simulator.presenters.fabric.matrix_view import MatrixRow, column_names, matrix_legend, matrix_rows
from simulator.presenters.fabric.paths import PathView, path_view
from simulator.presenters.pods import hue_of, short_name
from simulator.presenters.sentences.both import Both
from simulator.presenters.sentences.say import say
from simulator.selectors.fabrics import FrameFabric
from simulator.selectors.frames import Frame

_SOURCES: Final = {
    FABRIC: Both("由 NodeFabric 对象给出", "told by its NodeFabric object"),
    LABELS: Both("由节点标签推断", "told by the node's labels"),
    ASSUMED: Both("只知道卡数，按普通 PCIe 机器画", "only the number of GPUs is known: drawn as a plain PCIe box"),
}
DEVICE_POLICIES: Final = {
    "best-effort": Both("best-effort：按链路分卡", "best-effort: by links"),
    "device-order": Both("device-order：按编号分卡", "device-order: by number"),
    "widest-ring": Both("widest-ring：按环的带宽分卡", "widest-ring: by ring bandwidth"),
}
_NUMA_POLICIES: Final = {
    NONE: Both("none：不管 NUMA", "none: NUMA does not matter"),
    BEST_EFFORT: Both("best-effort：尽量对齐", "best-effort: aligned where possible"),
    RESTRICTED: Both("restricted：对不齐就拒绝", "restricted: rejected where not aligned"),
    SINGLE_NUMA_NODE: Both("single-numa-node：必须在一个 NUMA 节点里", "single-numa-node: within one NUMA node"),
}
_COUNT: Final = Both("{count} × {model}", "{count} × {model}")
_CARDS: Final = Both("{count} 块网卡：{kind}", "{count:|card|cards}: {kind}")
_CARD_DOWN: Final = Both("{kind}，断开", "{kind}, down")
_CARD_SLOW: Final = Both("{kind}，只协商到 {instead}", "{kind}, came up as {instead}")
_NUMA: Final = Both("{numa} 个 NUMA 节点", "{numa:|NUMA node|NUMA nodes}")
_SWITCHED: Final = Both("NVSwitch，每卡 {links}", "NVSwitch, {links} each")
_PAIRED: Final = Both("直连：{links}", "direct: {links}")
_NO_LINKS: Final = Both("没有 NVLink，只有 {pcie}", "no NVLink, only {pcie}")


@dataclass(frozen=True, slots=True)
class Holder:
    name: str
    hue: str
    devices: str


@dataclass(frozen=True, slots=True)
class GpuRow:
    """`left` says what of a shared GPU is left, "" for others; `parts` are its MIG instances or replicas."""

    index: int
    name: str
    failed: bool
    links_down: int
    numa: int
    nic: str
    holders: tuple[Holder, ...]
    left: str
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardRow:
    """A network card of the machine; `down` where it is not as it should be."""

    index: int
    name: str
    text: str
    down: bool


@dataclass(frozen=True)
class MachineView:
    """`linked` says how its NVLinks can be set: "switched" by GPU, "paired" by two GPUs, "" for none."""

    name: str
    shape: str
    source: str
    summary: tuple[str, ...]
    device_policy: str
    numa_policy: str
    gpus: tuple[GpuRow, ...]
    cards: tuple[CardRow, ...]
    linked: str
    columns: tuple[str, ...]
    rows: tuple[MatrixRow, ...]
    legend: tuple[tuple[str, str], ...]
    path: PathView | None
    pair: str


def machine_view(known: FrameFabric, frame: Frame, name: str, pair: str = "") -> MachineView:
    """The machine of a node. `pair` names two GPUs whose path is told (`0-2`), anything else none."""
    machine = known.machines[name]
    shape = machine.host.shape
    ends = _ends(pair, len(shape.gpus))
    return MachineView(
        name=name,
        shape=machine.whole.name,
        source=say(_SOURCES[machine.source], {}).text,
        summary=summary_of(machine),
        device_policy=say(DEVICE_POLICIES[machine.device_policy], {}).text,
        numa_policy=say(_NUMA_POLICIES[machine.numa_policy], {}).text,
        gpus=tuple(_gpu_rows(known, frame, machine)),
        cards=tuple(_card_rows(machine)),
        linked="switched" if machine.whole.switched else "paired" if machine.whole.pairs else "",
        columns=tuple(column_names(shape)),
        rows=matrix_rows(shape, ends),
        legend=matrix_legend(shape),
        path=_path(machine, ends),
        pair=f"{ends[0]}-{ends[1]}" if ends else "",
    )


def _ends(pair: str, gpus: int) -> tuple[int, int] | None:
    first, _, second = pair.partition("-")
    if not (first.isdecimal() and second.isdecimal() and len(pair) < 8):
        return None
    ends = sorted((int(first), int(second)))
    return (ends[0], ends[1]) if ends[0] != ends[1] and ends[1] < gpus else None


def _path(machine: Machine, ends: tuple[int, int] | None) -> PathView | None:
    if ends is None:
        return None
    graph = fabric_graph(Fabric((machine.host,)))
    return path_view(graph, f"{machine.name}/gpu{ends[0]}", f"{machine.name}/gpu{ends[1]}")[0]


def summary_of(machine: Machine) -> tuple[str, ...]:
    shape = machine.whole
    found: list[str] = []
    if shape.gpus:
        model = shape.model(0).product.removeprefix("NVIDIA-")
        found.append(say(_COUNT, {"count": len(shape.gpus), "model": model}).text)
        found.append(_links_text(shape))
    found.append(say(_NUMA, {"numa": len(shape.numa)}).text)
    cards = [nic for nic in shape.nics if nic.carries]
    if cards:
        found.append(say(_CARDS, {"count": len(cards), "kind": links_name(cards[0].link, 1)}).text)
    return tuple(found)


def machine_line(machine: Machine) -> str:
    """`8 × H100-80GB-HBM3 · NVSwitch, 18 × NVLink 4 each`."""
    return " · ".join(summary_of(machine)[:2])


def _links_text(shape: HostShape) -> str:
    if shape.switched:
        group = shape.switched[0]
        return say(_SWITCHED, {"links": links_name(group.link, max(group.links))}).text
    if shape.pairs:
        counts = sorted({(pair.link, pair.links) for pair in shape.pairs if pair.links}, reverse=True)
        return say(_PAIRED, {"links": ", ".join(links_name(kind, links) for kind, links in counts)}).text
    return say(_NO_LINKS, {"pcie": links_name(shape.pcie, 1)}).text


def _gpu_rows(known: FrameFabric, frame: Frame, machine: Machine) -> list[GpuRow]:
    shape, name = machine.host.shape, machine.name
    left = _shares_left(known, machine)
    parts = _parts(machine)
    found: list[GpuRow] = []
    for gpu in shape.gpus:
        cell, cards = nearest_nics(shape, gpu.index)
        holders = tuple(
            Holder(short_name(pod.key), hue_of(pod, frame), ", ".join(_devices_on(devices_held(pod), gpu.index)))
            for pod in known.holders.get((name, gpu.index), ())
        )
        nic = f"{', '.join(card.label for card in cards)} ({cell})" if cards else ""
        found.append(
            GpuRow(
                gpu.index,
                gpu.name,
                gpu.index in machine.host.failed,
                _links_down(machine, gpu.index),
                shape.numa_of(gpu.name),
                nic,
                holders,
                left.get(gpu.index, ""),
                parts.get(gpu.index, ()),
            )
        )
    return found


def _devices_on(devices: Sequence[str], gpu: int) -> list[str]:
    """Parts of a GPU that a Pod holds: MIG instances and replicas; nothing for a GPU as a whole."""
    return [device.partition(":")[2].lstrip(":") for device in devices if device.startswith(f"{gpu}:")]


def _links_down(machine: Machine, gpu: int) -> int:
    def total(shape: HostShape) -> int:
        switched = sum(group.links[group.gpus.index(gpu)] for group in shape.switched if gpu in group.gpus)
        return switched + sum(pair.links for pair in shape.pairs if gpu in (pair.first, pair.second))

    return total(machine.whole) - total(machine.host.shape)


def _card_rows(machine: Machine) -> list[CardRow]:
    """Cards that carry the traffic of GPUs."""
    found: list[CardRow] = []
    for position, nic in enumerate(machine.whole.nics):
        if not nic.carries and position not in machine.faults.nics:
            continue
        text = links_name(nic.link, 1)
        if position in machine.faults.nics:
            instead = machine.faults.nics[position]
            params = {"kind": text, "instead": links_name(instead, 1) if instead else ""}
            text = say(_CARD_SLOW if instead else _CARD_DOWN, params).text
        found.append(CardRow(position, nic.label, text, position in machine.faults.nics))
    return found


def _shares_left(known: FrameFabric, machine: Machine) -> dict[int, str]:
    if not shares_gpus(machine):
        return {}
    pods = {pod.key: pod for (node, _), found in known.holders.items() if node == machine.name for pod in found}
    state = shared_gpus(machine, [(devices_held(pod), pod.shape.requests.on_node) for pod in pods.values()])
    return {
        gpu: f"{state.milli[gpu] / 10:.0f}% · {state.memory[gpu] / 1024:.1f} GiB" for gpu in machine.host.healthy_gpus
    }


def _parts(machine: Machine) -> dict[int, tuple[str, ...]]:
    found: dict[int, list[str]] = {}
    for devices in devices_of(machine).values():
        for device in devices:
            if ":" in device.id:
                found.setdefault(device.gpu, []).append(device.id.partition(":")[2].lstrip(":"))
    return {gpu: tuple(parts) for gpu, parts in found.items()}
