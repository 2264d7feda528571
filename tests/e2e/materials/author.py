"""An instructor at work in a browser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.e2e.conftest import asking, is_post
from tests.e2e.lab.lab_page import LabPage
from tests.factories.accounts import PASSWORD

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from gpuschedlab.accounts.models import Participant
    from gpuschedlab.materials.models import Draft


class Board(LabPage):
    """The graph of a draft: the lab's editor without what steps and runs."""

    def __init__(self, page: Page) -> None:
        self.page = page
        expect(page.locator("#tab-objects")).to_be_visible()
        expect(page.locator("#go-idle")).to_be_hidden()
        page.wait_for_function("() => document.querySelector('#lab-state script') && history.state?.lab")


class Author:
    """The pages of materials, as the instructor `ada` uses them."""

    def __init__(self, page: Page, person: Participant) -> None:
        self.page = page
        page.goto("/accounts/log-in/?next=/materials/")
        assert person.user is not None
        page.locator("[name=username]").fill(person.user.username)
        page.locator("[name=password]").fill(PASSWORD)
        page.locator("main form button.button-main").click()
        expect(page).to_have_url(re.compile(r"/materials/$"))

    def begin(self, kind: str, title: str, start: str = "") -> str:
        """A new draft; gives the address of its pages."""
        self.page.goto(f"/materials/new/{kind}/")
        self.page.locator("[name=title]").fill(title)
        if start:
            self.page.locator(f"[name=start][value={start}]").check()
        self.page.locator("main form button.button-main").click()
        expect(self.page).to_have_url(re.compile(r"/form/$"))
        return self.page.url.removesuffix("form/")

    def field(self, name: str) -> Locator:
        return self.page.locator(f'#draft-form [name="{name}"]')

    def write(self, name: str, text: str) -> None:
        """Type into a field and leave it: it saves itself."""
        expect(self.page.locator("#draft-form.saves-itself")).to_be_visible()
        with asking(self.page, is_post):
            self.field(name).fill(text)
            self.field(name).blur()

    def choose(self, name: str, value: str) -> None:
        """Choose from a list: it saves itself."""
        expect(self.page.locator("#draft-form.saves-itself")).to_be_visible()
        with asking(self.page, is_post):
            self.field(name).select_option(value)

    def toggle(self, name: str) -> None:
        """Tick a box, or take the tick away: it saves itself."""
        expect(self.page.locator("#draft-form.saves-itself")).to_be_visible()
        with asking(self.page, is_post):
            self.page.locator(f'#draft-form input[type=checkbox][name="{name}"]').click()

    def remove(self, listing: str, index: int) -> None:
        """Take an entry out of a list of the form."""
        entries = self.page.locator(f'[data-listing="{listing}"] > .doc-entries > .doc-entry')
        before = entries.count()
        self.page.locator(f'button[value="remove:{index}:{listing}"]').click()
        expect(entries).to_have_count(before - 1)
        self._has_focus(listing)

    def write_to(self, draft: Draft, name: str, text: str) -> None:
        """Type into a field of a draft's form."""
        self.page.goto(f"/materials/{draft.pk}/form/")
        self.write(name, text)

    def add(self, listing: str, kind: str = "") -> None:
        """Add an entry to a list of the form."""
        place = self.page.locator(f'[data-listing="{listing}"]')
        before = place.locator(":scope > .doc-entries > .doc-entry").count()
        if kind:
            place.locator(f'select[name="kind/{listing}"]').select_option(kind)
        place.locator(f'button[value="add:0:{listing}"]').click()
        expect(place.locator(":scope > .doc-entries > .doc-entry")).to_have_count(before + 1)
        self._has_focus(listing)

    def _has_focus(self, listing: str) -> None:
        """A list that was changed takes the focus: what is typed before that would go elsewhere."""
        script = "list => document.querySelector(list).matches(':focus, :has(.doc-entry :focus)')"
        self.page.wait_for_function(script, arg=f'[data-listing="{listing}"]')

    def tab(self, name: str) -> None:
        """One of the draft's views, by the end of its address."""
        self.page.locator(f'.draft-tabs a[href$="/{name}/"]').click()
        expect(self.page.locator(f'.draft-tabs a[href$="/{name}/"]')).to_have_attribute("aria-current", "page")
