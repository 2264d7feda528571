"""Plugins of one's own in a real browser: rules, exercises, Go, profiles, decisions, extenders, the reference."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from simulator.extenders.gpushare.service import shipped
from simulator.selectors.rule_exercises import exercise_get
from tests.e2e.conftest import LOOKS, Look, axe_violations, overflow, screenshot
from tests.factories.labs import FIXTURES, load_exercise, load_text
from tests.simulator.extenders.servers import serving
from tests.simulator.goexport.toolchain import go_root, run

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

    OpenPage = Callable[..., Page]

EN, ZH = Look("en"), Look("zh-hans")
BY_MODEL = 'gpuModel(node).contains("H100") ? 100 : 0'
PAGES = {
    "index": "/plugins/",
    "rule": "/plugins/rule/",
    "exercises": "/plugins/exercises/",
    "exercise": "/plugins/exercises/score-by-model/",
    "profile": "/plugins/profile/?preset=bin-pack",
    "go": "/plugins/go/?name=ByModel&score=1&file=plugin/plugin.go",
    "extender": "/extender/",
    "cost": "/extender/cost/",
    "reference": "/reference/",
    "point": "/reference/points/filter/",
    "plugin": "/reference/plugins/NodeResourcesFit/",
}


def write(page: Page, field: str, text: str) -> None:
    """Type a rule into its editor, as a person does."""
    editor = page.locator(f"#rule-{field}-editor")
    editor.click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.press("Delete")
    page.keyboard.insert_text(text)


@pytest.mark.parametrize("seen", LOOKS, ids=str)
def test_pages_fit_and_are_accessible(open_page: OpenPage, seen: Look) -> None:
    page = open_page("/", seen)
    for name, path in PAGES.items():
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.wait_for_load_state("networkidle")  # the editors as well
        assert overflow(page) <= 0, name
        assert axe_violations(page) == [], name
        screenshot(page, f"plugins-{name}-{seen}")


@pytest.mark.parametrize("seen", [EN, ZH], ids=str)
def test_table_follows_the_rule_as_one_types(open_page: OpenPage, seen: Look) -> None:
    page = open_page("/plugins/rule/", seen)
    write(page, "filter", "")
    write(page, "score", BY_MODEL)
    row = page.locator("#rule-trial tr", has_text="h100-1").first
    expect(row.locator("td").first).to_have_text("100")
    write(page, "score", "node.lables")
    flaw = page.locator("#rule-trial .flaws li")
    expect(flaw).to_have_attribute("data-column", "6")
    expect(flaw).to_contain_text("labels")
    expect(page.locator(".cm-lintRange-error")).to_be_visible()


def test_completion_offers_what_the_field_has(open_page: OpenPage) -> None:
    page = open_page("/plugins/rule/", EN)
    write(page, "score", "")
    page.keyboard.type("freeG")
    expect(page.locator(".cm-tooltip-autocomplete li").first).to_contain_text("freeGpus")
    page.wait_for_timeout(150)  # CodeMirror takes no completion right after it opens
    page.keyboard.press("Enter")
    expect(page.locator("#rule-score-editor")).to_contain_text("freeGpus")


@pytest.mark.parametrize("seen", [EN, ZH], ids=str)
def test_exercise_is_solved(open_page: OpenPage, seen: Look) -> None:
    exercise = exercise_get("score-by-model")
    page = open_page(f"/plugins/exercises/{exercise.slug}/", seen)
    write(page, exercise.point, "1")
    page.locator("button.button-main").click()
    expect(page.locator("#rule-grade .state-failed").first).to_be_visible()
    write(page, exercise.point, exercise.solution)
    page.locator("button.button-main").click()
    expect(page.locator("#rule-grade p.state-passed")).to_be_visible()
    expect(page.locator("#rule-grade li.state-failed")).to_have_count(0)
    assert axe_violations(page) == []


@pytest.mark.parametrize("seen", [EN, ZH], ids=str)
def test_profile_is_edited_with_its_effect_beside(open_page: OpenPage, seen: Look) -> None:
    page = open_page("/plugins/profile/", seen)
    chosen = page.locator("#profile-result tr", has_text="★")
    expect(chosen).to_have_count(1)
    page.locator("#preset-bin-pack").click()
    expect(page.locator("#profile-result tr", has_text="★")).to_have_count(2)
    weight = page.locator("#field-w-score-NodeResourcesFit")
    expect(weight).to_have_value("10")
    weight.fill("3")
    expect(page.locator("#profile-result .changes")).to_contain_text("3")
    page.locator(".profile-yaml summary").click()
    text = page.locator("#profile-yaml")
    text.fill(text.input_value().replace("weight: 3", "weight: 4"))
    page.locator("#read-yaml").click()
    expect(weight).to_have_value("4")
    page.locator("#args-InterPodAffinity summary").click()
    page.locator("#field-a-InterPodAffinity-hardPodAffinityWeight").fill("101")
    line = page.locator('[data-error-of="a.InterPodAffinity.hardPodAffinityWeight"]')
    expect(line).to_be_visible()
    expect(page.locator("#field-a-InterPodAffinity-hardPodAffinityWeight")).to_have_attribute("aria-invalid", "true")
    assert axe_violations(page) == []


@pytest.mark.parametrize("seen", [EN, ZH], ids=str)
def test_model_score_changes_the_decision_and_goes_home_as_go(open_page: OpenPage, seen: Look, tmp_path: Path) -> None:
    """By default the emptiest node wins; with the rule the H100 does, and Go says the same."""
    load_exercise("score-by-gpu-model")
    page = open_page("/scenarios/score-by-gpu-model/", seen)
    page.locator("#go-idle").click()
    expect(node_in_outline(page, "l40s-1")).to_contain_text("train-a")

    page.goto("/scenarios/score-by-gpu-model/")
    page.locator("#tab-scheduler").click()
    page.locator("#open-rules").click()
    page.locator("#rule-name").fill("ByModel")
    page.locator("#rule-weight").fill("2")
    write(page, "filter", "")
    write(page, "score", BY_MODEL)
    expect(page.locator("#rule-trial tr", has_text="h100-1").locator("td").first).to_have_text("100")
    home = page.locator("#rule-trial a.button").get_attribute("href")
    page.locator('button[value="force"]').click()
    expect(page.locator("#tab-panel")).to_contain_text("ByModel")
    page.locator("#go-idle").click()
    expect(node_in_outline(page, "h100-1")).to_contain_text("train-a")
    expect(node_in_outline(page, "l40s-1")).not_to_contain_text("train-a")
    page.locator("#tab-scheduler").click()
    page.locator("#open-profile").click()
    expect(page.locator(".profile-fields")).to_contain_text("ByModel")

    page.goto(str(home))
    page.locator(".file-links a", has_text="plugin/plugin.go").click()
    expect(page.locator(".code-lines")).to_contain_text("func New(")
    expect(page.locator(".line-note").first).to_be_visible()
    with page.expect_download() as download:
        page.locator("a[download]").click()
    with zipfile.ZipFile(download.value.path()) as archive:
        archive.extractall(tmp_path)
    assert list(tmp_path.rglob("go.mod"))
    if go_root() is not None:
        assert run(tmp_path, "gofmt", "-l", ".").stdout == ""


def node_in_outline(page: Page, name: str) -> Locator:
    return page.locator("#outline li", has_text=name).last


def test_profile_editor_works_without_a_script(open_page: OpenPage) -> None:
    page = open_page("/plugins/profile/", EN, java_script_enabled=False)
    page.locator("#preset-spread").click()
    expect(page.locator("#field-w-score-PodTopologySpread")).to_have_value("5")


@pytest.mark.parametrize("seen", [EN, ZH], ids=str)
def test_extender_s_calls_stand_on_the_page_as_they_were_sent(open_page: OpenPage, seen: Look) -> None:
    """The scenario of the catalogue, with the shipped extender at a port of its own."""
    with serving(shipped()) as url:
        text = next(FIXTURES.glob("*-extender-gpushare.yaml")).read_text("utf-8")
        load_text(text.replace("http://gpushare:8888", url))
        page = open_page("/scenarios/extender-gpushare/", seen)
        page.locator("#go-idle").click()
        expect(node_in_outline(page, "gs-2")).to_contain_text("infer-new")
        first_cycle(page)
        calls = page.locator(".wire > li")
        expect(calls).to_have_count(2)
        for details in calls.first.locator("details").all():
            details.locator("summary").click()
        expect(calls.first).to_contain_text("POST /gpushare-scheduler/filter HTTP/1.1")
        expect(calls.first).to_contain_text("Insufficient GPU Memory in one device")
        expect(calls.first.locator("p.quiet")).to_have_count(0)
        expect(calls.last).to_contain_text("bind")
        assert axe_violations(page, "#tab-panel") == []


@pytest.mark.parametrize("seen", [EN, ZH], ids=str)
def test_extender_s_scenario_works_with_no_server_and_says_so(open_page: OpenPage, seen: Look) -> None:
    load_exercise("extender-gpushare")
    page = open_page("/scenarios/extender-gpushare/", seen)
    page.locator("#go-idle").click()
    expect(node_in_outline(page, "gs-2")).to_contain_text("infer-new")
    first_cycle(page)
    expect(page.locator(".wire > li").first.locator("p.quiet")).to_contain_text("manage.py gpushare_extender")


def first_cycle(page: Page) -> None:
    """The Scheduler tab at the end of the lab's first cycle."""
    page.goto(f"{urlsplit(page.url).path}?tab=scheduler&at=1.end")


def test_wire_of_the_extender_is_shown(open_page: OpenPage) -> None:
    page = open_page("/extender/", EN)
    first = page.locator(".wire > li").first
    first.locator("summary").first.click()
    expect(first.locator("pre").first).to_contain_text("/filter HTTP/1.1")


@pytest.mark.usefixtures("job_threads")
def test_cost_is_measured_with_progress(open_page: OpenPage) -> None:
    page = open_page("/extender/cost/", EN)
    expect(page.locator(".chart canvas").first).to_be_visible()
    page.locator('select[name="most_nodes"]').select_option("100")
    page.get_by_role("button", name="Measure on this machine").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    page.get_by_role("link", name="Show the result").click(timeout=90_000)
    page.wait_for_url(re.compile(r"run="))
    expect(page.locator("main")).to_contain_text("Your own measurement.")


@pytest.mark.usefixtures("_scenario")
def test_reference_leads_into_a_scenario(open_page: OpenPage) -> None:
    page = open_page("/reference/plugins/NodeResourcesFit/", EN)
    expect(page.locator("dl.reference-sections dt")).to_have_count(6)


@pytest.fixture
def _scenario(transactional_db: None) -> None:
    load_exercise("bin-pack-gpus")
