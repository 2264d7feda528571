"""What a field holds, and how Go names it: the types of which the tables of this package are made."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True, slots=True)
class Scalar:
    """A string, bool or number. `bits` is 32 or 64 for whole numbers."""

    base: str
    go: str
    bits: int = 0


@dataclass(frozen=True, slots=True)
class Special:
    """A type that reads itself: Quantity, Time, IntOrString, or Any (kept as it is)."""

    base: str
    go: str


@dataclass(frozen=True, slots=True)
class ListOf:
    item: Type
    go: str


@dataclass(frozen=True, slots=True)
class MapOf:
    item: Type
    go: str


@dataclass(slots=True)
class Struct:
    """A struct: its fields by JSON name, in the order of the API type."""

    name: str
    go: str
    fields: dict[str, Type] = field(default_factory=dict)


Type = Scalar | Special | ListOf | MapOf | Struct

STRING: Final = Scalar("string", "string")
BUILT_IN: Final[dict[str, Type]] = {
    "string": STRING,
    "bool": Scalar("bool", "bool"),
    "int32": Scalar("int", "int32", 32),
    "int64": Scalar("int", "int64", 64),
    "UID": Scalar("string", "types.UID"),
    "Quantity": Special("Quantity", "resource.Quantity"),
    "Time": Special("Time", "v1.Time"),
    "IntOrString": Special("IntOrString", "intstr.IntOrString"),
    "Any": Special("Any", "runtime.RawExtension"),
}


class Tables:
    """Reads tables and resolves the names in them.

    A table is a Python text: a line `Name` opens a struct, indented lines are `jsonName Type`; `...Name` takes over
    the fields of another struct; `Name = string` and `Name = map[K]V` make named types. Names are local to one Go
    package first, then looked up in the packages imported.
    """

    def __init__(self, package: str, text: str, *imports: Tables) -> None:
        self._package = package
        self._imports = imports
        self.types: dict[str, Type] = {}
        self._build(text)

    def struct(self, name: str) -> Struct:
        found = self.types[name]
        if not isinstance(found, Struct):
            raise TypeError(name)
        return found

    def find(self, name: str) -> Type:
        """Resolve a type as it stands in a table."""
        if name.startswith("[]"):
            item = self.find(name[2:])
            return ListOf(item, f"[]{item.go}")
        if name.startswith("map["):
            key, _, value = name[4:].partition("]")
            item = self.find(value)
            return MapOf(item, f"map[{self.find(key).go}]{item.go}")
        for tables in (self, *self._imports):
            if name in tables.types:
                return tables.types[name]
        return BUILT_IN[name]

    def _build(self, text: str) -> None:
        lines = [line for line in text.splitlines() if line.strip()]
        for line in lines:
            self._declare(line)
        struct: Struct | None = None
        for line in lines:
            if not line.startswith(" "):
                struct = None if "=" in line else self.struct(line.strip())
            elif struct is not None:
                self._add(struct, line.strip())

    def _declare(self, line: str) -> None:
        if line.startswith(" "):
            return
        name, _, meaning = (part.strip() for part in line.partition("="))
        go = f"{self._package}.{name}"
        if not meaning:
            self.types[name] = Struct(name, go)
        elif meaning == "string":
            self.types[name] = Scalar("string", go)
        else:
            named = self.find(meaning)
            self.types[name] = MapOf(named.item, go) if isinstance(named, MapOf) else named

    def _add(self, struct: Struct, line: str) -> None:
        if line.startswith("..."):
            struct.fields.update(self.struct(line[3:]).fields)
            return
        name, type_name = line.split()
        struct.fields[name] = self.find(type_name)
