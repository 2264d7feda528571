"""Quantities: expected values from the rules of apimachinery's quantity.go and its own published test table."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.engine.objects.quantity import MAX_INT64, Quantity, QuantityError, number_text

FORMAT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
NUMERIC = "unable to parse numeric part of quantity"
SUFFIX = "unable to parse quantity's suffix"


@pytest.mark.parametrize(
    ("text", "printed", "value", "milli"),
    [
        ("0", "0", 0, 0),
        ("1", "1", 1, 1000),
        ("+1", "+1", 1, 1000),
        ("1.5", "1500m", 2, 1500),
        ("1500m", "1500m", 2, 1500),
        ("1000m", "1", 1, 1000),
        ("0.1m", "100u", 1, 1),
        ("-1", "-1", -1, -1000),
        ("-1.5", "-1500m", -2, -1500),
        (".5", "500m", 1, 500),
        ("1.", "1.", 1, 1000),
        ("1.G", "1.G", 10**9, 10**12),
        ("64Mi", "64Mi", 64 * 2**20, 64 * 2**20 * 1000),
        ("1024Mi", "1Gi", 2**30, 2**30 * 1000),
        ("1.5Gi", "1536Mi", 1610612736, 1610612736000),
        ("0.5Ki", "512", 512, 512000),
        ("100M", "100M", 10**8, 10**11),
        ("1000k", "1M", 10**6, 10**9),
        ("1e3", "1e3", 1000, 10**6),
        ("1000e3", "1e6", 10**6, 10**9),
        ("12e-2", "120e-3", 1, 120),
        ("2e0", "2e0", 2, 2000),
        ("1E", "1E", 10**18, MAX_INT64),
        ("100Ei", "9223372036854775807", MAX_INT64, MAX_INT64),
        ("0.0000000001", "1n", 1, 1),
        ("1e-100000000000", "1e-9", 1, 1),
        ("1u", "1u", 1, 1),
        ("2000000000n", "2", 2, 2000),
        ("128974848000m", "128974848", 128974848, 128974848000),
        ("m", "0", 0, 0),
        (" 1 ", "1", 1, 1000),
    ],
)
def test_parse_known_texts(text: str, printed: str, value: int, milli: int) -> None:
    quantity = Quantity.parse(text)
    assert (str(quantity), quantity.value(), quantity.milli_value()) == (printed, value, milli)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("", FORMAT),
        ("one", FORMAT),
        ("1GB", FORMAT),
        ("1.5.5", FORMAT),
        ("1 Gi", FORMAT),
        ("१", FORMAT),
        pytest.param("\ud800", FORMAT, id="surrogate"),
        ("1K", SUFFIX),
        ("1GG", SUFFIX),
        ("1e", SUFFIX),
        ("1m5", SUFFIX),
        ("5-", SUFFIX),
        ("1e999999999999999999999", NUMERIC),
        pytest.param("9" * 100_000, NUMERIC, id="long"),
        pytest.param(10**100_000, NUMERIC, id="huge"),
        (True, FORMAT),
        (math.nan, FORMAT),
        (math.inf, FORMAT),
        ([1], FORMAT),
        ({}, FORMAT),
    ],
)
def test_parse_refuses_with_the_real_text(source: object, message: str) -> None:
    with pytest.raises(QuantityError) as caught:
        Quantity.parse(source)  # type: ignore[arg-type]
    assert str(caught.value) == message


@pytest.mark.parametrize(("source", "printed"), [(1, "1"), (0.5, "500m"), (1.0, "1"), (2.5e9, "2500M"), (None, "0")])
def test_parse_numbers(source: float | None, printed: str) -> None:
    assert str(Quantity.parse(source)) == printed


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (1.5e-7, "1.5e-07"),
        (1e-6, "0.000001"),
        (0.25, "0.25"),
        (-2.5e3, "-2500"),
    ],
)
def test_number_text_is_that_of_go(number: float, text: str) -> None:
    assert number_text(number) == text


@pytest.mark.parametrize(
    ("text", "rounded"),
    [("0.1m", "1m"), ("1.0005", "1001m"), ("1.1", "1100m"), ("1999999u", "2"), ("-0.1m", "-1m"), ("1e9", "1e9")],
)
def test_round_up_milli(text: str, rounded: str) -> None:
    assert str(Quantity.parse(text).round_up_milli()) == rounded


def test_sum_keeps_the_first_format_unless_zero() -> None:
    assert str(Quantity.parse("1Gi") + Quantity.parse("1024")) == "1048577Ki"
    assert str(Quantity.parse("0") + Quantity.parse("1Gi")) == "1Gi"
    assert str(Quantity.parse("500m") + Quantity.parse("1500m")) == "2"
    assert str(Quantity.parse("3") - Quantity.parse("500m")) == "2500m"


def test_equality_is_by_value() -> None:
    assert Quantity.parse("1") == Quantity.parse("1000m")
    assert hash(Quantity.parse("1")) == hash(Quantity.parse("1000m"))
    assert Quantity.parse("1") != 1
    assert Quantity.parse("999m") < Quantity.parse("1") <= Quantity.parse("1") < Quantity.parse("1Ki")


NUMBERS = st.from_regex(r"[+-]?[0-9]{1,12}(\.[0-9]{0,9})?(n|u|m||k|M|G|T|Ki|Mi|Gi|Ti|e-?[0-9])", fullmatch=True)


@given(NUMBERS)
def test_printed_form_reads_back_as_the_same_value(text: str) -> None:
    quantity = Quantity.parse(text)
    assert Quantity.parse(str(quantity)) == quantity
    rounded = quantity.round_up_milli()
    assert abs(rounded.nanos) >= abs(quantity.nanos)
    assert abs(rounded.nanos - quantity.nanos) < 10**6


@given(st.text(max_size=40) | st.floats() | st.integers())
def test_any_source_gives_a_quantity_or_the_error(source: str | float) -> None:
    try:
        quantity = Quantity.parse(source)
    except QuantityError:
        return
    assert Quantity.parse(str(quantity)) == quantity
