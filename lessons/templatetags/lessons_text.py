"""Template filters for the texts of questions and lessons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template

from lessons.presenters.markdown import render_line, render_text

if TYPE_CHECKING:
    from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def markdown(text: str | None) -> SafeString:
    """Limited Markdown of one or more paragraphs to HTML."""
    return render_text(text or "")


@register.filter
def markdown_line(text: str | None) -> SafeString:
    """Limited Markdown within a line to HTML."""
    return render_line(text or "")
