"""The body of an answer as plain values that can be stored anywhere, or the words of Go's decoder where it is none."""

from __future__ import annotations

import json
from typing import Any, Final

from gpuschedlab.web.jsontext import parsed

MAX_DEPTH: Final = 64
REPLACEMENT: Final = "\ufffd"


class Garbled(ValueError):
    """A body that is not JSON, or none that is taken."""


def decoded(received: bytes) -> Any:
    """The JSON in `received`, texts cleaned of what is no Unicode. Raises `Garbled`."""
    try:
        body = parsed(received)
    except RecursionError:
        raise Garbled("exceeded max depth") from None
    except json.JSONDecodeError as error:
        raise Garbled(_words(error)) from None
    except ValueError as error:
        raise Garbled(f"invalid character in the answer: {error}") from None
    _check_depth(body)
    return _clean(body) if b"\\u" in received else body


def _words(error: json.JSONDecodeError) -> str:
    if not error.doc.strip():
        return "EOF"
    if error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated"):
        return "unexpected EOF"
    letter = error.doc[error.pos]
    shown = "'\\''" if letter == "'" else f"'{letter if letter.isprintable() else REPLACEMENT}'"
    return f"invalid character {shown} looking for beginning of value"


def _check_depth(body: Any) -> None:
    level = [body]
    for _ in range(MAX_DEPTH):
        level = (
            [
                inner
                for outer in level
                for inner in (outer.values() if isinstance(outer, dict) else outer)
                if isinstance(inner, dict | list)
            ]
            if isinstance(body, dict | list)
            else []
        )
        if not level:
            return
    raise Garbled("exceeded max depth")


def _clean(value: Any) -> Any:
    """Half surrogates become U+FFFD, as Go has it; so does NUL, which not every database can keep."""
    if isinstance(value, str):
        whole = value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return whole.replace("\0", REPLACEMENT)
    if isinstance(value, dict):
        return {_clean(key): _clean(item) for key, item in value.items()}
    return [_clean(item) for item in value] if isinstance(value, list) else value
