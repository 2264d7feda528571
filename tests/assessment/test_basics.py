"""Digests, dice, tokens, texts, reading, codes, purity."""

from __future__ import annotations

import ast
import datetime as dt
import re
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.assessment.dice import Dice
from lessons.assessment.digest import revision_of
from lessons.assessment.localized import Text
from lessons.assessment.problems import CODES, Invalid, Problem
from lessons.assessment.question import missing_translations, read_question
from lessons.assessment.tokens import Tokens
from tests.assessment.samples import SECRET, question, source, tokens

PACKAGE = Path(__file__).parents[2] / "lessons" / "assessment"


def test_revision_ignores_the_order_of_keys_and_nothing_else() -> None:
    assert revision_of({"a": 1, "b": [1, 2]}) == revision_of({"b": [1, 2], "a": 1})
    different = [{"a": 1}, {"a": "1"}, {"a": 1.5}, {"a": True}, {"a": None}, {"a": [1]}, {"b": 1}, {}]
    assert len({revision_of(content) for content in different}) == len(different)


def test_revision_is_the_published_digest() -> None:
    # printf '{"a":1}' | sha256sum
    assert revision_of({"a": 1}) == "015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862"


@pytest.mark.parametrize("content", [{1: 2}, {"a": dt.date(2026, 1, 1)}, {"a": {1, 2}}, float("nan"), b"x"])
def test_what_is_not_plain_is_refused(content: object) -> None:
    with pytest.raises(Invalid):
        revision_of(content)


def test_too_deep_documents_are_refused() -> None:
    deep: list[object] = []
    for _ in range(500):
        deep = [deep]
    with pytest.raises(Invalid) as refused:
        read_question({**source("choice"), "hints": deep})
    assert refused.value.problems[0].code == "value.too_deep"


def test_dice_are_fair_and_repeatable() -> None:
    first, again = Dice("a", 1), Dice("a", 1)
    throws = [first.below(6) for _ in range(6000)]
    assert throws == [again.below(6) for _ in range(6000)]
    assert throws != [Dice("a", 2).below(6) for _ in range(6000)]
    # Each face 1000 times on average, standard deviation 29.
    assert all(850 < count < 1150 for count in Counter(throws).values())


@given(st.integers(), st.lists(st.integers(), max_size=20), st.integers(0, 25))
def test_shuffle_and_sample_keep_the_items(seed: int, items: list[int], count: int) -> None:
    assert sorted(Dice(seed).shuffled(items)) == sorted(items)
    drawn = Dice(seed).sample(items, count)
    assert len(drawn) == min(count, len(items))
    assert not Counter(drawn) - Counter(items)


def test_variants_do_not_depend_on_the_hash_seed() -> None:
    code = (
        "from tests.assessment.samples import SAMPLES, variant, tokens;"
        "from lessons.assessment.learner_view import public_view;"
        "from lessons.assessment.digest import revision_of;"
        "print(revision_of([public_view(variant(k, seed=5), tokens()) for k in SAMPLES]))"
    )
    root = PACKAGE.parents[1]
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code], cwd=root, env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("0", "4242")
    }
    assert len(outputs) == 1


def test_tokens_differ_by_everything() -> None:
    ours = Tokens(SECRET, "1")
    all_tokens = {
        ours.of("option", "a"),
        ours.of("option", "b"),
        ours.of("value", "a"),
        Tokens(SECRET, "2").of("option", "a"),
        Tokens(SECRET + b"!", "1").of("option", "a"),
    }
    assert len(all_tokens) == 5
    assert ours.find("option", ["a", "b"], ours.of("option", "b")) == "b"
    assert ours.find("option", ["a", "b"], ours.of("value", "b")) is None
    assert ours.find("option", ["a"], "\ud800") is None


def test_a_short_secret_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 16"):
        Tokens(b"short", "1")


def test_text_falls_back_to_the_language_it_has() -> None:
    draft = Text(zh_hans="抢占")
    assert (draft.in_language("en"), draft.written("en"), draft.missing) == ("抢占", "", ("en",))


def test_a_bare_chinese_word_is_untranslated() -> None:
    with pytest.raises(Invalid) as refused:
        question("choice", stem="哪一步？")
    assert [(p.code, p.where) for p in refused.value.problems] == [("text.untranslated", "stem")]


