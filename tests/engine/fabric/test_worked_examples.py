"""Worked examples: our figures against those computed by hand, and both against what others published."""

from __future__ import annotations

import pytest

from simulator.engine.fabric.accelerators import ACCELERATORS
from simulator.engine.fabric.links import link_kind
from simulator.engine.fabric.published import PUBLISHED_MFU, SINGLE_NODE, rdma_comparisons, tcp_comparison
from simulator.engine.fabric.worked_examples import (
    CHAPTER_BUSBW,
    a100_leaving_the_node,
    b200_hierarchical,
    chapter_case,
    dlperf_tensor_parallel,
    h100_ring_and_nvls,
    latency_floor,
    llama_405b,
    llama_405b_step,
    mpt_7b,
    slow_cloud_network,
    zero3_against_3d,
)


def near(expected: float, digit: float = 0.0) -> object:
    """Within 1 %, or within half of the last digit that the expected figure is given with."""
    return pytest.approx(expected, rel=0.01, abs=digit / 2)


def test_four_nodes_of_b200() -> None:
    naive, phases, compared, wire = b200_hierarchical()

    assert naive.result * 1e3 == near(85.9)
    assert phases.network.result * 1e3 == near(16.1)
    assert phases.intra.result * 1e3 == near(10.15)
    assert phases.overlapped.result * 1e3 == near(16.1)
    assert phases.sequential.result * 1e3 == near(26.3)
    assert compared.published == near(0.02205)
    assert compared.gap == pytest.approx(22.05 / 26.25 - 1, abs=0.005)
    assert wire.result == near(36.5)
    assert wire.result / 50 == near(0.73)


def test_leaving_the_node_costs_three_times() -> None:
    inside, across = a100_leaving_the_node()

    assert inside.result * 1e3 == near(8.08)
    assert across.predicted.result * 1e3 == near(21.0)
    assert across.published is not None
    assert across.published * 1e3 == near(23.4)
    assert across.published / inside.result == near(2.9)


def test_ring_and_sharp_on_one_node() -> None:
    ring, sharp = h100_ring_and_nvls()

    assert (ring.result * 1e3, sharp.result * 1e3) == (near(5.08), near(3.91))


def test_latency_floor() -> None:
    assert {name: figure.result for name, figure in latency_floor().items()} == {
        "ring 8, LL": near(15),
        "ring 8, Simple": near(56),
        "tree 2 x 8, LL": near(25),
        "tree 4 x 8, LL": near(35),
    }


def test_mfu_of_the_published_table() -> None:
    rows = mpt_7b()

    assert [row.predicted.result * 100 for row in rows] == [near(46.46), near(45.73), near(44.17), near(42.21)]
    for row in rows:
        assert row.published is not None
        assert abs(row.predicted.result - row.published) * 100 < 0.1
    without = [row.predicted.result * 100 for row in mpt_7b(attention=False)]
    assert without == [near(43.0), near(42.3), near(40.9), near(39.1)]


def test_llama_405b() -> None:
    assert [row.predicted.result * 100 for row in llama_405b()] == [near(43.5), near(40.4), near(38.4)]
    assert [row.published for row in llama_405b()] == [0.43, 0.41, 0.38]
    assert llama_405b_step().result == near(11.6)


def test_tensor_parallelism_over_the_node_border() -> None:
    inside, two, four = dlperf_tensor_parallel()

    assert (inside[0].result, inside[1].result) == (near(0.141), near(0.326))
    assert (two[0].result, two[1].result) == (near(2.97), near(0.60))
    rates = [row[2].predicted.result / 1e12 for row in (inside, two, four)]
    assert rates == [near(34.9), near(8.4), near(4.3)]
    assert [row[2].published for row in (inside, two, four)] == [31.3e12, 7.25e12, 3.57e12]
    assert all(row[2].gap is not None and -0.2 < row[2].gap < 0 for row in (inside, two, four))


def test_zero_3_against_three_dimensions() -> None:
    assert [(gpus, zero.result * 100, three.result * 100) for gpus, zero, three in zero3_against_3d()] == [
        (384, near(46, 1), near(49, 1)),
        (1536, near(14, 1), near(45, 1)),
    ]


def test_the_chapters_case_from_50_to_15() -> None:
    plain = [chapter_case(busbw) for busbw in CHAPTER_BUSBW]
    hidden = [chapter_case(busbw, overlap=1.0) for busbw in CHAPTER_BUSBW]

    assert plain[0].time.value_of("compute") == near(1.155)
    data = [step.exposed.value_of("data") for step in plain]
    assert data == [near(0.063), near(0.47, 0.01), near(0.93), near(1.91), near(2.33), near(7.5), near(21)]
    without = [near(44, 1), near(33, 1), near(26, 1), near(17.5), near(15.4), near(6.2), near(2.4, 0.1)]
    assert [step.mfu.result * 100 for step in plain] == without
    overlapped = [near(46.5), near(46.5), near(40.7), near(23.4), near(19.8), near(6.8), near(2.5, 0.1)]
    assert [step.mfu.result * 100 for step in hidden] == overlapped


def test_a_slow_network_wastes_the_second_machine() -> None:
    assert slow_cloud_network().result * 100 == near(17, 1)


def test_rule_lies_within_eleven_percent_of_every_rdma_measurement() -> None:
    rows = rdma_comparisons()

    assert len(rows) == 11
    for row in rows:
        assert row.gap is not None
        assert abs(row.gap) < 0.11, row.name


@pytest.mark.parametrize(
    ("name", "predicted"),
    [
        ("4 x 8 B200, 8x 400G", 380.0),
        ("2 DGX A100, 8x HDR", 190.0),
        ("2 x 8 A100, 4x HDR", 95.0),
        ("DGX-1, 4x EDR", 47.5),
        ("DGX-1, one 100G card", 11.875),
        ("8x A100, one HDR card", 23.75),
    ],
)
def test_rule_gives_the_figures_of_the_table(name: str, predicted: float) -> None:
    assert {row.predicted.result for row in rdma_comparisons() if row.name == name} == {predicted}


def test_tcp_share_fits_the_old_cloud_network() -> None:
    assert tcp_comparison().gap == pytest.approx(0, abs=0.05)


def test_links_agree_with_single_node_measurements() -> None:
    measured = {(row.system, row.busbw) for row in SINGLE_NODE}

    assert ("8x H100, ring", 370.0) in measured
    assert link_kind("nvlink-4").effective.times(18).per_direction == pytest.approx(370.0, rel=0.01)
    assert link_kind("nvlink-3").effective.times(12).per_direction == pytest.approx(235.0, rel=0.04)


def test_published_mfu_is_credible() -> None:
    assert all(0 < row.mfu < 60 and (row.hfu is None or row.hfu > row.mfu) for row in PUBLISHED_MFU)


@pytest.mark.parametrize(
    ("model", "tflops"),
    [("h100-80gb", 989), ("h100-pcie", 756), ("a100-80gb", 312), ("l4", 121), ("l40s", 362), ("mi300x", 1307)],
)
def test_peaks_are_dense_figures(model: str, tflops: float) -> None:
    assert ACCELERATORS[model].tflops == tflops
