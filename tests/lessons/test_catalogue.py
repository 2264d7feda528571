"""Loading fixtures: nothing changes by loading twice, a change makes a revision, what is gone is withdrawn."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from gpuschedlab.web.catalogue import load_catalogue
from lessons.manifests.faults import Faulty
from lessons.models import Lesson, LessonRevision, Question, QuestionRevision, Quiz, Term
from tests.factories.lessons import FIXTURES, lesson_source

pytestmark = pytest.mark.django_db

QUIZ = """id: small
title: {zh-hans: 小, en: Small}
sections: [{id: all, questions: [q-one, q-scene]}]
questions:
- id: q-one
  type: choice
  stem: {zh-hans: 题, en: What?}
  options: [{text: A, correct: true}, {text: B}]
  open: {prompt: {zh-hans: 说, en: Say.}, rubric: [{text: {zh-hans: 有, en: Has it}}]}
- id: q-scene
  type: click-the-nodes
  stem: {zh-hans: 点, en: Click.}
  scene: {scenario: small-scene, point: Filter}
"""
SCENARIO = """apiVersion: gpuschedlab.io/v1alpha1
kind: Scenario
metadata: {name: small-scene}
spec:
  title: {zh-hans: 小场景, en: Small scene}
  level: beginner
---
apiVersion: v1
kind: Node
metadata: {name: gpu-1}
status: {allocatable: {cpu: "8", memory: 8Gi, nvidia.com/gpu: "2", pods: "110"}}
---
apiVersion: v1
kind: Node
metadata: {name: gpu-2}
status: {allocatable: {cpu: "8", memory: 8Gi, nvidia.com/gpu: "4", pods: "110"}}
---
apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  containers: [{name: main, image: x, resources: {limits: {nvidia.com/gpu: "3"}}}]
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "quizzes").mkdir()
    (tmp_path / "quizzes" / "small.yaml").write_text(QUIZ)
    for slug in ("one", "two"):
        folder = tmp_path / "lessons" / slug
        folder.mkdir(parents=True)
        for language, text in lesson_source(slug, question="q-one").items():
            (folder / f"{language}.md").write_text(text)
    (tmp_path / "glossary.yaml").write_text("terms:\n- {id: gang, zh: 组, en: gang, text: {zh-hans: 一。, en: One.}}\n")
    return tmp_path


def load(root: Path, *, force: bool = False) -> dict[str, object]:
    return {name: report for name, report in load_catalogue(root, force=force) if report is not None}


def test_loading_twice_changes_nothing(root: Path) -> None:
    load(root)
    assert (Lesson.objects.count(), Quiz.objects.count(), Question.objects.count(), Term.objects.count()) == (
        2,
        1,
        3,
        1,
    )
    assert load(root) == {}
    reports = load(root, force=True)
    assert all(report.created == report.updated == 0 for report in reports.values())  # type: ignore[attr-defined]
    assert LessonRevision.objects.count() == 2


def test_change_makes_a_revision_and_keeps_the_old(root: Path) -> None:
    load(root)
    path = root / "quizzes" / "small.yaml"
    path.write_text(QUIZ.replace("text: B", "text: C"))
    load(root)
    question = Question.objects.get(slug="q-one")
    assert [revision.number for revision in question.revisions.order_by("number")] == [1, 2]
    assert question.current is not None
    assert question.current.number == 2
    path.write_text(QUIZ)
    load(root)
    question.refresh_from_db()
    assert question.current is not None
    assert question.current.number == 1
    assert QuestionRevision.objects.filter(question=question).count() == 2


def test_comments_and_quotes_make_no_revision(root: Path) -> None:
    load(root)
    (root / "quizzes" / "small.yaml").write_text("# a comment\n" + QUIZ.replace("text: A", 'text: "A"'))
    load(root)
    assert Question.objects.get(slug="q-one").revisions.count() == 1


def test_what_is_gone_is_withdrawn_and_not_deleted(root: Path) -> None:
    load(root)
    (root / "quizzes" / "small.yaml").write_text(QUIZ.split("- id: q-scene", maxsplit=1)[0].replace(", q-scene", ""))
    for path in (root / "lessons" / "two").iterdir():
        path.unlink()
    (root / "lessons" / "two").rmdir()
    load(root)
    assert Question.objects.get(slug="q-scene").current is None
    assert Lesson.objects.get(slug="two").current is None
    assert Lesson.objects.get(slug="two").revisions.exists()


def test_open_form_is_a_question_of_its_own(root: Path) -> None:
    load(root)
    opened = Question.objects.get(slug="q-one-open")
    assert opened.open_of == Question.objects.get(slug="q-one")
    assert opened.current is not None
    assert opened.current.source["type"] == "short-text"


def test_scene_question_waits_for_its_scenario(root: Path) -> None:
    load(root)
    assert Question.objects.get(slug="q-scene").current is None
    (root / "scenarios").mkdir()
    (root / "scenarios" / "100-small-scene.yaml").write_text(SCENARIO)
    load(root)
    question = Question.objects.get(slug="q-scene")
    assert question.current is not None
    right = {node["name"]: node["right"] for node in question.current.source["nodes"]}
    assert right == {"gpu-1": False, "gpu-2": True}
    assert question.current.source["nodes"][0]["feedback"]["en"].startswith("gpu-1 drops out: it has 2 GPUs")
    assert question.current.situation["pod"]["name"] == "train"


def test_changed_scenario_changes_the_key(root: Path) -> None:
    (root / "scenarios").mkdir()
    path = root / "scenarios" / "100-small-scene.yaml"
    path.write_text(SCENARIO)
    load(root)
    path.write_text(SCENARIO.replace('gpu: "2"', 'gpu: "8"'))
    load(root)
    question = Question.objects.get(slug="q-scene")
    assert question.current is not None
    assert question.current.number == 2
    assert [node["right"] for node in question.current.source["nodes"]] == [True, True]


def test_scene_that_does_not_exist_leaves_the_question_waiting(root: Path) -> None:
    (root / "scenarios").mkdir()
    (root / "scenarios" / "100-small-scene.yaml").write_text(
        SCENARIO.split("---\napiVersion: v1\nkind: Pod", maxsplit=1)[0]
    )
    load(root)
    assert Question.objects.get(slug="q-scene").current is None


def test_faulty_lesson_changes_nothing_and_tells_where(root: Path) -> None:
    load(root)
    path = root / "lessons" / "one" / "en.md"
    path.write_text(path.read_text().replace("::: key", "::: kee"))
    with pytest.raises(Faulty, match=r"one/en\.md:19"):
        load(root)
    assert Lesson.objects.get(slug="one").revisions.count() == 1


def test_glossary_is_what_the_file_says(root: Path) -> None:
    load(root)
    (root / "glossary.yaml").write_text("terms:\n- {id: pod, zh: 荚, en: Pod, text: {zh-hans: 一。, en: One.}}\n")
    load(root)
    assert [term.slug for term in Term.objects.all()] == ["pod"]


def test_check_lessons_tells_everything_at_once(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CommandError):
        call_command("check_lessons", "--from", str(root))
    told = capsys.readouterr().err
    assert "one/en.md" in told
    assert "free-lab" in told


@pytest.mark.slow
def test_whole_catalogue_loads(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("load_catalogue", "--from", str(FIXTURES))
    assert Question.objects.filter(current__isnull=False).count() > 140
    assert Lesson.objects.filter(current__isnull=False).count() == 10
    waiting = Question.objects.filter(current=None).values_list("slug", flat=True)
    assert list(waiting) == []
