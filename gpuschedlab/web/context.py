"""What every template of the site is given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.utils.functional import SimpleLazyObject

from gpuschedlab.web.home import NavEntry, nav_entries
from gpuschedlab.web.importmap import import_map
from gpuschedlab.web.jscatalogue import catalogue_version

if TYPE_CHECKING:
    from django.http import HttpRequest

THEME_COOKIE = "theme"
THEMES = ("auto", "dark", "light")


def theme_of(request: HttpRequest) -> str:
    chosen = request.COOKIES.get(THEME_COOKIE, "")
    return chosen if chosen in THEMES else "auto"


def site(request: HttpRequest) -> dict[str, Any]:
    """CSP nonce, theme, header entries, import map, the version of the translated sentences for JavaScript; and the
    preview of a draft the page stands in, if it does.
    """
    return {
        "csp_nonce": getattr(request, "csp_nonce", ""),
        "theme": theme_of(request),
        "languages": settings.LANGUAGES,
        "nav_entries": SimpleLazyObject(lambda: _nav_entries(request)),
        "import_map": SimpleLazyObject(import_map),
        "js_catalogue_version": SimpleLazyObject(catalogue_version),
        "preview": getattr(request, "preview", None),
    }


def _nav_entries(request: HttpRequest) -> list[NavEntry]:
    """The header's entries; none when an error came before it was known who asks."""
    participant = getattr(request, "participant", None)
    return nav_entries(participant) if participant is not None else []
