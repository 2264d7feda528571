"""What the drawings of the lab page are told: the network with all machines, or one machine from inside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from simulator.engine.fabric.machine import Machine
from simulator.presenters.fabric.machine_drawing import draw_machine
from simulator.presenters.fabric.network_drawing import draw_network
from simulator.presenters.pods import hue_of, short_name
from simulator.presenters.sentences.both import Both
from simulator.presenters.sentences.say import say
from simulator.selectors.fabrics import FrameFabric
from simulator.selectors.frames import Frame

FREE: Final = "free"
HELD: Final = "held"
FAILED: Final = "failed"

_FREE_OF: Final = Both("空闲 {free}/{total}", "{free} of {total} free")


def network_picture(known: FrameFabric, frame: Frame) -> dict[str, Any]:
    """The network: the drawing, and what is on each machine's GPUs."""
    machines = known.gpu_machines
    notes = {
        name: say(_FREE_OF, {"free": len(known.free(name)), "total": len(machine.host.shape.gpus)}).text
        for name, machine in machines.items()
    }
    drawing = draw_network(known.fabric, notes)
    gpus = {name: gpu_states(known, frame, machine) for name, machine in machines.items()}
    return {"drawing": drawing.to_json(), "gpus": gpus}


def machine_picture(known: FrameFabric, frame: Frame, name: str) -> dict[str, Any]:
    """One machine of those with GPUs; {} without any."""
    machines = known.gpu_machines
    if not machines:
        return {"nodes": []}
    chosen = machines.get(name) or next(iter(machines.values()))
    return {
        "node": chosen.name,
        "nodes": list(machines),
        "drawing": draw_machine(chosen.host).to_json(),
        "gpus": {chosen.name: gpu_states(known, frame, chosen)},
    }


def gpu_states(known: FrameFabric, frame: Frame, machine: Machine) -> list[Mapping[str, str]]:
    """By GPU number: its state, and the owner's colour and name of a held one."""
    return [_state(known, frame, machine, gpu.index) for gpu in machine.host.shape.gpus]


def _state(known: FrameFabric, frame: Frame, machine: Machine, gpu: int) -> Mapping[str, str]:
    holders = known.holders.get((machine.name, gpu), ())
    state = FAILED if gpu in machine.host.failed else HELD if holders else FREE
    if not holders:
        return {"state": state}
    names = ", ".join(short_name(pod.key) for pod in holders)
    return {"state": state, "hue": hue_of(holders[0], frame), "holder": names}
