"""Texts of the editor: what they are recognised as, what they would do, and that nothing is stored by asking."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from simulator.models import Lab, LabCommand
from simulator.presenters.editing.workload import templates
from simulator.presenters.kubectl_apply import applied_lines, error_lines
from simulator.selectors.histories import histories
from tests.factories.labs import FIXTURES, load_exercise, make_node, make_pod, make_revision
from tests.simulator.editing.test_edits import HTMX, Editor
from tests.simulator.manifests.recorded import NODES, text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.django_db
DUMPS = sorted(NODES.glob("[0-9]*"))


@pytest.fixture(autouse=True)
def _fresh_histories() -> Iterator[None]:
    histories.clear()
    yield
    histories.clear()


class Texts(Editor):
    def check(self, written: str) -> str:
        response = self.client.post(f"{self.url}edit/check/", {**self.fields, "text": written}, headers=HTMX)
        assert response.status_code == 200
        self.checked = response.content.decode()
        return self.checked

    @property
    def does(self) -> str:
        return re.search(r'data-does="(\w*)"', self.checked)[1]

    @property
    def lines(self) -> list[str]:
        found = re.search(r'<pre class="terminal"[^>]*>(.*?)</pre>', self.checked, re.DOTALL)
        return found[1].strip().replace("&quot;", '"').replace("&#x27;", "'").splitlines() if found else []


def small(**spec: Any) -> Texts:
    return Texts(make_revision([make_node("n1", gpus=2), make_pod("p1")], **spec))


NODE = "apiVersion: v1\nkind: Node\nmetadata: {name: n9}\nstatus: {allocatable: {cpu: '4', pods: '10'}}\n"
POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: p9}\nspec:\n  containers:\n  - name: a\n    image: b\n"


def test_check_says_what_kubectl_would_and_stores_nothing() -> None:
    editor = small()
    labelled = "apiVersion: v1\nkind: Node\nmetadata: {name: n1, labels: {a: b}}\n"
    same = json.dumps(make_pod("p1"))
    checked = editor.check(f"{NODE}---\n{labelled}---\n{same}")
    assert editor.lines == [
        "node/n9 created (server dry run)",
        "node/n1 configured (server dry run)",
        "pod/p1 unchanged (server dry run)",
    ]
    assert "1 to create, 1 to change, 1 as they are" in checked
    assert editor.does == "apply"
    assert not Lab.objects.exists()


def test_what_was_checked_comes_of_it() -> None:
    editor = small()
    editor.check(NODE + "---\n" + POD)
    assert editor.post("do/apply/", text=NODE + "---\n" + POD).status_code == 200
    assert "n9" in editor.nodes
    editor.check(NODE + "---\n" + POD)
    assert [line.split()[1] for line in editor.lines] == ["unchanged", "unchanged"]


@pytest.mark.parametrize(
    ("written", "line", "kubectl"),
    [
        (
            "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p9\nspec:\n  containers:\n  - name: a\n",
            7,
            'The Pod "p9" is invalid: spec.containers[0].image: Required value',
        ),
        (
            "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p9\nspec:\n  colour: red\n  containers: []\n",
            6,
            (
                'Error from server (BadRequest): error when creating "STDIN": Pod in version "v1" cannot be handled as '
                'a Pod: strict decoding error: unknown field "spec.colour"'
            ),
        ),
        (
            POD.replace("spec:\n", "spec:\n  priorityClassName: none\n"),
            5,
            (
                'Error from server (Forbidden): error when creating "STDIN": pods "p9" is forbidden: '
                "no PriorityClass with name none was found"
            ),
        ),
        (
            "apiVersion: v2\nkind: Thing\nmetadata:\n  name: t\n",
            1,
            (
                'error: resource mapping not found for name: "t" namespace: "" from "STDIN": no matches for kind '
                '"Thing" in version "v2"'
            ),
        ),
    ],
)
def test_errors_have_lines_and_kubectls_words(written: str, line: int, kubectl: str) -> None:
    """The wording is what kubectl 1.33 printed for the same answers of a server."""
    editor = small()
    checked = editor.check(written)
    assert editor.does == ""
    assert int(re.search(r'data-line="(\d+)"', checked)[1]) == line
    assert editor.lines[0] == kubectl
    response = editor.post("do/apply/", text=written)
    assert response.status_code == 422
    assert f'data-line="{line}"' in response.content.decode()


def test_several_errors_of_an_object_are_listed_as_kubectl_lists_them() -> None:
    editor = small()
    editor.check("apiVersion: v1\nkind: Pod\nmetadata: {name: p9}\nspec:\n  containers:\n  - {name: A}\n")
    assert editor.lines[0] == 'The Pod "p9" is invalid: '
    assert all(line.startswith("* spec.containers[0].") for line in editor.lines[1:])
    assert len(editor.lines) == 3


RECOGNISED = {
    "manifests": (NODE, "Manifests", "apply"),
    "list": (
        "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Node\n  metadata: {name: a}\n",
        "A list",
        "apply",
    ),
    "describe": (text("describe-nodes.txt"), "kubectl describe", "apply"),
    "get yaml": (text("get-list.yaml"), "A list", "apply"),
    "get json": (text("get-list.json"), "A list", "apply"),
    "labels": ("nvidia.com/gpu.product=Tesla-T4\nnvidia.com/gpu.count=2\n", "Labels of a node", "apply"),
    "label map": ('{"nvidia.com/gpu.product": "Tesla-T4", "nvidia.com/gpu.count": "2"}', "Labels of a node", "apply"),
    "table": ("NAME STATUS ROLES AGE VERSION LABELS\nw1 Ready <none> 1d v1.36.0 a=b\n", "table of kubectl", "apply"),
    "configuration": (
        "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n",
        "scheduler configuration",
        "configure",
    ),
    "lab": (
        "apiVersion: gpuschedlab.io/v1alpha1\nkind: Lab\nmetadata: {name: x}\nspec: {}\n",
        "A lab as a text",
        "open",
    ),
    "scenario": ((FIXTURES / "005-free-lab.yaml").read_text(encoding="utf-8"), "A lab as a text", "open"),
    "matrix": ("\tGPU0\tGPU1\nGPU0\t X \tNV1\nGPU1\tNV1\t X \n", "topology matrix", ""),
    "nothing": ("", "Not readable", ""),
    "prose": ("hello there", "Not readable", ""),
}


@pytest.mark.parametrize("name", RECOGNISED)
def test_text_is_recognised(name: str) -> None:
    written, said, does = RECOGNISED[name]
    editor = small()
    checked = editor.check(written)
    if name not in {"nothing", "prose"}:
        assert said in checked
    assert editor.does == does


@pytest.mark.parametrize("path", DUMPS, ids=lambda path: path.stem)
def test_node_dumps_are_imported(path: Path) -> None:
    editor = small()
    written = path.read_text(encoding="utf-8")
    editor.check(written)
    assert editor.does == "apply"
    before = set(editor.nodes)
    assert editor.post("do/apply/", text=written).status_code == 200
    fresh = set(editor.nodes) - before
    assert fresh
    gpus = {name: editor.nodes[name]["gpus"] for name in fresh}
    assert any(gpus.values())


def test_assumptions_are_told() -> None:
    editor = small()
    checked = editor.check("nvidia.com/gpu.product=Tesla-T4\nnvidia.com/gpu.count=2\n")
    assert "assumed or left out" in checked
    assert "tesla-t4-1 says no capacity; 32 cores, 256Gi of memory and 110 Pods are assumed" in checked


def test_text_that_is_too_large_is_refused_with_a_sentence() -> None:
    editor = small()
    checked = editor.check("# " + "x" * 1_200_000)
    assert editor.does == ""
    assert "data-line" in checked
    assert editor.client.post(f"{editor.url}edit/check/", {"text": "x" * 3_000_000}, headers=HTMX).status_code in {
        400,
        413,
    }


def test_what_the_scenario_does_not_allow_is_told_before_it_is_tried() -> None:
    editor = small(allowedCommands=["label"])
    assert "solved without the command “apply”" in editor.check(NODE)
    assert editor.does == ""


def test_wrong_configuration_has_its_line() -> None:
    editor = small()
    checked = editor.check(
        "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\npercentageOfNodesToScore: 300\n"
    )
    assert editor.does == ""
    assert 'data-line="3"' in checked


def test_gang_is_offered_its_gates() -> None:
    editor = Texts(load_exercise("free-lab"))
    gang = next(item.text for item in templates() if item.id == "gang")
    assert "data-gangs" in editor.check(gang)
    editor.edit("gangs")
    editor.check(gang)
    assert editor.lines == [
        "podgroup.scheduling.k8s.io/gang created (server dry run)",
        "job.batch/gang created (server dry run)",
    ]


@pytest.mark.parametrize("template", templates(), ids=lambda template: template.id)
def test_templates_start_their_pods_on_machines_of_the_palette(template: Any) -> None:
    editor = Texts(load_exercise("empty-lab"))
    editor.edit("nodes", preset="hgx-h100-8", count="4", pattern="h100-{n}")
    if template.id == "gang":
        editor.edit("gangs")
    assert editor.post("do/apply/", text=template.text).status_code == 200
    editor.post("do/advance/", seconds="30")
    editor.get()
    tenants = [tenant for node in editor.nodes.values() for tenant in node["tenants"]]
    wanted = {"inference": (1, 1), "training": (1, 8), "gang": (2, 16), "batch": (20, 20), "replicas": (3, 3)}
    assert (len(tenants), sum(tenant["gpus"] for tenant in tenants)) == wanted[template.id]


# pasting copies


def test_copies_are_pasted_under_free_names() -> None:
    editor = small()
    panel = editor.part("selection/", "Node//n1", "Pod/default/p1")
    copied = (
        re.search(r'id="selection-yaml">(.*?)</pre>', panel, re.DOTALL)[1].replace("&#x27;", "'").replace("&quot;", '"')
    )
    assert editor.post("edit/paste/", text=copied).status_code == 200
    assert list(editor.nodes) == ["n1", "n2"]
    command = LabCommand.objects.get().command
    assert [item["metadata"]["name"] for item in command["objects"]] == ["n2", "p2"]


@pytest.mark.parametrize(
    "written", ["", "hello", "a: [", "kind: Pod", *(RECOGNISED[name][0] for name in ("lab", "matrix"))]
)
def test_what_cannot_be_pasted_is_refused(written: str) -> None:
    editor = small()
    assert editor.post("edit/paste/", text=written).status_code == 400
    assert not LabCommand.objects.exists()


# lines


def test_lines_name_resources_as_kubectl_does() -> None:
    editor = small()
    editor.check(
        "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: r}\nspec:\n  selector: {matchLabels: {a: b}}\n"
        "  template:\n    metadata: {labels: {a: b}}\n    spec:\n      containers: [{name: c, image: i}]\n---\n"
        "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high}\nvalue: 10\n"
    )
    assert editor.lines == [
        "replicaset.apps/r created (server dry run)",
        "priorityclass.scheduling.k8s.io/high created (server dry run)",
    ]
    assert applied_lines([]) == error_lines([]) == []
