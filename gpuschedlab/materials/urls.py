"""The addresses of materials."""

from __future__ import annotations

from django.urls import path, re_path

from gpuschedlab.materials.views import editing, life, previews, workbench

app_name = "materials"
DRAFT = "<uuid:draft_id>/"
MODE = r"^(?P<draft_id>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/(?P<mode>preview|graph)/"

urlpatterns = [
    path("", workbench.workbench, name="workbench"),
    path("new/<slug:kind_name>/", workbench.new, name="new"),
    path("fork/<slug:kind_name>/<slug:name>/", workbench.fork, name="fork"),
    path("bring/", workbench.bring, name="bring"),
    path("take/", workbench.take, name="take"),
    path(f"{DRAFT}file/", workbench.take_one, name="take_one"),
    path(f"{DRAFT}form/", editing.form, name="form"),
    path(f"{DRAFT}list/", editing.listing, name="listing"),
    path(f"{DRAFT}text/", editing.text, name="text"),
    path(f"{DRAFT}translations/", editing.translations, name="translations"),
    path(f"{DRAFT}undo/", editing.undo, {"again": False}, name="undo"),
    path(f"{DRAFT}redo/", editing.undo, {"again": True}, name="redo"),
    path(f"{DRAFT}history/", editing.history, name="history"),
    path(f"{DRAFT}history/<int:number>/", editing.version, name="version"),
    path(f"{DRAFT}publish/", life.publish, name="publish"),
    path(f"{DRAFT}retire/", life.retire, name="retire"),
    path(f"{DRAFT}duplicate/", life.duplicate, name="duplicate"),
    path(f"{DRAFT}delete/", life.delete, name="delete"),
    path(f"{DRAFT}share/", life.share, name="share"),
    path(f"{DRAFT}share/code.svg", life.qr, name="qr"),
    path(f"{DRAFT}figures/", life.figures, name="figures"),
    path(f"{DRAFT}close/", previews.close, name="close"),
    re_path(f"{MODE}$", previews.begin, name="begin"),
    re_path(rf"{MODE}(?P<rest>.+)$", previews.page, name="preview_page"),
]
