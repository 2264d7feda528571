"""How the lessons and the glossary are written: spaces, punctuation, lengths, two sentences."""

from __future__ import annotations

import re
from typing import Final

import pytest

from tests.content.texts import SLUGS, inline_code, lesson, spoken, terms, texts

CJK: Final = "[\u3400-\u9fff]"
GLUED: Final = re.compile(f"{CJK}[A-Za-z0-9]|[A-Za-z0-9]{CJK}")
HALF_WIDTH: Final = re.compile(f"{CJK}[,;:!?(]|[,;!?)]{CJK}")
STRAIGHT: Final = re.compile(r"['\"]")
CHINESE: Final = [pair for pair in texts() if pair[0].endswith("zh-hans")]
ENGLISH: Final = [pair for pair in texts() if pair[0].endswith("/en")]


def _found(pattern: re.Pattern[str], lines: list[str]) -> list[str]:
    return [line[max(0, hit.start() - 12) : hit.end() + 12] for line in lines for hit in pattern.finditer(line)]


@pytest.mark.parametrize(("name", "text"), CHINESE, ids=[name for name, _ in CHINESE])
def test_chinese_is_set_as_chinese(name: str, text) -> None:
    lines = list(spoken(text))
    assert _found(GLUED, lines) == []
    assert _found(HALF_WIDTH, lines) == []
    assert _found(STRAIGHT, lines) == []


@pytest.mark.parametrize(("name", "text"), ENGLISH, ids=[name for name, _ in ENGLISH])
def test_english_is_set_as_english(name: str, text) -> None:
    lines = list(spoken(text))
    assert _found(re.compile(CJK), lines) == []
    assert _found(STRAIGHT, lines) == []


@pytest.mark.parametrize("slug", SLUGS)
def test_both_languages_quote_the_same_code(slug: str) -> None:
    zh, en = (sorted(set(inline_code(lesson(slug).texts[language]))) for language in ("zh-hans", "en"))
    assert zh == en


@pytest.mark.parametrize("slug", SLUGS)
def test_a_lesson_takes_ten_to_fifteen_minutes(slug: str) -> None:
    """Reading at 400 characters or 230 words a minute, a minute for a scene, half for a question, give or take."""
    document = lesson(slug)
    scenes, asked = (len(document.outline[name]) for name in ("scenes", "checks"))
    for language, text in document.texts.items():
        words = " ".join(spoken(text))
        read = len(re.findall(CJK, words)) / 400 if language == "zh-hans" else len(words.split()) / 230
        minutes = read + scenes + 0.5 * (asked - scenes)
        assert 7 <= minutes <= 21
        assert abs(minutes - text.front["minutes"]) <= 5


@pytest.mark.parametrize("term", terms(), ids=lambda term: term.slug)
def test_term_says_two_sentences(term) -> None:
    assert len(re.findall("[。！？]", term.text["zh-hans"])) == 2
    assert len(re.findall(r"[.!?](?=[”’]?(?:\s|$))", term.text["en"])) == 2
    assert re.search(CJK, term.zh)
    assert not re.search(CJK, term.en)
    plain = re.sub(r"`[^`]*`", "x", term.text["zh-hans"])
    assert _found(GLUED, [plain, term.zh]) == []
    assert _found(HALF_WIDTH, [plain]) == []


def test_terms_lead_somewhere() -> None:
    known = {f"term:{term.slug}" for term in terms()} | {f"lesson:{slug}" for slug in SLUGS}
    wrong = [
        (term.slug, link)
        for term in terms()
        for link in term.links
        if link not in known and not link.startswith("lab:")
    ]
    assert wrong == []
    assert len(terms()) >= 90


@pytest.mark.parametrize("term", terms(), ids=lambda term: term.slug)
def test_term_is_used_in_the_lessons(term) -> None:
    """Somewhere it is met; a glossary is not a dictionary."""
    read = "\n".join(line for _, text in texts() for line in [*spoken(text), *inline_code(text), text.body])
    assert any(name.casefold() in read.casefold() for name in term.names)
