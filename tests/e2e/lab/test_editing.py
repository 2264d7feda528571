"""The cluster's editor: palette, what is selected, dialogs, undo, copies; in the drawing, the outline and by keys."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from simulator.models import LabCommand
from tests.e2e.conftest import Look, asking, axe_violations
from tests.e2e.lab.lab_page import LabPage
from tests.factories.labs import load_exercise, make_node, make_pod, make_revision

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    OpenPage = Callable[..., Page]

EN = Look("en", 1440)


class Editor(LabPage):
    def select(self, *names: str) -> None:
        for index, name in enumerate(names):
            if index:
                self.page.keyboard.down("ControlOrMeta")
            with asking(self.page, re.compile("/selection/")):
                self.page.mouse.click(*self.middle(name))
            self.page.keyboard.up("ControlOrMeta")
        expect(self.page.locator("#selection-title")).to_contain_text(names[0])

    def middle(self, name: str) -> tuple[float, float]:
        """Cards let pointers through to the drawing below them."""
        box = self.card(name).bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + 12

    def lower(self, name: str, other: str) -> float:
        """By how many of its heights a card stands lower than another, however large they are drawn."""
        one, two = self.card(name).bounding_box(), self.card(other).bounding_box()
        assert one is not None
        assert two is not None
        return (one["y"] - two["y"]) / one["height"]

    def ask(self, action: str) -> None:
        """Open an edit's dialog: by its button, or from the menu of more."""
        button = self.page.locator(f'.selection-actions [data-action="{action}"]')
        if not button.is_visible():
            self.page.locator("#selection-more").click()
            button = self.page.locator(f'#selection-menu [data-action="{action}"]')
        button.click()
        expect(self.page.locator("#edit-dialog")).to_be_visible()

    def answer(self, button: str) -> None:
        self.page.locator("#edit-dialog").get_by_role("button", name=button, exact=True).click()
        expect(self.page.locator("#edit-dialog")).to_be_hidden()

    def add(self, preset: str, count: int, pattern: str = "") -> None:
        self.page.locator('#cluster-add [data-dialog="palette"]').click()
        self.page.locator(f'.preset:has([value="{preset}"])').click()
        self.page.locator('#palette [name="count"]').fill(str(count))
        if pattern:
            self.page.locator('#palette [name="pattern"]').fill(pattern)
        self.page.locator("#palette-add").click()
        expect(self.page.locator("#edit-dialog")).to_be_hidden()

    @property
    def commands(self) -> list[str]:
        return list(LabCommand.objects.order_by("seq").values_list("command__type", flat=True))


def _two(open_page: OpenPage) -> Editor:
    revision = make_revision([make_node("n1", gpus=2), make_node("n2", gpus=2), make_pod("p1")])
    return Editor(open_page(f"/scenarios/{revision.scenario.slug}/", EN))


def test_machines_of_the_palette_come_with_their_figures(open_page: OpenPage) -> None:
    load_exercise("empty-lab")
    lab = Editor(open_page("/scenarios/empty-lab/", EN))
    lab.page.keyboard.press("a")
    presets = lab.page.locator(".preset")
    expect(presets).to_have_count(15)
    expect(presets.filter(has_text="HGX H100")).to_contain_text("8 × 80 GB · NVSwitch")
    expect(presets.filter(has_text="RTX 4090")).to_contain_text("PCIe only")
    expect(presets.filter(has_text="GB200 NVL72")).to_contain_text("18 × 4 × 186 GB")
    assert axe_violations(lab.page) == []
    lab.page.keyboard.press("Escape")
    lab.add("t4-2", 3, "edge-{n}")
    assert list(lab.state["nodes"]) == ["edge-1", "edge-2", "edge-3"]
    lab.add("gb200-tray-4", 1)
    expect(lab.page.locator(".node-card")).to_have_count(21)
    assert lab.commands == ["apply", "apply"]
    lab.page.keyboard.press("Control+z")
    expect(lab.page.locator(".node-card")).to_have_count(3)


DIALOGS = [
    ("label", {"values": "team=red"}, "Set", "team: red"),
    ("annotate", {"values": "note=two words"}, "Set", "note: two words"),
    ("taint", {"key": "dedicated", "value": "ml"}, "Taint", "key: dedicated"),
    ("rack", {"rack": "r7"}, "Put there", "gpuschedlab.io/rack: r7"),
    ("resize", {"allocatable:cpu": "3"}, "Set", 'cpu: "3"'),
    ("rename", {"to": "renamed"}, "Rename", "name: renamed"),
]


