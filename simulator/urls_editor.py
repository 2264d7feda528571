"""The addresses of the lab's editor."""

from __future__ import annotations

from django.urls import path

from simulator.views import bundles, edits, places, texts

LAB = "labs/<slug:slug>/<uuid:lab_id>/"

urlpatterns = [
    path(f"{LAB}selection/", edits.selection, name="lab_selection"),
    path(f"{LAB}palette/", edits.palette, name="lab_palette"),
    path(f"{LAB}dialog/<slug:name>/", edits.dialog, name="lab_dialog"),
    path(f"{LAB}workload/", texts.workload, name="lab_workload"),
    path(f"{LAB}export/", bundles.export, name="lab_export"),
    path(f"{LAB}edit/check/", texts.check, name="lab_check"),
    path(f"{LAB}edit/paste/", texts.paste, name="lab_paste_copies"),
    path(f"{LAB}edit/<slug:name>/", edits.edit, name="lab_edit"),
    path(f"{LAB}arrange/", places.arrange, name="lab_arrange"),
    path("labs/open/", bundles.open_form, name="open_form"),
    path("labs/open/text/", bundles.open_text, name="open_text"),
    path("labs/schema/<slug:version>.json", texts.schema, name="schema"),
    path("shared/<str:token>/selection/", edits.shared_selection, name="shared_selection"),
]
