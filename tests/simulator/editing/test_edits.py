"""The editor's addresses: what they show, what they do, to whom, and what they refuse."""

from __future__ import annotations

import json
import re
import uuid
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.utils import translation

from simulator.forms.edits import EDIT_FORMS
from simulator.models import Lab, LabCommand
from simulator.presenters.editing.actions import ACTIONS, ASKS, AT_ONCE
from simulator.presenters.editing.dialogs import DIALOGS
from simulator.presenters.editing.palette import presets
from simulator.selectors.histories import histories
from tests.factories.labs import load_exercise, make_node, make_pod, make_revision
from tests.simulator.lab.test_pages import Page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import HttpResponse

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def _fresh_histories() -> Iterator[None]:
    histories.clear()
    yield
    histories.clear()


class Editor(Page):
    def edit(self, name: str, *refs: str, **values: Any) -> HttpResponse:
        return self.post(f"edit/{name}/", refs=" ".join(refs), **values)

    def part(self, path: str, *refs: str, **values: str) -> str:
        response = self.client.get(self.url + path, {"refs": " ".join(refs), **values}, headers=HTMX)
        assert response.status_code == 200
        return response.content.decode()

    @property
    def nodes(self) -> dict[str, Any]:
        found = re.search(r'id="lab-state".*?<script[^>]*>(.*?)</script>', self.text, re.DOTALL)
        assert found is not None
        return json.loads(found[1])["nodes"]

    @property
    def commands(self) -> list[dict[str, Any]]:
        return list(LabCommand.objects.order_by("seq").values_list("command", flat=True))


def small(**spec: Any) -> Editor:
    return Editor(make_revision([make_node("n1", gpus=2), make_node("n2"), make_pod("p1")], **spec))


def every_view_of(editor: Editor, client: Client) -> list[int]:
    asked = ["selection/", "palette/", "workload/", "export/", *(f"dialog/{name}/" for name in DIALOGS)]
    told = [*(f"edit/{name}/" for name in EDIT_FORMS), "edit/check/", "edit/paste/", "arrange/"]
    answers = [client.get(editor.url + path, headers=HTMX) for path in asked]
    answers += [client.post(editor.url + path, {"refs": "Node//n1"}, headers=HTMX) for path in told]
    return [answer.status_code for answer in answers]


# whose lab it is


def test_editor_of_another_ones_lab_is_not_there() -> None:
    editor = small()
    editor.edit("cordon", "Node//n1")
    assert set(every_view_of(editor, Client())) == {404}
    assert LabCommand.objects.count() == 1


def test_nothing_is_stored_by_looking() -> None:
    editor = small()
    for path in ["selection/", "palette/", "workload/", *(f"dialog/{name}/" for name in DIALOGS)]:
        assert editor.part(path, "Node//n1")
    assert not Lab.objects.exists()


def test_parts_lead_to_the_page_without_htmx() -> None:
    editor = small()
    for path in ("selection/", "palette/", "workload/", "dialog/label/"):
        assert editor.client.get(editor.url + path)["Location"] == editor.url


def test_shared_lab_shows_what_is_selected_and_offers_nothing() -> None:
    editor = small()
    editor.edit("cordon", "Node//n1")
    editor.post("share/", shared="yes")
    token = Lab.objects.get().share_token
    text = Client().get(f"/shared/{token}/selection/", {"refs": "Node//n1"}, headers=HTMX).content.decode()
    assert "n1" in text
    assert "data-action" not in text
    assert Client().get(f"/shared/{uuid.uuid4()}/selection/", headers=HTMX).status_code == 404


# the edits, one by one


