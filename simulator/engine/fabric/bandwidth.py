"""Bandwidth that cannot be mistaken: one direction, or both directions added."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Bandwidth:
    """GB/s (10^9 bytes per second) that flow one way; links are full duplex, so the other way has as much."""

    per_direction: float

    @classmethod
    def from_both_directions(cls, total: float) -> Bandwidth:
        """From a figure that adds both directions, as NVLink is advertised ("900 GB/s")."""
        return cls(total / 2)

    @property
    def both_directions(self) -> float:
        """GB/s with both directions added."""
        return 2 * self.per_direction

    def times(self, factor: float) -> Bandwidth:
        """That many links of this bandwidth, or a share of it."""
        return Bandwidth(self.per_direction * factor)
