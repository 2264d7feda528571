"""Template filters of the simulator's pages."""

from __future__ import annotations

import re

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

register = template.Library()
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@register.filter
def humps(name: str) -> SafeString:
    """A name in CamelCase that may be broken before each capital: Node·Resources·Fit."""
    return mark_safe("<wbr>".join(escape(part) for part in _HUMP.split(str(name))))  # noqa: S308 (escaped)
