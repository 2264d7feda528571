"""What all tests share."""

from __future__ import annotations

import gc
import os
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from django.core.cache import cache
from django.utils import translation
from hypothesis import settings

from gpuschedlab.web import limits

if TYPE_CHECKING:
    from collections.abc import Iterator

settings.register_profile("steady", deadline=None, derandomize=True)  # the same tree, the same verdict
settings.register_profile("searching", deadline=None, max_examples=2000)  # --hypothesis-profile=searching
settings.load_profile("steady")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--no-browser", action="store_true", help="leave out the tests that need a Chromium")


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: a browser test waits for a seventh of its time."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return processors + 1


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Browser tests come last, so that on every worker (``--dist load`` keeps the order) no other test follows one.

    Playwright's event loop counts as running in its thread for good once it is started: Django's test client and its
    connections to the database would be others afterwards.
    """
    plain = [item for item in items if not item.get_closest_marker("browser")]
    browser = [item for item in items if item.get_closest_marker("browser")]
    browser.sort(key=lambda item: item.get_closest_marker("slow") is None)  # none of them is the one all wait for
    if config.getoption("--no-browser"):
        config.hook.pytest_deselected(items=browser)
        browser = []
    items[:] = plain + browser


def pytest_collection_finish() -> None:
    """What is there before the first test stays: the collector need not walk through it again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)


def pytest_sessionfinish() -> None:
    """pytest collects five times more before it ends; once is enough for what is left over."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _patience() -> Iterator[None]:
    """What is answered at once is so on a busy machine too; tests of what takes too long set a budget of their own."""
    with pytest.MonkeyPatch.context() as patch:
        for budget in ("simulator.views.runs.REQUEST_BUDGET", "gpuschedlab.materials.views.life.REQUEST_BUDGET"):
            patch.setattr(budget, 60.0)
        yield


@pytest.fixture
def standing_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """No window of the rate limits ends while a test counts, and nothing counts as several uses for being slow."""
    monkeypatch.setattr(limits, "time", SimpleNamespace(time=lambda: 1_000_000.0, thread_time=lambda: 0.0))


@pytest.fixture(autouse=True)
def _on_its_own() -> Iterator[None]:
    """The language of a test's last page and its rate limits are not those of the next test."""
    yield
    translation.deactivate()
    cache.clear()