@pytest.mark.parametrize(
    ("name", "values", "command"),
    [
        ("cordon", {}, {"type": "cordon", "on": True}),
        ("uncordon", {}, {"type": "cordon", "on": False}),
        ("drain", {"force": "on"}, {"type": "drain", "force": True}),
        (
            "drain",
            {"disable_eviction": "on", "grace": "0", "selector": "app=web"},
            {"type": "drain", "force": False, "disableEviction": True, "gracePeriod": 0, "podSelector": {"app": "web"}},
        ),
        ("label", {"values": "team=red old-"}, {"type": "label", "labels": {"team": "red", "old": None}}),
        ("label", {"gone": "team"}, {"type": "label", "labels": {"team": None}}),
        ("annotate", {"values": "note=two words"}, {"type": "annotate", "annotations": {"note": "two words"}}),
        ("rack", {"rack": "r1"}, {"type": "label", "labels": {"gpuschedlab.io/rack": "r1"}}),
        ("rack", {"rack": ""}, {"type": "label", "labels": {"gpuschedlab.io/rack": None}}),
        (
            "taint",
            {"key": "gpu", "value": "a", "effect": "NoExecute"},
            {"type": "taint", "add": [{"key": "gpu", "value": "a", "effect": "NoExecute"}]},
        ),
        ("taint", {"gone": "a/b:NoSchedule"}, {"type": "taint", "remove": [{"key": "a/b", "effect": "NoSchedule"}]}),
        ("fail-gpu", {"gpu": "1"}, {"type": "failGpu", "gpu": 1}),
        ("rename", {"to": "n9"}, {"type": "rename", "to": "n9"}),
        (
            "resize",
            {"allocatable:cpu": "2"},
            {"type": "patch", "patch": {"status": {"capacity": {"cpu": "2"}, "allocatable": {"cpu": "2"}}}},
        ),
    ],
)
def test_edit_becomes_its_command(name: str, values: dict[str, str], command: dict[str, Any]) -> None:
    editor = small()
    response = editor.edit(name, "Node//n1", **values)
    assert response.status_code == 200, response.content.decode()[:300]
    stored = {key: value for key, value in editor.commands[0].items() if key not in ("kind", "namespace", "name")}
    assert stored == command
    assert editor.commands[0].get("name") == "n1"


def test_edit_of_several_is_one_command_that_is_undone_at_once() -> None:
    editor = small()
    editor.edit("cordon", "Node//n1", "Node//n2")
    assert [command["type"] for command in editor.commands] == ["batch"]
    assert all(node["cordoned"] for node in editor.nodes.values())
    assert "Undo: cordon 2 objects" in editor.text
    editor.post("do/undo/")
    assert not any(node["cordoned"] for node in editor.nodes.values())
    editor.post("do/redo/")
    assert all(node["cordoned"] for node in editor.nodes.values())


@pytest.mark.parametrize("name", sorted(set(EDIT_FORMS) - {"nodes", "switch", "network", "gangs"}))
def test_edit_of_what_is_gone_says_so(name: str) -> None:
    editor = small()
    values = {
        "values": "a=b",
        "key": "a",
        "effect": "NoSchedule",
        "to": "x",
        "gpu": "0",
        "allocatable:cpu": "1",
        "dialog": "yes",
    }
    response = editor.edit(name, "Node//ghost", **values)
    assert response.status_code == 422
    assert "ghost is no longer there" in response.content.decode()
    assert not LabCommand.objects.exists()


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("label", {}),
        ("label", {"values": "no label"}),
        ("label", {"values": "=x"}),
        ("annotate", {"values": "nothing"}),
        ("taint", {"key": "a"}),
        ("taint", {"key": "a", "effect": "Sometimes"}),
        ("taint", {"effect": "NoSchedule"}),
        ("rename", {}),
        ("rename", {"to": "n2"}),
        ("rename", {"to": "Not a name"}),
        ("resize", {}),
        ("resize", {"allocatable:cpu": "much"}),
        ("fail-gpu", {"gpu": "7"}),
        ("fail-gpu", {"gpu": "-1"}),
        ("drain", {"grace": "soon"}),
        ("drain", {"selector": "a b"}),
    ],
)
def test_edit_that_makes_no_sense_is_refused_in_its_dialog(name: str, values: dict[str, str]) -> None:
    editor = small()
    response = editor.edit(name, "Node//n1", dialog="yes", **values)
    assert response.status_code == 422
    text = response.content.decode()
    assert 'id="edit-problem"' in text
    assert 'role="alert"' in text
    assert not LabCommand.objects.exists()


@pytest.mark.parametrize("refs", ["", "Node", "a b c", "Node//n1 /x/", "Node//" + "n" * 2_000_000])
def test_names_that_are_none_are_refused(refs: str) -> None:
    editor = small()
    assert editor.edit("cordon", refs).status_code in {400, 413}
    assert editor.client.get(f"{editor.url}selection/", {"refs": refs[:200]}, headers=HTMX).status_code in {200, 400}


def test_too_many_objects_are_refused() -> None:
    editor = small()
    response = editor.edit("cordon", *(f"Node//n{number}" for number in range(2001)))
    assert response.status_code == 400
    assert "2000" in response.content.decode()


def test_unknown_edit_is_not_there() -> None:
    assert small().edit("explode", "Node//n1").status_code == 404
    editor = small()
    assert editor.client.get(f"{editor.url}dialog/explode/", headers=HTMX).status_code == 404


def test_older_page_is_told_what_is_new() -> None:
    editor = small()
    old = dict(editor.fields)
    editor.edit("cordon", "Node//n1")
    editor.fields = {**old, "client_token": str(uuid.uuid4())}
    response = editor.edit("cordon", "Node//n2")
    assert response.status_code == 409
    assert "newer commands" in response.content.decode()
    assert LabCommand.objects.count() == 1


