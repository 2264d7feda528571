"""One machine as text: GPUs with holders and health, cards, the matrix with its legend, a way."""

from __future__ import annotations

import pytest
from django.utils import translation

from simulator.presenters.fabric.machine_view import MachineView, machine_view
from tests.simulator.presenters.fabric.clusters import Manifest, gpu_node, gpu_pod, look_at


def _view(objects: list[Manifest], name: str = "n1", pair: str = "", language: str = "en") -> MachineView:
    known, frame = look_at(objects)
    with translation.override(language):
        return machine_view(known, frame, name, pair)


def test_a_machine_with_an_nvswitch() -> None:
    view = _view(gpu_node("n1", "hgx-h100-8"))

    assert view.summary == (
        "8 × H100-80GB-HBM3",
        "NVSwitch, 18 × NVLink 4 each",
        "2 NUMA nodes",
        "8 cards: InfiniBand NDR 400 Gb/s",
    )
    assert view.linked == "switched"
    assert [gpu.nic for gpu in view.gpus][:2] == ["NIC0 (PIX)", "NIC1 (PIX)"]
    assert [gpu.numa for gpu in view.gpus] == [0, 0, 0, 0, 1, 1, 1, 1]
    cells = [cell.text for cell in view.rows[0].cells]
    assert cells[:9] == ["X", *["NV18"] * 7, "PIX"]
    assert [code for code, _ in view.legend] == ["X", "NV#", "PIX", "NODE", "SYS"]


def test_in_chinese() -> None:
    view = _view(gpu_node("n1", "hgx-h100-8"), language="zh-hans")
    assert view.summary[1:] == ("NVSwitch，每卡 18 × NVLink 4", "2 个 NUMA 节点", "8 块网卡：InfiniBand NDR 400 Gb/s")
    assert dict(view.legend)["PIX"] == "最多过一个 PCIe 桥"


def test_a_way_is_told_for_a_pair() -> None:
    view = _view(gpu_node("n1", "l40s-8"), pair="4-0")

    assert view.pair == "0-4"
    assert view.path is not None
    assert view.path.bandwidth == 10
    assert [cell.current for cell in view.rows[0].cells].index(True) == 4


@pytest.mark.parametrize("pair", ["", "0", "0-0", "0-8", "a-b", "0-1-2", "99999999-1", "-1-2"])
def test_other_pairs_are_none(pair: str) -> None:
    assert _view(gpu_node("n1", "l40s-8"), pair=pair).path is None


def test_faults_and_holders_are_told() -> None:
    faults = {
        "gpus": [2],
        "nvlinks": [{"gpu": 3, "links": 16}],
        "nics": [{"nic": 0}, {"nic": 1, "link": "ib-hdr"}],
    }
    view = _view([*gpu_node("n1", "hgx-h100-8", spec={"faults": faults}), gpu_pod("p", "n1", [0, 1])])

    assert [gpu.failed for gpu in view.gpus][:4] == [False, False, True, False]
    assert view.gpus[3].links_down == 2
    assert [[holder.name for holder in gpu.holders] for gpu in view.gpus][:3] == [["p"], ["p"], []]
    assert [(card.text, card.down) for card in view.cards][:3] == [
        ("InfiniBand NDR 400 Gb/s, down", True),
        ("InfiniBand NDR 400 Gb/s, came up as InfiniBand HDR 200 Gb/s", True),
        ("InfiniBand NDR 400 Gb/s", False),
    ]


def test_shared_gpus_tell_what_is_left() -> None:
    sharing = {"sharing": {"strategy": "shares"}}
    known, frame = look_at(gpu_node("n1", "t4-2", gpus=2, spec=sharing))
    with translation.override("en"):
        view = machine_view(known, frame, "n1")
    assert [gpu.left for gpu in view.gpus] == ["100% · 15.0 GiB"] * 2


def test_mig_instances_are_listed() -> None:
    mig = {"mig": {"strategy": "mixed", "instances": [{"gpu": 0, "profiles": ["3g.40gb", "2g.20gb"]}]}}
    view = _view(gpu_node("n1", "hgx-h100-8", spec=mig))
    assert [part.partition("@")[0] for part in view.gpus[0].parts] == ["3g.40gb", "2g.20gb"]
    assert view.gpus[1].parts == ()
