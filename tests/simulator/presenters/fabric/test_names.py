"""Everything the fabric can say of figures and links has its words in both languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

import pytest
from django.utils import translation

from simulator.engine.fabric.fabric import Fabric
from simulator.engine.fabric.formulas import FORMULAS
from simulator.engine.fabric.links import ALL_FAMILIES, LINK_KINDS
from simulator.engine.fabric.presets import PRESETS, preset_host
from simulator.engine.fabric.training import MODELS
from simulator.presenters.fabric.derivations import DerivationView
from simulator.presenters.fabric.formula_names import FORMULA_NAMES, TERM_NAMES
from simulator.presenters.fabric.looks import FAMILIES, KINDS
from simulator.presenters.fabric.placement_page import MODEL_NAMES
from simulator.presenters.fabric.placement_view import Training, placement_view
from simulator.presenters.fabric.published_view import claims_view, published_tables

WORD = re.compile(r"[a-z_]+")
FUNCTIONS = {"min", "max", "log", "e"}
CITATION = re.compile(
    r"NCCL|nccl|ml-engineering|Megatron|OneFlow|llm-foundry|Llama|PaLM|arthurchiao GPU data sheet|NVLink|xGMI|HCCS|"
    r"PCIe|InfiniBand|RoCE"
)
"""Projects, papers and names of links are the same in both languages."""


def test_every_formula_and_every_term_has_a_name() -> None:
    assert set(FORMULA_NAMES) == set(FORMULAS)
    words = set(chain.from_iterable(WORD.findall(formula.expression) for formula in FORMULAS.values()))
    assert words - FUNCTIONS == set(TERM_NAMES)


def test_every_kind_of_link_has_a_name_and_every_family_a_look() -> None:
    assert set(KINDS) == set(LINK_KINDS)
    assert set(FAMILIES) == set(ALL_FAMILIES)


def test_models_to_choose_are_there() -> None:
    assert set(MODEL_NAMES) <= set(MODELS)


def _figures() -> Iterator[DerivationView]:
    """What pages show: claims, comparisons, placements on every preset machine and over the network."""
    claims = claims_view()
    yield from (claims.mixed, claims.same)
    for row in claims.chapter:
        yield from (row.step, row.mfu, row.hidden)
    yield from (row.predicted for table in published_tables() for row in table.rows)
    for name, preset in PRESETS.items():
        if preset.shape.gpus:
            fabric = Fabric((preset_host(name, "a"), preset_host(name, "b")))
            gpus = tuple(range(len(preset.shape.gpus)))
            for placement in ({"a": gpus}, {"a": gpus[:1], "b": gpus[:1]}, {"a": gpus[:2], "b": gpus[:2]}, {"a": (0,)}):
                view = placement_view(fabric, placement, Training())
                assert view is not None
                yield from view.figures
                yield from (figure for _, figure in view.algorithms)


def _all(figure: DerivationView) -> Iterator[DerivationView]:
    yield figure
    for part in figure.parts:
        yield from _all(part)


def test_sources_are_citations_or_have_a_translation() -> None:
    """In Chinese no source is left in English words."""
    with translation.override("zh-hans"):
        figures = [part for figure in _figures() for part in _all(figure)]
        texts = {row.source for table in published_tables() for row in table.rows}
    texts |= {figure.source for figure in figures}
    texts |= {term.source for figure in figures for term in figure.terms if term.source}
    pieces = {piece for text in texts for piece in text.split("；")} - {"a", "b"}  # the machines' names
    left = {piece for piece in pieces if not re.search(r"[\u4e00-\u9fff]", piece)}
    assert {piece for piece in left if not CITATION.search(piece)} == set()


@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_formulas_are_written_with_words_and_with_numbers(language: str) -> None:
    with translation.override(language):
        figures = list(_figures())
    assert len(figures) > 100
    for figure in figures:
        assert figure.title
        assert figure.result[0].isdigit() or figure.result[0] == "∞"
        assert "_" not in figure.words + figure.numbers
        assert not re.search(r"[a-z]{3,}", figure.numbers.replace("min", "").replace("max", "").replace("log", ""))
