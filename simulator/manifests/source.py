"""A pasted or uploaded text: bytes to characters, and offsets to lines and columns."""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from functools import cached_property
from typing import Final, NamedTuple

from simulator.manifests.limits import Limits
from simulator.manifests.remarks import ManifestError, Refused

_LINE_BREAK: Final = re.compile(r"\r\n?|\n")

_UNREADABLE: Final = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
"""What YAML 1.1 does not allow in a text (§5.1); a byte order mark within the text is among it."""

_UTF16_MARKS: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Place(NamedTuple):
    """A position in a text; both count from 1, columns in characters, a tab is one."""

    line: int
    column: int


class Source:
    """A text whose offsets can be told as lines and columns. Lines end as editors end them: LF, CR LF or CR."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(found.end() for found in _LINE_BREAK.finditer(self.text))]

    def place(self, offset: int) -> Place:
        line = bisect_right(self._line_starts, offset)
        return Place(line, offset - self._line_starts[line - 1] + 1)

    def line_start(self, line: int) -> int:
        """Return the offset of the first character of a line (from 1)."""
        return self._line_starts[line - 1]

    def lines(self) -> list[str]:
        """Return the lines without their ends."""
        return _LINE_BREAK.split(self.text)

    def check_characters(self) -> None:
        """Raise `Refused` at the first character that no manifest may hold (NUL, escape codes, lone surrogates)."""
        found = _UNREADABLE.search(self.text)
        if found:
            place = self.place(found.start())
            raise Refused(ManifestError("text.character", {"character": f"U+{ord(found[0]):04X}"}, *place))


def read_source(data: str | bytes, limits: Limits) -> Source:
    """Decode a text and take a byte order mark off; raises `Refused` (too long, not UTF-8).

    UTF-16 is read where it has its mark: a shell on Windows writes `kubectl get … > file` so.
    """
    size = len(data) if isinstance(data, bytes) or data.isascii() else len(data.encode("utf-8", "surrogatepass"))
    if size > limits.max_bytes:
        raise Refused(ManifestError("text.too_large", {"size": size, "limit": limits.max_bytes}))
    text = data if isinstance(data, str) else _decode(data)
    return Source(text.removeprefix("\ufeff"))


def _decode(data: bytes) -> str:
    encoding = "utf-16" if data.startswith(_UTF16_MARKS) else "utf-8"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(encoding, "replace")
        place = Source(before).place(len(before))
        raise Refused(ManifestError("text.not_utf8", {"byte": f"0x{data[error.start]:02X}"}, *place)) from None
