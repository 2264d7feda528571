"""Small files, small functions. `python -m tests.architecture.test_sizes` prints the largest."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tests.architecture.source import name_of, python_sources, scripts, tree_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILE_LINES = 500  # the house says about 400; beyond this it is split, or stands in LARGER with the reason
FUNCTION_LINES = 80  # the house says about 40
LARGER: dict[str, str] = {}


def _functions(path: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0]
            is_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
            start = (first.end_lineno or node.lineno) if is_docstring else node.lineno
            yield f"{name_of(path)}:{node.name}", (node.end_lineno or node.lineno) - start


def file_sizes() -> list[tuple[int, str]]:
    files = [*python_sources(), *scripts()]
    return sorted(((len(path.read_text(encoding="utf-8").splitlines()), name_of(path)) for path in files), reverse=True)


def function_sizes() -> list[tuple[int, str]]:
    return sorted(((size, name) for path in python_sources() for name, size in _functions(path)), reverse=True)


def test_files_are_small() -> None:
    assert [(name, size) for size, name in file_sizes() if size > FILE_LINES and name not in LARGER] == []


def test_functions_are_small() -> None:
    assert [(name, size) for size, name in function_sizes() if size > FUNCTION_LINES and name not in LARGER] == []


if __name__ == "__main__":
    for size, name in [*file_sizes()[:15], *function_sizes()[:15]]:
        print(f"{size:5} {name}")  # noqa: T201
