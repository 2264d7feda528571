"""Inputs that questions need besides those every document has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from gpuschedlab.materials.documents import fields as form

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Around:
    """What a question's scene offers: names of Pods and nodes, and the plugins that score."""

    pods: Sequence[str] = ()
    nodes: Sequence[str] = ()
    plugins: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class Mixed(form.Listing):
    """A list whose entries are mappings, or bare texts for short; new ones are mappings."""

    bare: form.Field = field(default_factory=form.Line)

    @property
    def template(self) -> str:
        return "listing"

    def field_of(self, entry: Any) -> form.Field:
        return super().field_of(entry) if isinstance(entry, Mapping) else self.bare


@dataclass(frozen=True, kw_only=True)
class Goals(form.Listing):
    """A list of goals, each within an entry that says more about it; `groups`: kind -> its form."""

    groups: Mapping[str, form.Group] = field(default_factory=dict)

    @property
    def template(self) -> str:
        return "listing"

    def field_of(self, entry: Any) -> form.Field:
        goal = entry.get("goal") if isinstance(entry, Mapping) else None
        group = self.groups.get(str(goal.get("kind"))) if isinstance(goal, Mapping) else None
        fields = group.fields if group is not None else ()
        named = group.label if group is not None else _("Goal")
        inner = form.Group(name="goal", label=named, fields=fields)
        shared = self.item.fields if isinstance(self.item, form.Group) else ()
        return form.Group(label=named, fields=(*shared[:1], inner, *shared[1:]))

    def new_entry(self, kind: str) -> Any:
        return {"goal": {"kind": kind}}


def line(name: str, label: StrOrPromise, **more: Any) -> form.Localized:
    """A line in both languages."""
    return form.Localized(name=name, label=label, of=form.Line(), **more)


def prose(name: str, label: StrOrPromise, rows: int = 3, **more: Any) -> form.Localized:
    """Markdown in both languages."""
    return form.Localized(name=name, label=label, of=form.Prose(rows=rows, most=8000), **more)


def identifier(**more: Any) -> form.Line:
    """What other fields know an entry by."""
    return form.Line(name="id", label=_("Short name"), code=True, most=100, **more)


def names_in(document: Any, field: str) -> list[str]:
    """The short names of the entries of a list."""
    entries = document.get(field) if isinstance(document, Mapping) else None
    found = [entry.get("id") for entry in (entries if isinstance(entries, list) else ()) if isinstance(entry, Mapping)]
    return [name for name in found if isinstance(name, str)]


def free_id(document: Any, field: str) -> dict[str, str]:
    """A new entry of that list, under a letter that none of them has."""
    taken = set(names_in(document, field))
    return {"id": next((letter for letter in ascii_lowercase if letter not in taken), "")}


def named_texts(
    document: Any, name: str, label: StrOrPromise, item: StrOrPromise, add: StrOrPromise, most: int
) -> form.Listing:
    """A list of texts that others refer to by a short name."""
    return form.Listing(
        name=name,
        label=label,
        item=form.Group(fields=(identifier(), line("text", _("Text")))),
        fresh=free_id(document, name),
        item_label=item,
        add_label=add,
        most=most,
    )


FEEDBACK = line("feedback", _("What is said to those who chose it"), quiet=True)
WRONG_FEEDBACK = line("feedback", _("What is said when it is wrong"), quiet=True)
HIDDEN_ID = identifier(quiet=True, help=_("Answers are stored by it; without one entries go by their place."))
