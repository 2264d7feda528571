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
    """Errors and notices in the order found; of each sort the first `limit` are kept and the rest is counted."""

    __slots__ = ("_errors", "_limit", "_notices", "error_count", "notice_count")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._errors: list[ManifestError] = []
        self._notices: list[Notice] = []
        self.error_count = 0
        self.notice_count = 0

    def error(self, error: ManifestError) -> None:
        self.error_count += 1
        if self.error_count <= self._limit:
            self._errors.append(error)

    def notice(self, notice: Notice) -> None:
        self.notice_count += 1
        if self.notice_count <= self._limit:
            self._notices.append(notice)

    def extend(self, other: Remarks) -> None:
        for error in other.errors:
            self.error(error)
        for notice in other.notices:
            self.notice(notice)

    @property
    def errors(self) -> tuple[ManifestError, ...]:
        """What was found; a last `remarks.more` says how many errors are not listed."""
        left_out = self.error_count - len(self._errors)
        more = (ManifestError("remarks.more", {"count": left_out}),) if left_out else ()
        return (*self._errors, *more)

    @property
    def notices(self) -> tuple[Notice, ...]:
        left_out = self.notice_count - len(self._notices)
        more = (Notice("remarks.more", {"count": left_out}),) if left_out else ()
        return (*self._notices, *more)


def shorten(text: str) -> str:
    """Cut a piece of somebody's text to what a message can carry."""
    return text if len(text) <= _MAX_PARAM else text[: _MAX_PARAM - 1] + "…"
