"""Resources as pages show them: which are GPUs, and amounts as people write them."""

from __future__ import annotations

from collections.abc import Mapping

from simulator.engine.goals.run import is_gpu
from simulator.engine.objects.requests import CPU, EPHEMERAL_STORAGE, MEMORY

_BYTES = frozenset({MEMORY, EPHEMERAL_STORAGE})
_UNITS = ("", "Ki", "Mi", "Gi", "Ti", "Pi")


def gpus_of(amounts: Mapping[str, int]) -> int:
    """How many GPUs (or slices of them) of whatever vendor are among the amounts."""
    return sum(amount for name, amount in amounts.items() if is_gpu(name))


def amount_text(name: str, amount: int) -> str:
    """`1500m`, `2`, `64Gi`: the shortest way to write an amount the engine counts in its own units."""
    if name == CPU:
        return f"{amount}m" if amount % 1000 else str(amount // 1000)
    if name not in _BYTES:
        return str(amount)
    unit = 0
    while amount and amount % 1024 == 0 and unit < len(_UNITS) - 1:
        amount //= 1024
        unit += 1
    return f"{amount}{_UNITS[unit]}"


def amounts_text(amounts: Mapping[str, int]) -> str:
    """`cpu 1, memory 1Gi, nvidia.com/gpu 2`."""
    return ", ".join(f"{name} {amount_text(name, amount)}" for name, amount in amounts.items() if amount)
