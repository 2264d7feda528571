"""Links and models: the figures and their conventions."""

from __future__ import annotations

import pytest

from simulator.engine.fabric.accelerators import ACCELERATORS, UNKNOWN, accelerator, accelerator_of_product
from simulator.engine.fabric.bandwidth import Bandwidth
from simulator.engine.fabric.busbw import ninety_times
from simulator.engine.fabric.links import LINK_KINDS, link_kind, network_share


def test_bandwidth_tells_the_directions_apart() -> None:
    assert Bandwidth(450).both_directions == 900
    assert Bandwidth.from_both_directions(900) == Bandwidth(450)


@pytest.mark.parametrize(
    ("model", "per_direction"),
    [
        ("p100-sxm2", 80),
        ("v100-sxm2-16gb", 150),
        ("a100-80gb", 300),
        ("a800-80gb", 200),
        ("h100-80gb", 450),
        ("h20-96gb", 450),
        ("h800-80gb", 200),
        ("b200-180gb", 900),
        ("rtx-a6000", 56.25),
        ("mi300x", 448),
        ("ascend-910b", 392),
    ],
)
def test_all_links_of_a_gpu_add_up_to_the_data_sheet(model: str, per_direction: float) -> None:
    chosen = ACCELERATORS[model]

    assert link_kind(chosen.chip.link).nominal.times(chosen.links).per_direction == per_direction


def test_every_link_kind_has_figures_and_a_source() -> None:
    for kind in LINK_KINDS.values():
        assert 0 < kind.effective.per_direction <= kind.nominal.per_direction
        assert kind.latency > 0
        assert kind.source


def test_ninety_times_depends_on_the_convention() -> None:
    assert ninety_times(both_directions=True).result == 90
    assert ninety_times(both_directions=False).result == 45


def test_tcp_gets_a_smaller_share_of_the_card() -> None:
    assert network_share(link_kind("ib-ndr")) == 0.95
    assert network_share(link_kind("ethernet-25")) == 0.6


@pytest.mark.parametrize(
    ("product", "model"),
    [
        ("NVIDIA-H100-80GB-HBM3", "h100-80gb"),
        ("NVIDIA-H100-80GB-HBM3-SHARED", "h100-80gb"),
        ("NVIDIA-A100-SXM4-40GB-MIG-1g.5gb", "a100-40gb"),
        ("A100-SXM4-40GB", "a100-40gb"),
        ("Tesla-T4", "t4"),
    ],
)
def test_model_is_found_by_its_label(product: str, model: str) -> None:
    assert accelerator_of_product(product).id == model


def test_unknown_products_do_not_fail() -> None:
    assert accelerator_of_product("NVIDIA-L20Z") is UNKNOWN
    assert accelerator("something") is UNKNOWN
