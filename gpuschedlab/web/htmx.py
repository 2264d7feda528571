"""Pages and their parts. The view chooses what is sent, never a request parameter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest


def wants_partial(request: HttpRequest) -> bool:
    """Whether the page is asked for a part of itself: by htmx, and not to restore a whole page from the history."""
    details = getattr(request, "htmx", None)  # an error may come before the middleware that sets it
    return details is not None and bool(details) and not details.history_restore_request and not details.boosted


def render_page(
    request: HttpRequest, template: str, context: Mapping[str, Any], *, partial: str | None = None, status: int = 200
) -> HttpResponse:
    """The whole page; only its `partial` (a partialdef named as the DOM id it fills) when htmx asks for it."""
    name = f"{template}#{partial}" if partial and wants_partial(request) else template
    response = HttpResponse(render_to_string(name, dict(context), request), status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response


def render_partial(
    request: HttpRequest, template: str, partial: str, context: Mapping[str, Any], *, status: int = 200
) -> HttpResponse:
    """One part of a page, for answers that are never a page of their own."""
    response = HttpResponse(render_to_string(f"{template}#{partial}", dict(context), request), status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response
