"""Every code the engine can make, found in its source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ENGINE = Path(__file__).parents[3] / "simulator" / "engine"


@cache
def nodes(folder: Path) -> list[ast.AST]:
    """Every piece of the Python files of a folder."""
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.py")))
    return [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant | ast.Call)]


def literals(folder: Path) -> Iterator[str]:
    """Every text written in the Python files of a folder."""
    for node in nodes(folder):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def starting_with(*families: str, folder: Path = ENGINE) -> set[str]:
    """Codes `family.what` of these families."""
    found = set()
    for text in literals(folder):
        family, dot, rest = text.partition(".")
        if dot and family in families and rest.replace("_", "").isalnum() and not rest[:1].isupper():
            found.add(text)
    return found


def first_arguments(function: str, folder: Path = ENGINE, *, position: int = 0) -> set[str]:
    """The literal texts given to a function (or class) as an argument."""
    found = set()
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or len(node.args) <= position:
                continue
            called = ast.unparse(node.func)
            given = node.args[position]
            if called.split(".")[-1] == function.rsplit(".", maxsplit=1)[-1] and called.endswith(function):
                found |= _texts(given)
    return found


def _texts(node: ast.expr) -> set[str]:
    """A literal, or both sides of a conditional one."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return {node.value}
    if isinstance(node, ast.IfExp):
        return _texts(node.body) | _texts(node.orelse)
    return set()
