"""What inputs of a form read out of what was typed."""

from __future__ import annotations

import pytest

from gpuschedlab.materials.documents.fields import Number
from gpuschedlab.materials.documents.paths import read_path
from gpuschedlab.web.jsontext import read_json


@pytest.mark.parametrize("typed", ["nan", "inf", "-inf", "Infinity", "1e999", "NaN", "1/3", "{{cards}}"])
def test_what_is_no_number_of_json_stays_text(typed: str) -> None:
    assert Number(name="n").read([typed]) == typed


@pytest.mark.parametrize(("typed", "number"), [("0.5", 0.5), ("12", 12), ("-3", -3)])
def test_numbers_are_numbers(typed: str, number: float) -> None:
    assert Number(name="n").read([typed]) == number


def test_a_step_of_thousands_of_digits_is_no_place_in_a_list() -> None:
    assert read_path(f"spec/{'9' * 5000}/0") == ("spec", "9" * 5000, 0)


@pytest.mark.parametrize(
    "text", ["NaN", "[Infinity]", "[1e400]", r'"\ud800"', r'["\u0000"]', "[" * 100_000, '{"a":' * 5000, "", "9" * 5000]
)
def test_json_that_nobody_can_store_or_send_on_is_none(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        read_json(text)


@pytest.mark.parametrize(
    ("text", "value"), [('{"a": [1, 2.5, null]}', {"a": [1, 2.5, None]}), (r'"\ud83d\ude00"', "😀")]
)
def test_json_is_read(text: str, value: object) -> None:
    assert read_json(text) == value
