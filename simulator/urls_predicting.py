"""The addresses of predictions and of branches side by side; part of urls.py."""

from __future__ import annotations

from django.urls import path

from simulator.views import compare, predictions

LAB = "labs/<slug:slug>/<uuid:lab_id>/"

urlpatterns = [
    path(f"{LAB}predict/", predictions.predict, name="lab_predict"),
    path(f"{LAB}predict/mode/", predictions.mode, name="lab_predict_mode"),
    path(f"{LAB}compare/", compare.compare, name="lab_compare"),
]
