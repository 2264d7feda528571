"""The engine beside a slow oracle written from the specification alone, on recorded and on random scenarios.

The oracle (tests/engine/oracle) looks at one Pod and one node at a time and shares no code with the engine but the API
server's defaulting. It must itself give the recorded answers. ORACLE_SCENARIOS sets how many random ones are tried.
"""

from __future__ import annotations

import os

import pytest

from simulator.engine.conformance.objects import admit_all
from tests.engine.oracle.compare import by_engine, by_oracle, told
from tests.engine.oracle.generator import Generator
from tests.golden.recorded import TRIES, differences, scenarios

BLOCKS = 4
SEEDS = int(os.environ.get("ORACLE_SCENARIOS") or 1200)
WITHOUT = ("F14", "F15")
"""Invalid objects and volumes are not the oracle's."""


@pytest.mark.parametrize("family", [family for family in TRIES if family not in WITHOUT])
def test_oracle_gives_the_recorded_answers(family: str) -> None:
    compared = 0
    for scenario, expect in scenarios(family):
        if any(result["outcome"] == "error" for result in expect.get("results", ())):
            continue
        assert by_oracle(scenario) == told(expect), scenario["id"]
        compared += 1
    assert compared > 50


@pytest.mark.slow
@pytest.mark.parametrize("block", range(BLOCKS))
def test_engine_agrees_with_the_oracle_on_random_scenarios(block: int) -> None:
    for seed in range(block, SEEDS, BLOCKS):
        scenario = Generator(seed).scenario()
        places = list(differences(by_engine(scenario), by_oracle(scenario)))
        assert not places, f"seed {seed}: " + "\n".join(places[:10])


def test_random_scenarios_are_worth_it() -> None:
    """They are seldom refused, and every outcome and rejecting plugin is frequent in them."""
    outcomes: dict[str, int] = {}
    plugins: dict[str, int] = {}
    refused = objects = 0
    for seed in range(300):
        scenario = Generator(seed).scenario()
        objects += len(scenario["objects"])
        refused += len(admit_all(scenario["objects"])[2])
        for result in by_oracle(scenario):
            outcomes[result["outcome"]] = outcomes.get(result["outcome"], 0) + 1
            for entry in result["filter"].values():
                plugins[entry["plugin"]] = plugins.get(entry["plugin"], 0) + 1
    assert refused < objects / 20
    assert set(outcomes) == {"scheduled", "unschedulable", "nominated"}
    assert min(outcomes.values()) > 20
    filters = {
        "NodeUnschedulable", "TaintToleration", "NodeAffinity", "NodePorts", "NodeResourcesFit", "PodTopologySpread",
        "InterPodAffinity", "NodeDeclaredFeatures",
    }  # fmt: skip
    assert set(plugins) == filters
    assert min(plugins.values()) >= 5
