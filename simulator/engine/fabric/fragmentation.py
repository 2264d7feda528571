"""How fragmented GPUs are: the idle amount that typical Pods cannot use (ATC'23 "Beware of Fragmentation", FGD).

F of a node is the expected idle amount, in thousandths of a GPU, that a Pod drawn from the typical ones cannot take.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from simulator.engine.fabric.sharing import WHOLE

CLASSES: Final = ("q1", "q2", "q3", "q4", "xl", "xr", "na")
_COVER: Final = 0.95


@dataclass(frozen=True, slots=True)
class TypicalPod:
    """A kind of Pod and its share of all Pods: milli-CPU, thousandths per GPU, number of GPUs, allowed models."""

    cpu: int
    milli: int
    count: int
    models: tuple[str, ...] = ()
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class Fragmentation:
    """Idle amount by class, in thousandths of a GPU; the classes add up to the idle amount.

    q1 lacks CPU and GPU · q2 lacks GPU, or devices too small for it · q3 can be used · q4 lacks CPU · xl needs no GPU
    and fits · xr needs no GPU and lacks CPU · na may not run on this model.
    """

    q1: float = 0.0
    q2: float = 0.0
    q3: float = 0.0
    q4: float = 0.0
    xl: float = 0.0
    xr: float = 0.0
    na: float = 0.0

    @property
    def amount(self) -> float:
        """F: everything but q3, added in the order of the original program."""
        return self.q1 + self.q2 + self.q4 + self.xl + self.xr + self.na

    @property
    def idle(self) -> float:
        """All idle thousandths."""
        return self.amount + self.q3

    @property
    def ratio(self) -> float:
        """F as a share of what is idle; 0 when nothing is."""
        return self.amount / self.idle if self.idle else 0.0

    def plus(self, other: Fragmentation) -> Fragmentation:
        """Class by class."""
        return Fragmentation(*(getattr(self, name) + getattr(other, name) for name in CLASSES))


def node_fragmentation(cpu: int, gpus: Sequence[int], typical: Sequence[TypicalPod], model: str = "") -> Fragmentation:
    """Of one node: milli-CPU left and thousandths left per device."""
    sums = dict.fromkeys(CLASSES, 0.0)
    idle = sum(gpus)
    for pod in typical:
        for name, value in _classified(pod, cpu, gpus, idle, model):
            sums[name] += pod.share * value
    return Fragmentation(**sums)


def _classified(pod: TypicalPod, cpu: int, gpus: Sequence[int], idle: int, model: str) -> Iterable[tuple[str, int]]:
    enough_cpu = cpu >= pod.cpu
    if pod.milli == 0:
        return [("xl" if enough_cpu else "xr", idle)]
    if pod.models and model not in pod.models:
        return [("na", idle)]
    large_enough = [milli for milli in gpus if milli >= pod.milli]
    enough_gpus = len(large_enough) >= pod.count
    if enough_gpus and enough_cpu:
        useless = idle - sum(large_enough)
        return [("q2", useless), ("q3", idle - useless)]
    return [("q4" if enough_gpus else "q2" if enough_cpu else "q1", idle)]


def typical_pods(
    pods: Iterable[tuple[int, int, int, tuple[str, ...]]], cover: float = _COVER
) -> tuple[TypicalPod, ...]:
    """The most frequent kinds of (milli-CPU, milli, count, models) that cover this share of all Pods.

    Most frequent first, ties by the larger CPU, milli, count, models; shares add up to 1.
    """
    counts: dict[tuple[int, int, int, tuple[str, ...]], int] = {}
    for kind in pods:
        counts[kind] = counts.get(kind, 0) + 1
    ordered = sorted(counts, key=lambda kind: (counts[kind], kind), reverse=True)
    total = sum(counts.values())
    kept: list[tuple[int, int, int, tuple[str, ...]]] = []
    covered = 0
    for kind in ordered:
        if covered >= cover * total:
            break
        kept.append(kind)
        covered += counts[kind]
    return tuple(TypicalPod(*kind, share=counts[kind] / covered) for kind in kept)


def stranded_devices(gpus: Sequence[int], wanted: int) -> int:
    """Idle whole devices that a Pod for `wanted` whole GPUs cannot use because the node has too few of them."""
    idle = sum(milli == WHOLE for milli in gpus)
    return idle if idle < wanted else 0
