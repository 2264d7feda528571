"""The addresses of what only scenarios' drafts have."""

from __future__ import annotations

from django.urls import path

from simulator.views import authoring

urlpatterns = [
    path("materials/<uuid:draft_id>/solution/", authoring.solution, name="draft_solution"),
    path("materials/schema.json", authoring.schema, name="draft_schema"),
]
