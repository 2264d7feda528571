"""What a reader has to say about a text: errors, warnings and assumptions, as codes with parameters and a place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from simulator.engine.objects.paths import Key

Path = tuple[Key, ...]
"""The way to a value: ("spec", "containers", 0, "name")."""

Param = str | int | float

_MAX_PARAM: Final = 200


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing to say. `code` and the names in `params` stand in `simulator.manifests.codes`.

    `line` and `column` count from 1; 0 means "no particular place". `path` leads to the value within its object.
    """

    code: str
    params: Mapping[str, Param] = field(default_factory=dict)
    line: int = 0
    column: int = 0
    path: Path = ()


class ManifestError(Remark):
    """Why a text, or a part of it, cannot be used."""

    __slots__ = ()


class Notice(Remark):
    """A warning (the text says something else than one may think) or an assumption (a value the text does not say)."""

    __slots__ = ()


class Refused(Exception):
    """Reading cannot go on."""

    def __init__(self, error: ManifestError) -> None:
        super().__init__(error.code)
        self.error = error


class Remarks:
    """Errors and notices in the order found.

    Like a compiler, a reader gives up at more than `limit` errors; of notices the first `limit` are kept and the rest
    is counted.
    """

    __slots__ = ("_errors", "_left_out", "_limit", "_notices")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._errors: list[ManifestError] = []
        self._notices: list[Notice] = []
        self._left_out = 0

    def error(self, error: ManifestError) -> None:
        """Add an error; raises `Refused` when there are too many."""
        if len(self._errors) >= self._limit:
            raise Refused(ManifestError("limits.errors", {"limit": self._limit}))
        self._errors.append(error)

    def last_error(self, error: ManifestError) -> None:
        """Add the error after which reading stopped, however many there are."""
        self._errors.append(error)

    def notice(self, notice: Notice) -> None:
        if len(self._notices) < self._limit:
            self._notices.append(notice)
        else:
            self._left_out += 1

    @property
    def errors(self) -> tuple[ManifestError, ...]:
        return tuple(self._errors)

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What was noticed; a last `notices.more` says how many are not listed."""
        more = (Notice("notices.more", {"count": self._left_out}),) if self._left_out else ()
        return (*self._notices, *more)


def shorten(text: str) -> str:
    """Cut a piece of somebody's text to what a message can carry."""
    return text if len(text) <= _MAX_PARAM else text[: _MAX_PARAM - 1] + "…"
