"""Volumes, collective times and steps; every derivation is what its formula says."""

from __future__ import annotations

from collections.abc import Iterator
from math import log2

import pytest

from simulator.engine.fabric import worked_examples
from simulator.engine.fabric.busbw import (
    card_bandwidth,
    intra_bandwidth,
    message_bandwidth,
    ninety_times,
    nvls_bandwidth,
)
from simulator.engine.fabric.collectives import (
    LL,
    Group,
    all_reduce,
    broadcast,
    bus_bandwidth,
    hierarchical_time,
    one_way,
    ring_time,
    tree_time,
)
from simulator.engine.fabric.derivation import Derivation
from simulator.engine.fabric.formulas import FORMULAS
from simulator.engine.fabric.network import leaf_spine
from simulator.engine.fabric.placement import group_bandwidth
from simulator.engine.fabric.presets import PRESETS, preset_host
from simulator.engine.fabric.published import rdma_comparisons
from simulator.engine.fabric.training import (
    MODELS,
    data_parallel_volume,
    expert_volume,
    flops_per_token,
    mfu,
    pipeline_bubble,
    pipeline_volume,
    recomputed_flops_per_token,
    tensor_parallel_volume,
    training_step,
    zero3_volume,
)

MPT = MODELS["mpt-7b"]
SHAPE = PRESETS["hgx-h100-8"].shape


def derivations() -> Iterator[Derivation]:
    """One of every kind that the fabric makes."""
    ring = intra_bandwidth(SHAPE, range(8))
    bridged = intra_bandwidth(PRESETS["a100-pcie-4"].shape, range(4))
    assert ring is not None
    assert bridged is not None
    yield from (ring, bridged, nvls_bandwidth(ring), card_bandwidth(SHAPE, (0, 1)), message_bandwidth(370, 1, 0.05))
    yield from (ninety_times(both_directions=True), ninety_times(both_directions=False))
    hosts = leaf_spine([preset_host("hgx-h100-8", name) for name in "abc"], 2, oversubscription=2)
    for placement in ({"a": (0, 1), "b": (0, 1)}, {"a": (0,), "c": (5,)}):
        found = group_bandwidth(hosts, placement).busbw
        assert found is not None
        yield found
    yield from (all_reduce(1e9, 8, 370), one_way(1e9, 8, 370), broadcast(1e9, 370), bus_bandwidth(1e9, 8, 0.005))
    yield from (ring_time(1e8, Group(16, 2), 190), tree_time(1e6, Group(32, 4, protocol=LL), 190))
    phases = hierarchical_time(4e9, 4, 8, 370, 50)
    yield from (phases.network, phases.intra, phases.sequential, phases.overlapped)
    yield from (
        data_parallel_volume(7e9, 8),
        zero3_volume(7e9, 8),
        pipeline_volume(MPT, 4),
        expert_volume(MPT, 4, 8, 16),
    )
    yield from (tensor_parallel_volume(MPT, 4, 8), tensor_parallel_volume(MPT, 4, 8, recompute=True))
    yield from (pipeline_bubble(1.0, 8, 64), recomputed_flops_per_token(MPT), flops_per_token(MPT, attention=False))
    yield mfu(flops_per_token(MPT), 85_000, 8, 989e12)
    step = training_step(1.2, 0.46, 0.9, overlap=0.5, tensor=0.1, bubble=0.05)
    yield from (step.time, step.exposed, step.mfu)
    yield from worked_examples.latency_floor().values()
    yield from (worked_examples.slow_cloud_network(), worked_examples.llama_405b_step())
    yield from (worked_examples.b200_hierarchical()[0], worked_examples.b200_hierarchical()[3])
    for communication, compute, compared in worked_examples.dlperf_tensor_parallel():
        yield from (communication, compute, compared.predicted)
    yield from (row.predicted for row in (*rdma_comparisons(), *worked_examples.llama_405b()))


def with_parts(derivation: Derivation) -> Iterator[Derivation]:
    yield derivation
    for _, part in derivation.parts:
        yield from with_parts(part)


def evaluated(derivation: Derivation) -> float:
    names = {term.name: term.value for term in derivation.terms}
    functions = {"min": min, "max": max, "log2": log2, "__builtins__": {}}
    return float(eval(FORMULAS[derivation.formula].expression, functions, names))


def test_every_result_is_its_formula_with_its_terms() -> None:
    for top in derivations():
        for derivation in with_parts(top):
            assert evaluated(derivation) == pytest.approx(derivation.result, rel=1e-12), derivation


def test_parts_are_the_terms_they_explain() -> None:
    for top in derivations():
        for derivation in with_parts(top):
            for name, part in derivation.parts:
                assert derivation.value_of(name) == part.result


def test_every_formula_is_used_and_sourced() -> None:
    used = {part.formula for top in derivations() for part in with_parts(top)}

    assert set(FORMULAS) - used <= {"bandwidth.both-directions"}
    assert all(formula.source for formula in FORMULAS.values())


def test_derivation_as_plain_values() -> None:
    mapping = all_reduce(2e9, 4, 100).to_mapping()

    assert mapping == {
        "formula": "time.all-reduce",
        "result": 0.03,
        "unit": "s",
        "terms": [
            {"name": "gpus", "value": 4, "unit": "", "source": ""},
            {"name": "size", "value": 2.0, "unit": "GB", "source": ""},
            {"name": "busbw", "value": 100, "unit": "GB/s per direction", "source": ""},
        ],
        "parts": {},
    }


def test_volumes_by_hand() -> None:
    assert data_parallel_volume(1e9, 8).result == pytest.approx(3.5)
    assert zero3_volume(1e9, 8).result == pytest.approx(5.25)
    assert pipeline_volume(MPT, 1).result == pytest.approx(2048 * 4096 * 2 / 1e9)
    per_layer = 2048 * 4096 * 2 / 1e9
    assert tensor_parallel_volume(MPT, 1, 8).result == pytest.approx(4 * 32 * 1.75 * per_layer)
    assert tensor_parallel_volume(MPT, 1, 8, recompute=True).result == pytest.approx(6 * 32 * 1.75 * per_layer)
    assert expert_volume(MPT, 1, 8, 16).result == pytest.approx(4 * 16 * 0.875 * per_layer)


def test_bus_bandwidth_and_time_are_inverse() -> None:
    time = all_reduce(1e9, 8, 370).result

    assert bus_bandwidth(1e9, 8, time).result == pytest.approx(370)


def test_trees_win_for_small_buffers_on_many_nodes_and_rings_for_large_ones() -> None:
    group = Group(512, 64)

    assert tree_time(1e4, group, 370).result < ring_time(1e4, group, 370).result
    assert ring_time(1e10, group, 370).result < tree_time(1e10, group, 370).result


def test_overlap_hides_at_most_the_backward_pass() -> None:
    hidden = training_step(1.2, 0.46, 0.8, overlap=1.0)
    half = training_step(1.2, 0.46, 0.8, overlap=0.5)
    exposed = training_step(1.2, 0.46, 0.8)

    assert hidden.exposed.result == pytest.approx(0)
    assert hidden.mfu.result == pytest.approx(0.46)
    assert half.exposed.result == pytest.approx(0.4)
    assert exposed.time.result == pytest.approx(2.0)


def test_tensor_communication_and_bubbles_are_never_hidden() -> None:
    bubble = pipeline_bubble(1.0, 5, 16)
    step = training_step(1.0, 0.5, 0.0, overlap=1.0, tensor=0.25, bubble=bubble.result)

    assert step.time.result == pytest.approx(1.5)
    assert step.mfu.result == pytest.approx(0.5 / 1.5)