def test_edits_in_dialogs_and_back(open_page: OpenPage) -> None:
    lab = _two(open_page)
    for action, fields, button, yaml in DIALOGS:
        lab.select("n1")
        lab.ask(action)
        for name, value in fields.items():
            lab.page.locator(f'#edit-dialog [name="{name}"]').fill(value)
        assert axe_violations(lab.page, "#edit-dialog") == []
        lab.answer(button)
        lab.choose(f"Node//{fields.get('to', 'n1')}")
        expect(lab.page.locator("#object-yaml")).to_contain_text(yaml)
        lab.page.locator("#undo").click()
        expect(lab.page.locator("#redo")).to_be_visible()
        lab.choose("Node//n1")
        expect(lab.page.locator("#object-yaml")).not_to_contain_text(yaml)
        lab.page.keyboard.press("Escape")


def test_gpu_fails_and_is_repaired(open_page: OpenPage) -> None:
    lab = _two(open_page)
    lab.select("n1")
    lab.ask("gpus")
    lab.page.locator("#edit-dialog").get_by_role("button", name="Fail").first.click()
    expect(lab.card("n1").locator(".is-failed")).to_have_count(1)
    expect(lab.page.locator("#edit-dialog")).to_be_hidden()
    lab.page.keyboard.press("Control+z")
    expect(lab.card("n1").locator(".is-failed")).to_have_count(0)
    lab.page.keyboard.press("Control+Shift+Z")
    expect(lab.card("n1").locator(".is-failed")).to_have_count(1)
    lab.press("n")
    lab.choose("Node//n1")
    expect(lab.page.locator("#object-yaml")).to_contain_text('nvidia.com/gpu: "1"')  # the device plugin has told


def test_several_nodes_at_once_are_one_command(open_page: OpenPage) -> None:
    lab = _two(open_page)
    lab.select("n1", "n2")
    expect(lab.page.locator("#selection-title")).to_contain_text("2 selected")
    lab.page.locator('.selection-actions [data-action="cordon"]').click()
    expect(lab.page.locator(".node-card.is-cordoned")).to_have_count(2)
    expect(lab.page.locator("#undo")).to_contain_text("Undo: cordon 2 objects")
    lab.page.keyboard.press("Delete")
    expect(lab.page.locator(".node-card")).to_have_count(0)
    expect(lab.page.get_by_text("The cluster is empty")).to_be_visible()
    assert len(lab.commands) == 2
    lab.page.keyboard.press("Control+z")
    expect(lab.page.locator(".node-card.is-cordoned")).to_have_count(2)
    lab.page.keyboard.press("Control+z")
    expect(lab.page.locator(".node-card.is-cordoned")).to_have_count(0)
    lab.page.keyboard.press("Control+Shift+Z")
    expect(lab.page.locator(".node-card.is-cordoned")).to_have_count(2)


def test_copies_by_keys(open_page: OpenPage) -> None:
    lab = _two(open_page)
    lab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    lab.select("n1")
    lab.page.keyboard.press("Control+d")
    expect(lab.page.locator(".node-card")).to_have_count(3)
    lab.select("n2")
    lab.page.keyboard.press("Control+c")
    expect(lab.page.locator(".toast", has_text="Copied. Ctrl+V pastes it")).to_be_visible()
    lab.page.keyboard.press("Control+v")
    expect(lab.page.locator(".node-card")).to_have_count(4)
    assert list(lab.state["nodes"]) == ["n1", "n2", "n3", "n4"]


def test_drain_says_whom_it_evicts(open_page: OpenPage) -> None:
    lab = _two(open_page)
    lab.press("n")
    node = next(name for name, node in lab.state["nodes"].items() if node["tenants"])
    lab.select(node)
    lab.ask("drain")
    expect(lab.page.locator("#edit-dialog")).to_contain_text("which will not come back")
    lab.page.locator('#edit-dialog [name="force"]').check()
    lab.answer("Drain")
    expect(lab.card(node)).to_have_class(re.compile("is-cordoned"))


