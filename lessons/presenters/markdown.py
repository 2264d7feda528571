"""Markdown to HTML that a page may show: rendered from tokens without any HTML of the author's, then sanitized."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import nh3
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from markdown_it.renderer import RendererHTML

from lessons.manifests.markdown import text_parser

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token

TAGS: Final = {
    "a", "blockquote", "br", "code", "dd", "div", "dl", "dt", "em", "h3", "hr", "li", "ol", "p", "pre", "s", "section",
    "span", "strong", "sup", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
ATTRIBUTES: Final = {
    "*": {"id"},
    "a": {"href", "class", "data-term"},
    "div": {"class", "tabindex", "role"},
    "pre": {"class", "tabindex"},
    "ol": {"class", "start"},
    **{tag: {"class"} for tag in ("code", "hr", "li", "section", "span", "sup", "td", "th")},
}
SCHEMES: Final = {"http", "https"}


class PageRenderer(RendererHTML):
    """What is wide scrolls by itself, and can be reached by the keyboard to do so."""

    def fence(self, tokens: Sequence[Token], idx: int, _options: Any, _env: Any) -> str:
        token = tokens[idx]
        words = token.info.split()
        language = f' class="language-{escape(words[0])}"' if words else ""
        return f'<pre tabindex="0"><code{language}>{escape(token.content)}</code></pre>\n'

    def code_block(self, tokens: Sequence[Token], idx: int, _options: Any, _env: Any) -> str:
        return f'<pre tabindex="0"><code>{escape(tokens[idx].content)}</code></pre>\n'

    def table_open(self, _tokens: Sequence[Token], _idx: int, _options: Any, _env: Any) -> str:
        return '<div class="table-scroll" tabindex="0" role="group"><table>\n'

    def table_close(self, _tokens: Sequence[Token], _idx: int, _options: Any, _env: Any) -> str:
        return "</table></div>\n"

    def th_open(self, tokens: Sequence[Token], idx: int, _options: Any, _env: Any) -> str:
        return "<th>" if tokens[idx + 1].content else "<td>"  # an empty corner is the header of nothing

    def th_close(self, tokens: Sequence[Token], idx: int, _options: Any, _env: Any) -> str:
        return "</th>\n" if tokens[idx - 1].content else "</td>\n"


def sanitized(html: str) -> SafeString:
    """HTML with nothing in it but what TAGS and ATTRIBUTES allow."""
    clean = nh3.clean(html, tags=TAGS, attributes=ATTRIBUTES, url_schemes=SCHEMES, link_rel="noopener nofollow")
    return mark_safe(clean)  # noqa: S308 (sanitized just above)


@lru_cache(maxsize=4096)
def render_text(text: str) -> SafeString:
    """A text of one or more paragraphs."""
    return sanitized(_parser.render(text))


@lru_cache(maxsize=8192)
def render_line(text: str) -> SafeString:
    """A text within a line: a label, an option, a cell."""
    return sanitized(_parser.renderInline(text))


_parser: Final = text_parser(PageRenderer)
