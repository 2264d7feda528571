"""Source text to tokens."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from simulator.engine.cel.errors import Fault

END, NUMBER, TEXT, WORD, SIGN = "end", "number", "text", "word", "sign"

MOST_DIGITS = 40

_SPACE = re.compile(r"(?:[\t\n\f\r ]+|//[^\n]*)+")
_WORD = re.compile(r"[_a-zA-Z][_a-zA-Z0-9]*")
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]+|(?:\d+\.\d+|\.\d+|\d+)(?:[eE][+-]?\d+)?")
_SIGN = re.compile(r"==|!=|<=|>=|&&|\|\||[-+*/%<>!?:.,()\[\]{}]")
_QUOTE = re.compile(r"[rR]?(\"\"\"|'''|\"|')")
_ESCAPES = {
    "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
    "\\": "\\", "?": "?", '"': '"', "'": "'", "`": "`",
}  # fmt: skip
_CODES = {"x": 2, "X": 2, "u": 4, "U": 8}


@dataclass(frozen=True, slots=True)
class Token:
    """`value` is the literal's value, or the word or sign itself."""

    kind: str
    value: bool | int | float | str
    offset: int

    def __str__(self) -> str:
        return "the end" if self.kind == END else repr(self.value) if self.kind == TEXT else str(self.value)


def tokens_of(source: str) -> list[Token]:
    """All tokens, an END last. Raises `Fault`."""
    found: list[Token] = []
    position = 0
    while True:
        space = _SPACE.match(source, position)
        if space is not None:
            position = space.end()
        if position >= len(source):
            found.append(Token(END, "", position))
            return found
        token, position = _next(source, position)
        found.append(token)


def _next(source: str, start: int) -> tuple[Token, int]:
    if re.compile(r"[bB][rR]?[\"']|[rR][bB][\"']").match(source, start):
        raise Fault("cel.left_out", start, what="bytes")
    quote = _QUOTE.match(source, start)
    if quote is not None:
        return _text(source, start, quote.end(), quote.group(1), raw=source[start] in "rR")
    word = _WORD.match(source, start)
    if word is not None:
        return Token(WORD, word.group(), start), word.end()
    number = _NUMBER.match(source, start)
    if number is not None:
        return _number(source, start, number.group())
    sign = _SIGN.match(source, start)
    if sign is not None:
        return Token(SIGN, sign.group(), start), sign.end()
    raise Fault("cel.character", start, found=source[start])


def _number(source: str, start: int, digits: str) -> tuple[Token, int]:
    end = start + len(digits)
    if source[end : end + 1] in ("u", "U"):
        raise Fault("cel.left_out", start, what="unsigned numbers")
    if len(digits) > MOST_DIGITS:
        raise Fault("cel.number", start, found=f"{digits[:MOST_DIGITS]}…")
    if digits[:2] in ("0x", "0X"):
        return Token(NUMBER, int(digits, 16), start), end
    value = int(digits) if digits.isdigit() else float(digits)
    if value == math.inf:
        raise Fault("cel.number", start, found=digits)
    return Token(NUMBER, value, start), end


def _text(source: str, start: int, position: int, quote: str, *, raw: bool) -> tuple[Token, int]:
    parts: list[str] = []
    while not source.startswith(quote, position):
        if position >= len(source) or (source[position] == "\n" and len(quote) == 1):
            raise Fault("cel.unterminated", start)
        if source[position] == "\\" and not raw:
            part, position = _escape(source, position)
            parts.append(part)
        else:
            parts.append(source[position])
            position += 1
    return Token(TEXT, "".join(parts), start), position + len(quote)


def _escape(source: str, start: int) -> tuple[str, int]:
    sign = source[start + 1 : start + 2]
    if sign in _ESCAPES and sign:
        return _ESCAPES[sign], start + 2
    octal = re.compile(r"[0-3][0-7]{2}").match(source, start + 1)
    if octal is not None:
        return chr(int(octal.group(), 8)), octal.end()
    size = _CODES.get(sign, 0)
    digits = source[start + 2 : start + 2 + size]
    if size and len(digits) == size and re.fullmatch("[0-9a-fA-F]+", digits):
        code = int(digits, 16)
        if code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF:
            return chr(code), start + 2 + size
    raise Fault("cel.escape", start, found=source[start : start + 2 + size])
