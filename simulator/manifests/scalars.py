"""What a plain (unquoted) YAML word means: the rules of go-yaml v2, which kubectl reads with.

They are YAML 1.1's with Go's numbers: `yes`, `on` and `y` are booleans, `010` and `0o10` are eight, `0x1F`, `0b11` and
`1_000` are whole numbers, `1e3` and `.5` are numbers, `1:30` and dates stay text. As kubectl passes values on as JSON,
a number without a fraction becomes a whole number (`5.0` is 5) and a whole number beyond 64 bits a rounded one.
Compared with kubectl 1.32 word by word in the tests.
"""

from __future__ import annotations

import re
from decimal import Decimal
from math import isinf
from typing import Any, Final

_WORDS: Final[dict[str, Any]] = {
    **dict.fromkeys(("true", "True", "TRUE", "yes", "Yes", "YES", "y", "Y", "on", "On", "ON"), True),
    **dict.fromkeys(("false", "False", "FALSE", "no", "No", "NO", "n", "N", "off", "Off", "OFF"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
}
_INFINITE: Final = frozenset(sign + word for sign in ("", "+", "-") for word in (".inf", ".Inf", ".INF"))
_NO_NUMBERS: Final = _INFINITE | {".nan", ".NaN", ".NAN"}

_NUMERIC_START: Final = frozenset("+-.0123456789")
_WHOLE: Final = re.compile(r"([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))")
_BASES: Final = (16, 2, 8, 10)
_DECIMAL: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_POINT_FIRST: Final = re.compile(r"\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?")

_MIN_INT64: Final = -(2**63)
_MAX_INT64: Final = 2**63 - 1

_MAX_UINT64: Final = 2**64 - 1
_MAX_DIGITS: Final = 64
"""As many as the largest number has in base two."""

_PLAIN_BOOLEANS: Final = frozenset(("true", "false"))
_LEADING_ZERO: Final = re.compile(r"[-+]?0[0-7_]+")

TAG_PREFIX: Final = "tag:yaml.org,2002:"


class NotJsonError(ValueError):
    """The word is a value that JSON, and so Kubernetes, does not have: infinity or "not a number"."""


class TagMismatchError(ValueError):
    """The word is no value of the type its tag asks for."""


def resolve(word: str) -> Any:
    """Return the value of a plain word: None, bool, int, float or the word itself; raises NotJsonError."""
    if word in _WORDS:
        return _WORDS[word]
    if word[0] not in _NUMERIC_START:
        return word
    if word in _NO_NUMBERS:
        raise NotJsonError(word)
    number = _number(word)
    return word if number is None else as_json_number(number)


def resolve_tagged(tag: str, word: str) -> Any:
    """Return the value of a word with a tag of YAML's own (`int` for `!!int`).

    Raises NotJsonError, TagMismatchError, and KeyError for a tag that is not read.
    """
    if tag in ("str", "timestamp"):
        return word
    expected: Any = {"int": int, "float": (int, float), "bool": bool, "null": type(None)}[tag]
    value = resolve(word)
    if not isinstance(value, expected) or (isinstance(value, bool) and tag != "bool"):
        raise TagMismatchError(word)
    return value


def as_json_number(number: float) -> int | float:
    """Return a number as it comes out of Go's JSON: whole within 64 bits as int, everything else as float.

    Go prints a float with the fewest digits that tell it from others; those digits are what is read again.
    """
    whole = number if isinstance(number, int) else int(Decimal(repr(number))) if number.is_integer() else None
    if whole is not None and _MIN_INT64 <= whole <= _MAX_INT64:
        return whole
    return float(number)


def is_surprising(word: str) -> bool:
    """Tell whether a plain word is read as something few would expect: `yes` as true, `010` as 8."""
    return (isinstance(_WORDS.get(word), bool) and word.lower() not in _PLAIN_BOOLEANS) or (
        _LEADING_ZERO.fullmatch(word) is not None and word.strip("+-0_") != ""
    )


def _number(word: str) -> int | float | None:
    if word[0] == ".":
        return _finite(word) if _POINT_FIRST.fullmatch(word) else None
    digits = word.replace("_", "")
    whole = _WHOLE.fullmatch(digits)
    number = _whole(whole) if whole else None
    if number is None and _DECIMAL.fullmatch(digits):
        return _finite(digits)
    return number


def _whole(found: re.Match[str]) -> int | None:
    """Return a whole number that fits in 64 bits, with or without sign."""
    index = found.lastindex or 0
    if len(found[index]) > _MAX_DIGITS:
        return None
    number = int(found[1] + found[index], _BASES[index - 2])
    return number if _MIN_INT64 <= number <= _MAX_UINT64 else None


def _finite(digits: str) -> float | None:
    number = float(digits)
    return None if isinf(number) else number
