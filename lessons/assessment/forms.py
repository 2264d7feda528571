"""Reading a learner's response from a submitted form. What arrives may be anything; what comes out is checked.

A form is a mapping of field names to lists of strings, as HTML forms send it. Fields that carry options carry their
tokens. An empty string counts as "left blank".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final

from lessons.assessment.number_text import MAX_LENGTH, parse_number
from lessons.assessment.problems import Problem
from lessons.assessment.reading import Problems, bad_character
from lessons.assessment.tokens import Tokens

Form = Mapping[str, Sequence[str]]

MAX_FIELDS: Final = 300
MAX_VALUES: Final = 100
MAX_FIELD_NAME: Final = 80
MAX_VALUE: Final = 20_000


class FormReader:
    """One submitted form, with the tokens of the question it answers."""

    def __init__(self, form: object, tokens: Tokens, problems: Problems | None = None) -> None:
        self.tokens = tokens
        self.problems = problems if problems is not None else Problems()
        self._values = self._checked(form)
        self._used: set[str] = set()

    def _checked(self, form: object) -> dict[str, list[str]]:
        if not isinstance(form, Mapping):
            self.problems.found.append(Problem("response.shape"))
            return {}
        if len(form) > MAX_FIELDS:
            self.problems.found.append(Problem("response.too_many_fields", {"limit": MAX_FIELDS}))
            return {}
        values: dict[str, list[str]] = {}
        for field, entries in form.items():
            if not isinstance(field, str) or len(field) > MAX_FIELD_NAME or not self._is_strings(entries):
                self.problems.found.append(Problem("response.shape"))
            elif any(len(entry) > MAX_VALUE for entry in entries):
                self.fail("response.too_long", field, limit=MAX_VALUE)
            elif len(entries) > MAX_VALUES:
                self.fail("response.too_many_values", field, limit=MAX_VALUES)
            else:
                values[field] = [entry for entry in entries if entry.strip()]
        return values

    @staticmethod
    def _is_strings(entries: object) -> bool:
        return isinstance(entries, list | tuple) and all(isinstance(entry, str) for entry in entries)

    def fail(self, code: str, field: str, **params: object) -> None:
        """Note a problem at a field."""
        self.problems.found.append(Problem(code, {"field": field, **params}, (field,)))

    def many(self, field: str) -> list[str]:
        """All values of a field that are not blank."""
        self._used.add(field)
        return self._values.get(field, [])

    def one(self, field: str) -> str | None:
        """The only value of a field, or None if it is blank."""
        values = self.many(field)
        if len(values) > 1:
            self.fail("response.repeated", field)
            return None
        return values[0] if values else None

    def choice(self, field: str, kind: str, names: Iterable[str]) -> str | None:
        """The thing among ``names`` whose token the field carries, or None."""
        token = self.one(field)
        if token is None:
            return None
        name = self.tokens.find(kind, names, token)
        if name is None:
            self.fail("response.unknown_choice", field)
        return name

    def choices(self, field: str, kind: str, names: Sequence[str]) -> list[str]:
        """The things among ``names`` whose tokens the field carries, in the order given, each at most once."""
        by_token = {self.tokens.of(kind, name): name for name in names}
        chosen: list[str] = []
        for token in self.many(field):
            name = by_token.get(token)
            if name is None:
                self.fail("response.unknown_choice", field)
            elif name in chosen:
                self.fail("response.repeated", field)
            else:
                chosen.append(name)
        return chosen

    def text(self, field: str, *, limit: int) -> str:
        """A text of at most ``limit`` characters, stripped; empty if left blank."""
        text = (self.one(field) or "").replace("\r\n", "\n").replace("\r", "\n").strip()
        if len(text) > limit:
            self.fail("response.too_long", field, limit=limit)
            return ""
        if bad_character(text) is not None:
            self.fail("response.bad_character", field)
            return ""
        return text

    def number(self, field: str) -> str:
        """A number as the learner wrote it; empty if left blank."""
        text = self.text(field, limit=MAX_LENGTH)
        if text and parse_number(text) is None:
            self.fail("response.not_a_number", field, found=text)
            return ""
        return text

    def flag(self, field: str) -> bool:
        """True if the field has any value."""
        return bool(self.many(field))

    def integer(self, field: str, *, minimum: int, maximum: int) -> int | None:
        """A whole number in the given range, or None if left blank."""
        text = self.number(field)
        if not text:
            return None
        value = parse_number(text) or Fraction(0)
        if value.denominator != 1 or not minimum <= value <= maximum:
            self.fail("response.out_of_range", field, minimum=minimum, maximum=maximum)
            return None
        return int(value)

    def finish(self) -> None:
        """Raise Invalid if anything was wrong, also fields that no part of the question asked for."""
        for field in self._values:
            if field not in self._used:
                self.fail("response.unknown_field", field)
        self.problems.check()
