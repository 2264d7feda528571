"""The page where a group of GPUs is placed: the GPUs there are, what was chosen, what it costs, what is better."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from simulator.engine.fabric.machine import Machine
from simulator.engine.fabric.training import MODELS
from simulator.engine.world.fabric_state import placement_of
from simulator.presenters.fabric.machine_view import machine_line
from simulator.presenters.fabric.network_paths import network_path
from simulator.presenters.fabric.paths import PathView
from simulator.presenters.fabric.pictures import FAILED, gpu_states, network_picture
from simulator.presenters.fabric.placement_view import (
    Placement,
    PlacementView,
    Row,
    Training,
    alternatives,
    disagreement,
    placement_view,
    query_text,
    read_placement,
)
from simulator.presenters.pods import hue_of
from simulator.selectors.fabrics import FrameFabric
from simulator.selectors.frames import Frame
from simulator.selectors.owners import owner_key, owner_of

MOST_MACHINES: Final = 64
DRAWN_UP_TO: Final = 24
MODEL_NAMES: Final[Mapping[str, str]] = {
    "mpt-7b": "MPT-7B",
    "llama2-70b": "Llama 2 70B",
    "gpt3-175b": "GPT-3 175B",
    "llama3-405b": "Llama 3 405B",
}
"""Models that one can choose, of those in `training.MODELS`."""


@dataclass(frozen=True, slots=True)
class SlotView:
    """A GPU one can choose; `value` names it in a form."""

    value: str
    number: int
    state: str
    hue: str
    holder: str
    chosen: bool

    @property
    def failed(self) -> bool:
        return self.state == FAILED


@dataclass(frozen=True, slots=True)
class MachineSlots:
    name: str
    line: str
    slots: tuple[SlotView, ...]


@dataclass(frozen=True, slots=True)
class Job:
    """A group that has GPUs already, by its owner; `query` names them in an address."""

    name: str
    hue: str
    gpus: int
    query: str


@dataclass(frozen=True)
class PlacementPage:
    """`missing` is how many more GPUs have to be chosen (below 0: how many too many); `held` how many of the chosen
    are in use; `path` the way between the chosen, where they are two.
    """

    count: int
    training: Training
    model: str
    models: tuple[tuple[str, str], ...]
    machines: tuple[MachineSlots, ...]
    machines_more: int
    jobs: tuple[Job, ...]
    chosen: int
    query: str
    missing: int
    held: int
    mine: PlacementView | None
    path: PathView | None
    rows: tuple[Row, ...]
    disagreement: str
    picture: Mapping[str, Any] | None

    @property
    def extra(self) -> int:
        """How many GPUs are chosen beyond the group's size."""
        return max(0, -self.missing)

    @property
    def spoken(self) -> str:
        """The result for a screen reader, in one line."""
        if self.mine is None or not self.mine.step:
            return ""
        width = f"{self.mine.bandwidth} GB/s, " if self.mine.bandwidth else ""
        return f"{width}{self.mine.step}, MFU {self.mine.mfu}"


def placement_page(known: FrameFabric, frame: Frame, gpus: str, count: int, training: Training) -> PlacementPage:
    """`gpus` as an address names them; what is not there or has failed is left out."""
    machines = known.gpu_machines
    mine = _healthy(known, read_placement(gpus, known.fabric))
    chosen = sum(map(len, mine.values()))
    free = {name: tuple(sorted({*known.free(name), *mine.get(name, ())})) for name in machines}
    size = max(count, chosen)
    rows = alternatives(known.fabric, free, mine, size, training) if machines else ()
    shown = list(machines.values())[:MOST_MACHINES]
    return PlacementPage(
        count=count,
        training=training,
        model=training.model.name,
        models=tuple((name, label) for name, label in MODEL_NAMES.items() if name in MODELS),
        machines=tuple(_slots(known, frame, machine, mine) for machine in shown),
        machines_more=len(machines) - len(shown),
        jobs=_jobs(frame),
        chosen=chosen,
        query=query_text(mine),
        missing=count - chosen,
        held=sum(bool(known.holders.get((name, gpu))) for name, gpus in mine.items() for gpu in gpus),
        mine=placement_view(known.fabric, mine, training),
        path=_path(known, mine) if chosen == 2 else None,
        rows=rows,
        disagreement=disagreement(rows),
        picture=network_picture(known, frame) if 0 < len(machines) <= DRAWN_UP_TO else None,
    )


def _healthy(known: FrameFabric, placement: Placement) -> Placement:
    """Without GPUs that have failed."""
    found = {
        name: tuple(gpu for gpu in gpus if gpu not in known.machines[name].host.failed)
        for name, gpus in placement.items()
    }
    return {name: gpus for name, gpus in found.items() if gpus}


def _slots(known: FrameFabric, frame: Frame, machine: Machine, mine: Placement) -> MachineSlots:
    states = gpu_states(known, frame, machine)
    chosen = mine.get(machine.name, ())
    slots = tuple(
        SlotView(
            f"{machine.name}:{number}",
            number,
            state["state"],
            state.get("hue", ""),
            state.get("holder", ""),
            number in chosen,
        )
        for number, state in enumerate(states)
    )
    return MachineSlots(machine.name, machine_line(machine), slots)


def _jobs(frame: Frame) -> tuple[Job, ...]:
    """Owners whose Pods have more than one GPU, in order of appearance."""
    pods: dict[str, list[Any]] = {}
    for pod in frame.pods:
        if pod.node_name and not pod.terminal:
            pods.setdefault(owner_key(pod), []).append(pod)
    found = []
    for own in pods.values():
        placement = placement_of(own)
        gpus = sum(map(len, placement.values()))
        if gpus > 1:
            found.append(Job(owner_of(own[0]), hue_of(own[0], frame), gpus, query_text(placement)))
    return tuple(found)


def _path(known: FrameFabric, mine: Placement) -> PathView | None:
    ends = [f"{name}:{gpu}" for name, gpus in mine.items() for gpu in gpus]
    path = network_path(known.fabric, *ends)
    return path.view if path else None
