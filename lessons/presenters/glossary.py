"""The glossary: terms as cards and as a list that can be searched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lessons.presenters.languages import localized, page_language
from lessons.presenters.links import address_of

if TYPE_CHECKING:
    from lessons.models import Term


@dataclass(frozen=True, slots=True)
class TermView:
    """A term in the page's language; `other` is its name in the other one. `links`: (address, words)."""

    slug: str
    name: str
    other: str
    aliases: tuple[str, ...]
    text: str
    links: tuple[tuple[str, str], ...]


def present_terms(terms: Sequence[Term], titles: Mapping[str, str] | None = None) -> list[TermView]:
    """The views of terms. `titles`: what a reference like `lesson:topology` is called; others are called by name."""
    names = {f"term:{term.slug}": _name(term) for term in terms}
    called = {**(titles or {}), **names}
    return [_view(term, called) for term in terms]


def present_glossary(terms: Sequence[Term], query: str, titles: Mapping[str, str] | None = None) -> list[TermView]:
    """The terms that have the query in a name or in their text, by name."""
    wanted = query.strip().casefold()
    views = [view for view in present_terms(terms, titles) if not wanted or _holds(view, wanted)]
    return sorted(views, key=lambda view: (not view.name.casefold().startswith(wanted), view.name.casefold()))


def _holds(view: TermView, wanted: str) -> bool:
    return any(wanted in text.casefold() for text in (view.name, view.other, view.text, *view.aliases))


def _view(term: Term, called: Mapping[str, str]) -> TermView:
    chinese = page_language() == "zh-hans"
    links = tuple((address_of(link), called[link]) for link in term.links if link in called)
    return TermView(
        term.slug,
        _name(term),
        term.en if chinese else term.zh,
        tuple(term.aliases),
        localized(term.text),
        links,
    )


def _name(term: Term) -> str:
    name: str = term.zh if page_language() == "zh-hans" else term.en
    return name
