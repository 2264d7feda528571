"""The addresses of the simulator's pages."""

from __future__ import annotations

from django.urls import path

from simulator.views import labs, runs, scenarios

app_name = "simulator"
urlpatterns = [
    path("scenarios/", scenarios.scenarios, name="scenarios"),
    path("scenarios/<slug:slug>/", scenarios.scenario, name="scenario"),
    path("labs/", scenarios.labs, name="labs"),
    path("labs/new/", scenarios.free_lab, name="free_lab"),
    path("labs/<slug:slug>/<uuid:lab_id>/", labs.lab, name="lab"),
    path("labs/<slug:slug>/<uuid:lab_id>/step/", labs.step, name="lab_step"),
    path("labs/<slug:slug>/<uuid:lab_id>/run/", runs.run_to_idle, name="lab_run"),
    path("labs/<slug:slug>/<uuid:lab_id>/places/", runs.places, name="lab_places"),
    path("shared/<str:token>/", labs.shared_lab, name="shared_lab"),
]
