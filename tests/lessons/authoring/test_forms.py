"""The form of every type of question: it shows all there is, and reads back what it shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from gpuschedlab.materials.documents.changes import change_list, inputs_of, listing_at, read_changes
from gpuschedlab.materials.documents.paths import set_at, written
from lessons.assessment.question import read_question
from lessons.assessment.question_types.registry import QUESTION_TYPES
from lessons.assessment.quizzes import read_quiz_document
from lessons.assessment.review_options import DEFAULTS, Mode
from lessons.manifests.material_text import read_material
from lessons.presenters.authoring.beginnings import new_question, new_quiz
from lessons.presenters.authoring.inputs import Around
from lessons.presenters.authoring.question_fields import TYPES, question_sections
from lessons.presenters.authoring.quiz_fields import quiz_sections
from tests.assessment.samples import source

every_type = pytest.mark.parametrize("name", sorted(QUESTION_TYPES))
BEYOND = {"build-it": {"goals/0/goal/count", "goals/1/goal/count", "goals/0/goal/kind", "goals/1/goal/kind"}}
"""What a sample has that no form of this kind of goal knows: its goals are made up."""
ALTERNATIVES = {"places/1/labels/0", "places/1/labels/1"}
"""A place that takes several labels is written as YAML."""


def form_of(document: Mapping[str, Any]) -> Any:
    return question_sections(document, is_published=False, scenarios=(), around=Around())


def shown(sections: Any, document: Any) -> dict[str, list[str]]:
    """What a browser sends back when nothing was changed."""
    sent: dict[str, list[str]] = {}
    for one in inputs_of(sections, document):
        value = one.field.shown(one.value)
        if isinstance(value, bool):
            sent[one.name] = ["", "1"] if value else [""]
        else:
            sent[one.name] = ["", *value] if isinstance(value, list) else [str(value)]
    return sent


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, (*path, index))
    else:
        yield written(path)


def test_every_type_has_a_form() -> None:
    assert set(TYPES) == set(QUESTION_TYPES)


@every_type
def test_form_shows_all_of_a_question(name: str) -> None:
    document = source(name)
    names = {one.name for one in inputs_of(form_of(document), document)}
    within = {leaf for leaf in leaves(document) if not any(_covers(one, leaf) for one in names)}
    assert within - BEYOND.get(name, set()) - ALTERNATIVES == {"type"}


def _covers(name: str, leaf: str) -> bool:
    """An input shows a leaf where it is its own, a list of words, a text in both languages, or YAML around it."""
    return leaf == name or leaf.startswith(f"{name}/") or name in {f"{leaf}/en", f"{leaf}/zh-hans"}


@every_type
def test_looking_changes_nothing(name: str) -> None:
    document = source(name)
    sections = form_of(document)
    changes = read_changes(sections, document, shown(sections, document))
    assert (changes.changed, dict(changes.wrong)) == ((), {})
    assert changes.document == document


@every_type
def test_new_question_lacks_nothing_that_the_form_cannot_give(name: str) -> None:
    document = read_material(new_question(name, name="fresh", title="Fresh", language="en")).value
    assert document is not None
    assert document["type"] == name
    assert list(inputs_of(form_of(document), document))


def test_question_is_filled_in_from_nothing() -> None:
    document = read_material(new_question("choice", name="fresh", title="Fresh", language="en")).value
    sections = form_of(document)
    sent = {
        "stem/en": ["Which step drops nodes?"],
        "options/0/text/en": ["Filter"],
        "options/1/text/en": ["Score"],
        "options/2/text/en": ["Bind"],
        "options/2/feedback/en": ["It comes last."],
    }
    made = read_changes(sections, document, sent).document
    question = read_question(made)
    options = question.variant(0).content.options
    assert {one.text.en for one in options if one.correct} == {"Filter"}
    assert {one.feedback.en for one in options if one.feedback} == {"It comes last."}


def test_entries_get_a_free_short_name() -> None:
    document = source("sort-into-categories")
    listing = listing_at(form_of(document), document, ("categories",))
    assert listing is not None
    made = change_list(document, listing, ("categories",), "add")
    assert [one["id"] for one in made["categories"]] == ["f", "s", "a"]


def test_goal_has_the_form_of_its_kind() -> None:
    document = read_material(new_question("build-it", name="fresh", title="Fresh", language="en")).value
    listing = listing_at(form_of(document), document, ("goals",))
    assert listing is not None
    made = change_list(document, listing, ("goals",), "add", kind="wholeNodesFree")
    names = {one.name for one in inputs_of(form_of(made), made)}
    assert {"goals/0/goal/atLeast", "goals/0/text/en"} <= names


# quizzes


def quiz(start: str) -> Any:
    return read_material(new_quiz(start, name="fresh", title="Fresh", language="en")).value


@pytest.mark.parametrize("start", ["practice", "test"])
def test_settings_that_are_looked_at_stay(start: str) -> None:
    document = quiz(start)
    sections = quiz_sections(document, is_published=False)
    changes = read_changes(sections, document, shown(sections, document))
    assert (changes.changed, dict(changes.wrong)) == ((), {})


def test_settings_are_read_as_the_quiz_reads_them() -> None:
    document = quiz("test")
    sent = {
        "settings/attempts/allowed": ["3"],
        "settings/attempts/time_limit_seconds": ["45"],
        "settings/attempts/counts": ["mean"],
        "settings/attempts/late/kind": ["penalty"],
        "settings/attempts/late/per_hour": ["0.25"],
        "settings/certainty": ["", "1"],
        "settings/pass_percent": ["80"],
        "settings/review": ["", "during:response", "after:response", "closed:marks"],
    }
    made = read_changes(quiz_sections(document, is_published=False), document, sent).document
    settings = read_quiz_document({**made, "sections": [{"id": "a", "questions": ["x"]}]}).quiz.settings
    assert settings.attempts.allowed == 3
    assert settings.attempts.time_limit is not None
    assert settings.attempts.time_limit.total_seconds() == 45 * 60
    assert settings.attempts.counts == "mean"
    assert (settings.attempts.late.kind, settings.attempts.late.per_hour) == ("penalty", 0.25)
    assert settings.certainty
    assert settings.pass_percent == 80
    assert settings.review.as_mapping() == {"during": ["response"], "after": ["response"], "closed": ["marks"]}


def test_review_options_of_the_mode_are_not_written() -> None:
    document = set_at(quiz("test"), ("settings", "review"), {"during": ["response"], "after": [], "closed": []})
    standard = DEFAULTS[Mode.TEST].as_mapping()
    sent = {"settings/review": ["", *(f"{m}:{aspect}" for m, aspects in standard.items() for aspect in aspects)]}
    made = read_changes(quiz_sections(document, is_published=False), document, sent).document
    assert "review" not in made["settings"]
