from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.assessment.grades import Verdict
from lessons.assessment.learner_view import grade, parse_response, public_view
from lessons.assessment.number_text import format_number, parse_number
from lessons.assessment.problems import Invalid
from lessons.assessment.question_types.accepted_words import matches
from tests.assessment.samples import question, tokens, variant


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("450", Fraction(450)),
        (" 4.50 ", Fraction(9, 2)),
        (".5", Fraction(1, 2)),
        ("-3", Fraction(-3)),
        ("\u22123", Fraction(-3)),
        ("1e3", Fraction(1000)),
        ("1.5E-2", Fraction(3, 200)),
        ("1,234,567.5", Fraction(2469135, 2)),
        ("４５０", Fraction(450)),
        ("0.1", Fraction(1, 10)),
    ],
)
def test_numbers_are_read_exactly(written: str, value: Fraction) -> None:
    assert parse_number(written) == value


@pytest.mark.parametrize(
    "written",
    ["", "x", "1,5", "1e999999999", "1e100", "--1", "1 2", "0x10", "1_000", "nan", "inf", "1/2", "9" * 50, "٣"],
)
def test_what_is_not_a_number_is_none(written: str) -> None:
    assert parse_number(written) is None


@given(st.fractions(min_value=-(10**6), max_value=10**6, max_denominator=10**4))
def test_formatted_numbers_read_back_within_rounding(value: Fraction) -> None:
    read = parse_number(format_number(value))
    assert read is not None
    assert abs(read - value) <= Fraction(1, 2 * 10**6)


def test_format_rounds_half_away_from_zero() -> None:
    assert [format_number(Fraction(n, 8), digits=2) for n in (1, -1, 3, 16, 0)] == ["0.13", "-0.13", "0.38", "2", "0"]
    assert format_number(Fraction(-1, 10**9), digits=2) == "0"


# Accepted: 450 ± 2 % is 441 … 459; 400 … 440 earns half; a missing unit costs a quarter.
@pytest.mark.parametrize(
    ("written", "score"),
    [
        ("450 GB/s", Fraction(1)),
        ("459GB/s", Fraction(1)),
        ("459.01 GB/s", Fraction(0)),
        ("0.45 TB/s", Fraction(1)),
        ("450 gb/s", Fraction(1)),
        ("450", Fraction(3, 4)),
        ("440 GB/s", Fraction(1, 2)),
        ("420", Fraction(1, 4)),
        ("900 GB/s", Fraction(0)),
        ("45 TB/s", Fraction(0)),
    ],
)
def test_numeric_tolerance_units_and_penalty(written: str, score: Fraction) -> None:
    assert grade(variant("numeric"), {"value": written}).score == score


def test_numeric_recognised_mistake_has_its_own_feedback() -> None:
    (part,) = grade(variant("numeric"), {"value": "900 GB/s"}).parts
    assert part.feedback is not None
    assert "both directions" in part.feedback.en
    (part,) = grade(variant("numeric"), {"value": "1 GB/s"}).parts
    assert part.feedback is not None
    assert part.feedback.en == "Think again."


@pytest.mark.parametrize("written", ["fast", "450 km", "1e999999999", "450\x00"])
def test_numeric_refuses_what_is_not_a_number(written: str) -> None:
    with pytest.raises(Invalid) as refused:
        parse_response(variant("numeric"), {"value": [written]}, tokens())
    assert refused.value.problems[0].where == "value"


def test_numeric_range_upside_down_is_refused() -> None:
    with pytest.raises(Invalid) as refused:
        question("numeric", answers=[{"from": 5, "to": 4}])
    assert refused.value.problems[0].where == "answers[0].to"


def test_cloze_scores_the_mean_of_its_blanks() -> None:
    asked = variant("cloze")
    full = {"name": " NVIDIA.com/GPU ", "count": "8.0", "who": "a"}
    assert grade(asked, {"blanks": full}).score == 1
    assert grade(asked, {"blanks": {**full, "name": "gpu"}}).score == Fraction(5, 6)
    assert grade(asked, {"blanks": {"count": "8"}}).score == Fraction(1, 3)


def test_cloze_blank_left_open_is_missed_not_wrong() -> None:
    parts = {part.name: part.verdict for part in grade(variant("cloze"), {"blanks": {"count": "9"}}).parts}
    assert parts == {"name": Verdict.MISSED, "count": Verdict.WRONG, "who": Verdict.MISSED}


def test_cloze_segments_follow_each_language() -> None:
    view = public_view(variant("cloze"), tokens())
    zh = [next(iter(segment)) for segment in view["segments"]["zh-hans"]]
    assert zh == ["text", "blank", "text", "blank", "text", "blank", "text"]
    en = [next(iter(segment)) for segment in view["segments"]["en"]]
    assert en == ["blank", "text", "blank", "text", "blank", "text"]


def test_cloze_blanks_must_stand_once_in_each_language() -> None:
    with pytest.raises(Invalid) as refused:
        question("cloze", text={"zh-hans": "[[name]] [[count]] [[who]]", "en": "[[name]] [[name]] [[count]] [[other]]"})
    found = {(p.code, p.params["blank"], p.params["language"]) for p in refused.value.problems}
    assert found == {
        ("cloze.blank_not_in_text", "name", "en"),
        ("cloze.blank_not_in_text", "who", "en"),
        ("cloze.blank_unknown", "other", "en"),
    }


@pytest.mark.parametrize(
    ("pattern", "written", "fits"),
    [
        ("PreFilter", "prefilter", True),
        ("gang scheduling", "Gang   Scheduling", True),
        ("ＮＶＬｉｎｋ", "nvlink", True),
        ("*switch", "NVSwitch", True),
        ("nv*link*4", "NVLink 4", True),
        ("a*a", "a", False),
        ("*", "", True),
        ("a*b*c", "acb", False),
        ("", "x", False),
    ],
)
def test_words_are_compared_forgivingly(pattern: str, written: str, fits: bool) -> None:
    assert matches(pattern, written) is fits


def test_many_wildcards_do_not_run_away() -> None:
    assert not matches("a*" * 90 + "b", "a" * 190)
