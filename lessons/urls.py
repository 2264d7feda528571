"""The addresses of the lessons' pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.urls import URLPattern, URLResolver

app_name = "lessons"
urlpatterns: list[URLPattern | URLResolver] = []
