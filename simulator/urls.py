"""The addresses of the simulator's pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.urls import URLPattern, URLResolver

app_name = "simulator"
urlpatterns: list[URLPattern | URLResolver] = []
