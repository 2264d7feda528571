"""Translated sentences for JavaScript: Django's catalogue, at an address that changes with its content."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils import translation
from django.utils.cache import patch_cache_control
from django.views.i18n import JavaScriptCatalog

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponseBase

A_YEAR = 31_536_000  # seconds


@lru_cache(maxsize=1)
def catalogue_version() -> str:
    """A digest of every compiled JavaScript catalogue."""
    digest = hashlib.sha256()
    for root in settings.LOCALE_PATHS:
        for path in sorted(Path(root).glob("*/LC_MESSAGES/djangojs.mo")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def js_catalogue(request: HttpRequest, language: str, version: str) -> HttpResponseBase:
    """gettext() and its sentences in `language`, for a classic script before the modules."""
    known = language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
    with translation.override(known):
        response = JavaScriptCatalog.as_view()(request)
    if version == catalogue_version():
        patch_cache_control(response, public=True, max_age=A_YEAR, immutable=True)
    return response
