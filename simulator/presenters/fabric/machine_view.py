"""One machine as text: what it is, its GPUs with their health and Pods, its matrix with the legend, a path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from simulator.engine.fabric.cells import HCCS, NODE, PHB, PIX, PXB, SELF, SYS
from simulator.engine.fabric.devices import devices_of, shared_gpus, shares_gpus
from simulator.engine.fabric.distance import XGMI_CELL, gpu_bandwidth, nearest_nics
from simulator.engine.fabric.fabric import Fabric
from simulator.engine.fabric.graph import fabric_graph
from simulator.engine.fabric.machine import ASSUMED, FABRIC, LABELS, Machine
from simulator.engine.fabric.matrix import matrix_of
from simulator.engine.fabric.numa_zones import BEST_EFFORT, NONE, RESTRICTED, SINGLE_NUMA_NODE
from simulator.engine.fabric.shape import HostShape
from simulator.engine.objects.pod_devices import devices_held
from simulator.presenters.fabric.looks import links_name, width_text
from simulator.presenters.fabric.paths import PathView, path_view
from simulator.presenters.pods import hue_of, short_name
from simulator.presenters.sentences.both import Both
from simulator.presenters.sentences.say import say
from simulator.selectors.fabrics import FrameFabric
from simulator.selectors.frames import Frame

CELL_MEANINGS: Final[Mapping[str, Both]] = {
    SELF: Both("自己", "itself"),
    "NV": Both("有 # 条 NVLink 相连，越多越好", "# NVLinks between them, more is better"),
    XGMI_CELL: Both("有 xGMI 链路相连", "xGMI links between them"),
    HCCS: Both("有 HCCS 链路相连", "HCCS links between them"),
    PIX: Both("最多过一个 PCIe 桥", "one PCIe bridge at most"),
    PXB: Both("过几个 PCIe 桥，不过 CPU", "several PCIe bridges, not through the CPU"),
    PHB: Both("过 CPU 里的 PCIe 主桥", "through a PCIe host bridge of the CPU"),
    NODE: Both("同一个 NUMA 节点内，跨主桥", "between host bridges of one NUMA node"),
    SYS: Both("跨 NUMA 节点，过 CPU 之间的互连", "across NUMA nodes, over the link between the CPUs"),
}
"""The legend, from near to far."""

_SOURCES: Final = {
    FABRIC: Both("由 NodeFabric 对象给出", "told by its NodeFabric object"),
    LABELS: Both("由节点标签推断", "told by the node's labels"),
    ASSUMED: Both("只知道卡数，按普通 PCIe 机器画", "only the number of GPUs is known: drawn as a plain PCIe box"),
}
_DEVICE_POLICIES: Final = {
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
_NUMA: Final = Both("{numa} 个 NUMA 节点", "{numa:|NUMA node|NUMA nodes}")
_SWITCHED: Final = Both("NVSwitch，每卡 {links}", "NVSwitch, {links} each")
_PAIRED: Final = Both("直连：{links}", "direct: {links}")
_NO_LINKS: Final = Both("没有 NVLink，只有 {pcie}", "no NVLink, only {pcie}")
_CELL: Final = Both("{first} 与 {second}：{cell}，{bandwidth}", "{first} and {second}: {cell}, {bandwidth}")
_CARD_CELL: Final = Both("{first} 与 {second}：{cell}", "{first} and {second}: {cell}")


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
class Cell:
    """A cell of the matrix; `pair` names it in the address ("0-2"), "" where there is nothing to show."""

    text: str
    title: str
    kind: str
    pair: str
    current: bool


@dataclass(frozen=True, slots=True)
class MatrixRow:
    name: str
    cells: tuple[Cell, ...]
    cpus: str
    numa: str


@dataclass(frozen=True)
class MachineView:
    name: str
    shape: str
    source: str
    summary: tuple[str, ...]
    device_policy: str
    numa_policy: str
    gpus: tuple[GpuRow, ...]
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
        summary=_summary(machine),
        device_policy=say(_DEVICE_POLICIES[machine.device_policy], {}).text,
        numa_policy=say(_NUMA_POLICIES[machine.numa_policy], {}).text,
        gpus=tuple(_gpu_rows(known, frame, machine)),
        columns=tuple(_names(shape)),
        rows=_matrix(shape, ends),
        legend=_legend(shape),
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


def _summary(machine: Machine) -> tuple[str, ...]:
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


# the matrix


def _names(shape: HostShape) -> list[str]:
    return [gpu.name for gpu in shape.gpus] + [nic.label for nic in shape.nics]


def _matrix(shape: HostShape, ends: tuple[int, int] | None) -> tuple[MatrixRow, ...]:
    facts, names = matrix_of(shape), _names(shape)
    rows: list[MatrixRow] = []
    for row, name in enumerate(names):
        is_gpu = row < len(shape.gpus)
        cells = tuple(
            _cell(shape, names, row, column, str(facts.cells[row][column]), ends) for column in range(len(names))
        )
        cpus = (facts.cpus[row] or "") if is_gpu else ""
        rows.append(MatrixRow(name, cells, cpus, (facts.numa[row] or "") if is_gpu else ""))
    return tuple(rows)


def _cell(
    shape: HostShape, names: Sequence[str], row: int, column: int, text: str, ends: tuple[int, int] | None
) -> Cell:
    if row == column:
        return Cell("X", "", "self", "", current=False)
    params = {"first": names[row], "second": names[column], "cell": text}
    kind = "link" if text[:2] == "NV" or text in (HCCS, XGMI_CELL) else text.lower()
    if max(row, column) >= len(shape.gpus):
        return Cell(text, say(_CARD_CELL, params).text, kind, "", current=False)
    pair = (min(row, column), max(row, column))
    width = gpu_bandwidth(shape, row, column).per_direction
    title = say(_CELL, {**params, "bandwidth": width_text(width)}).text
    return Cell(text, title, kind, f"{pair[0]}-{pair[1]}", current=pair == ends)


def _legend(shape: HostShape) -> tuple[tuple[str, str], ...]:
    """What stands in this matrix, from near to far."""
    texts = {str(cell) for row in matrix_of(shape).cells for cell in row}
    found: list[tuple[str, str]] = []
    for code, meaning in CELL_MEANINGS.items():
        shown = code in texts or (code == "NV" and any(text.startswith("NV") for text in texts))
        if shown:
            found.append(("NV#" if code == "NV" else code, say(meaning, {}).text))
    return tuple(found)
