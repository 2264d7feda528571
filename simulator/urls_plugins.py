"""The addresses of pages about plugins, extenders and the reference; part of urls.py."""

from __future__ import annotations

from django.urls import path

from simulator.views import experiment, extender, plugins, profiles, reference, rules

urlpatterns = [
    path("plugins/", plugins.index, name="plugins"),
    path("plugins/rule/", plugins.bench, name="rule_bench"),
    path("plugins/profile/", profiles.sample, name="profile_sample"),
    path("labs/<slug:slug>/<uuid:lab_id>/profile/", profiles.lab, name="lab_profile"),
    path("labs/<slug:slug>/<uuid:lab_id>/rules/", rules.lab_rules, name="lab_rules"),
    path("plugins/exercises/", plugins.exercises, name="rule_exercises"),
    path("plugins/exercises/<slug:slug>/", plugins.exercise, name="rule_exercise"),
    path("plugins/exercises/<slug:slug>/grade/", plugins.exercise_grade, name="rule_exercise_grade"),
    path("plugins/go/", plugins.take_home, name="take_home"),
    path("plugins/go/package.zip", plugins.take_home_zip, name="take_home_zip"),
    path("extender/", extender.extender, name="extender"),
    path("extender/cost/", experiment.extender_cost, name="extender_cost"),
    path("extender/cost/start/", experiment.extender_cost_start, name="extender_cost_start"),
    path("extender/cost/figures.csv", experiment.extender_cost_csv, name="extender_cost_csv"),
    path("reference/", reference.reference, name="reference"),
    path("reference/points/<str:key>/", reference.point, name="reference_point"),
    path("reference/plugins/<str:name>/", reference.plugin, name="reference_plugin"),
]
