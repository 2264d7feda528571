"""The outer grammar of GIFT: blocks, comments, categories, names, the answer section, escapes, weights and feedback.

Written from the format's documentation (Moodle Docs, "GIFT format"). Escaped characters are held as private-use
characters while a question is taken apart, so that no later step can mistake them for syntax.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

ESCAPABLE: Final = ":#={}~"
_HELD: Final = {char: chr(0xE000 + index) for index, char in enumerate(ESCAPABLE)}
_NEWLINE: Final = "\ue00f"
_RELEASE: Final = str.maketrans({**{held: char for char, held in _HELD.items()}, _NEWLINE: "\n"})
_PRIVATE: Final = re.compile("[\ue000-\ue00f]")
_ESCAPE: Final = re.compile(r"\\([:#={}~n\\])")
_TAG: Final = re.compile(r"\[(id|tag):([^\]\n]{1,200})\]")
_CATEGORY: Final = "$CATEGORY:"
_WEIGHT: Final = re.compile(r"%(-?\d{1,3}(?:\.\d{0,10})?)%")


@dataclass(frozen=True, slots=True)
class Block:
    """One question as written: its first line (from 1), its text with escapes held, what comments before it said."""

    line: int
    text: str
    category: str
    name: str = ""
    tags: tuple[str, ...] = ()


@dataclass(slots=True)
class _Pending:
    """A block while its lines are collected."""

    line: int = 0
    lines: list[str] = field(default_factory=list)
    name: str = ""
    tags: list[str] = field(default_factory=list)


def hold(text: str) -> str:
    """Replace escapes by private-use characters. A backslash before any other character is itself."""

    def held(found: re.Match[str]) -> str:
        char = found[1]
        return "\\" if char == "\\" else _NEWLINE if char == "n" else _HELD[char]

    return _ESCAPE.sub(held, text)


def release(text: str) -> str:
    """Put the characters themselves back."""
    return text.translate(_RELEASE)


def escape(text: str) -> str:
    """Write ``text`` so that GIFT reads exactly it; the inverse of ``release(hold(…))``."""
    plain = text.replace("\\", "\\\\")
    for char in ESCAPABLE:
        plain = plain.replace(char, f"\\{char}")
    return plain.replace("\n", "\\n")


def without_private(text: str) -> str:
    """``text`` without the characters this module keeps for itself."""
    return _PRIVATE.sub("", text)


def blocks(text: str) -> Iterator[Block]:
    """The questions of a file, in order. Blank lines divide them; a category holds for all that follow it."""
    category = ""
    pending = _Pending()
    for number, written in enumerate([*text.split("\n"), ""], start=1):
        line = written.strip()
        if line.startswith("//"):
            _remember(line, pending)
        elif not pending.lines and line.startswith(_CATEGORY):
            category = line.removeprefix(_CATEGORY).strip()
        elif line:
            pending.line = pending.line or number
            pending.lines.append(written)
        elif pending.lines:
            yield Block(
                pending.line, hold("\n".join(pending.lines)).strip(), category, pending.name, tuple(pending.tags)
            )
            pending = _Pending()


def _remember(comment: str, pending: _Pending) -> None:
    """Comments are for people, but Moodle keeps a question's id and tags in them."""
    for kind, value in _TAG.findall(comment):
        if kind == "id":
            pending.name = value.strip()
        else:
            pending.tags.append(value.strip())


@dataclass(frozen=True, slots=True)
class Parts:
    """A block taken apart. ``answers`` is None for a description; ``after`` is the text behind the answers.

    The blanks between ``before``, answers and ``after`` are kept.
    """

    title: str
    before: str
    answers: str | None
    after: str
    general_feedback: str


class UnbalancedBraces(ValueError):
    """The answer section does not open and close exactly once."""


def take_apart(text: str) -> Parts:
    """Split a block into title, text, answers, general feedback. Raises UnbalancedBraces."""
    title, body = "", text
    if text.startswith("::"):
        name, found, rest = text[2:].partition("::")
        if found:
            title, body = name.strip(), rest.strip()
    if "{" not in body and "}" not in body:
        return Parts(title, body, None, "", "")
    before, opened, rest = body.partition("{")
    inside, closed, after = rest.partition("}")
    if not (opened and closed) or "}" in before or "{" in inside or set("{}") & set(after):
        raise UnbalancedBraces
    answers, found, feedback = inside.rpartition("####")
    if not found:
        answers, feedback = inside, ""
    return Parts(title, before.lstrip(), answers.strip(), after.rstrip(), feedback.strip())


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer: its mark (``=``, ``~`` or empty), and all that follows it (``whole``).

    ``whole`` taken apart: the weight in per cent as written (or None), the text, the feedback. Pairs of a matching
    question have neither weight nor feedback.
    """

    mark: str
    whole: str
    weight: str | None
    text: str
    feedback: str


def split_answers(section: str) -> list[Answer]:
    """The answers of a section, in order."""
    pieces = (piece.strip() for piece in re.split(r"(?=[=~])", section))
    return [_answer(piece) for piece in pieces if piece]


def _answer(piece: str) -> Answer:
    mark = piece[0] if piece[0] in "=~" else ""
    written = piece[len(mark) :].strip()
    found = _WEIGHT.match(written)
    text, _, feedback = (written[found.end() :] if found else written).partition("#")
    return Answer(mark, written, found[1] if found else None, text.strip(), feedback.strip())
