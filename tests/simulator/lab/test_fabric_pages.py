"""The fabric of a lab over HTTP: its tab, drawings, placements, pasted matrices, broken GPUs; bad input."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.test import Client

from simulator.models import Lab, LabCommand
from tests.factories.labs import load_exercise, make_revision
from tests.simulator.lab.test_pages import Page, small
from tests.simulator.manifests_topology.machines import BRIDGED, nvswitch_text
from tests.simulator.presenters.fabric.clusters import gpu_node, gpu_pod, switch

if TYPE_CHECKING:
    from simulator.models import ScenarioRevision

pytestmark = pytest.mark.django_db


def boxes(**spec: object) -> ScenarioRevision:
    """Two H100 boxes below a leaf; a Pod on the first."""
    nodes = [gpu_node(name, "hgx-h100-8", spec={"leaves": ["leaf"]}) for name in ("h1", "h2")]
    return make_revision([*nodes[0], *nodes[1], switch("leaf"), gpu_pod("p", "h1", [0, 1])], **spec)


# -- the tab --


def test_the_tab_has_machine_matrix_and_free_gpus() -> None:
    page = Page(boxes())
    page.get(tab="fabric", node="h1", pair="0-1")
    assert "8 × H100-80GB-HBM3" in page.text
    assert page.text.count('class="dist-link') == 8 * 7
    assert "GPU0 – NVSwitch – GPU1: 370.8 GB/s per direction" in page.text
    assert "14 of 16 are free, at most 8 on one node." in page.text
    assert "leaf" in page.text


def test_the_tab_without_gpus_says_what_to_do() -> None:
    page = Page(small())
    page.get(tab="fabric")
    assert "No node here has GPUs" in page.text


@pytest.mark.parametrize("pair", ["9-9", "0-99", "x", "0-1-2", "%00", "9" * 30])
def test_a_pair_that_is_none_is_passed_over(pair: str) -> None:
    page = Page(boxes())
    assert page.get(tab="fabric", node="h1", pair=pair).status_code == 200
    assert page.get(tab="fabric", node="nowhere", pair="0-1").status_code == 200


# -- drawings --


def test_the_picture_of_the_network() -> None:
    page = Page(boxes())
    picture = page.client.get(f"{page.url}fabric/picture/").json()
    assert [gpu["state"] for gpu in picture["gpus"]["h1"]] == ["held"] * 2 + ["free"] * 6
    assert {vertex["id"] for vertex in picture["drawing"]["vertices"]} >= {"host:h1", "host:h2", "net:leaf", "gpu:h2:7"}


def test_the_picture_of_a_machine() -> None:
    page = Page(boxes())
    picture = page.client.get(f"{page.url}fabric/picture/", {"level": "machine", "node": "h2"}).json()
    assert (picture["node"], picture["nodes"]) == ("h2", ["h1", "h2"])
    assert len(picture["drawing"]["paths"]) == 28
    assert page.client.get(f"{page.url}fabric/picture/", {"level": "machine", "node": "x"}).json()["node"] == "h1"


def test_the_picture_without_gpus_is_empty() -> None:
    page = Page(small())
    assert page.client.get(f"{page.url}fabric/picture/", {"level": "machine"}).json() == {"nodes": []}
    assert page.client.get(f"{page.url}fabric/picture/").json()["drawing"]["vertices"] == []


def test_the_way_between_two_gpus() -> None:
    page = Page(boxes())
    way = page.client.get(f"{page.url}fabric/picture/", {"first": "h1:0", "second": "h2:0"}).json()
    assert way["links"] == ["host:h1~net:leaf", "host:h2~net:leaf"]
    assert way["width"] == "47.5"
    for other in ("h2:99", "", "h1:0"):
        answer = page.client.get(f"{page.url}fabric/picture/", {"first": "h1:0", "second": other})
        assert answer.status_code == 404


# -- placements --


def test_a_placement_has_its_address() -> None:
    page = Page(boxes())
    answer = page.client.get(f"{page.url}fabric/", {"count": 2, "gpus": "h1:4,h2:4"}).content.decode()
    assert "47.5 GB/s" in answer
    assert 'value="h1:4" checked' in answer
    assert "below one leaf" in answer


def test_htmx_gets_the_result_alone() -> None:
    page = Page(boxes())
    answer = page.client.get(f"{page.url}fabric/", {"gpu": ["h1:4", "h1:5"]}, headers={"HX-Request": "true"})
    text = answer.content.decode()
    assert "<html" not in text
    assert text.strip().startswith('<div class="placement-result"')
    assert "370.8 GB/s" in text


@pytest.mark.parametrize(
    "query",
    [
        {"count": "0"},
        {"count": "99999999999"},
        {"count": "x", "tokens": "-5", "overlap": "200", "model": "nothing"},
        {"gpus": ":::,,h1:,h1:x,\x00,h1:0:0"},
        {"gpus": "h1:0," * 20_000},
        {"at": "99.99"},
    ],
)
def test_odd_placements_are_read_leniently(query: dict[str, str]) -> None:
    page = Page(boxes())
    assert page.client.get(f"{page.url}fabric/", query).status_code == 200


def test_a_placement_without_gpus_says_what_to_do() -> None:
    page = Page(small())
    assert "No node of this lab has GPUs" in page.client.get(f"{page.url}fabric/").content.decode()


# -- pasting --


def test_a_preview_changes_nothing_and_pasting_makes_a_node() -> None:
    page = Page(boxes())
    preview = page.client.post(f"{page.url}fabric/preview/", {"text": nvswitch_text(), "node": "new-1"})
    assert "A new node new-1 will be added." in preview.content.decode()
    assert not LabCommand.objects.exists()

    page.post("fabric/paste/", text=nvswitch_text(), node="new-1", model="h200-141gb", nic_link="roce-400")
    assert LabCommand.objects.count() == 1
    page.get(tab="fabric", node="new-1")
    assert "8 × H200" in page.text
    assert "RoCE 400 Gb/s" in page.text


def test_pasting_changes_the_machine_of_a_node() -> None:
    page = Page(boxes())
    preview = page.client.post(f"{page.url}fabric/preview/", {"text": BRIDGED, "node": "h2"}).content.decode()
    assert "Node h2 is there: its machine will be replaced." in preview
    page.post("fabric/paste/", text=BRIDGED, node="h2", model="rtx-a6000", policy="device-order")
    page.get(tab="fabric", node="h2")
    assert "4 × RTX-A6000" in page.text
    assert "device-order: by number" in page.text
    page.post("do/undo/")
    page.get(tab="fabric", node="h2")
    assert "8 × H100" in page.text


def test_damage_is_told_with_its_row_and_column() -> None:
    page = Page(boxes())
    text = nvswitch_text().replace("NV18", "NV17", 1)
    preview = page.client.post(f"{page.url}fabric/preview/", {"text": text, "node": "h2"}).content.decode()
    assert "GPU0 and GPU1 see each other differently" in preview
    assert "asymmetric" in preview


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("once upon a time", "Line 1 (once upon a time)"),
        ("\x00\x01\x02", ""),
        ("", "required"),
        ("GPU0 " * 200_000, ""),
    ],
)
def test_garbage_gets_a_clear_problem(text: str, told: str) -> None:
    page = Page(boxes())
    preview = page.client.post(f"{page.url}fabric/preview/", {"text": text, "node": "h2"})
    assert preview.status_code == 200
    assert "paste-problem" in preview.content.decode()
    assert told in preview.content.decode()
    answer = page.post("fabric/paste/", text=text, node="h2")
    assert answer.status_code == 400
    assert not LabCommand.objects.exists()


@pytest.mark.parametrize("fields", [{"node": "Not A Name"}, {"node": ""}, {"node": "h2", "model": "x"}, {"node": "-"}])
def test_fields_that_are_wrong_are_named(fields: dict[str, str]) -> None:
    page = Page(boxes())
    preview = page.client.post(f"{page.url}fabric/preview/", {"text": nvswitch_text(), **fields}).content.decode()
    assert "paste-problem" in preview
    assert page.post("fabric/paste/", text=nvswitch_text(), **fields).status_code == 400


def test_the_form_is_a_page_without_a_script_and_a_part_with_one() -> None:
    page = Page(boxes())
    whole = page.client.get(f"{page.url}fabric/matrix/", {"node": "h2"}).content.decode()
    part = page.client.get(f"{page.url}fabric/matrix/", headers={"HX-Request": "true"}).content.decode()
    assert "<html" in whole
    assert 'value="h2"' in whole
    assert "<html" not in part
    answer = page.post("fabric/paste/", htmx=False, text=nvswitch_text(), node="new-1")
    assert answer.status_code == 302


def test_a_scenario_may_forbid_pasting() -> None:
    page = Page(boxes(allowedCommands=["label"]))
    page.get(tab="fabric")
    assert "data-paste-matrix" not in page.text
    assert page.post("fabric/paste/", text=nvswitch_text(), node="new-1").status_code in {400, 403}
    assert not LabCommand.objects.exists()


# -- what breaks --


@pytest.mark.parametrize(
    ("command", "fields", "told"),
    [
        ("failGpu", {"gpu": "3"}, "1 has failed"),
        ("setLink", {"gpu": "2", "links": "9"}, "9 links down"),
        ("failNic", {"nic": "1"}, "InfiniBand NDR 400 Gb/s, down"),
        ("failNic", {"nic": "1", "link": "ib-hdr"}, "came up as InfiniBand HDR 200 Gb/s"),
    ],
)
def test_things_break_and_undo_brings_them_back(command: str, fields: dict[str, str], told: str) -> None:
    page = Page(boxes())
    assert page.post(f"do/{command}/", name="h2", **fields).status_code == 200
    page.get(tab="fabric", node="h2")
    assert told in page.text
    page.post("do/undo/")
    page.get(tab="fabric", node="h2")
    assert told not in page.text


@pytest.mark.parametrize(
    ("command", "fields"),
    [
        ("failGpu", {"gpu": "8"}),
        ("failGpu", {"gpu": "x"}),
        ("failGpu", {}),
        ("setLink", {"gpu": "0", "links": "19"}),
        ("setLink", {"gpu": "0", "other": "1", "links": "1"}),
        ("failNic", {"nic": "0", "link": "nonsense"}),
        ("failGpu", {"name": "nowhere", "gpu": "0"}),
    ],
)
def test_what_cannot_break_is_told(command: str, fields: dict[str, str]) -> None:
    page = Page(boxes())
    assert page.post(f"do/{command}/", **{"name": "h2", **fields}).status_code == 400
    assert not LabCommand.objects.exists()


# -- whose it is --


def test_nobody_else_sees_or_changes_it() -> None:
    page = Page(boxes())
    page.step()
    stranger = Client()
    for path in ("fabric/", "fabric/picture/", "fabric/matrix/"):
        assert stranger.get(page.url + path).status_code == 404, path
    for path in ("fabric/paste/", "fabric/preview/", "do/failGpu/"):
        fields = {"text": nvswitch_text(), "node": "h2", "name": "h2", "gpu": "0"}
        assert stranger.post(page.url + path, fields).status_code == 404, path
    assert LabCommand.objects.count() == 1


def test_a_shared_lab_shows_fabric_and_placements() -> None:
    page = Page(boxes())
    page.step(unit="cycle")
    page.post("share/", shared="yes")
    token = Lab.objects.get().share_token
    stranger = Client(headers={"Accept-Language": "en"})
    text = stranger.get(f"/shared/{token}/", {"tab": "fabric"}).content.decode()
    assert "Let fail" not in text
    assert "data-paste-matrix" not in text
    assert "370.8" in stranger.get(f"/shared/{token}/fabric/", {"gpus": "h2:0,h2:1"}).content.decode()
    assert stranger.get(f"/shared/{token}/fabric/picture/").json()["drawing"]["vertices"]
    assert stranger.get("/shared/nothing/fabric/").status_code == 404


@pytest.mark.parametrize("slug", ["paste-your-machine", "nvl72", "same-leaf-vs-spine", "numa-and-nic", "degraded-link"])
def test_the_catalogue_scenarios_show_their_fabric(slug: str) -> None:
    page = Page(load_exercise(slug))
    page.get(tab="fabric")
    assert "topo-matrix" in page.text
    for level in ("fabric", "machine"):
        assert page.client.get(f"{page.url}fabric/picture/", {"level": level}).json()["drawing"]["vertices"]
