"""How Go prints and reads values: quoted strings, JSON, RFC 3339 times. API server texts are made of these."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Final

_ESCAPES: Final = {
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
    "\\": "\\\\",
    '"': '\\"',
}
_HTML: Final = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})


def quote(text: str) -> str:
    """Print a string as `%q` does."""
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return '"' + "".join(_quoted_letter(letter) for letter in text) + '"'


def _quoted_letter(letter: str) -> str:
    if letter in _ESCAPES:
        return _ESCAPES[letter]
    if letter.isprintable():
        return letter
    code = ord(letter)
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def to_json(value: object, *, sort_keys: bool = False) -> str:
    """Print as `encoding/json` does: compact, `<`, `>` and `&` escaped. Mappings keep their order, as fields of structs
    do; with `sort_keys` they are in that of a map's keys, at every depth."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, sort_keys=sort_keys).translate(_HTML)


def sorted_map(mapping: dict[str, str]) -> dict[str, str]:
    """Return a map in the order in which Go prints it."""
    return dict(sorted(mapping.items()))


def bad_value(value: object) -> str:
    """Print a refused value as `field.Error` does."""
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else to_json(value)


class TimeError(ValueError):
    """The text is no RFC 3339 time; the message is that of Go's `time.Parse`."""


_LAYOUT: Final = "2006-01-02T15:04:05Z07:00"
_ELEMENTS: Final = (
    ("2006", 4, ""),
    ("-", 0, ""),
    ("01", 2, "month"),
    ("-", 0, ""),
    ("02", 2, "day"),
    ("T", 0, ""),
    ("15", 2, "hour"),
    (":", 0, ""),
    ("04", 2, "minute"),
    (":", 0, ""),
    ("05", 2, "second"),
)
_RANGES: Final = {"month": (1, 12), "hour": (0, 23), "minute": (0, 59), "second": (0, 59)}
_MONTH_DAYS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_ZONE: Final = re.compile(r"[+-][0-9]{2}:[0-9]{2}")
_DAY_SECONDS: Final = 86400


def parse_time(text: str) -> str:
    """Read an RFC 3339 time and return it in UTC in whole seconds, as the API server stores it; raises TimeError."""
    return _parse_short_time(text) if len(text) <= 64 else _parse_time(text)


def _parse_time(text: str) -> str:
    rest = text
    numbers: list[int] = []
    for element, digits, what in _ELEMENTS:
        if digits == 0:
            rest = _skip(text, element, rest)
            continue
        number, after = _digits(text, element, rest, digits)
        lowest, highest = _RANGES.get(what, (0, 9999))
        if not lowest <= number <= highest:
            raise TimeError(f"parsing time {_quote(text)}: {what} out of range")
        numbers.append(number)
        rest = after
    rest = _skip_fraction(rest)
    offset, rest = _zone(text, rest)
    if rest:
        raise TimeError(f"parsing time {_quote(text)}: extra text: {_quote(rest)}")
    year, month, day, hour, minute, second = numbers
    if not 1 <= day <= _days_in(year, month):
        raise TimeError(f"parsing time {_quote(text)}: day out of range")
    return _utc(text, year, month, day, hour * 3600 + minute * 60 + second - offset)


_parse_short_time = lru_cache(maxsize=4096)(_parse_time)


def _skip(text: str, element: str, rest: str) -> str:
    if not rest.startswith(element):
        raise _cannot_parse(text, element, rest)
    return rest[len(element) :]


def _digits(text: str, element: str, rest: str, count: int) -> tuple[int, str]:
    digits = rest[:count]
    if element == "15" and not _is_number(digits):
        digits = digits[:1]
    if not _is_number(digits) or (len(digits) < count and element != "15"):
        raise _cannot_parse(text, element, rest)
    return int(digits), rest[len(digits) :]


def _is_number(digits: str) -> bool:
    return digits.isascii() and digits.isdigit()


def _skip_fraction(rest: str) -> str:
    if len(rest) < 2 or rest[0] not in ".," or not ("0" <= rest[1] <= "9"):
        return rest
    end = 1
    while end < len(rest) and "0" <= rest[end] <= "9":
        end += 1
    return rest[end:]


def _zone(text: str, rest: str) -> tuple[int, str]:
    """Return (offset in seconds, what follows)."""
    if rest.startswith("Z"):
        return 0, rest[1:]
    zone = rest[:6]
    if not _ZONE.fullmatch(zone):
        raise _cannot_parse(text, "Z07:00", rest)
    hours, minutes = int(zone[1:3]), int(zone[4:6])
    if hours > 24:
        raise TimeError(f"parsing time {_quote(text)}: time zone offset hour out of range")
    if minutes > 60:
        raise TimeError(f"parsing time {_quote(text)}: time zone offset minute out of range")
    offset = hours * 3600 + minutes * 60
    return (-offset if zone[0] == "-" else offset), rest[6:]


def _cannot_parse(text: str, element: str, rest: str) -> TimeError:
    return TimeError(
        f"parsing time {_quote(text)} as {_quote(_LAYOUT)}: cannot parse {_quote(rest)} as {_quote(element)}"
    )


def _quote(text: str) -> str:
    """Print as `time.ParseError` does: bytes beyond printable ASCII in hexadecimal."""
    out = []
    for letter in text:
        if letter in '"\\':
            out.append("\\" + letter)
        elif " " <= letter < "\x80":
            out.append(letter)
        else:
            out.extend(f"\\x{byte:02x}" for byte in letter.encode("utf-8", "surrogatepass"))
    return '"' + "".join(out) + '"'


def _days_in(year: int, month: int) -> int:
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 29 if month == 2 and leap else _MONTH_DAYS[month - 1]


def _utc(text: str, year: int, month: int, day: int, seconds: int) -> str:
    """Print in UTC; `seconds` since midnight may lie one day or two outside of the day."""
    days, seconds = divmod(seconds, _DAY_SECONDS)
    day += days
    while day < 1:
        year, month = (year, month - 1) if month > 1 else (year - 1, 12)
        day += _days_in(year, month)
    while day > _days_in(year, month):
        day -= _days_in(year, month)
        year, month = (year, month + 1) if month < 12 else (year + 1, 1)
    if not 1 <= year <= 9999:
        raise TimeError(f"parsing time {_quote(text)}: year outside of range [1,9999]")
    minutes, second = divmod(seconds, 60)
    return f"{year:04d}-{month:02d}-{day:02d}T{minutes // 60:02d}:{minutes % 60:02d}:{second:02d}Z"
