"""JSON with the place of every key and value; several values may follow each other, as kubectl allows."""

from __future__ import annotations

import re
from enum import Enum
from json import JSONDecodeError
from json.decoder import scanstring  # type: ignore[attr-defined]  # typeshed leaves it out
from math import isfinite
from typing import Any, Final

from simulator.manifests.context import Context
from simulator.manifests.marks import Spot
from simulator.manifests.remarks import ManifestError, Refused
from simulator.manifests.scalars import as_json_number
from simulator.manifests.tree import TreeBuilder

_BLANK: Final = re.compile(r"[ \t\r\n]*")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_WORD: Final = re.compile(r"true|false|null")
_WORDS: Final = {"true": True, "false": False, "null": None}
_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_MAX_INT_LETTERS: Final = 20
_STRING_PROBLEMS: Final = (("Unterminated", "json.unclosed_string"), ("Invalid control", "json.control_character"))


class _State(Enum):
    """What may come next; the value is how an error names it."""

    VALUE = "value"
    FIRST_VALUE = "value, ]"
    KEY = "key"
    FIRST_KEY = "key, }"
    COLON = ":"
    MORE_VALUES = ", ]"
    MORE_KEYS = ", }"
    DONE = "end"


def read_json(context: Context, start: int, end: int) -> list[tuple[Any, Spot]]:
    """Read the values of a part of a text; offsets in the spots count from the text's beginning.

    As Go does, a lone surrogate becomes U+FFFD and of two equal keys the last counts (but they are an error here).
    Raises `Refused` at the first place that is no JSON.
    """
    documents: list[tuple[Any, Spot]] = []
    reader = _Reader(context, start, context.source.text[start:end])
    while (document := reader.document()) is not None:
        if document[0] is not None:
            documents.append(document)
    return documents


class _Reader:
    """Reads the values of one part of a text, one after the other."""

    def __init__(self, context: Context, start: int, text: str) -> None:
        self._context = context
        self._start = start
        self._text = text
        self._at = 0

    def document(self) -> tuple[Any, Spot] | None:
        """Read the next value, None at the end of the text."""
        self._skip_blank()
        if self._at == len(self._text):
            return None
        self._context.budget.spend_document()
        self._tree = TreeBuilder(self._context)
        self._closers: list[_State] = []
        self._state = _State.VALUE
        try:
            while self._state is not _State.DONE:
                self._skip_blank()
                self._step()
        except Refused as refused:
            error = refused.error
            if error.line:
                raise
            place = self._context.source.place(self._start + self._at)
            raise Refused(ManifestError(error.code, error.params, *place, self._tree.path())) from None
        return self._tree.root

    def _skip_blank(self) -> None:
        blank = _BLANK.match(self._text, self._at)
        self._at = blank.end() if blank else self._at

    def _step(self) -> None:
        letter = self._text[self._at : self._at + 1]
        state = self._state
        if letter == '"' and state in (_State.KEY, _State.FIRST_KEY):
            self._tree.add(self._string(), self._start + self._string_at)
            self._state = _State.COLON
        elif state in (_State.VALUE, _State.FIRST_VALUE) and letter != "]":
            self._value(letter)
        elif letter == ":" and state is _State.COLON:
            self._at += 1
            self._state = _State.VALUE
        elif letter == "," and state in (_State.MORE_VALUES, _State.MORE_KEYS):
            self._at += 1
            self._state = _State.VALUE if state is _State.MORE_VALUES else _State.KEY
        elif letter and state.value.endswith(letter) and letter in "]}":
            self._at += 1
            self._tree.close()
            self._closers.pop()
            self._after_value()
        else:
            raise self._unexpected()

    def _value(self, letter: str) -> None:
        at = self._start + self._at
        if letter == '"':
            self._tree.add(self._string(), at)
            self._after_value()
        elif letter == "{":
            self._tree.open_map(at)
            self._open(_State.MORE_KEYS, _State.FIRST_KEY)
        elif letter == "[":
            self._tree.open_list(at)
            self._open(_State.MORE_VALUES, _State.FIRST_VALUE)
        else:
            self._tree.add(self._word(), at)
            self._after_value()

    def _open(self, closer: _State, first: _State) -> None:
        self._at += 1
        self._closers.append(closer)
        self._state = first

    def _after_value(self) -> None:
        self._state = self._closers[-1] if self._closers else _State.DONE

    def _string(self) -> str:
        self._string_at = self._at
        try:
            value, self._at = scanstring(self._text, self._at + 1, True)
        except JSONDecodeError as error:
            code = next((code for part, code in _STRING_PROBLEMS if error.msg.startswith(part)), "json.escape")
            place = self._context.source.place(self._start + min(error.pos, len(self._text)))
            raise Refused(ManifestError(code, {}, *place, self._tree.path())) from None
        if "\0" in value:
            self._tree.error("text.character", self._start + self._string_at, character="U+0000")
        return value if value.isascii() else _LONE_SURROGATE.sub("\ufffd", value)

    def _word(self) -> Any:
        word = _WORD.match(self._text, self._at)
        if word:
            self._at = word.end()
            return _WORDS[word[0]]
        number = _NUMBER.match(self._text, self._at)
        if not number:
            raise self._unexpected()
        value = _number(number)
        if value is None:
            self._tree.error("json.number_range", self._start + self._at)
        self._at = number.end()
        return value

    def _unexpected(self) -> Refused:
        found = self._text[self._at : self._at + 1]
        place = self._context.source.place(self._start + self._at)
        params = {"expected": self._state.value, "found": found or "end"}
        return Refused(ManifestError("json.unexpected", params, *place, self._tree.path()))


def _number(found: re.Match[str]) -> int | float | None:
    """Return a number, None if it is beyond what a float holds."""
    if found[1] is None and found[2] is None and len(found[0]) <= _MAX_INT_LETTERS:
        return as_json_number(int(found[0]))
    number = float(found[0])
    return as_json_number(number) if isfinite(number) else None
