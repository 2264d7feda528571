"""Types of expressions, and their values.

Values: bool, int (64 bits), float, str; lists are tuples; maps and objects are `Map`. All of them can be hashed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Type:
    """`parts`: the item type of a list; key and value type of a map. `name` of an object type is its own."""

    name: str
    parts: tuple[Type, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.parts))})" if self.parts else self.name

    @property
    def item(self) -> Type:
        """What a list holds; what a macro over a map walks through (its keys)."""
        return self.parts[0]

    @property
    def is_number(self) -> bool:
        return self in (INT, DOUBLE)

    @property
    def is_plain(self) -> bool:
        return self in (BOOL, INT, DOUBLE, STRING)


BOOL: Final = Type("bool")
INT: Final = Type("int")
DOUBLE: Final = Type("double")
STRING: Final = Type("string")
NOTHING: Final = Type("nothing")
"""The item type of an empty list or map: it fits everywhere."""


def list_of(item: Type) -> Type:
    return Type("list", (item,))


def map_of(key: Type, value: Type) -> Type:
    return Type("map", (key, value))


def joined(first: Type, other: Type) -> Type | None:
    """The type both fit into, None where there is none."""
    if other in (first, NOTHING):
        return first
    if first == NOTHING:
        return other
    if first.name != other.name or len(first.parts) != len(other.parts) or not first.parts:
        return None
    parts = [joined(left, right) for left, right in zip(first.parts, other.parts, strict=True)]
    return None if None in parts else Type(first.name, tuple(part for part in parts if part is not None))


class Map(dict[Any, Any]):
    """A map or an object; never changed, so that it can be hashed."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


@dataclass(frozen=True, slots=True)
class ObjectType:
    """A type with named fields."""

    type: Type
    fields: Mapping[str, Type]


ABSENT: Final = type("Absent", (), {"__repr__": lambda _self: "ABSENT"})()
"""The value of an input that is not there."""
