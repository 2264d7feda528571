"""Numbers as people write them, read exactly and with limits.

No float is made on the way, so 0.1 is one tenth; exponents are bounded, so "1e999999999" cannot take the machine away.
"""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from typing import Final

MAX_LENGTH: Final = 40
_NUMBER: Final = re.compile(r"[+-]?(\d{1,18}(\.\d{0,18})?|\.\d{1,18})([eE][+-]?\d{1,2})?", re.ASCII)
_GROUPED: Final = re.compile(r"[+-]?\d{1,3}(,\d{3}){1,5}(\.\d{0,18})?", re.ASCII)


def parse_number(text: str) -> Fraction | None:
    """Return the exact value of ``text`` or None if it is not a number.

    Accepted: sign, digits, one decimal point, an exponent of at most two digits, commas between groups of three digits,
    full-width digits and signs (as a Chinese input method leaves them), the minus sign U+2212.
    """
    if len(text) > MAX_LENGTH:
        return None
    plain = unicodedata.normalize("NFKC", text).strip().replace("\u2212", "-")
    if _GROUPED.fullmatch(plain):
        plain = plain.replace(",", "")
    return Fraction(plain) if _NUMBER.fullmatch(plain) else None


def format_number(value: Fraction, *, digits: int = 6) -> str:
    """Write ``value`` as a decimal with at most ``digits`` digits after the point, half away from zero, no trailing
    zeros.
    """
    scale: int = 10**digits
    scaled = abs(value) * scale
    whole, rest = divmod(int(scaled + Fraction(1, 2)), scale)
    decimals = str(rest).rjust(digits, "0").rstrip("0") if rest else ""
    sign = "-" if value < 0 and (whole or decimals) else ""
    return f"{sign}{whole}.{decimals}" if decimals else f"{sign}{whole}"
