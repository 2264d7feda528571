"""Short written answers, compared in a forgiving and safe way (no patterns that can run away)."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from lessons.assessment.grades import ONE
from lessons.assessment.localized import Text
from lessons.assessment.reading import Node

MAX_WORD: Final = 200
_TO_ASCII: Final = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "—": "-", "–": "-", "。": "."})


@dataclass(frozen=True, slots=True)
class AcceptedWord:
    """An answer as shown, its credit and feedback. ``*`` stands for any run of characters, also none."""

    text: str
    credit: Fraction
    feedback: Text | None


def read_word(node: Node) -> AcceptedWord:
    """Read a bare string (full credit) or ``{text, credit?, feedback?}``."""
    if not isinstance(node.value, dict):
        return AcceptedWord(_spelling(node), ONE, None)
    fields = node.fields(required=("text",), optional=("credit", "feedback"))
    credit = fields.get("credit")
    return AcceptedWord(_spelling(fields["text"]), credit.share() if credit else ONE, fields.text("feedback"))


def _spelling(node: Node) -> str:
    if isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return str(node.value)
    return node.string(limit=MAX_WORD)


def folded(text: str) -> str:
    """How answers are compared: width, case, blanks and kinds of quotation marks and dashes do not matter."""
    return " ".join(unicodedata.normalize("NFKC", text).translate(_TO_ASCII).casefold().split())


def matches(pattern: str, text: str) -> bool:
    """True if the folded ``text`` is the folded ``pattern`` with every ``*`` standing for some run of characters.

    Greedy from left to right, so the time is at most the product of the two lengths.
    """
    first, *rest = folded(pattern).split("*")
    written = folded(text)
    if not rest:
        return written == first
    *middle, last = rest
    if not written.startswith(first) or len(written) < len(first) + len(last) or not written.endswith(last):
        return False
    place, end = len(first), len(written) - len(last)
    for piece in middle:
        found = written.find(piece, place, end)
        if found < 0:
            return False
        place = found + len(piece)
    return place <= end


def accepting(words: Sequence[AcceptedWord], text: str) -> AcceptedWord | None:
    """The first entry that takes ``text``, or None."""
    return next((word for word in words if matches(word.text, text)), None)
