"""Numbers and formulas as text; expected texts were written by hand from the formulas of the fabric's specification."""

from __future__ import annotations

import pytest
from django.utils import translation

from simulator.engine.fabric.derivation import Term, derived
from simulator.presenters.fabric.derivations import amount_text, derivation_view, figure
from simulator.presenters.fabric.published_view import claims_view, published_tables


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (8, "8"),
        (12_288, "12,288"),
        (370.8, "370.8"),
        (47.5, "47.5"),
        (1.21734, "1.217"),
        (0.0629, "0.063"),
        (6_658_859_008, "6.66 × 10⁹"),
        (0.00002, "2.00 × 10⁻⁵"),
        (float("inf"), "∞"),
        (0, "0"),
    ],
)
def test_numbers_have_about_four_digits(value: float, text: str) -> None:
    assert figure(value) == text


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.02341, "s", "23.41 ms"),
        (1.217, "s", "1.217 s"),
        (48e12, "FLOP/s", "48 TFLOP/s"),
        (370.8, "GB/s", "370.8 GB/s"),
    ],
)
def test_units_suit_the_size(value: float, unit: str, text: str) -> None:
    with translation.override("en"):
        assert amount_text(value, unit) == text


def test_a_formula_in_words_and_numbers() -> None:
    links = derived("bandwidth.all-links", 370.8, "GB/s", Term("links", 18), Term("effective", 20.6, "GB/s", "NCCL"))
    with translation.override("en"):
        english = derivation_view(links)
    with translation.override("zh-hans"):
        chinese = derivation_view(links)

    assert (english.words, english.numbers, english.result) == ("links × each link", "18 × 20.6", "370.8 GB/s")
    assert (chinese.words, chinese.numbers, chinese.result) == ("链路条数 × 每条链路", "18 × 20.6", "370.8 GB/s")
    assert [(term.name, term.value, term.source) for term in english.terms] == [
        ("links", "18", ""),
        ("each link", "20.6 GB/s", "NCCL"),
    ]


def test_the_chapter_is_told_with_both_conventions() -> None:
    """900 / 10 and 450 / 10; 12,288 tokens per GPU at 10 GB/s: 15.4 %, at 370: 44.1 %."""
    with translation.override("en"):
        claims = claims_view()
    assert (claims.mixed.numbers, claims.mixed.result) == ("900 ÷ 10", "90 times")
    assert (claims.same.numbers, claims.same.result) == ("450 ÷ 10", "45 times")
    rows = {row.bandwidth: (row.mfu.result, row.hidden.result) for row in claims.chapter}
    assert rows["370"] == ("44.1%", "46.5%")
    assert rows["10"] == ("15.4%", "19.8%")
    assert rows["12.2"] == ("17.5%", "23.4%")


def test_published_figures_stand_beside_computed_ones() -> None:
    """The worst of the RDMA figures lies 10.7 % below the rule (84.8 against 95); MPT-7B within 0.1 point."""
    with translation.override("en"):
        tables = {table.title: table.rows for table in published_tables()}
    bandwidth = tables["Bus bandwidth over several machines"]
    assert len(bandwidth) == 12
    assert ("95 GB/s", "84.8 GB/s", "−10.7%") in [(row.predicted.result, row.published, row.gap) for row in bandwidth]
    mpt = [row for row in tables["MFU"] if row.name.startswith("MPT-7B")]
    assert [(row.predicted.result, row.published, row.gap) for row in mpt] == [
        ("46.46%", "46.44%", "−0.02 points"),
        ("45.73%", "45.71%", "−0.02 points"),
        ("44.17%", "44.15%", "−0.02 points"),
        ("42.21%", "42.20%", "−0.01 points"),
    ]
