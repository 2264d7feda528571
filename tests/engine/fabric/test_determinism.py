"""The same answers in every process: nothing depends on hash seeds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from simulator.engine.fabric.from_labels import LabelledNode, fabric_from_nodes
from simulator.engine.fabric.graph import fabric_graph
from simulator.engine.fabric.mig import MIG_TABLES, maximal_combinations
from simulator.engine.fabric.network import rail_aligned
from simulator.engine.fabric.placement import group_bandwidth
from simulator.engine.fabric.presets import PRESETS, node_manifest, preset_host, preset_rack
from simulator.engine.fabric.scoring import FabricIndex, GroupPod, score_placements
from simulator.engine.fabric.serial import fabric_to_mapping

ROOT = Path(__file__).resolve().parents[3]


def answers() -> str:
    """Something from every corner, as text."""
    hosts = [*(preset_host(name, name) for name in PRESETS), *preset_rack("gb200-tray-4", "r")]
    fabric = rail_aligned(hosts, 4, oversubscription=3)
    graph = fabric_graph(fabric)
    labels = [LabelledNode(host.name, node_manifest(host)["metadata"]["labels"]) for host in hosts]
    scores = score_placements(
        FabricIndex(fabric),
        [host.name for host in hosts],
        {host.name: host.healthy_gpus for host in hosts},
        {"hgx-h100-8": (0,), "r-1": (1,)},
        GroupPod(2, 16),
    )
    return "\n".join(
        [
            json.dumps(fabric_to_mapping(fabric)),
            repr(graph.links),
            repr(graph.best_path("t4-2/gpu0", "r-3/gpu2")),
            repr([maximal_combinations(table) for table in MIG_TABLES.values()]),
            repr(fabric_from_nodes(labels)),
            repr((scores, scores.disagreements())),
            repr(group_bandwidth(fabric, {"l40s-8": (1, 5), "r-0": (0,), "r-2": (3, 1)})),
        ]
    )


def test_hash_seeds_change_nothing() -> None:
    code = f"from {__name__} import answers; print(answers())"
    texts = [
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "20")
    ]

    assert texts[0] == texts[1]
    assert len(texts[0]) > 10_000
