"""The parts of an expression. `offset` is where a part's own sign begins in the source."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    offset: int


@dataclass(frozen=True, slots=True, eq=False)
class Literal(Node):
    """A bool, int, float or str."""

    value: bool | int | float | str


@dataclass(frozen=True, slots=True, eq=False)
class Name(Node):
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Select(Node):
    """`operand.field`"""

    operand: Node
    field: str


@dataclass(frozen=True, slots=True, eq=False)
class Index(Node):
    """`operand[index]`"""

    operand: Node
    index: Node


@dataclass(frozen=True, slots=True, eq=False)
class Call(Node):
    """`function(args)`, or `target.function(args)`. Operators are calls of functions such as `+`."""

    function: str
    target: Node | None
    args: tuple[Node, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Unary(Node):
    """`!operand` or `-operand`"""

    operator: str
    operand: Node


@dataclass(frozen=True, slots=True, eq=False)
class Binary(Node):
    operator: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True, eq=False)
class Conditional(Node):
    """`condition ? then : otherwise`"""

    condition: Node
    then: Node
    otherwise: Node


@dataclass(frozen=True, slots=True, eq=False)
class ListOf(Node):
    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True, eq=False)
class MapOf(Node):
    entries: tuple[tuple[Node, Node], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Has(Node):
    """`has(operand.field)`"""

    operand: Select


@dataclass(frozen=True, slots=True, eq=False)
class Each(Node):
    """`operand.macro(variable, body)`: all, exists, exists_one, filter, map; `condition` only in map's long form."""

    macro: str
    operand: Node
    variable: str
    body: Node
    condition: Node | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Bind(Node):
    """`cel.bind(variable, value, body)`"""

    variable: str
    value: Node
    body: Node
