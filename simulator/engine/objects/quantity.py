"""Kubernetes quantities ("500m", "1.5Gi", "2e3"): exact values with kube's parsing, rounding and printing.

Source: apimachinery `pkg/api/resource` (quantity.go) as used by Kubernetes 1.36.
"""

from __future__ import annotations

from functools import lru_cache
from math import isfinite
from typing import Final

NANOS: Final = 10**9
"""Units per one: every value is a whole number of 10^-9."""

NANOS_PER_MILLI: Final = 10**6
MAX_INT64: Final = 2**63 - 1
MIN_INT64: Final = -(2**63)

DECIMAL_EXPONENT: Final = "DecimalExponent"
DECIMAL_SI: Final = "DecimalSI"
BINARY_SI: Final = "BinarySI"

FORMAT_WRONG: Final = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
NUMERIC_WRONG: Final = "unable to parse numeric part of quantity"
SUFFIX_WRONG: Final = "unable to parse quantity's suffix"

_DECIMAL_SUFFIXES: Final = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY_SUFFIXES: Final = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL_BY_EXPONENT: Final = {exponent: suffix for suffix, exponent in _DECIMAL_SUFFIXES.items()}
_BINARY_BY_EXPONENT: Final = {exponent: suffix for suffix, exponent in _BINARY_SUFFIXES.items()} | {0: ""}

_DIGITS: Final = frozenset("0123456789")
_SUFFIX_LETTERS: Final = frozenset("eEinumkKMGTP")

_MAX_TEXT: Final = 256
"""Longer texts are refused: kube has no limit here, a page that answers everybody needs one."""

_MAX_EXPONENT: Final = 256
"""Decimal exponents above this are refused, those below its negative mean "smaller than 10^-9"."""


class QuantityError(ValueError):
    """The text is no quantity; the message is the API server's."""


class Quantity:
    """An immutable exact amount; equal and hashed by value, so `1` equals `1000m`.

    `str()` is what the API server prints: the text as written where Go keeps it, else the canonical form.
    """

    __slots__ = ("_format", "_text", "nanos")

    nanos: int
    _format: str
    _text: str

    def __init__(self, nanos: int, format: str = DECIMAL_SI, text: str = "") -> None:  # noqa: A002 - kube's name
        object.__setattr__(self, "nanos", nanos)
        object.__setattr__(self, "_format", format)
        object.__setattr__(self, "_text", text)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Quantity is immutable: {name}")

    @staticmethod
    def parse(source: str | float | None) -> Quantity:
        """Read what stands in a manifest (null is zero); raises QuantityError."""
        if isinstance(source, str):
            if len(source) > _MAX_TEXT:
                raise QuantityError(NUMERIC_WRONG)
            return _parse(source)
        if source is None:
            return ZERO
        if isinstance(source, bool) or not isinstance(source, (int, float)):
            raise QuantityError(FORMAT_WRONG)
        if isinstance(source, float) and not isfinite(source):
            raise QuantityError(FORMAT_WRONG)
        return _parse(number_text(source))

    @staticmethod
    def of(value: int) -> Quantity:
        """Make a quantity of a whole number."""
        return Quantity(value * NANOS)

    def value(self) -> int:
        """Return the smallest whole number not nearer to zero, held inside int64 (kube: Value)."""
        return _clamp(_round_away(self.nanos, NANOS))

    def milli_value(self) -> int:
        """Return the same for thousandths (kube: MilliValue)."""
        return _clamp(_round_away(self.nanos, NANOS_PER_MILLI))

    def round_up_milli(self) -> Quantity:
        """Round away from zero to a multiple of 0.001, as the API server does in every ResourceList."""
        if self.nanos % NANOS_PER_MILLI == 0:
            return self
        return Quantity(_round_away(self.nanos, NANOS_PER_MILLI) * NANOS_PER_MILLI, self._format)

    def is_zero(self) -> bool:
        return self.nanos == 0

    def is_integer(self) -> bool:
        return self.nanos % NANOS == 0

    def __add__(self, other: Quantity) -> Quantity:
        return Quantity(self.nanos + other.nanos, self._format if self.nanos else other._format)

    def __sub__(self, other: Quantity) -> Quantity:
        return Quantity(self.nanos - other.nanos, self._format if self.nanos else other._format)

    def __neg__(self) -> Quantity:
        return Quantity(-self.nanos, self._format)

    def __bool__(self) -> bool:
        return self.nanos != 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Quantity) and self.nanos == other.nanos

    def __lt__(self, other: Quantity) -> bool:
        return self.nanos < other.nanos

    def __le__(self, other: Quantity) -> bool:
        return self.nanos <= other.nanos

    def __gt__(self, other: Quantity) -> bool:
        return self.nanos > other.nanos

    def __ge__(self, other: Quantity) -> bool:
        return self.nanos >= other.nanos

    def __hash__(self) -> int:
        return hash(self.nanos)

    def __str__(self) -> str:
        return self._text or _canonical(self.nanos, self._format)

    def __repr__(self) -> str:
        return f"Quantity({str(self)!r})"

    def __copy__(self) -> Quantity:
        return self

    def __deepcopy__(self, memo: object) -> Quantity:
        return self


ZERO: Final = Quantity(0, DECIMAL_SI, "0")


def number_text(number: float) -> str:
    """Print a number as Go's JSON encoder does (exponent form below 1e-6 and from 1e21 on)."""
    if isinstance(number, int):
        return (
            str(number) if abs(number) < 10**100 else f"{'-' if number < 0 else ''}1e+{number.bit_length() * 3 // 10}"
        )
    text = repr(number)
    mantissa, _, exponent = text.partition("e")
    size = abs(number)
    if size == 0 or 1e-6 <= size < 1e21:
        return _without_exponent(mantissa, int(exponent or 0))
    sign, digits = exponent[0], exponent.lstrip("+-").lstrip("0")
    return f"{mantissa.removesuffix('.0')}e{sign if sign in '+-' else '+'}{digits.rjust(2, '0')}"


