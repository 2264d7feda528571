"""The lab page as a person uses it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from tests.e2e.conftest import answered, asking

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

PLACE = re.compile(r"[?&]at=(\d+\.\d+)")


class LabPage:
    def __init__(self, page: Page) -> None:
        self.page = page
        expect(page.locator("#unit")).to_be_visible()
        page.wait_for_function("() => document.querySelector('#lab-state script') && history.state?.lab")

    @property
    def at(self) -> str:
        found = PLACE.search(self.page.url)
        assert found is not None, self.page.url
        return found[1]

    @property
    def sentence(self) -> Locator:
        return self.page.locator("#sentence")

    @property
    def state(self) -> dict[str, Any]:
        script = "() => JSON.parse(document.querySelector('#lab-state script').textContent)"
        return dict(self.page.evaluate(script))

    def press(self, key: str) -> None:
        """A key that asks the server for something."""
        with asking(self.page, lambda response: "/labs/" in response.url or "/shared/" in response.url):
            self.page.keyboard.press(key)

    def unit(self, name: str) -> None:
        self.page.locator("#unit").select_option(name)
        self.page.locator("#unit").blur()

    def tab(self, name: str) -> None:
        self.page.locator(f"#tab-{name}").click()
        expect(self.page.locator(f"#tab-{name}")).to_have_attribute("aria-current", "true")
        answered(self.page)

    def choose(self, ref: str) -> None:
        """An object in the Objects tab: kind/namespace/name."""
        self.tab("objects")
        kind, _namespace, name = ref.split("/")
        self.page.locator(".object-rows a", has_text=re.compile(rf"^{re.escape(name)}\b")).first.click()
        expect(self.page.locator(".object-head h3")).to_have_text(f"{kind} {name}")

    def label(self, node: str, labels: str, *, button: str) -> None:
        self.choose(f"Node//{node}")
        self.page.locator('input[name="labels"]').fill(labels)
        self.page.get_by_role("button", name=button, exact=True).click()
        expect(self.page.locator("#object-yaml")).to_contain_text(labels.split("=", maxsplit=1)[0])

    def card(self, node: str) -> Locator:
        return self.page.locator(f'.node-card[data-node="{node}"]')

    def row(self, node: str) -> Locator:
        return self.page.locator(".matrix tbody tr", has=self.page.locator("th", has_text=re.compile(f"^{node}$")))
