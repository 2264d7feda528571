"""Which recorded objects the API server refuses, and in which words.

Recorded from Kubernetes 1.36.3; see FORMAT.md beside the data. GOLDEN_DIR names another folder of golden sets.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from simulator.engine.objects.api import Admitted, ApiServer, Refusal, Rules

GOLDEN = Path(os.environ.get("GOLDEN_DIR") or Path(__file__).parents[2] / "golden") / "kube-scheduler"
FAMILIES = ["C00", *(f"F{number:02d}" for number in range(1, 19))]

# What the recording did not do: it took these kinds as they came, and allowed several global default classes.
RECORDED = Rules(
    unvalidated=frozenset(
        {"Service", "ReplicaSet", "PersistentVolume", "PersistentVolumeClaim", "StorageClass", "CSINode"}
    ),
    one_default_class=False,
)


class Store:
    """The objects admitted so far."""

    def __init__(self) -> None:
        self.objects: dict[tuple[str, str, str], Mapping[str, Any]] = {}

    def add(self, admitted: Admitted) -> None:
        self.objects[admitted.kind.kind, admitted.namespace, admitted.name] = admitted.manifest

    def get(self, kind: str, namespace: str, name: str) -> Mapping[str, Any] | None:
        return self.objects.get((kind, namespace, name))

    def all(self, kind: str) -> Iterable[Mapping[str, Any]]:
        return [value for key, value in self.objects.items() if key[0] == kind]


def scenarios(family: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    with gzip.open(GOLDEN / f"golden-{family}.jsonl.gz", "rt") as lines:
        for line in lines:
            entry = json.loads(line)
            yield entry["scenario"], entry["expect"]


def refused(server: ApiServer, objects: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Admit all objects, PriorityClasses first, as the recording did; return the refusals as they are recorded."""
    store = Store()
    found = []
    for index in sorted(range(len(objects)), key=lambda each: (objects[each]["kind"] != "PriorityClass", each)):
        answer = server.admit(objects[index], store)
        if isinstance(answer, Admitted):
            store.add(answer)
        else:
            found.append(recorded_form(index, answer))
    return sorted(found, key=lambda entry: entry["index"])


def recorded_form(index: int, refusal: Refusal) -> dict[str, Any]:
    entry: dict[str, Any] = {"index": index, "kind": refusal.kind}
    if refusal.namespace:
        entry["namespace"] = refusal.namespace
    entry |= {"name": refusal.name, "stage": refusal.stage}
    entry["errors"] = [
        {"type": error.type, "field": error.field, "detail": error.detail, "text": error.text}
        for error in refusal.errors
    ]
    return entry


@pytest.mark.parametrize("family", FAMILIES)
def test_refusals_are_those_recorded(family: str) -> None:
    server = ApiServer(rules=RECORDED)
    count = 0
    for scenario, expect in scenarios(family):
        before = json.dumps(scenario["objects"])
        assert refused(server, scenario["objects"]) == (expect.get("invalid") or []), scenario["id"]
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
            answer = server.admit(manifest, Store())
            for error in answer.errors if isinstance(answer, Refusal) else ():
                left, found = leads_to(manifest, error.keys)
                assert left <= 2, (scenario["id"], error.text, error.keys)
                exact += left == 0 and error.value.strip('"') in (str(found), *error.keys[-1:])
    assert exact >= 185