def test_form_sent_twice_is_one_edit() -> None:
    editor = small()
    fields = dict(editor.fields)
    editor.edit("nodes", preset="t4-2", count="2", pattern="t-{n}")
    editor.fields = fields
    assert editor.edit("nodes", preset="t4-2", count="2", pattern="t-{n}").status_code == 200
    assert [name for name in editor.nodes if name.startswith("t-")] == ["t-1", "t-2"]


# the palette


def test_palette_adds_what_it_says_and_nothing_moves() -> None:
    editor = small()
    before = {name: node["place"] for name, node in editor.nodes.items()}
    response = editor.edit(
        "nodes", preset="hgx-h100-8", count="4", pattern="h100-{n}", provider="gke", labels="team=red"
    )
    assert response.status_code == 200
    nodes = editor.nodes
    assert [name for name in nodes if name.startswith("h100")] == ["h100-1", "h100-2", "h100-3", "h100-4"]
    assert {name: nodes[name]["place"] for name in before} == before
    assert nodes["h100-1"]["gpus"] == 8
    editor.get()
    assert {name: editor.nodes[name]["place"] for name in nodes} == {
        name: node["place"] for name, node in nodes.items()
    }
    assert set(Lab.objects.get().positions) == set(nodes)


@pytest.mark.parametrize(
    "values",
    [
        {"preset": "toaster", "count": "1", "pattern": "a"},
        {"preset": "t4-2", "count": "0", "pattern": "a"},
        {"preset": "t4-2", "count": "501", "pattern": "a-{n}"},
        {"preset": "t4-2", "count": "2", "pattern": "a"},
        {"preset": "t4-2", "count": "1", "pattern": ""},
        {"preset": "t4-2", "count": "1", "pattern": "Big"},
        {"preset": "t4-2", "count": "1", "pattern": "n1"},
        {"preset": "t4-2", "count": "1", "pattern": "a", "labels": "what?"},
        {"preset": "t4-2", "count": "1", "pattern": "a", "rack": "not a label value!"},
        {"preset": "gb200-tray-4", "count": "21", "pattern": "r{n}"},
    ],
)
def test_palette_refuses_what_cannot_be(values: dict[str, str]) -> None:
    editor = small()
    response = editor.edit("nodes", dialog="yes", **values)
    if values["pattern"] == "n1":  # kubectl apply: the node is there and changes
        assert response.status_code in {200, 422}
        return
    assert response.status_code == 422, response.content.decode()[:300]
    assert not LabCommand.objects.exists()


def test_palette_has_the_machines_with_their_figures() -> None:
    with translation.override("en"):
        titles = {str(preset.title): preset for preset in presets()}
        link = str(titles["RTX 4090"].link)
    wanted = {
        "HGX H100": (8, 80), "HGX H200": (8, 141), "DGX A100": (8, 80), "A100 PCIe": (4, 80), "H20": (8, 96),
        "A800": (8, 80), "L40S": (8, 48), "T4": (2, 16), "RTX 4090": (8, 24), "MI300X": (8, 192),
        "Ascend 910B": (8, 64), "GB200 NVL72": (4, 186), "CPU only": (0, 0),
    }  # fmt: skip
    assert {title: (titles[title].gpus, titles[title].gpu_memory) for title in wanted} == wanted
    assert (titles["GB200 NVL72"].hosts, link) == (18, "PCIe only")
    assert titles["MI300X"].resource == "amd.com/gpu"
    assert dict(titles["HGX H100"].labels)["nvidia.com/gpu.product"] == "NVIDIA-H100-80GB-HBM3"


def test_palette_says_which_names_racks_and_leaves_there_are() -> None:
    editor = small()
    editor.edit("nodes", preset="t4-2", count="1", pattern="t-{n}", rack="r7", leaf="leaf-3")
    text = editor.part("palette/")
    assert json.loads(re.search(r'id="palette-taken"[^>]*>(.*?)<', text)[1]) == ["n1", "n2", "t-1", "r7"]
    assert '<option value="r7">' in text
    assert '<option value="leaf-3">' in text


# the selection


def test_panel_tells_facts_and_offers_what_can_be_done() -> None:
    editor = small()
    editor.edit("taint", "Node//n1", key="gpu", effect="NoSchedule")
    text = editor.part("selection/", "Node//n1")
    assert "0 / 2" in text
    assert "gpu:NoSchedule" in text
    offered = set(re.findall(r'data-action="([\w-]+)"', text))
    assert offered == {action.name for action in ACTIONS if "Node" in action.kinds} - {"uncordon"}
    several = set(re.findall(r'data-action="([\w-]+)"', editor.part("selection/", "Node//n1", "Node//n2")))
    assert several == offered - {"rename"}
    mixed = set(re.findall(r'data-action="([\w-]+)"', editor.part("selection/", "Node//n1", "Pod/default/p1")))
    assert mixed == {"label", "annotate", "copy", "duplicate", "yaml", "delete"}


