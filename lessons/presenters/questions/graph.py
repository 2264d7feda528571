"""The figure of label-the-graph: nodes in rows and boxes, lines between them, and a number at every place to label.

Boxes stand in the lowest row, switches above what they join. Within a box one row for each shape, so that lines between
neighbours cross no other node. Lengths are pixels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

GAP: Final = 28
ROW_GAP: Final = 44
PADDING: Final = 16
HEIGHT: Final = 40
CAPTION: Final = 24
LETTER, WIDE_LETTER = 8, 15
BADGE: Final = 28
ALONG: Final = (0.5, 0.35, 0.65, 0.2, 0.8)
Point = tuple[int, int]
SHAPE_ROWS: Final = ("gpu", "nic", "node", "box", "rack", "switch", "cpu")


@dataclass(slots=True)
class Shape:
    """A node of the figure at its place; `x` and `y` are its upper left corner."""

    token: str
    shape: str
    text: str
    width: int
    height: int
    x: int = 0
    y: int = 0
    children: tuple[Shape, ...] = ()
    target: Mapping[str, Any] | None = None

    @property
    def middle(self) -> Point:
        return self.x + self.width // 2, self.y + self.height // 2

    @property
    def text_y(self) -> int:
        """Where the caption's base line is: in the middle, or at the top of a box that holds others."""
        return self.y + (18 if self.children else self.height // 2 + 5)

    @property
    def text_x(self) -> int:
        return self.x + 12 if self.children else self.x + self.width // 2

    @property
    def badge(self) -> Point:
        """Where the number of a place stands."""
        return self.x + self.width, self.y


@dataclass(frozen=True, slots=True)
class Line:
    """A line between two nodes; the number of a place stands on it at `place`."""

    x1: int
    y1: int
    x2: int
    y2: int
    text: str
    target: Mapping[str, Any] | None
    place: Point = (0, 0)


@dataclass(frozen=True, slots=True)
class Drawing:
    """All of a figure; boxes come before what is in them."""

    width: int
    height: int
    shapes: tuple[Shape, ...]
    lines: tuple[Line, ...]


def draw_graph(graph: Mapping[str, Any], targets: Mapping[str, Mapping[str, Any]]) -> Drawing:
    """Lay a graph out. `targets`: token of a node or an edge -> the place to label there."""
    inside: dict[str | None, list[Mapping[str, Any]]] = {}
    for node in graph["nodes"]:
        inside.setdefault(node["inside"], []).append(node)
    top = [_shape(node, inside, targets) for node in inside.get(None, [])]
    rows = _layers(top, graph["edges"])
    width, height = _place_rows(rows, PADDING, PADDING, ROW_GAP + 16)
    shapes = tuple(shape for row in rows for box in row for shape in _flat(box))
    by_token = {shape.token: shape for shape in shapes}
    lines = _with_places([_line(edge, by_token, targets) for edge in graph["edges"]])
    return Drawing(width + 2 * PADDING, height + 2 * PADDING, shapes, lines)


def _shape(
    node: Mapping[str, Any], inside: Mapping[str | None, list[Mapping[str, Any]]], targets: Mapping[str, Any]
) -> Shape:
    children = tuple(_shape(child, inside, targets) for child in inside.get(node["token"], ()))
    text = node["text"] or ""
    width, height = max(84, _length(text) + 24), HEIGHT
    if children:
        inner_width, inner_height = _place_rows(_shape_rows(children), PADDING, CAPTION + 8, ROW_GAP)
        width, height = max(width, inner_width + 2 * PADDING), inner_height + CAPTION + 8 + PADDING
    return Shape(node["token"], node["shape"], text, width, height, 0, 0, children, targets.get(node["token"]))


def _length(text: str) -> int:
    return sum(LETTER if char.isascii() else WIDE_LETTER for char in text)


def _shape_rows(shapes: Sequence[Shape]) -> list[list[Shape]]:
    rows: dict[str, list[Shape]] = {}
    for shape in shapes:
        rows.setdefault(shape.shape, []).append(shape)
    return [rows[name] for name in sorted(rows, key=SHAPE_ROWS.index)]


def _layers(top: Sequence[Shape], edges: Sequence[Mapping[str, Any]]) -> list[list[Shape]]:
    """Rows from top to bottom: switches by their distance from what is no switch, then all the rest."""
    owner = {shape.token: box.token for box in top for shape in _flat(box)}
    pairs = [(owner[first], owner[second]) for first, second in (edge["ends"] for edge in edges)]
    level = {box.token: 0 for box in top if box.shape != "switch"}
    while True:
        found = {one: level[other] + 1 for pair in pairs for one, other in (pair, pair[::-1]) if other in level}
        fresh = {token: height for token, height in found.items() if token not in level}
        if not fresh:
            break
        level |= fresh
    heights = sorted({level.get(box.token, 1) for box in top}, reverse=True)
    return [[box for box in top if level.get(box.token, 1) == height] for height in heights]


def _place_rows(rows: Sequence[Sequence[Shape]], left: int, top: int, row_gap: int) -> tuple[int, int]:
    """Put rows below each other, each in the middle; returns width and height of them all."""
    widths = [sum(shape.width for shape in row) + GAP * (len(row) - 1) for row in rows]
    total, y = max(widths, default=0), top
    for row, width in zip(rows, widths, strict=True):
        x = left + (total - width) // 2
        for shape in row:
            _move(shape, x - shape.x, y - shape.y)
            x += shape.width + GAP
        y += max(shape.height for shape in row) + row_gap
    return total, y - top - (row_gap if rows else 0)


def _move(shape: Shape, right: int, down: int) -> None:
    shape.x += right
    shape.y += down
    for child in shape.children:
        _move(child, right, down)


def _flat(shape: Shape) -> list[Shape]:
    return [shape, *(inner for child in shape.children for inner in _flat(child))]


def _line(edge: Mapping[str, Any], shapes: Mapping[str, Shape], targets: Mapping[str, Any]) -> Line:
    first, second = (shapes[token] for token in edge["ends"])
    x1, y1 = _border(first, second.middle)
    x2, y2 = _border(second, first.middle)
    return Line(x1, y1, x2, y2, edge["text"] or "", targets.get(edge["token"]))


def _with_places(lines: Sequence[Line]) -> tuple[Line, ...]:
    """The lines, each asked one with the place of its number: in the middle, or where no other number is near."""
    taken: list[Point] = []
    places: dict[int, Point] = {}
    shortest_first = sorted(range(len(lines)), key=lambda index: _squared(_at(lines[index], 0), _at(lines[index], 1)))
    for index in shortest_first:
        if lines[index].target is not None:
            places[index] = _free_place(lines[index], taken)
            taken.append(places[index])
    return tuple(replace(line, place=places.get(index, (0, 0))) for index, line in enumerate(lines))


def _free_place(line: Line, taken: Sequence[Point]) -> Point:
    spots = [_at(line, share) for share in ALONG]
    free = (spot for spot in spots if all(_squared(spot, other) >= BADGE**2 for other in taken))
    return next(free, spots[0])


def _at(line: Line, share: float) -> Point:
    return round(line.x1 + (line.x2 - line.x1) * share), round(line.y1 + (line.y2 - line.y1) * share)


def _squared(first: Point, second: Point) -> int:
    return (first[0] - second[0]) ** 2 + (first[1] - second[1]) ** 2


def _border(shape: Shape, towards: Point) -> Point:
    """Where the line from a node's middle leaves it."""
    x, y = shape.middle
    right, down = towards[0] - x, towards[1] - y
    if not right and not down:
        return x, y
    steps = [shape.width / 2 / abs(right)] if right else []
    steps += [shape.height / 2 / abs(down)] if down else []
    step = min(1.0, *steps) if steps else 0
    return round(x + right * step), round(y + down * step)
