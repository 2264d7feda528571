"""A lesson's text as its page shows it: sections with HTML, and the scenes, checks and figures between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from django.utils.safestring import SafeString, mark_safe

from lessons.manifests.lesson_text import LessonText, Piece, Section, read_body
from lessons.manifests.markdown import lesson_parser
from lessons.presenters.links import address_of
from lessons.presenters.markdown import PageRenderer, sanitized
from lessons.presenters.terms import TermLinker

if TYPE_CHECKING:
    from markdown_it.token import Token

    from lessons.models import LessonRevision, Term

_parser: Final = lesson_parser(PageRenderer)


@dataclass(frozen=True, slots=True)
class PieceView:
    """A part of a section: `html` of prose and text boxes, `data` of the others."""

    kind: str
    html: SafeString
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SubheadingView:
    """A `###` heading that has an id, for the table of contents."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class SectionView:
    """One section. The part before the first heading has no id."""

    id: str
    heading: SafeString
    title: str
    pieces: tuple[PieceView, ...]


@dataclass(frozen=True, slots=True)
class TextView:
    """A lesson's text, and the terms that it links, each once."""

    sections: tuple[SectionView, ...]
    terms: tuple[str, ...]


def present_text(revision: LessonRevision, language: str, terms: Sequence[Term]) -> TextView:
    """The text of a lesson's revision in a language; kept, because it changes only with the glossary's names."""
    names = tuple((term.slug, term.zh, term.en, *term.aliases) for term in terms)
    return _present(revision.pk, language, names, _Source(revision, terms))


class _Source:
    """What the text is made of; equal to any other, because revision, language and names already tell them apart."""

    def __init__(self, revision: LessonRevision, terms: Sequence[Term]) -> None:
        self.revision = revision
        self.terms = terms

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Source)

    def __hash__(self) -> int:
        return 0


@lru_cache(maxsize=64)
def _present(_pk: int, language: str, _names: tuple[tuple[str, ...], ...], source: _Source) -> TextView:
    revision = source.revision
    return present_body(read_body(revision.texts[language], "", revision.front[language]), source.terms)


def present_body(text: LessonText, terms: Sequence[Term]) -> TextView:
    """The text of a lesson that is not stored."""
    linker = TermLinker.of(terms)
    used: dict[str, None] = {}
    sections = tuple(_section(section, linker, used) for section in text.sections)
    return TextView(sections, tuple(used))


def _section(section: Section, linker: TermLinker, used: dict[str, None]) -> SectionView:
    seen: set[str] = set()
    pieces = tuple(_piece(piece, linker, seen) for piece in section.pieces)
    used.update(dict.fromkeys(sorted(seen)))
    heading = _html(section.heading[1:2]) if section.heading else SafeString("")
    return SectionView(section.id, heading, section.title, pieces)


def _piece(piece: Piece, linker: TermLinker, seen: set[str]) -> PieceView:
    if not piece.tokens:
        return PieceView(piece.kind, mark_safe(""), piece.data)
    tokens = [_resolved(token, seen) for token in piece.tokens]
    return PieceView(piece.kind, _html(linker.link(tokens, seen)))


def _resolved(token: Token, seen: set[str]) -> Token:
    """The token with addresses in place of references. A term linked on purpose does not link itself again."""
    if token.type != "inline" or not token.children:
        return token
    children = [_resolved_link(child, seen) if child.type == "link_open" else child for child in token.children]
    return token.copy(children=children)


def _resolved_link(link: Token, seen: set[str]) -> Token:
    reference = str(link.attrGet("href") or "")
    attributes: dict[str, str | int | float] = {**link.attrs, "href": address_of(reference)}
    if reference.startswith("term:"):
        slug = reference.removeprefix("term:")
        seen.add(slug)
        attributes |= {"class": "term", "data-term": slug}
    return link.copy(attrs=attributes)


def _html(tokens: Sequence[Token]) -> SafeString:
    return sanitized(str(_parser.renderer.render(tokens, _parser.options, {})))
