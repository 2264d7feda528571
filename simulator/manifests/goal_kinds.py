"""Which goals a bundle may name, and the fields of each: JSON Schema of what stands beside `kind` and `title`.

One entry per kind of `simulator/engine/goals`; a new kind of goal is one new entry here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

_TEXT: Final = {"type": "string", "minLength": 1, "maxLength": 253}
_LABELS: Final = {"type": "object", "minProperties": 1, "maxProperties": 50, "additionalProperties": {"type": "string"}}
_PODS: Final = {"$ref": "#/$defs/podSelector"}
_COUNT: Final = {"type": "integer", "minimum": 0, "maximum": 1_000_000}

GOAL_KINDS: Final[Mapping[str, Mapping[str, Any]]] = {
    "allBound": {"properties": {"pods": _PODS}},
    "boundToNodeWith": {"properties": {"pods": _PODS, "nodeLabels": _LABELS}, "required": ["pods", "nodeLabels"]},
    "notBound": {"properties": {"pods": _PODS}, "required": ["pods"]},
    "noneEvicted": {"properties": {"pods": _PODS}},
    "gpuNodesKeptFromCpuPods": {"properties": {}},
    "gangComplete": {"properties": {"podGroup": _TEXT}, "required": ["podGroup"]},
    "wholeGpusFree": {"properties": {"atLeast": _COUNT, "resource": _TEXT}, "required": ["atLeast"]},
}
"""`pods` absent means every Pod of the scenario."""
