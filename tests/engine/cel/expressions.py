"""Help for tests of expressions: declarations to compile against, and evaluation in one call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simulator.engine.cel.compiler import Declarations, OutsideFunction, compile_source
from simulator.engine.cel.program import Result
from simulator.engine.cel.values import INT, STRING, Map, ObjectType, Type, list_of, map_of

BOX = Type("Box")
ITEM = Type("Item")
DECLARATIONS = Declarations(
    {"box": BOX},
    {
        "Box": ObjectType(
            BOX,
            {"name": STRING, "labels": map_of(STRING, STRING), "numbers": list_of(INT), "items": list_of(ITEM)},
        ),
        "Item": ObjectType(ITEM, {"name": STRING, "weight": INT}),
    },
    {"weigh": (OutsideFunction(BOX, 0, INT), OutsideFunction(BOX, 1, INT))},
)


def run(source: str, values: Mapping[str, Any] | None = None, *, limit: int = 10_000) -> Result:
    """Evaluate with the values of inputs by their text, such as `box.name`."""
    program = compile_source(source, DECLARATIONS)
    given = values or {}
    return program.run([given[str(item)] for item in program.inputs], limit)


def value(source: str, values: Mapping[str, Any] | None = None) -> Any:
    result = run(source, values)
    assert result.problem is None, result.problem.text
    return result.value


def item(name: str, weight: int) -> Map:
    return Map(name=name, weight=weight)
