"""From what was pasted or read from a file to clean lines: encodings, terminal escapes, line ends, limits."""

from __future__ import annotations

import re
from typing import Final

from simulator.manifests.topology import errors
from simulator.manifests.topology.errors import TopologyError

MAX_BYTES: Final = 1_000_000
MAX_LINES: Final = 20_000
MAX_LINE_LENGTH: Final = 20_000
MAX_DEVICES: Final = 512

_OSC: Final = re.compile(r"\x1b\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)")
_CSI: Final = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
_OTHER_ESCAPE: Final = re.compile(r"\x1b[()*+][0-9A-Za-z]|\x1b[@-_]?")
_BARE_COLOUR: Final = re.compile(r"(?:\^\[|\\x1b|\\033|\\e)?\[\d{1,3}(?:;\d{1,3})*m")
_FRAME: Final = re.compile("[|\u2500-\u259f\u00a0\ufeff\u200b\ufffd]")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_MAX_NULS: Final = 8


def decode(source: bytes) -> str:
    """Text of a file: UTF-8 (with or without a mark) or UTF-16 with a mark; damaged characters are replaced."""
    if len(source) > MAX_BYTES:
        raise TopologyError(errors.TOO_LARGE, limit=MAX_BYTES, found=len(source))
    if source.startswith((b"\xff\xfe", b"\xfe\xff")):
        return source.decode("utf-16", errors="replace")
    return source.decode("utf-8-sig", errors="replace")


def clean_lines(text: str) -> list[str]:
    """Lines without terminal escapes, frames and carriage returns; tabs are kept.

    Raises TopologyError for an empty text, for binary data and above the limits of this module.
    """
    if len(text) > MAX_BYTES:
        raise TopologyError(errors.TOO_LARGE, limit=MAX_BYTES, found=len(text))
    if text.count("\x00") > _MAX_NULS:
        raise TopologyError(errors.NOT_TEXT)
    for pattern in (_OSC, _CSI, _OTHER_ESCAPE, _BARE_COLOUR):
        text = pattern.sub("", text)
    lines = re.split(r"\r\n|\n|\r", _FRAME.sub(" ", text))
    if len(lines) > MAX_LINES:
        raise TopologyError(errors.TOO_MANY_LINES, limit=MAX_LINES, found=len(lines))
    cleaned = [_CONTROL.sub("", line)[:MAX_LINE_LENGTH].rstrip() for line in lines]
    if not any(cleaned):
        raise TopologyError(errors.EMPTY)
    return cleaned


def first_written_line(lines: list[str]) -> tuple[int, str]:
    """Number (from 1) and beginning of the first line that is not blank, for the message about a text nobody knows."""
    for number, line in enumerate(lines, start=1):
        if line.strip():
            return number, line.strip()[:80]
    return 1, ""
