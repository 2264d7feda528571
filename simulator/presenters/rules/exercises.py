"""Exercises in writing rules and how a rule did in them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from simulator.presenters.markdown import markdown
from simulator.presenters.sentences.say import current_language
from simulator.selectors.rule_exercises import Exercise, Text
from simulator.services.rule_grading import Grade


@dataclass(frozen=True, slots=True)
class ExerciseView:
    slug: str
    title: str
    text: SafeString
    minutes: int
    point: str
    hints: tuple[str, ...]
    count: int
    url: str


@dataclass(frozen=True, slots=True)
class GradedView:
    says: str
    passed: bool
    why: str


@dataclass(frozen=True, slots=True)
class GradeView:
    rows: tuple[GradedView, ...]
    passed: int
    count: int
    is_done: bool


def _in(text: Text) -> str:
    return text[current_language()]


def present_exercise(exercise: Exercise) -> ExerciseView:
    return ExerciseView(
        exercise.slug,
        _in(exercise.title),
        markdown(_in(exercise.text)),
        exercise.minutes,
        exercise.point,
        tuple(_in(hint) for hint in exercise.hints),
        len(exercise.hidden),
        reverse("simulator:rule_exercise", args=[exercise.slug]),
    )


def present_exercises(exercises: Iterable[Exercise]) -> list[ExerciseView]:
    return [present_exercise(exercise) for exercise in exercises]


def present_grade(grade: Grade) -> GradeView:
    rows = tuple(GradedView(_in(one.says), one.passed, _why(one.why, one.message)) for one in grade.graded)
    return GradeView(rows, grade.passed, len(rows), grade.is_done)


def _why(why: str, message: str) -> str:
    if why == "failed":
        return _("The rule failed: %(message)s") % {"message": message.rpartition("rule MyRule, ")[2] or message}
    return _("A Pod went elsewhere, or waits though it should not.") if why else ""
