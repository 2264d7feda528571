"""Where things stand: where they were put, else in rows, rack by rack, with their switches above them.

What has no place yet finds a free one; nothing that has one moves.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from simulator.engine.fabric.node_fabric import KIND as NODE_FABRIC
from simulator.engine.fabric.node_fabric import SWITCH_KIND
from simulator.presenters.graph.cards import Card, cards_of
from simulator.selectors.frames import Frame
from simulator.selectors.refs import Ref, manifests_of

WIDTH, HEIGHT = 188, 108
GAP_X, GAP_Y = 20, 20
GROUP_GAP = 56
GROUP_HEAD = 36  # room for a rack's name
WIDER = 1.6  # how much wider than high a drawing is
SWITCH_WIDTH = 120
TIER_GAP = 76

Place = tuple[float, float]
STEP_X, STEP_Y = WIDTH + GAP_X, HEIGHT + GAP_Y


def switch_key(name: str) -> str:
    """A switch among places; a node stands there by its name alone."""
    return str(Ref(SWITCH_KIND, "", name))


def places_of(frame: Frame, stored: Mapping[str, Sequence[float]]) -> dict[str, Place]:
    """The middle of every node's card and every switch."""
    nodes = positions_of(cards_of(frame), stored)
    return {**nodes, **_switch_places(frame, nodes, stored)}


def positions_of(cards: Mapping[str, Card], stored: Mapping[str, Sequence[float]]) -> dict[str, Place]:
    """Node name -> centre of its card, in the order of the cards."""
    groups: dict[str, list[str]] = {}
    for name, card in cards.items():
        groups.setdefault(card.group, []).append(name)
    placed = {name: (float(stored[name][0]), float(stored[name][1])) for name in cards if _is_place(stored.get(name))}
    if placed:
        _fill_in(groups, placed)
    else:
        _in_rows(groups, placed)
    return {name: placed[name] for name in cards}


def _is_place(place: Sequence[float] | None) -> bool:
    return place is not None and len(place) == 2


# nothing has a place yet


def _in_rows(groups: Mapping[str, Sequence[str]], placed: dict[str, Place]) -> None:
    """Blocks of nodes, one for each group, side by side as far as the drawing is wide."""
    sizes = {group: _block(len(names)) for group, names in groups.items()}
    area = sum((columns * STEP_X + GROUP_GAP) * (rows * STEP_Y + GROUP_GAP) for columns, rows in sizes.values())
    widest = max(math.sqrt(area * WIDER), *(columns * STEP_X for columns, _ in sizes.values()), STEP_X)
    left = top = deepest = 0.0
    for group in sorted(groups):
        columns, rows = sizes[group]
        if left and left + columns * STEP_X > widest:
            left, top = 0.0, top + deepest + GROUP_GAP
            deepest = 0.0
        head = GROUP_HEAD if group else 0
        placed.update(zip(groups[group], _cells(left, top + head, columns), strict=False))
        left += columns * STEP_X - GAP_X + GROUP_GAP
        deepest = max(deepest, rows * STEP_Y - GAP_Y + head)


def _block(count: int) -> tuple[int, int]:
    """(columns, rows) for so many cards."""
    columns = min(count, max(1, math.ceil(math.sqrt(count * WIDER * HEIGHT / WIDTH))))
    return columns, math.ceil(count / columns)


def _cells(left: float, top: float, columns: int) -> Iterator[Place]:
    """Places row by row, without an end."""
    index = 0
    while True:
        row, column = divmod(index, columns)
        yield left + column * STEP_X, top + row * STEP_Y
        index += 1


# some have


class _Taken:
    """Places that are taken, found by the cell of a grid they are in."""

    def __init__(self, places: Mapping[str, Place]) -> None:
        self._cells: dict[tuple[int, int], list[Place]] = {}
        for place in places.values():
            self.add(place)

    def add(self, place: Place) -> None:
        self._cells.setdefault(self._cell(place), []).append(place)

    def is_free(self, place: Place) -> bool:
        column, row = self._cell(place)
        near = (self._cells.get((column + x, row + y), ()) for x in (-1, 0, 1) for y in (-1, 0, 1))
        return not any(
            abs(place[0] - x) < WIDTH + GAP_X / 2 and abs(place[1] - y) < HEIGHT + GAP_Y / 2
            for cell in near
            for x, y in cell
        )

    @staticmethod
    def _cell(place: Place) -> tuple[int, int]:
        return math.floor(place[0] / STEP_X), math.floor(place[1] / STEP_Y)


def _fill_in(groups: Mapping[str, Sequence[str]], placed: dict[str, Place]) -> None:
    """Free places for those without one: with their group, else right of everything."""
    taken = _Taken(placed)
    for group in sorted(groups):
        names = groups[group]
        missing = [name for name in names if name not in placed]
        if not missing:
            continue
        own = [placed[name] for name in names if name in placed]
        columns = max(_block(len(names))[0], len({x for x, _ in own}))
        left, top = _corner(own or list(placed.values()), beside=not own)
        cells = (cell for cell in _cells(left, top, columns) if taken.is_free(cell))
        for name in missing:
            placed[name] = next(cells)
            taken.add(placed[name])


def _corner(places: Sequence[Place], *, beside: bool) -> Place:
    """The upper left one of these places; `beside`: the one right of them, where another group begins."""
    top = min(y for _, y in places)
    if beside:
        return max(x for x, _ in places) + STEP_X + GROUP_GAP, top
    return min(x for x, _ in places), top


# switches


def _switch_places(frame: Frame, nodes: Mapping[str, Place], stored: Mapping[str, Sequence[float]]) -> dict[str, Place]:
    """Tier over tier above the nodes, each switch above the middle of what is below it."""
    found: dict[str, Place] = {}
    below = _middles(frame, nodes)
    top = min((y for _, y in nodes.values()), default=0.0) - HEIGHT / 2 - GROUP_HEAD
    switches = manifests_of(frame, SWITCH_KIND)
    tiers: dict[int, list[str]] = {}
    for name, manifest in switches.items():
        tiers.setdefault(int(manifest["spec"].get("tier") or 1), []).append(name)
    for level, tier in enumerate(sorted(tiers), start=1):
        names = sorted(tiers[tier], key=lambda name: below.get(name, [0.0])[0])
        xs = _apart([_mean(below.get(name, [])) for name in names])
        for name, x in zip(names, xs, strict=True):
            place = stored.get(switch_key(name))
            found[switch_key(name)] = (
                (float(place[0]), float(place[1])) if place and _is_place(place) else (x, top - level * TIER_GAP)
            )
            parent = str(switches[name]["spec"].get("parent") or "")
            below.setdefault(parent, []).append(found[switch_key(name)][0])
    return found


def _middles(frame: Frame, nodes: Mapping[str, Place]) -> dict[str, list[float]]:
    """Leaf -> where the nodes stand that are plugged into it."""
    found: dict[str, list[float]] = {}
    for name, manifest in manifests_of(frame, NODE_FABRIC).items():
        for leaf in dict.fromkeys((manifest.get("spec") or {}).get("leaves") or ()):
            if name in nodes:
                found.setdefault(str(leaf), []).append(nodes[name][0])
    return found


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


_BESIDE: Final = SWITCH_WIDTH + GAP_X


def _apart(wanted: Sequence[float]) -> list[float]:
    """As near to these as switches can stand side by side; they come in order."""
    found: list[float] = []
    for x in wanted:
        found.append(max(x, found[-1] + _BESIDE) if found else x)
    shift = (sum(found) - sum(wanted)) / len(found) if found else 0.0
    return [x - shift for x in found]
