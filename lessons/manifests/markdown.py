"""The Markdown of lessons and questions, as tokens: CommonMark with tables and without HTML, and what lessons add."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

from gpuschedlab.web.markdown import ready

if TYPE_CHECKING:
    from markdown_it.rules_core import StateCore
    from markdown_it.token import Token

_HEADING_ID: Final = re.compile(r"\s*\{#([a-z0-9]+(?:-[a-z0-9]+)*)\}\s*$")
_ALIGNMENT: Final = re.compile(r"text-align:(left|center|right)")


def lesson_parser(renderer: type[RendererHTML] = RendererHTML) -> MarkdownIt:
    """For whole lessons: boxes come as `colon_fence` tokens with their text as it is written."""
    parser = MarkdownIt("commonmark", {"html": False}, renderer_cls=renderer).enable("table")
    parser.disable(["image", "html_inline", "html_block"])
    parser.use(deflist_plugin).use(footnote_plugin).use(colon_fence_plugin)
    parser.core.ruler.push("heading_ids", _heading_ids)
    parser.core.ruler.push("alignment", _alignment)
    return ready(parser)


def text_parser(renderer: type[RendererHTML] = RendererHTML) -> MarkdownIt:
    """For the texts of questions, glossary and scenarios: no headings, no boxes."""
    parser = MarkdownIt("commonmark", {"html": False}, renderer_cls=renderer).enable("table")
    parser.disable(["image", "html_inline", "html_block", "heading", "lheading", "reference", "hr"])
    parser.core.ruler.push("alignment", _alignment)
    return ready(parser)


def plain_text(inline: Token) -> str:
    """The words of an inline token, without markup."""
    return "".join(
        " " if child.type in {"softbreak", "hardbreak"} else child.content for child in inline.children or ()
    )


def _heading_ids(state: StateCore) -> None:
    """Take `{#id}` off the end of headings and make it their id."""
    for opened, inline in zip(state.tokens, state.tokens[1:], strict=False):
        if opened.type != "heading_open" or not inline.children:
            continue
        last = inline.children[-1]
        found = _HEADING_ID.search(last.content) if last.type == "text" else None
        if found:
            opened.attrSet("id", found[1])
            last.content = last.content[: found.start()]


def _alignment(state: StateCore) -> None:
    """Columns are aligned by classes: the page allows no style attributes."""
    for token in state.tokens:
        if token.type in {"th_open", "td_open"} and "style" in token.attrs:
            found = _ALIGNMENT.search(str(token.attrs.pop("style")))
            if found:
                token.attrSet("class", f"align-{found[1]}")
