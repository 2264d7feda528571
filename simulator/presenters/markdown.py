"""Scenario texts: CommonMark without HTML, sanitized."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from gpuschedlab.web.markdown import ready

TAGS: Final = {"a", "blockquote", "br", "code", "em", "h3", "h4", "hr", "li", "ol", "p", "pre", "strong", "ul"}
_parser: Final = ready(MarkdownIt("commonmark", {"html": False}))


@lru_cache(maxsize=512)
def markdown(text: str) -> SafeString:
    """A text as HTML that a page may show."""
    html = nh3.clean(_parser.render(text), tags=TAGS, attributes={"a": {"href"}}, url_schemes={"http", "https"})
    return mark_safe(html)  # noqa: S308 (sanitized just above)
