"""The repository's own files, for tests about how it is built."""

from __future__ import annotations

import ast
import subprocess
from functools import cache, lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = ("gpuschedlab", "simulator", "lessons")


@lru_cache(maxsize=1)
def tracked_files() -> tuple[Path, ...]:
    """Every file in the repository or about to be in it (git's view; without git, what is on the disk)."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        listing = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode()
        paths = [ROOT / name for name in listing.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        hidden = {".venv", "node_modules", "var", "staticfiles", ".git"}
        paths = [path for path in ROOT.rglob("*") if not hidden & set(path.relative_to(ROOT).parts)]
    return tuple(sorted(path for path in paths if path.is_file()))


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def python_sources(*packages: str) -> list[Path]:
    """Our Python modules, without migrations."""
    wanted = packages or PACKAGES
    return [
        path
        for path in tracked_files()
        if path.suffix == ".py"
        and name_of(path).startswith(tuple(f"{one}/" for one in wanted))
        and "migrations" not in path.parts
    ]


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), name_of(path))


def templates() -> list[Path]:
    return [path for path in tracked_files() if path.suffix == ".html" and name_of(path).startswith("templates/")]


def scripts() -> list[Path]:
    return [path for path in tracked_files() if path.suffix == ".js" and name_of(path).startswith("static/js/")]
