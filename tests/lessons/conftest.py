from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from gpuschedlab.accounts.models import Participant
from lessons.presenters import lesson_text
from lessons.selectors import texts
from tests.factories.accounts import be, make_participant


@pytest.fixture(autouse=True)
def _fresh_texts() -> Iterator[None]:
    """Primary keys begin anew in each test: what was kept of another test's revisions must go."""
    yield
    texts._question.cache_clear()
    texts._quiz.cache_clear()
    lesson_text._present.cache_clear()


@pytest.fixture
def participant(client: Client, db: None) -> Participant:
    """A stored participant, which `client` is the browser of."""
    return be(client, make_participant())


class Clock:
    """The time of `timezone.now`, which stands until it is moved."""

    def __init__(self) -> None:
        self.now = datetime.fromisoformat("2026-03-02T08:00:00+00:00")

    def pass_(self, **delta: float) -> None:
        self.now += timedelta(**delta)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(timezone, "now", lambda: made.now)
    return made


class Page:
    """A page's HTML, and the form of a question on it."""

    def __init__(self, response: Any) -> None:
        self.response = response
        self.text = response.content.decode()

    def hidden(self) -> dict[str, str]:
        """The question form's own hidden fields."""
        return dict(re.findall(r'<input type="hidden" name="(_\w+)" value="([^"]*)"', self.text))

    def token(self, words: str, *, field: str = "choice") -> str:
        """The token of the option whose label is these words."""
        for label in re.findall(r"<label class=\"(?:option|name)[^>]*>.*?</label>", self.text, re.DOTALL):
            if words == re.sub(r"<[^>]*>", "", label).strip():
                found = re.search(rf'name="{field}" value="([0-9a-f]+)"', label)
                assert found, label
                return found[1]
        raise AssertionError(f"no option {words}")


@pytest.fixture
def get(client: Client) -> Callable[[str], Page]:
    return lambda path: Page(client.get(path, headers={"accept-language": "en"}))


@pytest.fixture
def post(client: Client) -> Callable[..., Page]:
    def post_(path: str, data: dict[str, Any], *, htmx: bool = True) -> Page:
        headers = {"accept-language": "en", **({"hx-request": "true"} if htmx else {})}
        return Page(client.post(path, data, headers=headers))

    return post_
