"""Small damages to plain values and texts."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from simulator.engine.objects.values import copied

HOSTILE: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, -(2**63) - 1, 10**40, 0.5, 1e308, -0.0, "", " ", "\u0000", "é" * 300,
    "0", "-1",
    "1e", "1e400", "1e-400", "9" * 400, "1Ei", "9223372036854775807", "9223372036854775808m", "-5", "1.5.2", "0x10",
    "*", "../..", "a/b/c", "kubernetes.io/x", "nvidia.com/gpu", "2026-13-01T00:00:00Z", "2026-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "In", "NotIn", "Exists", "Gt", "NoSchedule", "Always", "Never",
    "true", "null", "n1", "default", "ns-2", [], {}, [None], [[]], [{}], {"": ""}, {"a": None}, {"matchLabels": None},
    ["a"] * 50, {"x": {"x": {"x": {}}}}, "\ud800", "🙂", "NaN", "Infinity", "1m", "100m", "1n", "1Gi", "500",
)  # fmt: skip

Spot = tuple[Any, Any]
"""A container and the key of one value in it."""


def spots(value: Any) -> Iterator[Spot]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in list(items):
        yield value, key
        yield from spots(item)


def damaged(value: Any, random: Random, times: int) -> Any:
    """A copy of `value` with some of its parts replaced, dropped, doubled, swapped or renamed."""
    copy = copied(value)
    for _ in range(times):
        found = list(spots(copy))
        if found:
            _damage(random.choice(found), found, random)
    return copy


def _damage(spot: Spot, others: list[Spot], random: Random) -> None:
    container, key = spot
    match random.randrange(7):
        case 0 | 1 | 2:
            container[key] = copied(random.choice(HOSTILE))
        case 3:
            del container[key]
        case 4 if isinstance(container, list):
            container.append(copied(container[key]))
        case 5 if isinstance(container, dict):
            container[random.choice((f"{key}x", str(key).upper(), ""))] = container.pop(key)
        case _:
            other, other_key = random.choice(others)
            container[key] = copied(other[other_key])


def garbled(text: str, random: Random) -> str:
    """The text with a piece cut out, doubled or replaced by other characters."""
    start = random.randrange(len(text) + 1)
    end = min(len(text), start + random.choice((1, 1, 5, 40)))
    piece = random.choice(
        ("", text[start:end] * 2, "\t", "---\n", ": ", "- ", "&a ", "*a", "{", "]", '"', "\x00", "é", "%")
    )
    return text[:start] + piece + text[end:]
