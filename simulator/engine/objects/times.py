"""Instants as integer microseconds since 1970-01-01T00:00:00Z, so that virtual time is exact.

Source: RFC 3339 as `metav1.Time` (whole seconds) and `metav1.MicroTime` print it.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

SECOND = 1_000_000
MILLISECOND = 1_000

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def parse_time(text: str) -> int:
    """Microseconds of an RFC 3339 time. Raises ValueError where `text` is none."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"time without zone: {text}")
    return (moment - _EPOCH) // timedelta(microseconds=1)


def format_time(microseconds: int) -> str:
    """`2026-01-01T00:00:00Z`, cut to whole seconds."""
    moment = _EPOCH + timedelta(seconds=microseconds // SECOND)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def floor_second(microseconds: int) -> int:
    return microseconds - microseconds % SECOND


def go_duration(microseconds: int) -> str:
    """A duration as Go prints it: `5m0s`, `1.5s`, `500ms`, `0s`."""
    if microseconds == 0:
        return "0s"
    sign, rest = ("-", -microseconds) if microseconds < 0 else ("", microseconds)
    if rest < MILLISECOND:
        return f"{sign}{rest}µs"
    if rest < SECOND:
        return f"{sign}{_decimal(rest, MILLISECOND)}ms"
    hours, rest = divmod(rest, 3600 * SECOND)
    minutes, rest = divmod(rest, 60 * SECOND)
    parts = f"{hours}h" if hours else ""
    parts += f"{minutes}m" if hours or minutes else ""
    return f"{sign}{parts}{_decimal(rest, SECOND)}s"


def _decimal(value: int, unit: int) -> str:
    whole, fraction = divmod(value, unit)
    digits = f"{fraction:0{len(str(unit)) - 1}d}".rstrip("0")
    return f"{whole}.{digits}" if digits else str(whole)
