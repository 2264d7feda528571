"""MIG: GPU instance profiles, where they may lie on a GPU, which combinations fit, resources and labels.

A GPU has memory slices (8, an A30 has 4); a profile covers some of them from one of its allowed starts. Two instances
fit together when they do not overlap. Source: NVIDIA MIG user guide, "Supported MIG profiles" and placement lists.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from simulator.engine.fabric.accelerators import accelerator

RESOURCE_PREFIX: Final = "nvidia.com/mig-"


@dataclass(frozen=True, slots=True)
class MigProfile:
    """A GPU instance profile: compute slices (its `g`), memory slices and the starts it may have.

    `memory_mib` is what the driver reports where known, else the share of the GPU's memory; `multiprocessors` likewise.
    """

    name: str
    compute: int
    memory: int
    starts: tuple[int, ...]
    memory_mib: int
    multiprocessors: int

    @property
    def resource(self) -> str:
        """The extended resource under the mixed strategy."""
        return RESOURCE_PREFIX + self.name


@dataclass(frozen=True, slots=True)
class MigInstance:
    """An instance on a GPU: profile and first memory slice."""

    profile: MigProfile
    start: int

    def overlaps(self, other: MigInstance) -> bool:
        """Whether both cover a common memory slice."""
        return self.start < other.start + other.profile.memory and other.start < self.start + self.profile.memory


_SEVEN: Final = (
    (1, 1, (0, 1, 2, 3, 4, 5, 6)),
    (1, 2, (0, 2, 4, 6)),
    (2, 2, (0, 2, 4)),
    (3, 4, (0, 4)),
    (4, 4, (0,)),
    (7, 8, (0,)),
)
_FOUR: Final = ((1, 1, (0, 1, 2, 3)), (2, 2, (0, 2)), (4, 4, (0,)))


def _table(
    sizes: Sequence[int],
    memory: Sequence[int],
    processors: Sequence[int],
    layout: Sequence[tuple[int, int, tuple[int, ...]]],
) -> tuple[MigProfile, ...]:
    return tuple(
        MigProfile(f"{compute}g.{size}gb", compute, slices, starts, mib, sms)
        for (compute, slices, starts), size, mib, sms in zip(layout, sizes, memory, processors, strict=True)
    )


def _shares(total_mib: int) -> list[int]:
    return [total_mib * slices // 8 for _, slices, _ in _SEVEN]


_A100_SMS: Final = (14, 14, 28, 42, 56, 98)
_H100_SMS: Final = (16, 26, 32, 60, 64, 132)
_B200_SMS: Final = (18, 30, 36, 70, 72, 148)

MIG_TABLES: Final[dict[str, tuple[MigProfile, ...]]] = {
    "a30-24gb": _table((6, 12, 24), (5952, 11968, 24062), (14, 28, 56), _FOUR),
    "a100-40gb": _table((5, 10, 10, 20, 20, 40), (4864, 9856, 9856, 19968, 19968, 40192), _A100_SMS, _SEVEN),
    "a100-80gb": _table((10, 20, 20, 40, 40, 80), _shares(81920), _A100_SMS, _SEVEN),
    "h100-80gb": _table((10, 20, 20, 40, 40, 80), (9984, 20096, 20096, 40448, 40448, 81152), _H100_SMS, _SEVEN),
    "h100-94gb": _table((12, 24, 24, 47, 47, 94), _shares(95830), _H100_SMS, _SEVEN),
    "h20-96gb": _table((12, 24, 24, 48, 48, 96), _shares(97871), (8, 8, 18, 32, 36, 78), _SEVEN),
    "h200-141gb": _table((18, 35, 35, 71, 71, 141), _shares(143771), _H100_SMS, _SEVEN),
    "b200-180gb": _table((23, 45, 45, 90, 90, 180), _shares(183359), _B200_SMS, _SEVEN),
    "gb200-186gb": _table((23, 47, 47, 93, 93, 186), _shares(189471), _B200_SMS, _SEVEN),
}
"""Profiles by the table an accelerator names, smallest first."""


def mig_profiles(model: str) -> tuple[MigProfile, ...]:
    """Profiles of an accelerator by its id, () for one without MIG."""
    return MIG_TABLES.get(accelerator(model).mig, ())


def mig_profile(model: str, name: str) -> MigProfile:
    """A model's profile by its name (`1g.10gb`); raises KeyError."""
    for profile in mig_profiles(model):
        if profile.name == name:
            return profile
    raise KeyError(name)


def arrange(profiles: Sequence[MigProfile]) -> tuple[MigInstance, ...] | None:
    """Places for all profiles on one empty GPU in the order given, None if no arrangement exists (exact search)."""
    order = sorted(range(len(profiles)), key=lambda index: -profiles[index].memory)
    found = _arrange([profiles[index] for index in order], ())
    if found is None:
        return None
    by_position = dict(zip(order, found, strict=True))
    return tuple(by_position[index] for index in range(len(profiles)))


def _arrange(profiles: Sequence[MigProfile], placed: tuple[MigInstance, ...]) -> tuple[MigInstance, ...] | None:
    if not profiles:
        return placed
    for start in profiles[0].starts:
        instance = MigInstance(profiles[0], start)
        if not any(instance.overlaps(other) for other in placed):
            found = _arrange(profiles[1:], (*placed, instance))
            if found is not None:
                return found
    return None


def free_starts(profile: MigProfile, placed: Sequence[MigInstance]) -> tuple[int, ...]:
    """Where one more instance of this profile can still lie."""
    return tuple(
        start for start in profile.starts if not any(MigInstance(profile, start).overlaps(other) for other in placed)
    )


def place_next(profile: MigProfile, placed: Sequence[MigInstance], table: Sequence[MigProfile]) -> MigInstance | None:
    """One more instance where it leaves most choices for later ones (the highest start of equals), None if full."""
    best: MigInstance | None = None
    most = -1
    for start in free_starts(profile, placed):
        instance = MigInstance(profile, start)
        choices = sum(len(free_starts(other, (*placed, instance))) for other in table)
        if choices >= most:
            best, most = instance, choices
    return best


def maximal_combinations(table: Sequence[MigProfile]) -> list[tuple[str, ...]]:
    """Every combination of profile names that fits on one GPU and to which nothing can be added."""
    fitting = [tuple(sorted(combination)) for combination in _combinations(table)]
    known = set(fitting)
    index = {profile.name: position for position, profile in enumerate(table)}

    def names(combination: tuple[int, ...]) -> tuple[str, ...]:
        return tuple(table[position].name for position in combination)

    return [
        names(combination)
        for combination in dict.fromkeys(fitting)
        if not any(tuple(sorted((*combination, more))) in known for more in index.values())
    ]


def _combinations(table: Sequence[MigProfile]) -> Iterator[tuple[int, ...]]:
    def extend(first: int, chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        for position in range(first, len(table)):
            more = (*chosen, position)
            if arrange([table[index] for index in more]) is not None:
                yield more
                yield from extend(position, more)

    yield from extend(0, ())
