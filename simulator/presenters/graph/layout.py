"""Where cards stand as long as nobody has moved them: in rows, group by group."""

from __future__ import annotations

import math
from collections.abc import Mapping

from simulator.presenters.graph.cards import Card

WIDTH, HEIGHT = 188, 108
GAP_X, GAP_Y = 20, 20
GROUP_GAP = 56
WIDER = 1.6  # how much wider than high a drawing is


def positions_of(cards: Mapping[str, Card], stored: Mapping[str, list[float]]) -> dict[str, tuple[float, float]]:
    """Node name -> centre of its card. Stored places win; the others are laid out as if nothing were stored."""
    found: dict[str, tuple[float, float]] = {}
    groups: dict[str, list[str]] = {}
    for name, card in cards.items():
        groups.setdefault(card.group, []).append(name)
    left = 0.0
    for group in sorted(groups):
        names = groups[group]
        columns = max(1, math.ceil(math.sqrt(len(names) * WIDER * HEIGHT / WIDTH)))
        columns = min(columns, len(names))
        for index, name in enumerate(names):
            row, column = divmod(index, columns)
            found[name] = (left + column * (WIDTH + GAP_X), row * (HEIGHT + GAP_Y))
        left += columns * (WIDTH + GAP_X) + GROUP_GAP
    for name, place in stored.items():
        if name in found and len(place) == 2:
            found[name] = (float(place[0]), float(place[1]))
    return found
