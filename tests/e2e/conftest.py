"""The browser tests' harness: the real site on a real port, in a thread, and a real Chromium to look at it.

    def test_home_greets(open_page, look):
        page = open_page("/", look)
        expect(page.get_by_role("heading", level=1)).to_be_visible()

Every page opened this way is watched: a console error, an uncaught exception, a CSP violation or a request to another
host fails the test. What a test provokes on purpose it allows first: problems.allow(r"status of 404").
"""

from __future__ import annotations

import asyncio
import importlib
import os
import re
import socket
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import uvicorn
from axe_playwright_python.sync_playwright import Axe
from django.contrib.contenttypes.management import create_contenttypes
from django.db import connections
from django.db.models.signals import post_migrate
from django.test import override_settings
from django.utils import timezone
from playwright.sync_api import Page

from gpuschedlab.settings.site import MIDDLEWARE
from gpuschedlab.web.jobs import services
from gpuschedlab.web.models import Run
from gpuschedlab.web.sockets import events
from gpuschedlab.web.tasks import run_job
from tests.e2e import browser
from tests.e2e.kept_files import KeptFiles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from uuid import UUID

    from playwright.sync_api import BrowserContext, ConsoleMessage, Request, Response, Route
    from pytest_django.fixtures import SettingsWrapper

os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"  # Playwright's loop runs in the thread that uses the ORM

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--js-flags=--no-opt",  # no page lives long enough for it to be worth it
)
JOB_THREAD = "job"
SCREENSHOTS = Path("test-results/screenshots")
NOTHING_ASKED = "() => !document.querySelector('.htmx-request')"
AT_REST = """() => document.getAnimations().every(
    (one) => one.playState !== "running" || one.effect.getComputedTiming().iterations === Infinity)"""


@dataclass(frozen=True, slots=True)
class Look:
    """How somebody looks at a page."""

    language: str = "zh-hans"
    width: int = 1280
    dark: bool = False

    def __str__(self) -> str:
        return f"{self.language}-{self.width}-{'dark' if self.dark else 'light'}"


# Both languages, both widths and both grounds in two looks: they hardly depend on each other. Some tests take one pair,
# some its complement, so that what all pages share is seen in four looks.
LOOKS = [Look("zh-hans", 360, dark=True), Look("en", 1280)]
OTHER_LOOKS = [Look("zh-hans", 1280, dark=True), Look("en", 360)]


@dataclass(slots=True)
class Problems:
    """What went wrong in the pages of a test, except what the test allows."""

    found: list[str] = field(default_factory=list)
    allowed: list[re.Pattern[str]] = field(default_factory=list)

    def allow(self, pattern: str) -> None:
        self.allowed.append(re.compile(pattern))

    def add(self, text: str) -> None:
        self.found.append(text)

    def remaining(self) -> list[str]:
        return [text for text in self.found if not any(pattern.search(text) for pattern in self.allowed)]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "look" in metafunc.fixturenames:
        metafunc.parametrize("look", LOOKS, ids=str)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    path = browser.find()
    if path is None:
        pytest.exit(browser.ADVICE, returncode=1)
    return {**browser_type_launch_args, "executable_path": path, "args": list(FLAGS)}


@pytest.fixture(scope="session")
def _types_once(django_db_setup: None) -> None:
    """Emptying the database after a test writes no content types and permissions anew: it would take longer than
    the emptying, and nothing here asks for them."""
    assert post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")
    assert post_migrate.disconnect(create_contenttypes)


@pytest.fixture(scope="session")
def application() -> KeptFiles:
    """The site with its static files, which other tests have loaded without them."""
    with override_settings(MIDDLEWARE=MIDDLEWARE):
        loaded = importlib.reload(importlib.import_module("gpuschedlab.asgi"))
    return KeptFiles(loaded.application)


