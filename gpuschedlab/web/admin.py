"""Runs in the admin pages, to look at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin

from gpuschedlab.web.models import Run

if TYPE_CHECKING:
    from django.http import HttpRequest


@admin.register(Run)
class RunAdmin(admin.ModelAdmin):
    list_display = ("id", "kind", "state", "done", "total", "attempts", "created_at", "finished_at")
    list_filter = ("state", "kind")
    date_hierarchy = "created_at"

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
