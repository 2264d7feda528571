"""Which goals a bundle may name, and the fields of each: JSON Schema of what stands beside `kind` and `title`.

Made from the kinds of `simulator/engine/goals`, which check the rest (fields of which one is needed) themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from simulator.engine.goals.fields import MOST_TEXT, Field, Labels, Number, Pods, Text, Truth
from simulator.engine.goals.goal import Goal
from simulator.engine.goals.registry import GOALS

_LABELS: Final = {"type": "object", "minProperties": 1, "maxProperties": 50, "additionalProperties": {"type": "string"}}


def _field_schema(field: Field) -> Mapping[str, Any]:
    match field:
        case Pods():
            return {"$ref": "#/$defs/podSelector"}
        case Labels():
            return _LABELS
        case Number():
            return {"type": "integer", "minimum": field.least, "maximum": field.most}
        case Truth():
            return {"type": "boolean"}
        case Text():
            return {"type": "string", "minLength": 1, "maxLength": MOST_TEXT}
    raise TypeError(type(field).__name__)


def _schema(kind: type[Goal]) -> Mapping[str, Any]:
    required = [name for name, field in kind.fields.items() if field.required]
    schema: dict[str, Any] = {"properties": {name: _field_schema(field) for name, field in kind.fields.items()}}
    return {**schema, "required": required} if required else schema


GOAL_KINDS: Final[Mapping[str, Mapping[str, Any]]] = {name: _schema(kind) for name, kind in GOALS.items()}
"""`pods` absent means every Pod of the scenario."""
