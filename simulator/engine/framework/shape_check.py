"""Checking the shape of configuration mappings, collecting every problem with its place."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Path = tuple[str | int, ...]
MAX_INT64 = (1 << 63) - 1

_DURATION = re.compile(r"(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)")
_UNITS = {"ns": 0.001, "us": 1, "µs": 1, "ms": 1_000, "s": 1_000_000, "m": 60_000_000, "h": 3_600_000_000}
_TYPE_NAMES = {str: "string", int: "integer", bool: "boolean", dict: "object", list: "array"}


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem: where (`path`), kube's text, and a code with parameters for translation."""

    path: Path
    text: str
    code: str
    params: Mapping[str, Any] = field(default_factory=dict)


class ConfigError(ValueError):
    """A configuration that cannot be used. `problems` lists everything found."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("; ".join(problem.text for problem in problems))
        self.problems = problems


def dotted(path: Path) -> str:
    """`profiles[0].plugins.score`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def _shown(value: object) -> str:
    """A value as kube's field errors print it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


class Checker:
    """Collects problems; `raise_problems` ends the reading if there are any. Paths given count from `root`."""

    def __init__(self, root: Path = ()) -> None:
        self.root = root
        self.problems: list[Problem] = []

    def problem(self, path: Path, text: str, code: str, **params: Any) -> None:
        """`text` is complete."""
        self.problems.append(Problem((*self.root, *path), text, code, params))

    def about(self, path: Path, text: str, code: str, **params: Any) -> None:
        """`text` gets the path in front."""
        self.problem(path, f"{self.place(path)}: {text}", code, **params)

    def place(self, path: Path) -> str:
        return dotted((*self.root, *path))

    def invalid(self, path: Path, value: object, detail: str, code: str, **params: Any) -> None:
        self.about(path, f"Invalid value: {_shown(value)}: {detail}", code, value=value, **params)

    def unsupported(self, path: Path, value: object, supported: Sequence[str], code: str) -> None:
        listed = ", ".join(f'"{item}"' for item in supported)
        self.about(path, f'Unsupported value: "{value}": supported values: {listed}', code, value=value)

    def required(self, path: Path, detail: str = "", code: str = "config.required") -> None:
        self.about(path, f"Required value: {detail}" if detail else "Required value", code)

    def duplicate(self, path: Path, value: str) -> None:
        self.about(path, f'Duplicate value: "{value}"', "config.duplicate", value=value)

    def unknown(self, path: Path) -> None:
        self.problem(path, f'strict decoding error: unknown field "{self.place(path)}"', "config.unknown_field")

    def mapping(self, path: Path, value: Any, fields: Mapping[str, type]) -> bool:
        """Whether `value` is a mapping with known fields of the right types; problems are noted."""
        if not isinstance(value, Mapping):
            self._wrong_type(path, "object")
            return False
        right = True
        for name, item in value.items():
            if name not in fields:
                self.unknown((*path, name))
            elif item is not None and not _is(item, fields[name]):
                self._wrong_type((*path, name), _TYPE_NAMES[fields[name]])
                right = False
        return right

    def _wrong_type(self, path: Path, wanted: str) -> None:
        self.about(path, f"must be of type {wanted}", "config.type", wanted=wanted)

    def duration(self, path: Path, text: str | None) -> int | None:
        """Microseconds of a Go duration such as `1m30s` or `-5s`."""
        if text is None:
            return None
        amount = text.removeprefix("-").removeprefix("+")
        parts = _DURATION.findall(amount)
        if amount in ("0", ""):
            return 0
        if not parts or "".join(number + unit for number, unit in parts) != amount:
            self.problem(path, f'time: invalid duration "{text}"', "config.duration", value=text)
            return None
        micros = sum(round(float(number) * _UNITS[unit]) for number, unit in parts)
        return -micros if text.startswith("-") else micros

    def raise_problems(self) -> None:
        if self.problems:
            raise ConfigError(self.problems)


def _is(value: object, wanted: type) -> bool:
    if wanted is int:
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MAX_INT64
    return isinstance(value, Mapping if wanted is dict else wanted)
