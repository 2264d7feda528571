"""What a form that came back changes in its document: values of inputs, and entries of lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from gpuschedlab.materials.documents.fields import (
    LANGUAGES,
    Field,
    Group,
    Leaf,
    Listing,
    Localized,
    Section,
    Unreadable,
)
from gpuschedlab.materials.documents.paths import ABSENT, Path, get_at, set_at, written

Typed = Mapping[str, Sequence[str]]
Act = Literal["add", "remove", "up", "down"]


@dataclass(frozen=True, slots=True)
class Input:
    """One input of the form: its field, and where its value stands."""

    path: Path
    field: Leaf
    value: Any

    @property
    def name(self) -> str:
        return written(self.path)


@dataclass(frozen=True, slots=True)
class Changes:
    """A document as the form makes it: `changed` are the paths with another value, `wrong` what cannot be read."""

    document: Any
    changed: tuple[Path, ...]
    wrong: Mapping[str, str]


def inputs_of(sections: Sequence[Section], document: Any) -> Iterator[Input]:
    """Every input the form has for this document."""
    for section in sections:
        for field in section.fields:
            yield from _inputs(field, section.root, document)


def _inputs(field: Field, above: Path, document: Any) -> Iterator[Input]:
    path = (*above, field.name) if field.name else above
    match field:
        case Leaf():
            yield Input(path, field, get_at(document, path))
        case Localized():
            value = get_at(document, path)
            for language in LANGUAGES:
                yield Input((*path, language), field.leaf(language), field.part(value, language))
        case Group():
            for child in field.fields:
                yield from _inputs(child, path, document)
        case Listing():
            entries = get_at(document, path)
            for index, entry in enumerate(entries if isinstance(entries, list) else ()):
                yield from _inputs(field.field_of(entry), (*path, index), document)


def read_changes(sections: Sequence[Section], document: Any, typed: Typed) -> Changes:
    """The document with what was typed. Names the form does not have are passed over; what is not sent stays."""
    made, changed, wrong = document, [], {}
    for one in inputs_of(sections, document):
        if one.name not in typed:
            continue
        sent = list(typed[one.name])
        if _same(one, sent):
            continue
        try:
            value = one.field.read(sent)
        except Unreadable as problem:
            wrong[one.name] = str(problem)
            continue
        if value != one.value:
            made = _placed(made, one, value)
            changed.append(one.path)
    return Changes(made, tuple(changed), wrong)


def _same(one: Input, sent: Sequence[str]) -> bool:
    """Whether the input came back as it was shown: what the form cannot show exactly is not touched by looking."""
    shown = one.field.shown(one.value)
    if isinstance(shown, list):
        return {item for item in sent if item} == set(shown)
    if isinstance(shown, bool):
        return ("1" in sent) == shown
    return bool(sent) and sent[-1].replace("\r\n", "\n") == shown


def _placed(document: Any, one: Input, value: Any) -> Any:
    """A text in one language beside one that stood for both: the other language keeps it."""
    above, last = one.path[:-1], one.path[-1]
    whole = get_at(document, above) if last in LANGUAGES else ABSENT
    if last in LANGUAGES and isinstance(whole, str | int | float):
        document = set_at(document, above, dict.fromkeys(LANGUAGES, str(whole)))
    return set_at(document, one.path, value)


def listing_at(sections: Sequence[Section], document: Any, path: Path) -> Listing | None:
    """The list of the form that stands at a path."""
    for section in sections:
        for field in section.fields:
            found = _listing(field, section.root, document, path)
            if found is not None:
                return found
    return None


def _listing(field: Field, above: Path, document: Any, wanted: Path) -> Listing | None:
    path = (*above, field.name) if field.name else above
    if path != wanted[: len(path)]:
        return None
    if isinstance(field, Listing):
        if path == wanted:
            return field
        entry = get_at(document, wanted[: len(path) + 1])
        return None if entry is ABSENT else _listing(field.field_of(entry), wanted[: len(path) + 1], document, wanted)
    if isinstance(field, Group):
        return next((f for child in field.fields if (f := _listing(child, path, document, wanted))), None)
    return None


def change_list(document: Any, listing: Listing, path: Path, act: Act, *, index: int = 0, kind: str = "") -> Any:
    """The document with an entry added (at the end), removed, or moved by one place."""
    found = get_at(document, path)
    entries = list(found) if isinstance(found, list) else []
    if act == "add":
        if len(entries) < listing.most and (not listing.kinds or kind in listing.kinds):
            entries.append(listing.new_entry(kind))
    elif 0 <= index < len(entries):
        entry = entries.pop(index)
        if act != "remove":
            entries.insert(max(0, index + (-1 if act == "up" else 1)), entry)
    return set_at(document, path, entries or ABSENT)
