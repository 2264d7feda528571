"""The figures of the lessons: each is there, is used, and keeps to what pages allow."""

from __future__ import annotations

import re

import pytest
from django.template.loader import get_template
from django.utils.translation import override

from tests.content.texts import FIGURES, texts

NAMES = sorted(path.stem for path in FIGURES.glob("[a-z]*.html"))


def test_every_figure_is_used_and_there() -> None:
    used = {piece.data["name"] for _, text in texts() for piece in text.pieces("figure")}
    assert sorted(used) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_figure_is_drawn_in_both_languages(name: str) -> None:
    drawn = {}
    for language in ("en", "zh-hans"):
        with override(language):
            drawn[language] = get_template(f"lessons/figures/{name}.html").render({})
    words = {language: re.sub("<[^>]+>", " ", markup) for language, markup in drawn.items()}
    assert not re.search("[\u3400-\u9fff]", words["en"])
    assert re.search("[\u3400-\u9fff]", words["zh-hans"]) or name in {"gpu-box", "leaf-spine"}
    ids = re.findall(r'\bid="([^"]+)"', drawn["en"])
    assert ids
    assert all(found.startswith(f"{name}-") for found in ids), "ids of two figures must not meet on a page"
    assert set(re.findall(r"url\(#([^)]+)\)", drawn["en"])) <= set(ids)


@pytest.mark.parametrize("name", NAMES)
def test_figure_fits_a_narrow_page(name: str) -> None:
    """Drawn for 360 units, so that its letters keep their size on a phone."""
    markup = (FIGURES / f"{name}.html").read_text(encoding="utf-8")
    assert re.search(r'viewBox="0 0 360 \d+"', markup)
    assert 'aria-hidden="true"' in markup, "what it shows stands in the figure's alt text"
