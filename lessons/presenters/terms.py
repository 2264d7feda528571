"""Terms of the glossary that link themselves: once in each section, in running text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from markdown_it.token import Token

from lessons.presenters.links import address_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lessons.models import Term

_SHORT: Final = 3
"""English names up to this length mean only what is written exactly so."""

_QUIET: Final = {"heading_open": "heading_close", "thead_open": "thead_close"}
"""Where no term links itself: from a token to its end."""


@dataclass(frozen=True)
class TermLinker:
    """Finds the glossary's names in texts."""

    pattern: re.Pattern[str] | None
    slugs: dict[str, str]

    @classmethod
    def of(cls, terms: Iterable[Term]) -> TermLinker:
        exact: dict[str, str] = {}
        loose: dict[str, str] = {}
        for term in terms:
            for name in (term.zh, term.en, *term.aliases):
                words = loose if _is_loose(name) else exact
                words.setdefault(name.casefold() if words is loose else name, term.slug)
        names = sorted([*exact, *loose], key=lambda name: (-len(name), name))
        parts = [_part(name, loose=name in loose) for name in names]
        return cls(re.compile("|".join(parts)) if parts else None, exact | loose)

    def slug_of(self, found: str) -> str:
        """The term of a text that the pattern matched."""
        lower = found.casefold()
        return self.slugs.get(found) or self.slugs.get(lower) or self.slugs[lower.removesuffix("s")]

    def link(self, tokens: Sequence[Token], seen: set[str]) -> list[Token]:
        """The block tokens with links in their running text; `seen` are the terms this section has linked already."""
        if self.pattern is None:
            return list(tokens)
        linked: list[Token] = []
        quiet_until = ""
        for token in tokens:
            if not quiet_until:
                quiet_until = _QUIET.get(token.type, "")
            elif token.type == quiet_until:
                quiet_until = ""
            linked.append(token if quiet_until or token.type != "inline" else self._linked(token, seen))
        return linked

    def _linked(self, inline: Token, seen: set[str]) -> Token:
        children: list[Token] = []
        depth = 0
        for child in inline.children or ():
            depth += {"link_open": 1, "link_close": -1}.get(child.type, 0)
            if child.type == "text" and depth == 0:
                children.extend(self._pieces(child, seen))
            else:
                children.append(child)
        return inline.copy(children=children)

    def _pieces(self, text: Token, seen: set[str]) -> Iterator[Token]:
        assert self.pattern is not None
        start = 0
        for found in self.pattern.finditer(text.content):
            slug = self.slug_of(found.group())
            if slug in seen:
                continue
            seen.add(slug)
            yield text.copy(content=text.content[start : found.start()])
            yield from term_link(slug, found.group())
            start = found.end()
        yield text.copy(content=text.content[start:])


def term_link(slug: str, words: str) -> tuple[Token, Token, Token]:
    """A link to a term, as tokens."""
    opened = Token("link_open", "a", 1, attrs={"href": address_of(f"term:{slug}"), "class": "term", "data-term": slug})
    return opened, Token("text", "", 0, content=words), Token("link_close", "a", -1)


def _is_loose(name: str) -> bool:
    """Whether case does not matter and a plural counts as well."""
    return name.isascii() and len(name) > _SHORT and name != name.upper()


def _part(name: str, *, loose: bool) -> str:
    if not name.isascii():
        return re.escape(name)
    word = rf"(?<![A-Za-z0-9_-]){re.escape(name)}"
    return f"(?i:{word}s?)(?![A-Za-z0-9_-])" if loose else f"{word}(?![A-Za-z0-9_-])"
