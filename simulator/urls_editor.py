"""The addresses of the lab's editor."""

from __future__ import annotations

from django.urls import path

from simulator.views import edits, places

LAB = "labs/<slug:slug>/<uuid:lab_id>/"

urlpatterns = [
    path(f"{LAB}selection/", edits.selection, name="lab_selection"),
    path(f"{LAB}palette/", edits.palette, name="lab_palette"),
    path(f"{LAB}dialog/<slug:name>/", edits.dialog, name="lab_dialog"),
    path(f"{LAB}edit/<slug:name>/", edits.edit, name="lab_edit"),
    path(f"{LAB}arrange/", places.arrange, name="lab_arrange"),
    path("shared/<str:token>/selection/", edits.shared_selection, name="shared_selection"),
]
