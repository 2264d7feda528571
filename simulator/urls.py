"""The addresses of the simulator's pages."""

from __future__ import annotations

from django.urls import path

from simulator.urls_authoring import urlpatterns as authoring_patterns
from simulator.urls_editor import urlpatterns as editor_patterns
from simulator.urls_plugins import urlpatterns as plugin_patterns
from simulator.urls_predicting import urlpatterns as predicting_patterns
from simulator.views import care, commands, conform, fabric, labs, runs, scenarios

app_name = "simulator"
urlpatterns = [
    path("scenarios/", scenarios.scenarios, name="scenarios"),
    path("scenarios/<slug:slug>/", scenarios.scenario, name="scenario"),
    path("labs/", scenarios.labs, name="labs"),
    path("labs/new/", scenarios.free_lab, name="free_lab"),
    path("labs/<slug:slug>/<uuid:lab_id>/", labs.lab, name="lab"),
    path("labs/<slug:slug>/<uuid:lab_id>/explain/", labs.explain, name="lab_explain"),
    path("labs/<slug:slug>/<uuid:lab_id>/step/", labs.step, name="lab_step"),
    path("labs/<slug:slug>/<uuid:lab_id>/run/", runs.run_to_idle, name="lab_run"),
    path("labs/<slug:slug>/<uuid:lab_id>/places/", runs.places, name="lab_places"),
    path("labs/<slug:slug>/<uuid:lab_id>/do/apply/", commands.apply_text, name="lab_apply"),
    path("labs/<slug:slug>/<uuid:lab_id>/do/undo/", commands.undo, {"direction": "undo"}, name="lab_undo"),
    path("labs/<slug:slug>/<uuid:lab_id>/do/redo/", commands.undo, {"direction": "redo"}, name="lab_redo"),
    path("labs/<slug:slug>/<uuid:lab_id>/do/<slug:name>/", commands.command, name="lab_command"),
    path("labs/<slug:slug>/<uuid:lab_id>/fabric/", fabric.placement, name="lab_placement"),
    path("labs/<slug:slug>/<uuid:lab_id>/fabric/picture/", fabric.picture, name="lab_picture"),
    path("labs/<slug:slug>/<uuid:lab_id>/fabric/matrix/", fabric.paste_form, name="lab_paste_form"),
    path("labs/<slug:slug>/<uuid:lab_id>/fabric/paste/", fabric.paste, name="lab_paste"),
    path("labs/<slug:slug>/<uuid:lab_id>/fabric/preview/", fabric.paste_preview, name="lab_paste_preview"),
    path("labs/<slug:slug>/<uuid:lab_id>/fork/", care.fork, name="lab_fork"),
    path("labs/<slug:slug>/<uuid:lab_id>/reset/", care.reset, name="lab_reset"),
    path("labs/<slug:slug>/<uuid:lab_id>/share/", care.share, name="lab_share"),
    path("labs/<slug:slug>/<uuid:lab_id>/rename/", care.rename, name="lab_rename"),
    path("labs/<slug:slug>/<uuid:lab_id>/delete/", care.delete, name="lab_delete"),
    path("labs/<slug:slug>/<uuid:lab_id>/solution/", care.solution, name="lab_solution"),
    path("labs/<slug:slug>/<uuid:lab_id>/replay/", care.replay, name="lab_replay"),
    path("labs/<slug:slug>/<uuid:lab_id>/move/", care.move, name="lab_move"),
    path("staff/conform/", conform.conform, name="conform"),
    path("staff/conform/<uuid:run_id>/", conform.conform_result, name="conform_result"),
    path("shared/<str:token>/", labs.shared_lab, name="shared_lab"),
    path("shared/<str:token>/fabric/", fabric.shared_placement, name="shared_placement"),
    path("shared/<str:token>/fabric/picture/", fabric.shared_picture, name="shared_picture"),
    path("shared/<str:token>/fork/", care.shared_fork, name="shared_fork"),
    path("shared/<str:token>/explain/", labs.shared_explain, name="shared_explain"),
    *authoring_patterns,
    *editor_patterns,
    *plugin_patterns,
    *predicting_patterns,
]
