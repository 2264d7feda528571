"""Pods as pages name and colour them."""

from __future__ import annotations

from simulator.engine.objects.pod import Pod
from simulator.selectors.frames import Frame
from simulator.selectors.owners import owner_key, owner_of

HUES = 8
PATTERNS = 3

__all__ = ["hue_of", "owner_of", "short_name"]


def short_name(key: str) -> str:
    """A Pod's key without the namespace everybody is in."""
    return key.removeprefix("default/")


def hue_of(pod: Pod, frame: Frame) -> str:
    """The owner's colour, 1 to 8; after eight owners with a pattern: `3`, `3-2`, `3-3`."""
    number = frame.owners.get(owner_key(pod), 0)
    pattern = number // HUES % PATTERNS
    return f"{number % HUES + 1}-{pattern + 1}" if pattern else str(number % HUES + 1)
