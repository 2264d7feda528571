"""The frame of every page: looks, language, theme, keyboard, errors."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Look, axe_violations, overflow, screenshot

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.e2e.conftest import Problems

    OpenPage = Callable[..., Page]

TITLE = {"zh-hans": "GPU Pod 去了哪里，为什么是那里？", "en": "Where does a GPU Pod go, and why there?"}


def test_home_is_whole_in_every_look(open_page: OpenPage, look: Look) -> None:
    page = open_page("/", look)
    expect(page.get_by_role("heading", level=1)).to_have_text(TITLE[look.language])
    assert overflow(page) <= 0
    assert axe_violations(page) == []
    screenshot(page, f"home-{look}")


@pytest.mark.parametrize("path", ["/accounts/log-in/", "/accounts/sign-up/", "/nothing/here/"])
@pytest.mark.parametrize("chosen", [Look("zh-hans", 360, dark=True), Look("en", 1280)], ids=str)
def test_frame_page_is_whole(open_page: OpenPage, problems: Problems, path: str, chosen: Look) -> None:
    problems.allow("status of 404")
    page = open_page(path, chosen)
    assert overflow(page) <= 0
    assert axe_violations(page) == []
    screenshot(page, f"{path.strip('/').replace('/', '-')}-{chosen}")


def test_language_switch_keeps_the_page_and_the_choice(open_page: OpenPage) -> None:
    page = open_page("/accounts/log-in/?next=/", Look("zh-hans"))
    expect(page.get_by_role("heading", level=1)).to_have_text("登录")
    page.get_by_role("button", name="EN", exact=True).click()
    expect(page).to_have_url(re.compile(r"/accounts/log-in/\?next=/$"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Log in")
    assert page.locator("html").get_attribute("lang") == "en"
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text(TITLE["en"])


def _ground(page: Page) -> str:
    return str(page.evaluate("() => getComputedStyle(document.documentElement).backgroundColor"))


DARK, LIGHT = "rgb(20, 24, 27)", "rgb(246, 247, 245)"


def test_theme_follows_the_system_until_one_is_chosen(open_page: OpenPage) -> None:
    page = open_page("/", Look("en", dark=True))
    assert _ground(page) == DARK
    with page.expect_response("**/accounts/preferences/"):
        page.get_by_role("button", name="Light colours").click()
    assert _ground(page) == LIGHT
    expect(page.get_by_role("button", name="Light colours")).to_have_attribute("aria-pressed", "true")
    page.reload()
    assert _ground(page) == LIGHT
    assert page.locator("html").get_attribute("data-theme") == "light"


def test_theme_and_language_switch_work_without_javascript(open_page: OpenPage) -> None:
    page = open_page("/", Look("en"), java_script_enabled=False)
    page.get_by_role("button", name="Dark colours").click()
    assert page.locator("html").get_attribute("data-theme") == "dark"
    page.get_by_role("button", name="中文").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(TITLE["zh-hans"])


def test_keyboard_reaches_the_content_and_the_shortcuts_help(open_page: OpenPage) -> None:
    page = open_page("/", Look("en"))
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(dialog).to_be_visible()
    assert axe_violations(page) == []
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_single_key_shortcuts_can_be_switched_off(open_page: OpenPage) -> None:
    page = open_page("/", Look("en"))
    page.get_by_role("button", name="Keyboard shortcuts").click()
    page.get_by_label("Single keys act as shortcuts").uncheck()
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.reload()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_time_zone_of_the_browser_reaches_the_server(open_page: OpenPage) -> None:
    page = open_page("/", Look("en"), timezone_id="Asia/Shanghai")
    cookies: list[dict[str, Any]] = [dict(cookie) for cookie in page.context.cookies()]
    assert {"time-zone": "Asia/Shanghai"}.items() <= {c["name"]: c["value"] for c in cookies}.items()


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("cytoscape", "m.default({ headless: true, elements: [{ data: { id: 'a' } }] }).nodes().length"),
        ("cytoscape-fcose", "typeof m.default"),
        ("cytoscape-dagre", "typeof m.default"),
        ("uplot", "typeof m.default"),
        ("sortable", "typeof m.default.create"),
    ],
)
def test_vendored_module_loads_on_first_use(open_page: OpenPage, name: str, start: str) -> None:
    page = open_page("/")
    result = page.evaluate(f"async () => {{ const m = await import('{name}'); return {start}; }}")
    assert result in {1, "function"}


def test_code_editor_keeps_to_the_content_security_policy(open_page: OpenPage) -> None:
    page = open_page("/")
    text = page.evaluate(
        """async () => {
          const { EditorState, EditorView, yaml } = await import("codemirror");
          const { cspNonce } = await import("lib/dom");
          const extensions = [yaml(), EditorView.cspNonce.of(cspNonce())];
          const state = EditorState.create({ doc: "kind: Pod", extensions });
          const view = new EditorView({ state, parent: document.querySelector("main") });
          return getComputedStyle(view.dom).display + " " + view.state.doc.toString();
        }"""
    )
    assert text == "flex kind: Pod"


def test_graph_keeps_to_the_content_security_policy(open_page: OpenPage) -> None:
    page = open_page("/")
    width = page.evaluate(
        """async () => {
          const cytoscape = (await import("cytoscape")).default;
          const { default: fcose } = await import("cytoscape-fcose");
          cytoscape.use(fcose);
          const link = document.createElement("link");
          const id = "__________cytoscape_stylesheet";
          Object.assign(link, { rel: "stylesheet", href: "/static/css/cytoscape.css", id });
          await new Promise((resolve) => { link.onload = resolve; document.head.append(link); });
          const host = document.createElement("div");
          host.style.height = "200px";
          document.querySelector("main").append(host);
          const cy = cytoscape({ container: host, elements: [{ data: { id: "a" } }], layout: { name: "preset" } });
          return cy.width();
        }"""
    )
    assert width > 300


def test_style_sheet_of_a_library_loads_once_by_its_bare_name(open_page: OpenPage) -> None:
    page = open_page("/")
    count = page.evaluate(
        """async () => {
          const { loadStyle } = await import("lib/dom");
          await loadStyle("uplot.css");
          await loadStyle("uplot.css");
          return document.querySelectorAll('link[href$="uplot.css"]').length;
        }"""
    )
    assert count == 1
