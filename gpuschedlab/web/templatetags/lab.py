"""Template tags of the site, built into every template."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

if TYPE_CHECKING:
    from django.template import Context

register = template.Library()


@register.simple_tag
def client_token() -> SafeString:
    """A hidden field with a fresh token: the form's work is done once, however often it is sent."""
    return format_html('<input type="hidden" name="client_token" value="{}">', uuid.uuid4())


@register.simple_tag(takes_context=True)
def import_map_script(context: Context) -> SafeString:
    """The page's import map, allowed by the page's nonce."""
    text = str(context["import_map"]).replace("<", "\\u003c")
    return format_html(
        '<script type="importmap" nonce="{}">{}</script>',
        context["csp_nonce"],
        mark_safe(text),  # noqa: S308 (JSON of our own file names, with < escaped)
    )
