"""Reading `nvidia-smi topo -m`: which pair of cards, which network card."""

from __future__ import annotations

from itertools import combinations
from typing import Any, Final

from lessons.assessment.dice import Dice
from lessons.assessment.generators import Subject
from lessons.generators.base import EngineGenerator, Made, both
from lessons.situations.facts import Say
from simulator.engine.fabric.distance import device_cell, gpu_bandwidth, nearest_nics, pcie_cell
from simulator.engine.fabric.matrix import matrix_of
from simulator.engine.fabric.presets import PRESETS
from simulator.engine.fabric.shape import HostShape

MOST_OPTIONS: Final = 4


class MatrixReading(EngineGenerator):
    """choice: the pair of cards with the most bandwidth, or the network card next to a GPU."""

    subject = Subject.MATRIX_READING

    def attempt(self, dice: Dice, say: Say) -> Made | None:
        shape = PRESETS[dice.pick(tuple(PRESETS))].shape
        if len(shape.gpus) < 4:
            return None
        return _about_nics(shape, dice) if dice.below(2) else _about_pairs(shape, dice)


def _about_pairs(shape: HostShape, dice: Dice) -> Made | None:
    pairs = list(combinations(range(len(shape.gpus)), 2))
    speed = {pair: gpu_bandwidth(shape, *pair).per_direction for pair in pairs}
    top = max(speed.values())
    best = [pair for pair in pairs if speed[pair] == top]
    others = [pair for pair in pairs if speed[pair] < top]
    if len(others) < MOST_OPTIONS - 1:
        return None
    right = dice.pick(best)
    shown = sorted([right, *dice.sample(others, MOST_OPTIONS - 1)])
    names = [gpu.name for gpu in shape.gpus]
    options = [
        {
            "text": f"{names[first]}, {names[second]}",
            "correct": (first, second) == right,
            "feedback": _pair_told(device_cell(shape, names[first], names[second]), speed[(first, second)]),
        }
        for first, second in shown
    ]
    stem = both(
        "一个作业要两张卡，而且它们之间通信很多。给它哪一对？",
        "A job wants two cards that talk to each other a lot. Which pair do you give it?",
    )
    return Made(_source(shape, stem, options))


def _pair_told(cell: str, speed: float) -> dict[str, str]:
    return both(
        f"矩阵里是 {cell}：单向约 {speed:g} GB/s。", f"The matrix says {cell}: about {speed:g} GB/s per direction."
    )


def _about_nics(shape: HostShape, dice: Dice) -> Made | None:
    gpu = dice.below(len(shape.gpus))
    best, nearest = nearest_nics(shape, gpu)
    names = [nic.label for nic in shape.nics if nic.carries]
    others = [name for name in names if name not in {nic.label for nic in nearest}]
    if not nearest or len(others) < 2:
        return None
    right = dice.pick(nearest).label
    shown = sorted(
        [right, *dice.sample(others, min(MOST_OPTIONS - 1, len(others)))], key=lambda name: (len(name), name)
    )
    name = shape.gpus[gpu].name
    options = [
        {"text": nic, "correct": nic == right, "feedback": _nic_told(pcie_cell(shape, name, nic), best)}
        for nic in shown
    ]
    stem = both(
        f"{name} 要和别的机器通信。用哪块网卡最近？", f"{name} talks to other machines. Which network card is nearest?"
    )
    return Made(_source(shape, stem, options))


def _nic_told(cell: str, best: str) -> dict[str, str]:
    return both(
        f"这一对在矩阵里是 {cell}，最好的是 {best}。", f"The matrix says {cell} for this pair; the best is {best}."
    )


def _source(shape: HostShape, stem: dict[str, str], options: list[dict[str, Any]]) -> dict[str, Any]:
    table = _table(shape)
    return {
        "type": "choice",
        "stem": {language: f"{text}\n\n```text\n{table}\n```" for language, text in stem.items()},
        "options": options,
        "shuffle": False,
        "level": "intermediate",
        "topics": ["topology"],
        "explanation": both(
            "由近到远：NV#（NVLink）、PIX（同一个 PCIe 交换机）、PXB（几个交换机）、PHB（经过 CPU 的主桥）、"
            "NODE（同一 NUMA 的另一个主桥）、SYS（跨 CPU 插槽）。",
            "From near to far: NV# (NVLink), PIX (one PCIe switch), PXB (several switches), PHB (through the CPU’s "
            "host bridge), NODE (another host bridge of the NUMA node), SYS (between CPU sockets).",
        ),
    }


def _table(shape: HostShape) -> str:
    """The matrix with aligned columns, without the affinity columns."""
    facts = matrix_of(shape)
    names = [gpu.name for gpu in shape.gpus] + list(facts.nics)
    width = max(len(name) for name in names) + 1
    head = " " * width + "".join(name.rjust(width) for name in names)
    rows = [
        name.ljust(width) + "".join((cell or "").rjust(width) for cell in row)
        for name, row in zip(names, facts.cells, strict=True)
    ]
    return "\n".join([head, *rows])
