"""Templates, scripts and styles: what the content security policy, htmx 4 and readers need of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.template.loader import get_template

from tests.architecture.source import ROOT, name_of, python_sources, scripts, templates, tracked_files

EVENT_ATTRIBUTES = re.compile(r"<[^>]*\son[a-z]+\s*=", re.IGNORECASE)
INLINE_SCRIPT = re.compile(r"<script(?![^>]*\bsrc=)[^>]*>", re.IGNORECASE)
BARE_IMPORT = re.compile(r"""(?:from|import)\s*\(?\s*["']([^"']+)["']""")
# htmx 4 drops these, or needs eval, which the content security policy forbids
NOT_FOR_HTMX_4 = re.compile(
    r"\bhx-(boost|disinherit|inherit|history|history-elt|ext|on|vars|request|prompt)\b|hx-on:|\bhx-\w+=[\"']js:"
)


def _all(pattern: re.Pattern[str], files: list[Path]) -> list[str]:
    return [
        f"{name_of(path)}: {found.group(0)[:60]}"
        for path in files
        for found in [pattern.search(path.read_text(encoding="utf-8"))]
        if found
    ]


def test_templates_have_no_inline_styles() -> None:
    assert _all(re.compile(r"\sstyle\s*=|<style\b", re.IGNORECASE), templates()) == []


def test_templates_have_no_inline_scripts() -> None:
    assert _all(INLINE_SCRIPT, [path for path in templates() if "application/json" not in path.read_text()]) == []
    assert _all(EVENT_ATTRIBUTES, templates()) == []


def test_templates_keep_to_what_htmx_4_has() -> None:
    assert _all(NOT_FOR_HTMX_4, templates()) == []


def test_body_and_html_carry_no_attributes_to_inherit() -> None:
    assert _all(re.compile(r"<(body|html|main)[^>]*\shx-"), templates()) == []


def test_nothing_asks_for_unsafe_sources() -> None:
    sources = [*python_sources(), *templates(), *scripts()]
    assert _all(re.compile(r"[\"']unsafe-(inline|eval|hashes)|UNSAFE_(INLINE|EVAL)"), sources) == []


def test_scripts_import_by_bare_names_alone() -> None:
    """A relative import would miss the hashed addresses of collected files; the import map knows them."""
    wrong = [
        f"{name_of(path)}: {name}"
        for path in scripts()
        for name in BARE_IMPORT.findall(path.read_text(encoding="utf-8"))
        if name.startswith((".", "/", "http"))
    ]
    assert wrong == []


def test_scripts_evaluate_no_text() -> None:
    assert (
        _all(re.compile(r"\beval\(|new Function\(|\.innerHTML\s*[+]?=|insertAdjacentHTML|document\.write"), scripts())
        == []
    )


def test_styles_come_from_tokens() -> None:
    """Colours are written in tokens.css alone, so that light and dark stay whole."""
    styles = [
        path
        for path in tracked_files()
        if path.suffix == ".css" and name_of(path).startswith("static/css/") and path.name != "tokens.css"
    ]
    colours = re.compile(r":[^;{}]*(#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch|light-dark)\()", re.IGNORECASE)
    assert _all(colours, styles) == []


@pytest.mark.parametrize("path", templates(), ids=name_of)
def test_template_compiles(path: Path) -> None:
    get_template(path.relative_to(ROOT / "templates").as_posix())
