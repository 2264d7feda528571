"""Reading a content document: every value is checked, every problem is collected with its place, none stops the
reading.

A ``Node`` is one place in a document of plain values (what YAML or JSON gives). Its methods return the value in the
type asked for; where the value is wrong they note a problem and return a harmless stand-in, so that an author sees
all problems at once. ``Problems.check`` ends a reading: it raises if anything was noted.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Final

from lessons.assessment.grades import ONE, ZERO
from lessons.assessment.localized import LANGUAGES, Text, is_chinese
from lessons.assessment.number_text import parse_number
from lessons.assessment.problems import Invalid, Path, Problem

MAX_LINE: Final = 400
MAX_TEXT: Final = 8_000
MAX_ITEMS: Final = 60

SLUG: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*", re.ASCII)
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/:-]*", re.ASCII)
FACT: Final = re.compile(r"C\d{1,2}\.\d{1,2}(-say)?", re.ASCII)
"""A numbered fact of the chapter; with ``-say`` what the course adds to it or puts right."""
MAX_NAME: Final = 100

_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def bad_character(text: str) -> str | None:
    """The first control character, lone surrogate or non-character in ``text`` (but line feed, tab), or None."""
    found = _CONTROL.search(text)
    return found.group() if found else None


class Problems:
    """The problems noted so far in one reading."""

    def __init__(self) -> None:
        self.found: list[Problem] = []

    def check(self) -> None:
        """Raise Invalid if any problem was noted."""
        if self.found:
            raise Invalid(self.found)


class Node:
    """One place in a document."""

    __slots__ = ("path", "problems", "value")

    def __init__(self, value: object, path: Path = (), problems: Problems | None = None) -> None:
        self.value = value
        self.path = path
        self.problems = problems if problems is not None else Problems()

    def fail(self, code: str, **params: object) -> None:
        """Note a problem at this place."""
        self.problems.found.append(Problem(code, params, self.path))

    def _wrong_kind(self, code: str) -> None:
        self.fail(code, found=type(self.value).__name__)

    def string(self, *, limit: int = MAX_LINE) -> str:
        """A non-empty string of at most ``limit`` characters without control characters, stripped."""
        if not isinstance(self.value, str):
            self._wrong_kind("value.not_string")
            return ""
        text = self.value.replace("\r\n", "\n").strip()
        bad = bad_character(text)
        if not text:
            self.fail("value.empty")
        elif len(text) > limit:
            self.fail("value.too_long", limit=limit, length=len(text))
        elif bad is not None:
            self.fail("text.bad_character", codepoint=f"U+{ord(bad):04X}")
        else:
            return text
        return ""

    def named(self, pattern: re.Pattern[str] = NAME) -> str:
        """A name: at most 100 characters that match ``pattern`` as a whole."""
        text = self.string(limit=MAX_NAME)
        if text and not pattern.fullmatch(text):
            self.fail("value.bad_name", found=text)
        return text

    def one_of(self, allowed: Collection[str]) -> str:
        """One of the words in ``allowed``; the first of them stands in for a wrong one."""
        if not isinstance(self.value, str) or self.value not in allowed:
            self.fail("value.not_one_of", allowed=sorted(allowed), found=str(self.value)[:MAX_NAME])
            return next(iter(allowed))
        return self.value

    def flag(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            self._wrong_kind("value.not_boolean")
            return False
        return self.value

    def number(self, *, minimum: Fraction | int | None = None, maximum: Fraction | int | None = None) -> Fraction:
        """An exact number: an integer, a float as it is written, or a string that spells a number."""
        value = self.value
        number = None
        if isinstance(value, int | float | str) and not isinstance(value, bool):
            number = parse_number(str(value))
        if number is None:
            self.fail("value.not_number", found=str(value)[:MAX_NAME])
            return ZERO
        return self._bounded(number, minimum, maximum)

    def integer(self, *, minimum: int, maximum: int) -> int:
        """A whole number from ``minimum`` to ``maximum``."""
        number = self.number()
        if number.denominator != 1:
            self.fail("value.not_integer", found=str(self.value)[:MAX_NAME])
            return minimum
        return int(self._bounded(number, minimum, maximum))

    def share(self) -> Fraction:
        """A number from 0 to 1."""
        return self.number(minimum=ZERO, maximum=ONE)

    def _bounded(self, number: Fraction, minimum: Fraction | int | None, maximum: Fraction | int | None) -> Fraction:
        if (minimum is not None and number < minimum) or (maximum is not None and number > maximum):
            low, high = (None if bound is None else str(bound) for bound in (minimum, maximum))
            self.fail("value.out_of_range", minimum=low, maximum=high, found=str(self.value)[:MAX_NAME])
            return Fraction(minimum if minimum is not None else maximum or 0)
        return number

    def text(self, *, limit: int = MAX_TEXT) -> Text:
        """A text for learners: ``{zh-hans: …, en: …}`` (a draft may lack one), or a word that needs no translation."""
        if isinstance(self.value, int | float) and not isinstance(self.value, bool):
            return Text.same(str(self.value))
        if isinstance(self.value, str):
            word = self.string(limit=limit)
            if is_chinese(word):
                self.fail("text.untranslated", found=word[:40])
            return Text.same(word)
        fields = self.fields(optional=LANGUAGES)
        written = {language: fields[language].string(limit=limit) for language in LANGUAGES if language in fields}
        if not written:
            self.fail("text.no_language", languages=list(LANGUAGES))
        return Text(written.get("zh-hans", ""), written.get("en", ""))

    def items(self, *, minimum: int = 0, limit: int = MAX_ITEMS) -> list[Node]:
        """The places of a list with ``minimum`` … ``limit`` entries."""
        if not isinstance(self.value, list | tuple):
            self._wrong_kind("value.not_list")
            return []
        if len(self.value) < minimum:
            self.fail("list.too_short", minimum=minimum, length=len(self.value))
        if len(self.value) > limit:
            self.fail("list.too_long", limit=limit, length=len(self.value))
        return [Node(item, (*self.path, index), self.problems) for index, item in enumerate(self.value[:limit])]

    def fields(self, required: Iterable[str] = (), optional: Iterable[str] = ()) -> Fields:
        """The places of a mapping whose keys must be ``required`` and may be ``optional``; no others."""
        value: Mapping[object, object] = self.value if isinstance(self.value, Mapping) else {}
        if not isinstance(self.value, Mapping):
            self._wrong_kind("value.not_mapping")
        needed = tuple(required)
        known = (*needed, *optional)
        for key in value:
            if key not in known:
                self.fail("field.unknown", field=str(key)[:MAX_NAME], known=sorted(known))
        if isinstance(self.value, Mapping):
            for name in needed:
                if name not in value:
                    self.fail("field.missing", field=name)
        return Fields(self, {name: value[name] for name in known if name in value})


class Fields:
    """The places of one mapping, by name."""

    __slots__ = ("_node", "_values")

    def __init__(self, node: Node, values: Mapping[str, object]) -> None:
        self._node = node
        self._values = values

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __getitem__(self, name: str) -> Node:
        """The place ``name``. If it is missing (which was noted), what is read from it is not noted again."""
        path = (*self._node.path, name)
        if name in self._values:
            return Node(self._values[name], path, self._node.problems)
        return Node(None, path)

    def get(self, name: str) -> Node | None:
        """The place ``name``, or None if the document leaves it out."""
        return self[name] if name in self._values else None

    def fail(self, code: str, **params: object) -> None:
        """Note a problem at the mapping itself."""
        self._node.fail(code, **params)

    def flag(self, name: str, *, default: bool) -> bool:
        """The truth value at ``name``, or the default."""
        node = self.get(name)
        return default if node is None else node.flag()

    def text(self, name: str) -> Text | None:
        """The text at ``name``, or None."""
        node = self.get(name)
        return None if node is None else node.text()

    def children(self, name: str, *, minimum: int = 0, limit: int = MAX_ITEMS) -> list[Node]:
        """The entries of the list at ``name``; an absent list is empty."""
        if name not in self._values:
            return []
        return self[name].items(minimum=minimum, limit=limit)


def unique(pairs: Iterable[tuple[str, Node]]) -> None:
    """Note a problem at every name that an earlier node of ``pairs`` already has."""
    seen: set[str] = set()
    for name, node in pairs:
        if name and name in seen:
            node.fail("value.repeated", found=name)
        seen.add(name)


def reference(node: Node, known: Collection[str]) -> str:
    """A name that must be one of ``known``."""
    name = node.named()
    if name and name not in known:
        node.fail("value.unknown_reference", found=name, known=list(known))
    return name
