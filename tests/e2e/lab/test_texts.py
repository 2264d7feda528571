"""Texts: the workload form beside its YAML, completion and lint, imports, a lab that is exported and opened again."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from simulator.models import Lab
from tests.e2e.conftest import Look, axe_violations
from tests.e2e.lab.lab_page import LabPage
from tests.factories.labs import load_exercise, make_node, make_pod, make_revision
from tests.simulator.manifests.recorded import NODES

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

    OpenPage = Callable[..., Page]

EN = Look("en", 1440)


class Texts(LabPage):
    def open(self, what: str) -> None:
        self.page.keyboard.press({"workload": "w", "import": "y"}[what])
        expect(self.content).to_be_visible()
        expect(self.page.locator("#workload-pane[inert]")).to_have_count(0)

    @property
    def content(self) -> Locator:
        return self.page.locator("#text-dialog .cm-content")

    @property
    def result(self) -> Locator:
        return self.page.locator("#editor-result")

    def field(self, name: str) -> Locator:
        return self.page.locator(f'#workload [data-field="{name}"]')

    def write(self, text: str) -> None:
        """Paste it over everything."""
        self.content.focus()
        self.page.keyboard.press("ControlOrMeta+a")
        self.content.evaluate(
            """(editor, text) => {
                const clipboardData = new DataTransfer();
                clipboardData.setData("text/plain", text);
                editor.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
            }""",
            text,
        )

    def apply(self) -> None:
        self.page.locator("#text-apply").click()
        expect(self.page.locator("#text-dialog")).to_be_hidden()


def _empty(open_page: OpenPage) -> Texts:
    load_exercise("empty-lab")
    return Texts(open_page("/scenarios/empty-lab/", EN))


def _gpus(open_page: OpenPage) -> Texts:
    labels = {"nvidia.com/gpu.product": "Tesla-T4"}
    revision = make_revision([make_node("n1", gpus=2, labels=labels), make_node("n2", gpus=2), make_pod("p1")])
    return Texts(open_page(f"/scenarios/{revision.scenario.slug}/", EN))


def test_form_writes_yaml_and_yaml_fills_the_form(open_page: OpenPage) -> None:
    lab = _gpus(open_page)
    lab.open("workload")
    lab.field("name").fill("trainer")
    lab.field("gpus").fill("2")
    lab.field("model").select_option("nvidia.com/gpu.product=Tesla-T4")
    expect(lab.content).to_contain_text("name: trainer")
    expect(lab.content).to_contain_text('nvidia.com/gpu: "2"')
    expect(lab.content).to_contain_text("requiredDuringSchedulingIgnoredDuringExecution")
    text = lab.page.locator("#text-area").input_value()
    lab.write(text.replace("name: trainer", "name: other").replace('gpu: "2"', 'gpu: "1"'))
    expect(lab.field("name")).to_have_value("other")
    expect(lab.field("gpus")).to_have_value("1")
    expect(lab.result).to_contain_text("pod/other created (server dry run)")
    assert axe_violations(lab.page, "#text-dialog") == []
    lab.apply()
    lab.press("n")
    expect(lab.sentence).to_have_text(re.compile("bound to n1"))


def test_templates_are_submitted(open_page: OpenPage) -> None:
    lab = _gpus(open_page)
    templates = {
        "Training · 8 GPUs": "pod/train created",
        "Batch · 20 Pods": "job.batch/batch created",
        "ReplicaSet · 3": "replicaset.apps/",
    }
    for number, (template, says) in enumerate(templates.items(), 1):
        lab.open("workload")
        lab.page.get_by_role("button", name=template).click()
        expect(lab.result).to_contain_text(says)
        lab.apply()
        assert lab.state["seq"] == number


def test_gang_template_offers_its_feature_gates(open_page: OpenPage) -> None:
    lab = _empty(open_page)
    lab.open("workload")
    lab.page.get_by_role("button", name="Gang · 2 × 8").click()
    lab.page.get_by_role("button", name="Switch them on").click()
    expect(lab.result).to_contain_text("podgroup.scheduling.k8s.io/gang created")
    lab.apply()
    assert lab.state["seq"] == 2


def test_fields_are_completed_and_errors_marked_at_their_line(open_page: OpenPage) -> None:
    lab = _gpus(open_page)
    lab.open("import")
    lab.write("apiVersion: v1\nkind: Pod\nmetadata:\n  name: p9\nspec:\n  toler")
    lab.page.keyboard.press("Control+End")
    lab.page.keyboard.press("Control+Space")
    options = lab.page.locator(".cm-tooltip-autocomplete li")
    expect(options.first).to_contain_text("tolerations")
    lab.page.keyboard.press("Escape")
    expect(lab.page.locator("#text-dialog")).to_be_visible()
    lab.write("apiVersion: v1\nkind: Pod\nmetadata:\n  name: p9\nspec:\n  colour: red\n  containers: []\n")
    problem = lab.result.locator('.problems li[data-line="6"]')
    expect(problem).to_contain_text("Line 6")
    expect(lab.page.locator("#text-dialog .cm-lint-marker-error")).not_to_have_count(0)
    expect(lab.page.locator("#text-apply")).to_have_attribute("aria-disabled", "true")
    problem.get_by_role("button").click()
    assert axe_violations(lab.page, "#text-dialog") == []


def test_what_is_pasted_is_applied_as_kubectl_would(open_page: OpenPage) -> None:
    lab = _gpus(open_page)
    lab.open("import")
    lab.write(
        "apiVersion: v1\nkind: Node\nmetadata: {name: n1, labels: {team: red}}\n---\n"
        "apiVersion: v1\nkind: Node\nmetadata: {name: n9}\nstatus: {allocatable: {cpu: '4', pods: '10'}}\n"
    )
    expect(lab.result).to_contain_text("node/n1 configured (server dry run)")
    expect(lab.result).to_contain_text("node/n9 created (server dry run)")
    lab.apply()
    expect(lab.page.locator(".toast").last).to_contain_text("node/n9 created")
    assert set(lab.state["nodes"]) == {"n1", "n2", "n9"}
    lab.open("import")
    expect(lab.content).not_to_contain_text("kind: Node")


def test_files_of_real_nodes_are_imported(open_page: OpenPage) -> None:
    lab = _empty(open_page)
    lab.page.locator(".graph-empty").get_by_role("button", name="Paste or import").click()
    for count, name in enumerate(("01-gce-t4x2.yaml", "11-eks-g5-describe.txt", "14-amd-mi300x-labels.txt"), 1):
        if count > 1:
            lab.open("import")
        lab.page.locator("#text-file").set_input_files(NODES / name)
        expect(lab.page.locator("#text-apply")).to_have_attribute("aria-disabled", "false")
        lab.apply()
        expect(lab.page.locator(".node-card")).to_have_count(count)


def test_exported_lab_opens_in_the_same_state(open_page: OpenPage) -> None:
    lab = _gpus(open_page)
    lab.press("r")
    lab.page.get_by_role("button", name="Export").click()
    with lab.page.expect_download() as download:
        lab.page.locator('#export-dialog a[href$="/export/"]').click()
    path = download.value.path()
    lab.page.keyboard.press("Escape")
    old = Lab.objects.get()
    lab.page.goto("/labs/")
    lab.page.get_by_role("link", name="Open a lab from a file").click()
    lab.page.locator('input[type="file"]').set_input_files(path)
    lab.page.get_by_role("button", name="Open").click()
    lab.page.wait_for_url(re.compile(r"/labs/[\w-]+/[0-9a-f-]{36}/"))
    Texts(lab.page)
    new = Lab.objects.exclude(pk=old.pk).get()
    assert new.head_digest == old.head_digest


def test_draft_survives_closing(open_page: OpenPage) -> None:
    lab = _gpus(open_page)
    lab.open("import")
    lab.write("apiVersion: v1\nkind: Pod\n")
    lab.page.keyboard.press("Escape")
    lab.page.keyboard.press("Escape")
    expect(lab.page.locator("#text-dialog")).to_be_hidden()
    lab.page.reload()
    lab = Texts(lab.page)
    lab.open("import")
    expect(lab.content).to_contain_text("kind: Pod")
    expect(lab.page.locator("#text-draft")).to_be_visible()
    lab.page.locator("#text-discard").click()
    expect(lab.content).not_to_contain_text("kind: Pod")