def test_missing_translations_are_listed_with_their_place() -> None:
    draft = source("choice", stem={"en": "x"}, explanation={"zh-hans": "甲"})
    draft["options"][0]["text"] = {"en": "Filter"}
    assert read_question(draft).stem.en == "x"
    assert missing_translations(draft) == [
        ("stem", "zh-hans"),
        ("options[0].text", "zh-hans"),
        ("explanation", "en"),
    ]


def test_all_problems_come_at_once_with_their_places() -> None:
    with pytest.raises(Invalid) as refused:
        read_question(
            {
                "id": "Not A Slug",
                "type": "choice",
                "stem": {"zh-hans": "", "fr": "x"},
                "facts": ["C1.1", "fact"],
                "level": "hard",
                "options": [{"text": "a\x00b", "correct": "yes"}, {"txt": "b"}],
            }
        )
    assert {(p.code, p.where) for p in refused.value.problems} == {
        ("value.bad_name", "id"),
        ("value.empty", "stem.zh-hans"),
        ("field.unknown", "stem"),
        ("value.bad_name", "facts[1]"),
        ("value.not_one_of", "level"),
        ("text.bad_character", "options[0].text"),
        ("value.not_boolean", "options[0].correct"),
        ("field.unknown", "options[1]"),
        ("field.missing", "options[1]"),
        ("question.no_right_answer", ""),
    }


@pytest.mark.parametrize("content", [None, [], "x", 5, {}, {"type": "nonsense"}, {"type": ["choice"]}])
def test_what_is_no_question_is_refused(content: object) -> None:
    with pytest.raises(Invalid) as refused:
        read_question(content)
    assert refused.value.problems[0].code == "question.unknown_type"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(st.sampled_from(sorted(source("choice"))), JSON, st.sampled_from(["choice", "cloze", "ordering", "numeric"]))
def test_any_value_in_any_field_is_read_or_refused(field: str, value: object, kind: str) -> None:
    with suppress(Invalid):
        read_question({**source(kind), field: value})


def test_every_code_is_used_and_every_code_used_is_listed() -> None:
    pattern = re.compile(r'"([a-z]+\.[a-z_]+)"')
    used = {
        code
        for path in PACKAGE.rglob("*.py")
        if path.name != "problems.py"
        for code in pattern.findall(path.read_text("utf-8"))
    }
    assert set(CODES) - used == set()


def test_an_unlisted_code_cannot_be_raised() -> None:
    with pytest.raises(ValueError, match="unknown problem code"):
        Problem("made.up")


def test_problem_parameters_are_those_listed() -> None:
    with pytest.raises(Invalid) as refused:
        question("numeric", answers=[{"value": 1, "tolerance": {"absolute": -1}}])
    (problem,) = refused.value.problems
    assert set(problem.params) == set(CODES[problem.code])


def test_the_package_imports_only_the_standard_library_and_fsrs_in_one_module() -> None:
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                top = name.split(".")[0]
                allowed = top in sys.stdlib_module_names or name.startswith("lessons.assessment")
                assert allowed or (top == "fsrs" and path.name == "spacing.py"), f"{path.name} imports {name}"


def test_nothing_looks_at_the_clock_or_at_global_chance() -> None:
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text("utf-8")
        assert not re.search(
            r"\.now\(|\.today\(|time\.time|import random|from random|uuid|os\.urandom|secrets", text
        ), path


def test_revisions_do_not_change_when_a_question_is_asked() -> None:
    asked = question("choice")
    before = asked.revision
    asked.variant(1)
    assert asked.revision == before == read_question(asked.source).revision


def test_open_form_is_a_question_of_its_own() -> None:
    asked = question("choice", facts=["C2.3"], selftest=2, open={"prompt": "Say it.", "rubric": [{"text": "says it"}]})
    form = asked.open_form()
    assert form is not None
    assert (form.id, form.type, form.facts, form.selftest) == ("sample-choice-open", "short-text", ("C2.3",), 2)
    assert question("choice").open_form() is None


def test_tokens_of_samples_are_stable() -> None:
    assert tokens().of("option", "a") == tokens().of("option", "a")
    assert re.fullmatch(r"[0-9a-f]{24}", tokens().of("option", "a"))
