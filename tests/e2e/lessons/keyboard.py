"""Somebody who has only a keyboard: Tab to where one wants to be, then keys. Nothing here clicks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lessons.assessment.learner_view import filled_form
from tests.e2e.conftest import answered

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from lessons.selectors.asked import Asked

FARTHEST = 600

_WAY = """element => {
  const here = document.activeElement;
  if (element === here) return 0;
  const behind = (one, other) => Boolean(one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING);
  const forth = behind(here, element) || here.contains(element);
  const stops = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")]
    .filter((one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility({ visibilityProperty: true }))
    .filter((one) => one.type !== "radio" || one.checked || one === element)
    .filter((one) => forth ? (behind(here, one) && behind(one, element)) : (behind(one, here) && behind(element, one)));
  return forth ? stops.length + 1 : -stops.length - 1;
}"""
"""How often to press Tab, or Shift and Tab where it is negative; about: boxes that scroll are stops as well."""


_TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


class Keyboard:
    """Keys of one page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def go_to(self, target: Locator) -> None:
        """Press Tab, or Shift and Tab, until the target has the focus."""
        answered(self.page)
        handle = target.element_handle()
        assert handle is not None
        for attempt in range(FARTHEST):
            way = handle.evaluate(_WAY)
            if not way:
                return
            often = abs(way) if attempt < 5 else 1
            self.press(*["Tab" if way > 0 else "Shift+Tab"] * often)
        raise AssertionError(f"{target} cannot be reached by the keyboard")

    def push(self, target: Locator) -> None:
        """Go to a button or a link and press Enter."""
        self.go_to(target)
        self.press("Enter")

    def choose_radio(self, group: Locator, token: str) -> None:
        """Go into a group of radio buttons and move to one of them."""
        values = [radio.get_attribute("value") for radio in group.all()]
        checked = next((radio for radio in group.all() if radio.is_checked()), None)
        self.go_to(checked or group.first)
        self.press("Space")
        here = 0 if checked is None else values.index(checked.get_attribute("value"))
        steps = values.index(token) - here
        self.press(*(["ArrowDown"] * steps if steps > 0 else ["ArrowUp"] * -steps))

    def tick(self, box: Locator) -> None:
        self.go_to(box)
        self.press("Space")

    def select(self, field: Locator, token: str) -> None:
        """Go to a list and move down to an entry."""
        values = [option.get_attribute("value") for option in field.locator("option").all()]
        self.go_to(field)
        self.press("Home", *["ArrowDown"] * values.index(token))

    def write(self, field: Locator, text: str) -> None:
        self.go_to(field)
        self.press("Control+A")
        self.page.keyboard.type(text)

    def read_through(self) -> None:
        """Page down to the end, slowly enough for what happens on the way."""
        self.press("Control+Home")
        self.page.wait_for_function("() => scrollY === 0")
        for _ in range(200):
            before = self.page.evaluate("() => scrollY")
            self.press("PageDown")
            self.page.evaluate(_TWO_FRAMES)
            if self.page.evaluate("() => scrollY") == before:
                return


def answer(keyboard: Keyboard, question: Locator, asked: Asked, *, certainty: int = 0) -> None:
    """Fill in the right answer and send it."""
    fields = filled_form(asked.variant, asked.variant.kind.best(asked.variant.content), asked.tokens)
    if asked.text.type == "ordering":
        for token in fields["order"]:
            keyboard.push(question.locator(f'[data-item="{token}"] [data-move="in"]'))
    else:
        for name, values in fields.items():
            for value in values:
                _fill(keyboard, question, name, value)
    if certainty:
        keyboard.choose_radio(question.locator('[name="_certainty"]'), str(certainty))
    keyboard.push(question.locator('.question-buttons button[name="_action"]').first)


def _fill(keyboard: Keyboard, question: Locator, name: str, value: str) -> None:
    found = question.locator(f'[name="{name}"]')
    kind = found.first.evaluate("element => element.type")
    if kind == "radio":
        keyboard.choose_radio(found, value)
    elif kind == "checkbox":
        keyboard.tick(question.locator(f'[name="{name}"][value="{value}"]'))
    elif kind == "select-one":
        keyboard.select(found.first, value)
    else:
        keyboard.write(found.first, value)
