"""JSON that comes from outside."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

NUL = "\\u0000"


def read_json(text: str) -> Any:
    """The value that a text says. Raises ValueError, also for what Python reads and nobody else stores or sends on:
    NaN and Infinity, lone surrogates, NUL, and what is nested too deep.
    """
    try:
        value = parsed(text)
        written = json.dumps(value, ensure_ascii=False)
        written.encode()
    except RecursionError as error:
        raise ValueError("nested too deep") from error
    if NUL in written:
        raise ValueError("a NUL character")
    return value


def parsed(text: str | bytes) -> Any:
    """The value that a text says, as `json.loads` reads it, but ValueError for NaN, Infinity and what is as large."""
    return json.loads(text, parse_constant=_refuse, parse_float=_finite)


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    return number if math.isfinite(number) else _refuse(digits[:40])
