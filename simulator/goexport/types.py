"""Go's names for the types of expressions."""

from __future__ import annotations

from typing import Final

from simulator.engine.cel.values import BOOL, DOUBLE, INT, STRING, Type

_PLAIN: Final = {BOOL: "bool", INT: "int64", DOUBLE: "float64", STRING: "string"}
_OBJECTS: Final = {"Taint": "v1.Taint", "PlacedPod": "placedPod", "Domain": "domainTotals"}

FIELDS: Final = {
    "Taint": {"key": "Key", "value": "Value", "effect": "Effect"},
    "PlacedPod": {
        "name": "Name",
        "namespace": "Namespace",
        "labels": "Labels",
        "priority": "Priority",
        "podGroup": "PodGroup",
        "gpus": "GPUs",
    },
    "Domain": {"name": "Name", "nodes": "Nodes", "gpus": "GPUs", "freeGpus": "FreeGPUs"},
}
"""Go field by field of an expression, by object type."""


def go_type(kind: Type) -> str:
    if kind in _PLAIN:
        return _PLAIN[kind]
    if kind.name == "list":
        return f"[]{go_type(kind.item)}"
    if kind.name == "map":
        return f"map[{go_type(kind.parts[0])}]{go_type(kind.parts[1])}"
    return _OBJECTS[kind.name]


def quoted(text: str) -> str:
    """A Go string literal."""
    made = []
    for letter in text:
        if letter in '"\\':
            made.append(f"\\{letter}")
        elif letter in _SIGNS:
            made.append(_SIGNS[letter])
        elif letter.isprintable():
            made.append(letter)
        else:
            made.append(f"\\U{ord(letter):08x}")
    return f'"{"".join(made)}"'


_SIGNS: Final = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}
