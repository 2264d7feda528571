"""Virtual times as text: microseconds to `0:30.001`, and in short to what `kubectl` calls an age."""

from __future__ import annotations

from simulator.engine.objects.times import MILLISECOND, SECOND


def clock_text(elapsed: int) -> str:
    """`0:30.001`, `1:02:03.000`: hours only where there are some."""
    seconds, rest = divmod(max(0, elapsed), SECOND)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    start = f"{hours}:{minutes:02}" if hours else f"{minutes}"
    return f"{start}:{seconds:02}.{rest // MILLISECOND:03}"


def age_text(span: int) -> str:
    """A span as kubectl prints ages (`duration.HumanDuration`): `0s`, `119s`, `3m5s`, `2h`, `5d`."""
    seconds = max(0, span // SECOND)
    minutes, hours, days = seconds // 60, seconds // 3600, seconds // 86400
    steps = (
        (minutes < 2, f"{seconds}s"),
        (minutes < 10, _pair(minutes, "m", seconds % 60, "s")),
        (hours < 3, f"{minutes}m"),
        (hours < 8, _pair(hours, "h", minutes % 60, "m")),
        (hours < 48, f"{hours}h"),
        (days < 8, _pair(days, "d", hours % 24, "h")),
    )
    return next((text for fits, text in steps if fits), f"{days}d")


def _pair(large: int, large_unit: str, small: int, small_unit: str) -> str:
    return f"{large}{large_unit}{small}{small_unit}" if small else f"{large}{large_unit}"
