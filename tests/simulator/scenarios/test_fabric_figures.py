"""The bandwidths, step times and MFUs that texts and lessons state about the scenarios of the GPU fabric.

Figures were worked out by hand: 18 NVLink 4 × 20.6 = 370.8, 17 × 20.6 = 350.2, 12 NVLink 3 × 20 = 240,
18 NVLink 5 × 40.1 = 721.8, a PCIe 4 tree 24, Skylake's CPU link 10, AMD's 16; cards 0.95 × their line rate, divided by
the oversubscription. Step times are those of mpt-7b, 12,288 tokens per GPU, 46.5 % MFU alone, nothing overlapped.
"""

from __future__ import annotations

import pytest

from simulator.engine.fabric.estimate import placement_step
from simulator.engine.fabric.placement import group_bandwidth
from simulator.engine.fabric.training import MODELS
from simulator.engine.world.fabric_state import fabric_now, placement_of
from tests.simulator.scenarios.playing import FILES, Play, left_alone, slug, solved

PATHS = {slug(path): path for path in FILES}


def _placement(play: Play, prefix: str) -> dict[str, tuple[int, ...]]:
    pods = play.history.head.world.list("Pod")
    return placement_of(pod for pod in pods if pod.name.startswith(prefix))


@pytest.mark.parametrize(
    ("name", "pods", "alone", "after"),
    [
        ("paste-your-machine", "train-a", 16.0, 240.0),
        ("nvswitch-vs-pcie", "train-a", 24.0, 370.8),
        ("eight-on-one-vs-scattered", "far-", 47.5, 370.8),
        ("eight-on-one-vs-scattered", "near-", 370.8, 370.8),
        ("same-leaf-vs-spine", "train-", 95.0, 370.8),
        ("nvl72", "train-", 190.0, 721.8),
        ("numa-and-nic", "train-a", 10.0, 24.0),
        ("degraded-link", "train-a", 350.2, 370.8),
    ],
)
def test_bandwidth(name: str, pods: str, alone: float, after: float) -> None:
    for play, expected in ((left_alone(PATHS[name]), alone), (solved(PATHS[name]), after)):
        found = group_bandwidth(fabric_now(play.history.head), _placement(play, pods)).busbw
        assert found is not None
        assert found.result == pytest.approx(expected, abs=0.05)


@pytest.mark.parametrize(
    ("name", "pods", "alone", "after"),
    [
        ("nvswitch-vs-pcie", "train-a", (3.98, 36.8), (1.21, 44.4)),
        ("eight-on-one-vs-scattered", "far-", (1.65, 32.6), (1.22, 44.1)),
        ("same-leaf-vs-spine", "train-", (1.42, 37.9), (1.22, 43.9)),
    ],
)
def test_step_and_mfu(name: str, pods: str, alone: tuple[float, float], after: tuple[float, float]) -> None:
    for play, (seconds, percent) in ((left_alone(PATHS[name]), alone), (solved(PATHS[name]), after)):
        fabric, placement = fabric_now(play.history.head), _placement(play, pods)
        found = placement_step(fabric, placement, MODELS["mpt-7b"], 12_288).step
        assert found.time.result == pytest.approx(seconds, abs=0.006)
        assert found.mfu.result * 100 == pytest.approx(percent, abs=0.06)


def test_full_overlap_hides_the_scattered_placement() -> None:
    play = left_alone(PATHS["eight-on-one-vs-scattered"])
    for pods in ("near-", "far-"):
        found = placement_step(
            fabric_now(play.history.head), _placement(play, pods), MODELS["mpt-7b"], 12_288, overlap=1.0
        )
        assert found.step.mfu.result == pytest.approx(0.465, abs=0.0005)