@pytest.fixture
def site(application: KeptFiles, _types_once: None, transactional_db: None) -> Iterator[str]:
    """The site's address; the server ends with the test, so that nothing writes into the next one's database."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    config = uvicorn.Config(
        application,
        log_config=None,
        lifespan="on",
        ws="websockets-sansio",
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listener])), name="site", daemon=True)
    thread.start()
    deadline = time.monotonic() + 10
    while not server.started:
        assert thread.is_alive(), "the site did not start"
        assert time.monotonic() < deadline, "the site did not start in time"
        time.sleep(0.01)
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join(10)
    listener.close()


@pytest.fixture
def problems() -> Iterator[Problems]:
    found = Problems()
    yield found
    assert found.remaining() == []


@pytest.fixture
def open_page(site: str, problems: Problems, new_context: Callable[..., BrowserContext]) -> Callable[..., Page]:
    """open_page(path, look, cookies={...}, **context options): a watched page in a browser of its own."""

    def open_(path: str, look: Look | None = None, *, cookies: dict[str, str] | None = None, **options: Any) -> Page:
        chosen = look or Look()
        context = new_context(
            base_url=site,
            locale="zh-CN" if chosen.language == "zh-hans" else "en-US",
            viewport={"width": chosen.width, "height": 900},
            color_scheme="dark" if chosen.dark else "light",
            has_touch=chosen.width < 600,
            **options,
        )
        context.add_cookies([{"name": name, "value": value, "url": site} for name, value in (cookies or {}).items()])
        page = context.new_page()
        _watch(page, site, problems)
        page.goto(path)
        return page

    return open_


def _watch(page: Page, site: str, problems: Problems) -> None:
    def console(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            problems.add(f"console {message.type}: {message.text}")

    def request(made: Request) -> None:
        if not made.url.startswith((site, site.replace("http", "ws"), "data:", "blob:")):
            problems.add(f"request to another host: {made.url}")

    page.on("console", console)
    page.on("request", request)
    page.on("pageerror", lambda error: problems.add(f"uncaught: {error}"))


@pytest.fixture
def demo_pages(settings: SettingsWrapper) -> None:
    """The demo app's pages, besides the site's."""
    settings.ROOT_URLCONF = "tests.demo.urls"


@pytest.fixture
def job_threads(site: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Jobs run in threads of this process, and, as a worker of the embedded mode, without a way to the sockets."""
    threads: list[threading.Thread] = []
    send = events._send

    def work(run_id: UUID) -> None:
        try:
            run_job(str(run_id))
        finally:
            connections.close_all()

    def start(run_id: UUID) -> None:
        threads.append(threading.Thread(target=work, args=(run_id,), name=JOB_THREAD, daemon=True))
        threads[-1].start()

    def send_from_web(event: events.Event) -> None:
        if threading.current_thread().name != JOB_THREAD:
            send(event)

    monkeypatch.setattr(services, "send", start)
    monkeypatch.setattr(events, "_send", send_from_web)
    yield
    Run.objects.update(cancel_requested_at=timezone.now())
    for thread in threads:
        thread.join(10)


@contextmanager
def asking(page: Page, wanted: str | re.Pattern[str] | Callable[[Response], bool]) -> Iterator[None]:
    """Do what asks the server for something. It answers well, and its answer is in the page afterwards."""
    with page.expect_response(wanted) as told:
        yield
    assert told.value.ok
    answered(page)


def answered(page: Page) -> None:
    """Nothing is on its way that would still change the page: a locator that meets both old and new fails at once."""
    page.wait_for_function(NOTHING_ASKED)


def hold(page: Page, pattern: str | re.Pattern[str]) -> list[Route]:
    """The next request to an address waits; `continue_()` it."""
    held: list[Route] = []
    page.route(pattern, lambda route: held.append(route), times=1)  # noqa: PLW0108 (Playwright takes no built-in function)
    return held


def is_post(response: Response) -> bool:
    return response.request.method == "POST"


def axe_violations(page: Page, include: str = "html") -> list[str]:
    """What axe finds wrong on the page, WCAG 2.2 A and AA; one line for each element."""
    page.wait_for_load_state()  # not before its styles are there,
    answered(page)  # nor what is about to be replaced,
    page.wait_for_function(AT_REST)  # nor while a colour is on its way from one to the next
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    # Details of nothing else, and no selectors: a found element shows its HTML. Style sheets need not be fetched again
    # for an experimental rule that is not run.
    options = {"runOnly": {"type": "tag", "values": tags}, "resultTypes": ["violations"]}
    results = Axe().run(page, context=include, options={**options, "preload": False, "selectors": False})
    return [
        f"{violation['id']}: {node['html']} {node['failureSummary']}"
        for violation in results.response["violations"]
        for node in violation["nodes"]
    ]


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than its window."""
    page.wait_for_load_state()
    return int(page.evaluate("() => document.documentElement.scrollWidth - window.innerWidth"))


def screenshot(page: Page, name: str) -> None:
    """A picture of the whole page in test-results/screenshots, when LAB_SCREENSHOTS is set."""
    if os.environ.get("LAB_SCREENSHOTS"):
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=True)
