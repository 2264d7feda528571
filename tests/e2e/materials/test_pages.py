"""The pages of materials as people see them: no overflow, nothing that axe finds, other tabs that follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from gpuschedlab.accounts.models import Role
from gpuschedlab.accounts.selectors import participant_of_user
from gpuschedlab.accounts.services import participant_ensure
from gpuschedlab.materials.models import Draft
from tests.e2e.conftest import OTHER_LOOKS, Look, axe_violations, overflow, screenshot
from tests.e2e.materials.author import Author
from tests.factories.accounts import make_user
from tests.factories.materials import make_draft, make_instructor, publish, scenario_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from gpuschedlab.accounts.models import Participant

    OpenPage = Callable[..., Page]

VIEWS = ("form", "text", "translations", "publish", "share", "figures", "history", "history/1", "graph", "preview")
looks = pytest.mark.parametrize("chosen", OTHER_LOOKS, ids=str)


def sound(page: Page, name: str) -> None:
    assert overflow(page) <= 0, name
    assert axe_violations(page) == [], name
    screenshot(page, name.strip("/").replace("/", "-"))


@looks
def test_every_page_of_a_draft(open_page: OpenPage, instructor: Participant, chosen: Look) -> None:
    draft = publish(make_draft(instructor, scenario_text(hints=[{"en": "one"}, {"zh-hans": "二"}])))
    page = open_page("/", chosen)
    author = Author(page, instructor)
    sound(page, f"workbench-{chosen}")
    author.write_to(draft, "spec/minutes", "5")
    for view in VIEWS:
        page.goto(f"/materials/{draft.pk}/{view}/")
        sound(page, f"{view}-{chosen}")
    for path in ("/materials/new/scenario/", "/materials/bring/", "/accounts/audit/", "/scenarios/"):
        page.goto(path)
        sound(page, f"{path}-{chosen}")


@looks
def test_pages_of_administrators(open_page: OpenPage, site: str, chosen: Look) -> None:
    boss = participant_ensure(participant_of_user(make_user(username="boss", role=Role.ADMINISTRATOR)))
    make_instructor("ada")
    page = open_page("/", chosen)
    Author(page, boss)
    page.goto("/accounts/people/")
    page.locator("[name=note]").fill("Bob")
    page.locator(".invite-form button").click()
    link = page.locator("#made-link").input_value()
    sound(page, f"people-{chosen}")
    page.goto("/accounts/audit/")
    sound(page, f"audit-{chosen}")
    guest = open_page(link, chosen)
    sound(guest, f"invitation-{chosen}")
    guest.locator("[name=username]").fill("bob")
    for field in ("password1", "password2"):
        guest.locator(f"[name={field}]").fill("a-long-enough-password")
    guest.locator("main form button.button-main").click()
    guest.goto("/materials/")
    sound(guest, f"first-steps-{chosen}")


def test_other_tab_is_told_and_shows_what_was_changed(open_page: OpenPage, instructor: Participant) -> None:
    draft = make_draft(instructor)
    page = open_page("/", Look("en"))
    Author(page, instructor)
    other = page.context.new_page()
    other.goto(f"/materials/{draft.pk}/text/")
    expect(other.locator(".cm-content")).to_contain_text("level: beginner")
    page.goto(f"/materials/{draft.pk}/form/")
    expect(page.locator("#draft-form.saves-itself")).to_be_visible()
    page.locator('[name="spec/level"]').select_option("advanced")
    other.locator("#draft-elsewhere button").click()
    expect(other.locator(".cm-content")).to_contain_text("level: advanced")


def test_undo_takes_back_what_another_view_did(open_page: OpenPage, instructor: Participant) -> None:
    draft = make_draft(instructor)
    page = open_page("/", Look("en"))
    author = Author(page, instructor)
    author.write_to(draft, "spec/title/en", "Another")
    author.tab("text")
    expect(page.locator(".cm-content")).to_contain_text("en: Another")
    page.locator("#draft-undo").click()
    expect(page.locator("#draft-title")).to_have_text("Give it back")
    expect(page.locator(".cm-content")).to_contain_text("en: Give it back")
    page.locator("#draft-redo").click()
    expect(page.locator("#draft-title")).to_have_text("Another")


def test_problem_leads_to_its_field_and_to_its_line(open_page: OpenPage, instructor: Participant) -> None:
    text = scenario_text(goals=[{"kind": "nodeEmpty"}]).replace("kind: Node", "kind: Nod")
    draft = make_draft(instructor, text)
    page = open_page("/", Look("en"))
    Author(page, instructor)
    page.goto(f"/materials/{draft.pk}/form/")
    page.locator('#draft-checklist a[href*="f-spec-goals-0-node"]').click()
    expect(page.locator('[name="spec/goals/0/node"]')).to_be_focused()
    page.locator('#draft-checklist a[href*="/text/?line="]').first.click()
    line = next(number for number, one in enumerate(text.splitlines(), 1) if one == "kind: Nod")
    active = page.locator(".cm-activeLine")
    expect(active).to_be_visible()
    assert abs(text.splitlines().index(active.inner_text()) + 1 - line) <= 1


def test_published_scenario_is_gone_on_from(open_page: OpenPage, instructor: Participant) -> None:
    publish(make_draft(instructor))
    bob = make_instructor("bob")
    page = open_page("/", Look("en"))
    Author(page, bob)
    page.goto("/scenarios/")
    page.locator('form[action$="/fork/scenario/give-it-back/"] button').click()
    expect(page.locator("#draft-title")).to_have_text("Give it back")
    assert Draft.objects.get(owner=bob).based_on["author"] == "ada"