def test_panel_of_nothing_that_is_there_is_empty() -> None:
    assert small().part("selection/", "Node//ghost").strip() == ""


def test_panel_says_that_changes_happen_at_the_end() -> None:
    editor = small()
    editor.step(unit="cycle")
    editor.step(unit="cycle")
    assert "earlier step" not in editor.part("selection/", "Node//n1", at=editor.at)
    assert "earlier step" in editor.part("selection/", "Node//n1", at="0.0")


def test_every_action_leads_somewhere() -> None:
    for action in ACTIONS:
        if action.how == AT_ONCE:
            assert action.name in EDIT_FORMS
        elif action.how == ASKS:
            assert action.name in DIALOGS


@pytest.mark.parametrize("name", sorted(DIALOGS))
@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_dialogs_show_in_both_languages(name: str, language: str) -> None:
    editor = small()
    editor.edit("network", per_leaf="1")
    editor.client.cookies["language"] = language
    refs = ["NetworkSwitch//leaf-0"] if name == "switch" else ["Node//n1", "Node//n2"]
    with translation.override(language):
        for selection in (refs, refs[:1], []):
            assert 'id="edit-title"' in editor.part(f"dialog/{name}/", *selection)


# what a scenario allows


def test_what_a_scenario_does_not_allow_is_dimmed_and_refused() -> None:
    editor = small(allowedCommands=["label"])
    text = editor.part("selection/", "Node//n1")
    dimmed = {name for name, rest in re.findall(r'data-action="([\w-]+)"([^>]*)', text) if "aria-disabled" in rest}
    assert dimmed == {
        "cordon",
        "drain",
        "taint",
        "annotate",
        "resize",
        "gpus",
        "connect",
        "rename",
        "duplicate",
        "delete",
    }
    assert "solved without the dimmed actions" in text
    for name, values in (("cordon", {}), ("nodes", {"preset": "t4-2", "count": "1", "pattern": "a"}), ("delete", {})):
        response = editor.edit(name, "Node//n1", "Node//n2", **values)
        assert response.status_code == 400
        assert "solved without" in response.content.decode()
    assert editor.edit("label", "Node//n1", "Node//n2", values="a=b").status_code == 200
    assert "without new nodes" in editor.part("palette/")
    assert "without new workload" in editor.part("workload/")


def test_required_prediction_comes_first() -> None:
    gates = [{"predict": "winner", "pod": "p1"}]
    editor = small(predictions={"mode": "required", "gates": gates})
    while "First your prediction" not in editor.text:
        response = editor.step()
        if response.status_code != 200:
            break
    response = editor.edit("cordon", "Node//n1")
    assert response.status_code == 409
    check = editor.client.post(f"{editor.url}edit/check/", {"text": "kind: Node"}, headers=HTMX).content.decode()
    assert "Answer the question first" in check or "data-does" in check
    assert editor.client.get(f"{editor.url}export/").status_code == 409


# arranging


def test_arranging_puts_everything_in_order() -> None:
    editor = small()
    editor.edit("cordon", "Node//n1")
    editor.client.post(f"{editor.url}places/", {"places": json.dumps({"n1": [500, 700]})})
    answer = editor.client.post(f"{editor.url}arrange/", dict(editor.fields)).json()
    assert set(answer["places"]) == {"n1", "n2"}
    assert answer["places"]["n1"] != [500, 700]
    assert Lab.objects.get().positions["n1"] == answer["places"]["n1"]


def test_undone_deletion_comes_back_where_it_stood() -> None:
    editor = small()
    places = {name: node["place"] for name, node in editor.nodes.items()}
    editor.edit("delete", "Node//n1")
    assert list(editor.nodes) == ["n2"]
    assert editor.nodes["n2"]["place"] == places["n2"]
    editor.post("do/undo/")
    assert {name: node["place"] for name, node in editor.nodes.items()} == places


# gangs


def test_gates_of_native_pod_groups_are_switched_on_and_back() -> None:
    editor = Editor(load_exercise("free-lab"))
    assert editor.edit("gangs").status_code == 200
    assert editor.commands[0]["gates"] == {"GenericWorkload": True, "GangScheduling": True}
    editor.post("do/undo/")
    assert editor.commands[1]["gates"] == {}