def test_racks_switches_and_links(open_page: OpenPage) -> None:
    load_exercise("empty-lab")
    lab = Editor(open_page("/scenarios/empty-lab/", EN))
    lab.add("hgx-h100-8", 4)
    lab.page.keyboard.press("a")
    lab.page.locator('#edit-dialog [data-dialog="network"]').click()
    lab.page.locator('#edit-dialog [name="per_leaf"]').fill("2")
    lab.answer("Connect")
    assert lab.commands == ["apply", "batch"]
    assert {"leaf-0", "leaf-1", "spine"} == set(lab.state["network"]["switches"])
    lab.select("h100-1")
    lab.ask("connect")
    lab.page.locator('#edit-dialog [name="leaf"]').fill("leaf-9")
    lab.answer("Connect")
    lab.tab("objects")
    expect(lab.page.locator(".object-rows", has_text="spine")).to_contain_text("leaf-9")


def test_cards_stay_where_they_were_put_until_they_are_arranged(open_page: OpenPage) -> None:
    lab = _two(open_page)
    lab.press("ArrowRight")
    card = lab.card("n1")
    before = card.bounding_box()
    assert before is not None
    lab.page.mouse.move(before["x"] + 40, before["y"] + 12)
    lab.page.mouse.down()
    lab.page.mouse.move(before["x"] + 60, before["y"] + 100, steps=6)
    with asking(lab.page, re.compile("/places/")):
        lab.page.mouse.up()
    moved = card.bounding_box()
    assert moved is not None
    assert moved["y"] - before["y"] > 40
    lab.press("ArrowRight")
    assert card.bounding_box() == moved
    kept = lab.lower("n1", "n2")
    lab.page.reload()
    lab = Editor(lab.page)
    lab.page.wait_for_function("() => document.querySelector('.node-card').style.transform")
    assert lab.lower("n1", "n2") == pytest.approx(kept, abs=0.05)
    with asking(lab.page, re.compile("/arrange/")):
        lab.page.locator("#arrange").click()
    expect(lab.page.locator(".toast", has_text="Arranged anew.")).to_be_visible()
    lab.page.get_by_role("button", name="Put back").click()


def test_wheel_scrolls_the_page_and_zooms_with_ctrl_alone(open_page: OpenPage) -> None:
    lab = _two(open_page)
    width = "() => document.querySelector('.node-card').getBoundingClientRect().width"
    expect(lab.page.locator(".node-card")).to_have_count(2)
    before = lab.page.evaluate(width)
    box = lab.page.locator("#graph").bounding_box()
    assert box is not None
    lab.page.mouse.move(box["x"] + 20, box["y"] + 20)
    lab.page.mouse.wheel(0, 200)
    lab.page.wait_for_timeout(200)
    assert lab.page.evaluate(width) == before
    lab.page.keyboard.down("Control")
    lab.page.mouse.wheel(0, -200)
    lab.page.keyboard.up("Control")
    lab.page.wait_for_function(f"was => ({width})() > was", arg=before)
    lab.page.get_by_role("button", name="Show everything").click()
    zoomed = lab.page.evaluate(width)
    lab.page.get_by_role("button", name="Larger").click()
    lab.page.wait_for_function(f"was => ({width})() > was", arg=zoomed)


def test_outline_selects_as_the_drawing_does(open_page: OpenPage) -> None:
    lab = _two(open_page)
    lab.page.locator('#cluster-as [data-as="outline"]').click()
    lab.page.locator("#outline-n1").focus()
    lab.page.keyboard.press("Space")
    lab.page.keyboard.press("ArrowDown")
    lab.page.keyboard.press("Space")
    expect(lab.page.locator("#selection-title")).to_contain_text("2 selected")
    expect(lab.page.locator("#outline-n2")).to_have_attribute("aria-selected", "true")
    assert axe_violations(lab.page) == []
    lab.page.keyboard.press("Delete")
    expect(lab.page.locator("#outline")).to_contain_text("No nodes yet.")
    lab.page.keyboard.press("Control+z")
    expect(lab.page.locator("#outline-n2")).to_be_visible()


def test_what_a_scenario_does_not_allow_is_dimmed_and_says_so(open_page: OpenPage) -> None:
    revision = make_revision([make_node("n1", gpus=2), make_pod("p1")], allowedCommands=["label"])
    lab = Editor(open_page(f"/scenarios/{revision.scenario.slug}/", EN))
    lab.select("n1")
    cordon = lab.page.locator('#selection .selection-actions [data-action="cordon"]')
    expect(cordon).to_have_attribute("aria-disabled", "true")
    cordon.click(force=True)
    expect(lab.page.locator(".toast").last).to_contain_text("solved without it")
    assert lab.commands == []
