"""What all tests share."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from django.core.cache import cache
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Iterator


settings.register_profile("steady", deadline=None, derandomize=True)  # the same tree, the same verdict
settings.register_profile("searching", deadline=None, max_examples=2000)  # --hypothesis-profile=searching
settings.load_profile("steady")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--no-browser", action="store_true", help="leave out the tests that need a Chromium")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--no-browser"):
        return
    left_out = [item for item in items if item.get_closest_marker("browser")]
    items[:] = [item for item in items if not item.get_closest_marker("browser")]
    config.hook.pytest_deselected(items=left_out)


@contextmanager
def _hidden_loop(item: pytest.Item) -> Iterator[None]:
    """Playwright's loop, once started, counts as running in its thread for good: only browser tests may see it."""
    loop = None if item.get_closest_marker("browser") else asyncio._get_running_loop()
    if loop is None:
        yield
        return
    asyncio._set_running_loop(None)
    try:
        yield
    finally:
        asyncio._set_running_loop(loop)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    with _hidden_loop(item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    with _hidden_loop(item):
        return (yield)


@pytest.fixture(autouse=True)
def _fresh_cache() -> Iterator[None]:
    """Rate limits of one test are not those of the next."""
    cache.clear()
    yield
    cache.clear()
