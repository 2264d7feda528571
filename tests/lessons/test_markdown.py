"""Texts of authors on pages: Markdown, and nothing that could run or lead astray."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from lessons.manifests.lesson_text import read_lesson_text
from lessons.models import LessonRevision, Term
from lessons.presenters.lesson_text import TextView, present_text
from lessons.presenters.links import address_of
from lessons.presenters.markdown import render_line, render_text
from lessons.presenters.terms import TermLinker
from tests.factories.lessons import lesson_source

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](vbscript:x)",
    "![x](https://example.org/x.png)",
    "<javascript:alert(1)>",
    '[x](https://example.org" onmouseover="alert(1))',
    "`<script>`",
    "```html\n<script>alert(1)</script>\n```",
    '```" onload="x\nx\n```',
    "<a href='javascript:alert(1)'>x</a>",
    "<iframe srcdoc='<script>alert(1)</script>'>",
    "<style>*{display:none}</style>",
    "<div style='position:fixed'>x</div>",
    "&lt;script&gt;",
    "|a|\n|:-:|\n|<script>x</script>|",
    "[x]: javascript:alert(1)\n[x]",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_runs(text: str) -> None:
    for html in (render_text(text), render_line(text)):
        assert not re.search(r"<(script|img|svg|iframe|style|object|embed|form)\b", html, re.IGNORECASE), html
        assert not re.search(r"<[^>]+\s(on\w+|style|srcdoc)\s*=", html, re.IGNORECASE), html
        assert not re.search(r"href=\"?\s*(javascript|data|vbscript)", html, re.IGNORECASE), html


def test_markdown_is_markdown() -> None:
    html = render_text("A **bold** `code`.\n\n- one\n- two\n\n| a | b |\n|---|--:|\n| 1 | 2 |")
    for part in ("<strong>bold</strong>", "<code>code</code>", "<li>one</li>", '<td class="align-right">2</td>'):
        assert part in html
    assert "style=" not in html


def test_line_has_no_paragraph() -> None:
    assert render_line("`nvidia.com/gpu` *x*") == "<code>nvidia.com/gpu</code> <em>x</em>"


def test_headings_and_rules_of_a_question_stay_text() -> None:
    assert "<h" not in render_text("# Big\n\nx\n===\n\n---")


def present(body: str, *terms: Term, language: str = "en") -> TextView:
    text = lesson_source()["en"].replace("A gang is a set of Pods. `gang` stays code; a second gang stays text.", body)
    lesson = read_lesson_text(text, "l")
    revision = LessonRevision(pk=hash(body) % 10**6, texts={language: lesson.body}, front={language: lesson.front})
    return present_text(revision, language, terms)


def gang(**fields: object) -> Term:
    return Term(**{"slug": "gang", "zh": "整组调度", "en": "gang scheduling", "aliases": ["gang"], **fields})


def links(view: TextView) -> list[str]:
    html = "".join(piece.html for section in view.sections for piece in section.pieces)
    return re.findall(r'<a[^>]*data-term="[^"]*"[^>]*>([^<]*)</a>', html)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("Gang scheduling, gang scheduling.", ["Gang scheduling"]),
        ("The longest name wins: gang scheduling.", ["gang scheduling"]),
        ("Many gangs start.", ["gangs"]),
        ("Not a gangway, not a pre-gang.", []),
        ("`gang` and\n\n```text\ngang\n```\n\nare code.", []),
        ("### A gang heading\n\nText.", []),
        ("[A gang elsewhere](lesson:topology).", []),
        ("| gang |\n|---|\n| gang |", ["gang"]),
        ("**gang**", ["gang"]),
        ("[This one](term:gang) and gang.", ["This one"]),
        ("先看整组调度，再看整组调度。", ["整组调度"]),
        ("用gang调度。", ["gang"]),
    ],
)
def test_term_links_itself_once_in_running_text(body: str, found: list[str]) -> None:
    assert links(present(body, gang())) == found


def test_short_and_capital_names_are_taken_as_written() -> None:
    terms = [gang(slug="hnt", zh="异构", en="HNT", aliases=[]), gang(slug="pod", zh="荚", en="Pod", aliases=[])]
    assert links(present("hnt HNT pod Pod Pods", *terms)) == ["HNT", "Pod"]


def test_each_section_links_anew() -> None:
    view = present("gang\n\n## More {#more}\n\ngang", gang())
    assert links(view) == ["gang", "gang"]
    assert view.terms == ("gang",)


def test_no_terms_no_links() -> None:
    assert links(present("gang")) == []
    assert TermLinker.of([]).pattern is None


@pytest.mark.parametrize(
    ("reference", "address"),
    [
        ("lesson:topology", "/lessons/topology/"),
        ("lesson:topology#numa", "/lessons/topology/#numa"),
        ("term:gang", "/glossary/#gang"),
        ("lab:gang-deadlock", "/scenarios/gang-deadlock/"),
        ("quiz:selftest", "/quizzes/selftest/"),
        ("#here", "#here"),
        ("nowhere:x", "#"),
    ],
)
def test_reference_becomes_an_address(reference: str, address: str) -> None:
    assert address_of(reference) == address
    assert reverse("lessons:glossary") == "/glossary/"


def test_link_in_a_lesson_leads_to_its_page() -> None:
    html = "".join(p.html for s in present("See [this](lesson:topology#numa).").sections for p in s.pieces)
    assert 'href="/lessons/topology/#numa"' in html


def test_wide_things_scroll_and_can_be_reached() -> None:
    html = "".join(p.html for s in present("| a |\n|---|\n| b |\n\n```bash\nls\n```").sections for p in s.pieces)
    assert '<div class="table-scroll" tabindex="0" role="group">' in html
    assert '<pre tabindex="0"><code class="language-bash">ls' in html
