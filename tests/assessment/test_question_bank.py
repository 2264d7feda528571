"""The question bank under fixtures/quizzes: valid, complete, covering the chapter, right where that can be checked."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from lessons.assessment.gift.exporting import export_gift
from lessons.assessment.gift.importing import import_gift
from lessons.assessment.learner_view import grade, public_view
from lessons.assessment.question import Question, missing_translations
from lessons.assessment.question_types.build_it import BuildIt
from lessons.assessment.question_types.registry import QUESTION_TYPES
from lessons.assessment.quizzes import QuizDocument, bank_of, check_quiz, draw, read_quiz_document
from tests.assessment.samples import tokens

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "fixtures" / "quizzes"
CHAPTER = ROOT.parent / "shared" / "spec" / "chapter.md"

SECTION_SIZES = {0: 4, 1: 3, 2: 6, 3: 3, 4: 4, 5: 7, 6: 6, 7: 4, 8: 4, 9: 1}
FACTS = {f"C{section}.{number}" for section, size in SECTION_SIZES.items() for number in range(1, size + 1)}
CORRECTED = {
    "C2.1", "C2.2", "C3.1", "C3.3", "C4.1", "C5.5", "C5.7", "C6.1",
    "C6.4", "C6.5", "C6.6", "C7.2", "C8.1", "C8.2", "C8.3", "C8.4",
}  # fmt: skip
SAID = {f"{fact}-say" for fact in CORRECTED}
"""The facts with a correction that the course must add."""

SCENARIOS = {
    "node-affinity", "gpu-taints", "first-fit-gpu", "scoring-basics", "gpu-blind-scoring", "least-vs-most-allocated",
    "balanced-allocation", "preemption", "preemption-pdb", "preemption-never", "no-cross-node-preemption",
    "training-takes-inference", "queue-order", "backoff-and-events", "scheduling-gates", "spread-zones",
    "inter-pod-affinity", "multi-vendor", "whole-node-vs-scattered", "build-the-deadlock", "gang-native",
    "one-team-fills",
    "affinity-by-hand", "preemption-by-hand", "score-by-hand",
}  # fmt: skip


@cache
def source(path: Path) -> Any:
    return yaml.load(path.read_text("utf-8"), Loader=yaml.CSafeLoader)


@cache
def documents() -> tuple[QuizDocument, ...]:
    return tuple(read_quiz_document(source(path)) for path in sorted(FOLDER.glob("*.yaml")))


@cache
def bank() -> dict[str, Question]:
    return bank_of(documents())


def stand_alone() -> list[Question]:
    return [question for question in bank().values() if question.scene is None]


NAMES = [re.findall(r"^  - id: ([a-z0-9-]+)$", path.read_text("utf-8"), re.MULTILINE) for path in FOLDER.glob("*.yaml")]
QUESTIONS = sorted(name for names in NAMES for name in names if name in bank())


def test_every_question_is_listed_once() -> None:
    assert len(QUESTIONS) == len(set(QUESTIONS)) == len(bank())


def test_every_fact_and_every_correction_is_asked_about() -> None:
    covered = {fact for question in bank().values() for fact in question.facts}
    assert sorted((FACTS | SAID) - covered) == []
    assert sorted(covered - FACTS - SAID) == []


def test_every_fact_is_asked_about_without_the_engine() -> None:
    covered = {fact for question in stand_alone() for fact in question.facts}
    assert sorted((FACTS | SAID) - covered) == []


@pytest.mark.skipif(not CHAPTER.exists(), reason="the chapter's text is not at hand")
def test_the_list_of_facts_is_the_chapters() -> None:
    text = CHAPTER.read_text("utf-8")
    lines = [line for line in text.splitlines() if line.startswith("- C")]
    facts = {fact for line in lines for fact in re.findall(r"\bC\d\.\d\b(?= [A-Z])", line)}
    assert facts == FACTS
    with_say = {
        re.findall(r"\bC\d\.\d\b", line.split("**Say**")[0])[-1 if "C7.2" in line else 0]
        for line in lines
        if "**Say**" in line
    }
    assert {fact if fact != "C7.3" else "C7.2" for fact in with_say} == CORRECTED


def test_there_are_enough_questions() -> None:
    twelve = [question for question in stand_alone() if question.selftest]
    further = [question for question in stand_alone() if not question.selftest]
    assert {question.selftest for question in twelve} == set(range(1, 13))
    assert len(further) >= 60


def test_each_of_the_twelve_has_an_interactive_and_an_open_form() -> None:
    for number in range(1, 13):
        forms = [q for q in stand_alone() if q.selftest == number and q.open is not None]
        assert len(forms) == 1, number
        opened = forms[0].open_form()
        assert opened is not None
        assert opened.type == "short-text"
        content = opened.variant(0).content
        assert len(content.rubric) >= 3
        assert content.answer is not None


def test_every_kind_of_question_is_used() -> None:
    assert {q.type for q in bank().values()} | {"short-text"} == set(QUESTION_TYPES)


def test_scenes_refer_to_known_scenarios_and_use_all_of_them() -> None:
    assert {q.scene.scenario for q in bank().values() if q.scene} == SCENARIOS


def test_only_scene_questions_wait_for_the_engine() -> None:
    assert all(question.scene for question in bank().values() if question.waits_for_engine)


def test_quizzes_can_be_drawn() -> None:
    for document in documents():
        assert check_quiz(document.quiz, bank()) == []
        for seed in range(5):
            assert draw(document.quiz, bank(), seed)


@pytest.mark.parametrize("name", QUESTIONS)
def test_question_is_complete_in_both_languages(name: str) -> None:
    assert missing_translations(bank()[name].source) == []


@pytest.mark.parametrize("name", [name for name in QUESTIONS if not bank()[name].waits_for_engine])
def test_key_earns_the_full_score_in_every_variant(name: str) -> None:
    question = bank()[name]
    for seed in range(25 if question.variables else 2):
        asked = question.variant(seed)
        if isinstance(asked.kind, BuildIt):
            judged = grade(asked, {"lab": "x"}, asked.kind.full_evidence(asked.content))
        else:
            judged = grade(asked, asked.kind.best(asked.content))
        assert judged.score == 1


def texts_of(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for item in value.values() for text in texts_of(item)]
    if isinstance(value, list):
        return [text for item in value for text in texts_of(item)]
    return [value] if isinstance(value, str) else []


def secrets_of(value: Any) -> list[str]:
    """All texts below the fields a learner must not see before the answer."""
    found: list[str] = []
    if isinstance(value, dict):
        for key, item in value.items():
            hidden = key in ("feedback", "explanation", "rubric", "answer", "otherwise", "open", "pending_feedback")
            found += texts_of(item) if hidden else secrets_of(item)
    if isinstance(value, list):
        found += [text for item in value for text in secrets_of(item)]
    return found


@pytest.mark.parametrize("name", [name for name in QUESTIONS if not bank()[name].waits_for_engine])
def test_page_shows_no_feedback_explanation_or_rubric(name: str) -> None:
    question = bank()[name]
    page = json.dumps(public_view(question.variant(3), tokens()), ensure_ascii=False)
    for secret in secrets_of(question.source):
        if len(secret) > 8 and "{{" not in secret:
            assert secret not in page


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_option_teaches(name: str) -> None:
    source = bank()[name].source
    if source["type"] not in ("choice", "multiple"):
        return
    for option in source["options"]:
        told = option["feedback"]
        assert all(told[language].strip() for language in ("zh-hans", "en"))


@pytest.mark.parametrize("name", [name for name in QUESTIONS if bank()[name].type == "choice"])
def test_choice_has_one_right_option_and_plausible_others(name: str) -> None:
    options = bank()[name].source["options"]
    assert sum(option.get("correct", False) for option in options) == 1
    assert 4 <= len(options) <= 6
    texts = [json.dumps(option["text"], ensure_ascii=False) for option in options]
    assert len(set(texts)) == len(texts)


def test_the_longest_option_is_not_a_hint() -> None:
    choices = [question.source["options"] for question in bank().values() if question.type == "choice"]
    for language in ("zh-hans", "en"):
        longest = 0
        for options in choices:
            texts = [
                option["text"] if isinstance(option["text"], str) else option["text"][language] for option in options
            ]
            right = next(text for option, text in zip(options, texts, strict=True) if option.get("correct"))
            longest += all(len(text) < len(right) for text in texts if text != right)
        assert longest <= 0.4 * len(choices)


HAN = "\u4e00-\u9fff"
CODE = re.compile(r"`[^`]*`|```.*?```|\[\[[a-z0-9-]+\]\]", re.DOTALL)
TYPOGRAPHY = {
    "a blank between Chinese and Latin letters or digits": rf"[{HAN}][A-Za-z0-9]|[A-Za-z0-9%][{HAN}]",
    "full-width punctuation after Chinese": rf"[{HAN}][,;:!?]|[{HAN}]\.(?:\s|$)",
    "full-width brackets around Chinese": rf"[{HAN}]\(|\)[{HAN}]",
    "a blank between Chinese and code": rf"[{HAN}]¤|¤[{HAN}]",
    "no blank after full-width punctuation": r"[，。；：？！）」”、] [A-Za-z0-9]",
    "no straight quotation marks in Chinese": rf"[{HAN}]\"|\"[{HAN}]",
}


def chinese_of(value: Any) -> list[str]:
    if isinstance(value, dict):
        own = [value["zh-hans"]] if isinstance(value.get("zh-hans"), str) else []
        return own + [text for key, item in value.items() if key != "zh-hans" for text in chinese_of(item)]
    return [text for item in value for text in chinese_of(item)] if isinstance(value, list) else []


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yaml")), ids=lambda path: path.stem)
@pytest.mark.parametrize("rule", TYPOGRAPHY)
def test_chinese_typography(path: Path, rule: str) -> None:
    texts = chinese_of(source(path))
    assert len(texts) > 30
    offenders = [
        text for text in texts if re.search(TYPOGRAPHY[rule], CODE.sub("¤", re.sub(r"\{\{.*?\}\}", "1", text)))
    ]
    assert offenders == []


def test_english_uses_no_chinese_characters() -> None:
    for document in documents():
        texts = [text for question in document.questions for text in english_of(question.source)]
        assert [text for text in texts if re.search(rf"[{HAN}，。；：？！]", text)] == []


def english_of(value: Any) -> list[str]:
    if isinstance(value, dict):
        own = [value["en"]] if isinstance(value.get("en"), str) else []
        return own + [text for key, item in value.items() if key != "en" for text in english_of(item)]
    return [text for item in value for text in english_of(item)] if isinstance(value, list) else []


def keys_of(name: str, *numbers: str) -> dict[tuple[str, ...], str]:
    """What a template question asks (the numbers in its stem, by the given positions) and the key, over many seeds."""
    found: dict[tuple[str, ...], str] = {}
    for seed in range(200):
        asked = bank()[name].variant(seed)
        stem = re.findall(r"\d+(?:\.\d+)?", asked.stem.en)
        found[tuple(stem[int(place)] for place in numbers)] = asked.kind.best(asked.content)["value"]
    return found


def test_nodes_looked_at_are_those_of_kube_scheduler() -> None:
    # Worked example of kube-scheduler 1.36: 99, 250, 1000, 5000 and 6000 nodes; 2500 by hand: p = 30, 2500 * 30 / 100.
    expected = {"99": "99", "250": "120", "1000": "420", "2500": "750", "5000": "500", "6000": "300"}
    assert {nodes: key for (nodes,), key in keys_of("how-many-nodes-are-looked-at", "0").items()} == expected


def test_throughput_of_the_extender() -> None:
    for (own, filtering, prioritize), key in keys_of("selftest-12-throughput", "0", "1", "2").items():
        rate = 1000 / (int(own) + int(filtering) + int(prioritize))
        assert float(key.removesuffix(" Pod/s")) == pytest.approx(rate, rel=1e-6)


def test_least_allocated_by_the_integer_formula() -> None:
    for numbers, key in keys_of("least-allocated-by-hand", *"012345").items():
        cpu, mem, used_cpu, used_mem, req_cpu, req_mem = (int(number) for number in numbers)
        parts = (cpu - used_cpu - req_cpu) * 100 // cpu, (mem - used_mem - req_mem) * 100 // mem
        assert int(key) == sum(parts) // 2


def test_bandwidth_case_of_the_chapter() -> None:
    # Ring all-reduce of 13.3 GB over 8 cards at 370 and 10 GB/s with 1.155 s of compute at 46.5 % MFU.
    key = bank()["selftest-07-bandwidth"].variant(0).kind.best(bank()["selftest-07-bandwidth"].variant(0).content)
    blanks = {name: float(value) for name, value in key["blanks"].items()}
    for where, bandwidth in (("in", 370), ("out", 10)):
        seconds = 2 * 7 / 8 * 13.3 / bandwidth
        assert blanks[f"{where}-time"] == pytest.approx(seconds, rel=0.01)
        assert blanks[f"{where}-mfu"] == pytest.approx(46.5 * 1.155 / (1.155 + seconds), rel=0.01)


def test_partial_answers_earn_partial_credit() -> None:
    asked = bank()["selftest-05-why-gang"].variant(0)
    assert grade(asked, {"choices": ["barrier", "one-pod"]}).score == Fraction(2, 3)
    assert grade(asked, {"choices": ["barrier", "priority"]}).score == 0


@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_the_bank_goes_through_gift_and_back(language: str) -> None:
    questions = sorted(stand_alone(), key=lambda question: question.id)
    exported = export_gift(questions, language)
    skipped = {note.question for note in exported.notes if note.effect == "skipped"}
    read = import_gift(exported.text, language)
    assert read.skipped == ()
    written = [question.id for question in questions if question.id not in skipped]
    assert [question.id for question in read.questions] == written
    assert len(written) >= 60
    for question in read.questions:
        original = bank()[question.id]
        assert question.stem.written(language) == original.stem.written(language)
        asked = question.variant(0)
        assert grade(asked, asked.kind.best(asked.content)).score == 1
