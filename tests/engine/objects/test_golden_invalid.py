"""Which recorded objects the API server refuses, and in which words.

Recorded from Kubernetes 1.36.3; see FORMAT.md beside the data. GOLDEN_DIR names another folder of golden sets.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simulator.engine.conformance.objects import RECORDED, PlainStore, admit_all
from simulator.engine.objects.api import ApiServer, Refusal

GOLDEN = Path(os.environ.get("GOLDEN_DIR") or Path(__file__).parents[2] / "golden") / "kube-scheduler"
FAMILIES = ["C00", *(f"F{number:02d}" for number in range(1, 19))]


def scenarios(family: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    with gzip.open(GOLDEN / f"golden-{family}.jsonl.gz", "rt") as lines:
        for line in lines:
            entry = json.loads(line)
            yield entry["scenario"], entry["expect"]


@pytest.mark.parametrize("family", FAMILIES)
def test_refusals_are_those_recorded(family: str) -> None:
    server = ApiServer(rules=RECORDED)
    count = 0
    for scenario, expect in scenarios(family):
        before = json.dumps(scenario["objects"])
        assert admit_all(scenario["objects"], server)[2] == (expect.get("invalid") or []), scenario["id"]
        assert json.dumps(scenario["objects"]) == before, "the input was changed"
        count += 1
    assert count > 0


def leads_to(manifest: Any, keys: tuple[str | int, ...]) -> tuple[int, Any]:
    """Follow the keys as far as they go: (how many were left, what stands there)."""
    for position, key in enumerate(keys):
        if not isinstance(manifest, (dict, list)) or (isinstance(manifest, dict) and key not in manifest):
            return len(keys) - position, manifest
        manifest = manifest[key]  # type: ignore[index]
    return 0, manifest


def test_every_error_points_into_the_manifest() -> None:
    """The keys lead to the value (or key) that is printed, or close to the place where something is missing."""
    server = ApiServer(rules=RECORDED)
    exact = 0
    for scenario, expect in scenarios("F14"):
        for entry in expect.get("invalid") or []:
            manifest = scenario["objects"][entry["index"]]
            answer = server.admit(manifest, PlainStore())
            for error in answer.errors if isinstance(answer, Refusal) else ():
                left, found = leads_to(manifest, error.keys)
                assert left <= 2, (scenario["id"], error.text, error.keys)
                exact += left == 0 and error.value.strip('"') in (str(found), *error.keys[-1:])
    assert exact >= 185
