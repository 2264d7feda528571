"""What a pasted topology text would become: what was read, what is odd, the machine, what the command does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from simulator.engine.fabric.accelerators import ACCELERATORS
from simulator.engine.fabric.fabric import Host
from simulator.engine.fabric.links import LINK_KINDS, NETWORK_FAMILIES
from simulator.engine.fabric.machine import FABRIC, Machine
from simulator.manifests.topology.into_objects import Pasted, Target
from simulator.manifests.topology.reading import (
    NPU_TOPO,
    NVIDIA_TOPO,
    NVLINK_STATUS,
    ROCM_TOPO,
    Reading,
)
from simulator.presenters.fabric.looks import kind_name
from simulator.presenters.fabric.machine_drawing import draw_machine
from simulator.presenters.fabric.machine_view import DEVICE_POLICIES, summary_of
from simulator.presenters.sentences.both import Both
from simulator.presenters.sentences.say import say
from simulator.presenters.topology import machine_finding_text, topology_warning_text

MOST_WARNINGS: Final = 50

_COMMANDS: Final[Mapping[str, str]] = {
    NVIDIA_TOPO: "nvidia-smi topo -m",
    NPU_TOPO: "npu-smi info -t topo",
    ROCM_TOPO: "rocm-smi --showtopo",
    NVLINK_STATUS: "nvidia-smi nvlink --status",
}
_READ: Final = Both(
    "读到 {command} 的输出：{gpus} 张卡，{cards} 块网卡。", "Read as {command}: {gpus:|GPU|GPUs}, {cards:|card|cards}."
)
_READ_LINKS: Final = Both(
    "读到 {command} 的输出：{gpus} 张卡的链路状态。", "Read as {command}: the links of {gpus:|GPU|GPUs}."
)
_NEW: Final = Both("会新建节点 {node}。", "A new node {node} will be added.")
_OTHER: Final = Both(
    "节点 {node} 已经在集群里：会换掉它的机器。", "Node {node} is there: its machine will be replaced."
)
_LINKS: Final = Both(
    "会记下节点 {node} 的断链：{links}。", "The links that are down will be noted for node {node}: {links}."
)
_ALL_UP: Final = Both("节点 {node} 的链路全都通。", "All links of node {node} are up.")
_DOWN: Final = Both("GPU{gpu} 断了 {links} 条", "{links} of GPU{gpu}")


@dataclass(frozen=True)
class PasteView:
    """`warnings` are (text, code) in the order of the text; `warnings_more` how many are not listed."""

    read: str
    does: str
    warnings: tuple[tuple[str, str], ...]
    warnings_more: int
    summary: tuple[str, ...]
    picture: Mapping[str, Any]


def paste_view(reading: Reading, target: Target, made: Pasted) -> PasteView:
    """The preview of a text that could be read."""
    warnings = [(topology_warning_text(warning), warning.code) for warning in reading.warnings]
    warnings += [(machine_finding_text(finding), finding.code) for finding in made.findings]
    machine = Machine(Host(target.name, made.shape), made.shape, FABRIC)
    gpus: list[Mapping[str, str]] = [{"state": "free"} for _ in made.shape.gpus]
    return PasteView(
        _read(reading),
        _does(target, made, reading),
        tuple(warnings[:MOST_WARNINGS]),
        max(0, len(warnings) - MOST_WARNINGS),
        summary_of(machine),
        {"node": target.name, "drawing": draw_machine(machine.host).to_json(), "gpus": {target.name: gpus}},
    )


def model_choices() -> list[tuple[str, str]]:
    """(id, product) of every GPU model."""
    return [(model.id, model.product.removeprefix("NVIDIA-")) for model in ACCELERATORS.values()]


def network_choices() -> list[tuple[str, str]]:
    """(kind, name) of every kind of network link."""
    return [(kind.id, kind_name(kind.id)) for kind in LINK_KINDS.values() if kind.family in NETWORK_FAMILIES]


def policy_choices() -> list[tuple[str, str]]:
    """(policy, words) of the ways in which a device plugin chooses GPUs."""
    return [(policy, say(words, {}).text) for policy, words in DEVICE_POLICIES.items()]


def _read(reading: Reading) -> str:
    command = _COMMANDS[reading.kind]
    template = _READ_LINKS if reading.kind == NVLINK_STATUS else _READ
    return say(template, {"command": command, "gpus": reading.gpus, "cards": reading.nics}).text


def _does(target: Target, made: Pasted, reading: Reading) -> str:
    node = target.name
    if reading.kind == NVLINK_STATUS:
        down = ", ".join(say(_DOWN, {"gpu": gpu, "links": links}).text for gpu, links in made.links_down.items())
        return say(_LINKS if down else _ALL_UP, {"node": node, "links": down}).text
    return say(_NEW if target.machine is None else _OTHER, {"node": node}).text
