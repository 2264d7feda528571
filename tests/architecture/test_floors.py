"""The floors of the house: who may import whom."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.source import PACKAGES, ROOT, name_of, python_sources, tree_of

PURE = ("simulator/engine", "lessons/assessment")
ALLOWED_BESIDE_STDLIB = {"simulator/engine": {"numpy", "simulator"}, "lessons/assessment": {"lessons", "fsrs"}}
IMPURE_STDLIB = {
    "asyncio", "concurrent", "ftplib", "http", "multiprocessing", "os", "pathlib", "pickle", "random", "secrets",
    "shutil", "signal", "smtplib", "socket", "sqlite3", "ssl", "subprocess", "tempfile", "threading", "time", "urllib",
    "locale", "gettext",
}  # fmt: skip
PURE_PARTS = {"urllib.parse"}  # of packages that are not pure as a whole
CLOCK_AND_CHANCE = {
    ("datetime", "now"),
    ("datetime", "utcnow"),
    ("date", "today"),
    ("uuid", "uuid1"),
    ("uuid", "uuid4"),
}
MAY_IMPORT_INLINE = {
    "gpuschedlab/asgi.py": "Django has to be set up first",
}


def test_imports_go_down() -> None:
    command = [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout


def _imported(tree: ast.AST) -> set[str]:
    """The top-level packages a module imports when it runs."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module)
    return {name.partition(".")[0] for name in found - PURE_PARTS}


@pytest.mark.parametrize("package", PURE)
def test_pure_packages_use_the_standard_library_and_numpy_alone(package: str) -> None:
    allowed = (set(sys.stdlib_module_names) - IMPURE_STDLIB) | ALLOWED_BESIDE_STDLIB[package]
    sources = python_sources(package)
    assert sources
    wrong = {name_of(path): sorted(_imported(tree_of(path)) - allowed) for path in sources}
    assert {name: modules for name, modules in wrong.items() if modules} == {}


@pytest.mark.parametrize("package", PURE)
def test_pure_packages_look_at_no_clock_and_throw_no_dice(package: str) -> None:
    wrong = [
        f"{name_of(path)}:{node.lineno}"
        for path in python_sources(package)
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and (node.func.value.id, node.func.attr) in CLOCK_AND_CHANCE
    ]
    assert wrong == []


def test_imports_stand_at_the_top() -> None:
    wrong = [
        f"{name_of(path)}:{node.lineno}"
        for path in python_sources(*PACKAGES)
        if name_of(path) not in MAY_IMPORT_INLINE
        for function in ast.walk(tree_of(path))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    assert wrong == []


def test_lessons_are_not_known_to_the_simulator() -> None:
    wrong = [
        name_of(path)
        for path in python_sources("simulator", "gpuschedlab/web", "gpuschedlab/accounts")
        if "lessons" in _imported(tree_of(path))
    ]
    assert wrong == []
