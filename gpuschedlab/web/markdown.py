"""Markdown parsers that several threads use."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt


def ready(parser: MarkdownIt) -> MarkdownIt:
    """The parser, once all its rules are chosen, with them put in order.

    Left to itself it does that with its first text, and a second thread would find only some of them meanwhile.
    """
    for ruler in (parser.core.ruler, parser.block.ruler, parser.inline.ruler, parser.inline.ruler2):
        ruler.getRules("")
    return parser
