"""A document's form as its templates show it: a tree of fields with values, problems and places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.utils.translation import get_language

from gpuschedlab.materials.documents.fields import LANGUAGES, Field, Group, Leaf, Listing, Localized, OneOf, Section
from gpuschedlab.materials.documents.paths import ABSENT, Path, dom_id, get_at, written

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

PREFIX = "materials/fields/"


@dataclass(frozen=True, slots=True)
class FieldView:
    """One field: `template` shows it, `children` are the fields within it.

    value     as the input holds it; for a list the number of its entries
    problems  what is wrong with it, as sentences
    language  of a text in one language
    title     of a list's entry
    """

    field: Field
    template: str
    name: str
    id: str
    label: StrOrPromise
    value: Any = ""
    problems: tuple[str, ...] = ()
    children: tuple[FieldView, ...] = ()
    language: str = ""
    title: StrOrPromise = ""
    number: int = 0
    quiet: tuple[FieldView, ...] = ()

    @property
    def unknown_choice(self) -> bool:
        """Whether a choice's value is none of those there are; it is shown all the same."""
        known = {choice for choice, _label in self.field.choices} if isinstance(self.field, OneOf) else set()
        return bool(self.value) and self.value not in known

    @property
    def is_empty(self) -> bool:
        within = (*self.children, *self.quiet)
        return self.value in ("", [], 0) and all(child.is_empty for child in within)


@dataclass(frozen=True, slots=True)
class SectionView:
    section: Section
    fields: tuple[FieldView, ...]
    quiet: tuple[FieldView, ...]


@dataclass(frozen=True, slots=True)
class _Context:
    document: Any
    problems: Mapping[Path, Sequence[str]] = field(default_factory=dict)
    typed: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def problems_at(self, path: Path) -> tuple[str, ...]:
        return tuple(self.problems.get(path, ()))


def present_sections(
    sections: Sequence[Section],
    document: Any,
    problems: Mapping[Path, Sequence[str]],
    typed: Mapping[str, Sequence[str]] | None = None,
) -> tuple[SectionView, ...]:
    """The form of a document. `typed`: what was typed and could not be read, by name; it is shown again."""
    context = _Context(document, problems, typed or {})
    views = []
    for section in sections:
        made = [(one, _view(one, section.root, context)) for one in section.fields]
        views.append(SectionView(section, *_apart(made)))
    return tuple(views)


def present_at(
    sections: Sequence[Section], document: Any, problems: Mapping[Path, Sequence[str]], path: Path
) -> FieldView | None:
    """The view of the field that stands at a path."""
    found = [*present_sections(sections, document, problems)]
    waiting = [one for section in found for one in (*section.fields, *section.quiet)]
    while waiting:
        view = waiting.pop(0)
        if view.name == written(path):
            return view
        waiting = [*view.children, *view.quiet, *waiting]
    return None


def _apart(made: Sequence[tuple[Field, FieldView]]) -> tuple[tuple[FieldView, ...], tuple[FieldView, ...]]:
    """What is always shown, and what is folded away: quiet fields that nothing stands in and nothing is wrong with."""
    quiet = [view for one, view in made if one.quiet and view.is_empty and not view.problems]
    return tuple(view for _one, view in made if view not in quiet), tuple(quiet)


def _view(one: Field, above: Path, context: _Context, *, title: Any = "", number: int = 0) -> FieldView:
    path = (*above, one.name) if one.name else above
    shared: dict[str, Any] = {
        "field": one,
        "template": f"{PREFIX}{one.template}.html",
        "name": written(path),
        "id": dom_id(path),
        "label": one.label,
        "problems": context.problems_at(path),
        "title": title,
        "number": number,
    }
    value = get_at(context.document, path)
    match one:
        case Leaf():
            return FieldView(**shared, value=_shown(one, value, shared["name"], context))
        case Localized():
            return FieldView(
                **shared, children=tuple(_language(one, path, value, lang, context) for lang in _languages())
            )
        case Group():
            made = [(child, _view(child, path, context)) for child in one.fields]
            fields, quiet = _apart(made)
            return FieldView(**shared, children=fields, quiet=quiet)
        case Listing():
            entries = value if isinstance(value, list) else []
            children = tuple(_entry(one, path, index, entry, context) for index, entry in enumerate(entries))
            return FieldView(**shared, value=len(entries), children=children)
    raise TypeError(type(one).__name__)


def _entry(listing: Listing, path: Path, index: int, entry: Any, context: _Context) -> FieldView:
    one = listing.field_of(entry)
    title = one.label if listing.kinds else listing.item_label
    return _view(one, (*path, index), context, title=title, number=index + 1)


def _shown(one: Leaf, value: Any, name: str, context: _Context) -> Any:
    if name in context.typed:
        sent = list(context.typed[name])
        return sent if isinstance(one.shown(ABSENT), list) else (sent[-1] if sent else "")
    return one.shown(value)


def _languages() -> list[str]:
    """The page's own language first."""
    own = "zh-hans" if (get_language() or "").startswith("zh") else "en"
    return [own, *(language for language in LANGUAGES if language != own)]


def _language(one: Localized, path: Path, value: Any, language: str, context: _Context) -> FieldView:
    inner, here = one.leaf(language), (*path, language)
    return FieldView(
        field=inner,
        template=f"{PREFIX}{inner.template}.html",
        name=written(here),
        id=dom_id(here),
        label=one.label,
        value=_shown(inner, one.part(value, language), written(here), context),
        problems=context.problems_at(here),
        language=language,
    )
