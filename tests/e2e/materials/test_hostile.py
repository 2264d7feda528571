"""A scenario full of known vectors, in a real browser: no script of its author runs, for nobody who looks at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.e2e.conftest import Look
from tests.e2e.lab.lab_page import LabPage
from tests.e2e.materials.author import Author, Board
from tests.factories.materials import make_draft, publish
from tests.materials.dangers import VECTORS
from tests.materials.hostile import hostile_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from gpuschedlab.accounts.models import Participant

    OpenPage = Callable[..., Page]

SHORT = '"><img src=x onerror=window.hacked=1>'
LONG = "\n\n".join(VECTORS)


def is_hacked(page: Page) -> bool:
    return bool(page.evaluate("() => 'hacked' in window"))


def test_no_script_of_an_author_runs(open_page: OpenPage, instructor: Participant) -> None:
    draft = publish(make_draft(instructor, hostile_text(SHORT, LONG)))

    page = open_page("/", Look("en"))
    author = Author(page, instructor)
    base = f"/materials/{draft.pk}/"
    for view in ("form", "translations", "text", "history", "history/1", "publish", "share", "figures"):
        page.goto(f"{base}{view}/")
        expect(page.locator("#draft-title")).to_have_text(SHORT)
        assert not is_hacked(page)
    author.tab("graph")
    _look_around(Board(page))

    learner = open_page("/scenarios/", Look("en"))
    expect(learner.get_by_text(SHORT).first).to_be_visible()
    assert not is_hacked(learner)
    learner.goto(f"/scenarios/{draft.published}/")
    lab = LabPage(learner)
    lab.press("ArrowRight")
    _look_around(lab)
    for tab in ("task", "queue", "scheduler", "events", "why", "predictions"):
        lab.tab(tab)
        assert not is_hacked(learner)


def _look_around(lab: LabPage) -> None:
    """The objects, and their texts in the editor."""
    for ref, kind in (("Pod/default/p1", "pod"), ("Node//n1", "node")):
        lab.choose(ref)
        expect(lab.page.locator("#object-yaml")).to_contain_text("example.com/note")
        assert not is_hacked(lab.page), kind


def test_a_script_that_runs_would_be_seen(open_page: OpenPage) -> None:
    """The check itself: what a script of an author would leave is found."""
    page = open_page("/", Look("en"))
    assert not is_hacked(page)
    page.evaluate("() => { window.hacked = 1; }")
    assert is_hacked(page)
