"""The fields a document may have. Each knows what of the document it shows, and reads back what was typed.

A field's `name` is its key in the mapping that holds it; "" for the entries of a list and for what stands for the
mapping itself. Labels are translated lazily.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from math import isfinite
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _

from gpuschedlab.materials.documents.paths import ABSENT

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

LANGUAGES: Final = ("zh-hans", "en")
MOST_LINE: Final = 400
MOST_PROSE: Final = 20_000
_WORD: Final = re.compile(r"[\s,，、;；]+")
_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")

Choice = tuple[str, Any]


class Unreadable(ValueError):
    """What was typed cannot be used; the text says why and what to do."""


@dataclass(frozen=True, kw_only=True)
class Field:
    """One thing to fill in.

    needed   publishing asks for it
    quiet    it is shown folded away, among what is rarely needed
    """

    name: str = ""
    label: StrOrPromise = ""
    help: StrOrPromise = ""
    needed: bool = False
    quiet: bool = False

    @property
    def template(self) -> str:
        return type(self).__name__.lower()


@dataclass(frozen=True, kw_only=True)
class Leaf(Field):
    """A field with one input."""

    def shown(self, value: Any) -> Any:
        """The document's value as the input holds it; something else than the field expects is shown as it is."""
        return "" if value is ABSENT or value is None else str(value)

    def read(self, typed: Sequence[str]) -> Any:
        """The value of what was typed, ABSENT for nothing. Raises `Unreadable`."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class Line(Leaf):
    """One line of text. `code`: it is a name, shown as such; `suggestions` are offered while one types."""

    most: int = MOST_LINE
    code: bool = False
    suggestions: Sequence[str] = ()

    def read(self, typed: Sequence[str]) -> Any:
        text = " ".join(_text(typed, self.most).split())
        return text or ABSENT


@dataclass(frozen=True, kw_only=True)
class Prose(Leaf):
    """Text of several lines. `markdown`: it is limited Markdown, which can be looked at as learners see it."""

    most: int = MOST_PROSE
    rows: int = 5
    markdown: bool = True
    code: bool = False

    def read(self, typed: Sequence[str]) -> Any:
        text = _text(typed, self.most).replace("\r\n", "\n")
        return text.strip("\n").rstrip() or ABSENT


@dataclass(frozen=True, kw_only=True)
class Whole(Leaf):
    """A whole number."""

    least: int = 0
    most: int = 1_000_000

    def read(self, typed: Sequence[str]) -> Any:
        text = _text(typed, 40).strip()
        if not text:
            return ABSENT
        if not re.fullmatch(r"[+-]?[0-9]{1,15}", text):
            raise Unreadable(_("“%(found)s” is no whole number.") % {"found": text})
        number = int(text)
        if not self.least <= number <= self.most:
            raise Unreadable(_("It has to be from %(least)s to %(most)s.") % {"least": self.least, "most": self.most})
        return number


@dataclass(frozen=True, kw_only=True)
class Number(Leaf):
    """A number as it is written: `0.5`, `1/3`, or a text that stands for one (`{{cards}}`)."""

    def read(self, typed: Sequence[str]) -> Any:
        text = _text(typed, 100).strip()
        if not text:
            return ABSENT
        if re.fullmatch(r"[+-]?[0-9]{1,15}", text):
            return int(text)
        try:
            number = float(Decimal(text))
        except (InvalidOperation, OverflowError):
            return text
        return number if isfinite(number) and repr(number) == text else text


@dataclass(frozen=True, kw_only=True)
class Truth(Leaf):
    """Yes or no. What stands where it is left out is `default`, and is not written."""

    default: bool = False

    def shown(self, value: Any) -> Any:
        return self.default if value is ABSENT else value is True

    def read(self, typed: Sequence[str]) -> Any:
        value = "1" in typed
        return ABSENT if value == self.default else value


@dataclass(frozen=True, kw_only=True)
class OneOf(Leaf):
    """One of a few words. `empty` names the choice of none; without it one of them is always chosen."""

    choices: Sequence[Choice] = ()
    empty: StrOrPromise = ""
    default: str = ""

    def shown(self, value: Any) -> Any:
        return self.default if value is ABSENT or value is None else str(value)

    def read(self, typed: Sequence[str]) -> Any:
        text = _text(typed, MOST_LINE)
        return ABSENT if not text or text == self.default else text


@dataclass(frozen=True, kw_only=True)
class ManyOf(Leaf):
    """Any of a few words. Where all are meant when nothing is said, `all_absent` is set."""

    choices: Sequence[Choice] = ()
    all_absent: bool = False

    def shown(self, value: Any) -> Any:
        if value is ABSENT and self.all_absent:
            return [choice for choice, _label in self.choices]
        return [str(item) for item in value] if isinstance(value, list) else []

    def read(self, typed: Sequence[str]) -> Any:
        chosen = [choice for choice, _label in self.choices if choice in typed]
        if self.all_absent:
            return ABSENT if len(chosen) == len(self.choices) else chosen
        return chosen or ABSENT


@dataclass(frozen=True, kw_only=True)
class Words(Leaf):
    """A list of words, with spaces or commas between them."""

    most: int = 60
    suggestions: Sequence[str] = ()

    def shown(self, value: Any) -> Any:
        return ", ".join(map(str, value)) if isinstance(value, list) else super().shown(value)

    def read(self, typed: Sequence[str]) -> Any:
        words = [word for word in _WORD.split(_text(typed, 4000)) if word]
        if len(words) > self.most:
            raise Unreadable(_("These are more than %(most)s.") % {"most": self.most})
        return list(dict.fromkeys(words)) or ABSENT


@dataclass(frozen=True, kw_only=True)
class Pairs(Leaf):
    """A mapping of words to words: `gpu-type=a100, zone=z1`."""

    def shown(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return ", ".join(f"{key}={item}" for key, item in value.items())
        return super().shown(value)

    def read(self, typed: Sequence[str]) -> Any:
        found: dict[str, str] = {}
        for word in filter(None, _WORD.split(_text(typed, 4000))):
            key, mark, item = word.partition("=")
            if not mark or not key:
                raise Unreadable(_("“%(word)s” is no pair. Write key=value.") % {"word": word})
            found[key] = item
        return found or ABSENT


@dataclass(frozen=True, kw_only=True)
class Raw(Leaf):
    """Any value, as `dump` writes it and `load` reads it (which raises `Unreadable`)."""

    rows: int = 6
    dump: Callable[[Any], str] = json.dumps
    load: Callable[[str], Any] = json.loads

    def shown(self, value: Any) -> Any:
        return "" if value is ABSENT else self.dump(value)

    def read(self, typed: Sequence[str]) -> Any:
        text = _text(typed, 200_000)
        return self.load(text) if text.strip() else ABSENT


@dataclass(frozen=True, kw_only=True)
class Localized(Field):
    """A text in both languages, side by side; `of` is the field for one of them. A bare text stands for both."""

    of: Line | Prose = field(default_factory=Line)

    def leaf(self, language: str) -> Line | Prose:
        return self.of

    @staticmethod
    def part(value: Any, language: str) -> Any:
        """The text in one language."""
        if isinstance(value, Mapping):
            return value.get(language, ABSENT)
        return value


@dataclass(frozen=True, kw_only=True)
class Group(Field):
    """A mapping with fields of its own. One without a name stands for the mapping it is in."""

    fields: Sequence[Field] = ()


@dataclass(frozen=True, kw_only=True)
class Listing(Field):
    """A list. `item` is an entry's field; where `kinds` are given, an entry has one of these groups, by its `key`.

    fresh    an entry as it is added
    item_label, add_label   "Hint", "Add a hint"
    """

    item: Field = field(default_factory=Line)
    kinds: Mapping[str, Group] = field(default_factory=dict)
    key: str = "kind"
    fresh: Any = ""
    item_label: StrOrPromise = ""
    add_label: StrOrPromise = ""
    most: int = 50

    def field_of(self, entry: Any) -> Field:
        """The field of one entry."""
        if not self.kinds:
            return self.item
        found = self.kinds.get(str(entry.get(self.key))) if isinstance(entry, Mapping) else None
        return found or self.item

    def new_entry(self, kind: str) -> Any:
        return {self.key: kind} if self.kinds else self.fresh


@dataclass(frozen=True, kw_only=True)
class Section:
    """A part of the form, with a heading; `id` is its anchor. `action` is a way out of it: its words, its address."""

    id: str
    title: StrOrPromise
    fields: Sequence[Field]
    help: StrOrPromise = ""
    root: tuple[str | int, ...] = ()
    action: tuple[StrOrPromise, str] | None = None


def _text(typed: Sequence[str], most: int) -> str:
    text = typed[-1] if typed else ""
    if len(text) > most:
        found = {"length": len(text), "most": most}
        raise Unreadable(_("It has %(length)s characters; %(most)s are allowed. Shorten it.") % found)
    if _CONTROL.search(text):
        raise Unreadable(_("It holds a character that cannot be stored. Type it anew."))
    return text