def _without_exponent(mantissa: str, exponent: int) -> str:
    sign, mantissa = ("-", mantissa[1:]) if mantissa.startswith("-") else ("", mantissa)
    whole, _, fraction = mantissa.partition(".")
    if exponent >= 0:
        fraction = fraction.ljust(exponent, "0")
        whole, fraction = whole + fraction[:exponent], fraction[exponent:]
    else:
        whole = whole.rjust(-exponent + 1, "0")
        whole, fraction = whole[:exponent], whole[exponent:] + fraction
    whole, fraction = whole.lstrip("0") or "0", fraction.rstrip("0")
    return f"{sign}{whole}.{fraction}" if fraction else f"{sign}{whole}"


@lru_cache(maxsize=65536)
def _parse(source: str) -> Quantity:
    text = source.strip(" ")
    if not text:
        raise QuantityError(FORMAT_WRONG)
    negative, whole, fraction, suffix = _split(text)
    base, exponent, format_ = _interpret(suffix)
    magnitude = _magnitude(whole, fraction, base, exponent)
    if format_ == BINARY_SI:
        magnitude = min(magnitude, MAX_INT64 * NANOS)
        if 0 < magnitude < NANOS:
            format_ = DECIMAL_SI
    kept = text if _text_is_kept(whole, fraction, exponent, format_) else ""
    return Quantity(-magnitude if negative else magnitude, format_, kept)


def _split(text: str) -> tuple[bool, str, str, str]:
    """Split into (negative, whole digits, fraction digits, suffix); the letters may lack digits: `m` is 0."""
    negative = text[0] == "-"
    start = 1 if text[0] in "+-" else 0
    end = _skip(text, start, _DIGITS)
    whole = text[start:end].lstrip("0") or "0"
    fraction = ""
    if text[end : end + 1] == ".":
        start = end + 1
        end = _skip(text, start, _DIGITS)
        fraction = text[start:end]
    start = end
    end = _skip(text, start, _SUFFIX_LETTERS)
    if text[end : end + 1] in ("+", "-"):
        end += 1
    if _skip(text, end, _DIGITS) != len(text):
        raise QuantityError(FORMAT_WRONG)
    return negative, whole, fraction, text[start:]


def _skip(text: str, start: int, letters: frozenset[str]) -> int:
    while start < len(text) and text[start] in letters:
        start += 1
    return start


def _interpret(suffix: str) -> tuple[int, int, str]:
    """Return (base, exponent, format)."""
    if suffix in _DECIMAL_SUFFIXES:
        return 10, _DECIMAL_SUFFIXES[suffix], DECIMAL_SI
    if suffix in _BINARY_SUFFIXES:
        return 2, _BINARY_SUFFIXES[suffix], BINARY_SI
    digits = suffix[2:] if suffix[1:2] in ("+", "-") else suffix[1:]
    if suffix[0] not in "eE" or not digits or not _DIGITS.issuperset(digits):
        raise QuantityError(SUFFIX_WRONG)
    exponent = int(suffix[1:])
    if exponent > _MAX_EXPONENT:
        raise QuantityError(NUMERIC_WRONG)
    return 10, max(exponent, -_MAX_EXPONENT), DECIMAL_EXPONENT


def _magnitude(whole: str, fraction: str, base: int, exponent: int) -> int:
    """Return the absolute value in nanos; what is finer is rounded up."""
    digits = int(whole + fraction)
    if base == 2:
        digits <<= exponent
        exponent = 0
    power = exponent - len(fraction) + 9
    scale: int = 10 ** abs(power)
    return digits * scale if power >= 0 else -(-digits // scale)


def _text_is_kept(whole: str, fraction: str, exponent: int, format_: str) -> bool:
    """Whether Go keeps the text as written: its quick test for "already canonical"."""
    if format_ == BINARY_SI:
        return not fraction and 15 - len(whole) - exponent * 3 // 10 - 1 >= 0 and int(whole) % 8 != 0
    digits, scale = whole + fraction, exponent - len(fraction)
    if digits == "0":
        return False
    return len(digits) <= 18 and scale >= -9 and scale % 3 == 0 and not digits.endswith("000") and digits[0] != "0"


def _canonical(nanos: int, format_: str) -> str:
    if nanos == 0:
        return "0"
    if format_ == BINARY_SI and abs(nanos) >= 1024 * NANOS and nanos % NANOS == 0:
        number, times = _strip_factor(nanos // NANOS, 1024)
        return f"{number}{_BINARY_BY_EXPONENT[times * 10]}"
    number, times = _strip_factor(nanos, 10)
    exponent = times - 9
    number *= 10 ** (exponent % 3)
    exponent -= exponent % 3
    if format_ == DECIMAL_EXPONENT or exponent not in _DECIMAL_BY_EXPONENT:
        return f"{number}e{exponent}" if exponent else str(number)
    return f"{number}{_DECIMAL_BY_EXPONENT[exponent]}"


def _strip_factor(number: int, factor: int) -> tuple[int, int]:
    """Divide by `factor` as often as it goes: (rest, times)."""
    times = 0
    while number % factor == 0:
        number //= factor
        times += 1
    return number, times


def _round_away(nanos: int, unit: int) -> int:
    return -(-nanos // unit) if nanos >= 0 else nanos // unit


def _clamp(value: int) -> int:
    return min(max(value, MIN_INT64), MAX_INT64)
