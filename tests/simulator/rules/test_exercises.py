"""The exercises: solutions solve them; starters, typical mistakes and the default scheduler do not."""

from __future__ import annotations

import pytest

from simulator.engine.framework.shape_check import ConfigError
from simulator.selectors.rule_exercises import Exercise, exercise_get, exercise_list
from simulator.services.rule_grading import meets, rule_grade, run_case

EXERCISES = exercise_list()
each = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.slug)


def test_there_are_the_four_of_the_course() -> None:
    assert [exercise.slug for exercise in EXERCISES] == [
        "score-by-model",
        "no-cpu-pods",
        "whole-domains",
        "keep-one-free",
    ]


@each
def test_solution_passes_every_hidden_scenario(exercise: Exercise) -> None:
    grade = rule_grade(exercise=exercise, source=exercise.solution, normalize=exercise.normalize)
    assert [one.says["en"] for one in grade.graded if not one.passed] == []
    assert grade.is_done


@each
def test_starter_and_typical_mistakes_fail_some(exercise: Exercise) -> None:
    for source in (exercise.starter, *exercise.wrong):
        assert not rule_grade(exercise=exercise, source=source, normalize=exercise.normalize).is_done, source


@each
def test_every_hidden_scenario_can_be_failed(exercise: Exercise) -> None:
    """One that the starter, a mistake or the default scheduler fails; else it would grade nothing."""
    sources = [exercise.starter, *exercise.wrong]
    grades = [rule_grade(exercise=exercise, source=source, normalize=exercise.normalize) for source in sources]
    for index, case in enumerate(exercise.hidden):
        by_rule = any(not grade.graded[index].passed for grade in grades)
        assert by_rule or not meets(run_case(case, []), case.expect), case.says["en"]


@each
def test_texts_are_in_both_languages(exercise: Exercise) -> None:
    texts = [exercise.title, exercise.text, *exercise.hints, *(case.says for case in exercise.hidden)]
    for text in texts:
        assert set(text) == {"zh-hans", "en"}
        assert all(text.values())


def test_rule_that_fails_is_told_as_that() -> None:
    source = 'node.labels["nvidia.com/gpu.product"].contains("H100") ? 100 : 0'
    grade = rule_grade(exercise=exercise_get("score-by-model"), source=source, normalize="none")
    failed = [one for one in grade.graded if one.why == "failed"]
    assert failed
    assert "no such key: nvidia.com/gpu.product" in failed[0].message


def test_expression_that_cannot_be_used_is_refused() -> None:
    with pytest.raises(ConfigError):
        rule_grade(exercise=exercise_get("no-cpu-pods"), source="gpus(pod) >", normalize="none")
