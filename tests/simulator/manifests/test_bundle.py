"""Bundles: front matter with line-precise errors, objects, and both ways."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from simulator.manifests.bundle import read_bundle, write_bundle
from simulator.manifests.bundle_schema import KINDS, front_matter_schema
from simulator.manifests.goal_kinds import GOAL_KINDS
from simulator.manifests.reading import TextKind, read

FRONT = """\
apiVersion: gpuschedlab.io/v1alpha1
kind: Scenario
metadata:
  name: first-fit
spec:
  title: {zh-hans: 第一次放置, en: First fit}
  level: beginner
  topics: [filter, gpu]
  text:
    zh-hans: |
      一个 Pod 要两张卡。
    en: |
      A Pod asks for two GPUs.
  profiles:
  - name: default
    configuration:
      apiVersion: kubescheduler.config.k8s.io/v1
      kind: KubeSchedulerConfiguration
  seed: 7
  rules: {preset: lab}
  positions:
    gpu-1: [120, 80.5]
  minutes: 10
  allowedCommands: [apply, label]
  predictions:
    mode: required
    gates:
    - {predict: winner, pod: default/train-0}
  hints:
  - {zh-hans: 看标签, en: Look at the labels}
  goals:
  - kind: allBound
  - kind: boundToNodeWith
    pods: {name: train-0}
    nodeLabels: {gpu-type: a100}
  solution:
  - {command: apply, manifest: {kind: Pod}}
"""
OBJECTS = """\
---
apiVersion: v1
kind: Node
metadata:
  name: gpu-1
  resourceVersion: "5"
---
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Pod
  metadata: {name: train-0}
"""


def errors(text: str) -> list[tuple[str, int, int]]:
    return [(error.code, error.line, error.column) for error in read_bundle(text).errors]


def test_bundle_is_taken_apart() -> None:
    bundle = read_bundle(FRONT + OBJECTS)
    assert bundle.errors == ()
    assert bundle.notices == ()
    assert (bundle.kind, bundle.name, bundle.spec["seed"]) == ("Scenario", "first-fit", 7)
    assert [item["kind"] for item in bundle.objects] == ["Node", "Pod"]
    assert bundle.objects[0]["metadata"]["resourceVersion"] == "5"
    assert bundle.documents[1].marks.value(("metadata", "name")) == (50, 20)


def test_bundle_is_recognised_among_other_texts() -> None:
    reading = read(FRONT + OBJECTS)
    assert reading.kind is TextKind.BUNDLE
    assert reading.objects[0]["kind"] == "Scenario"
    assert reading.objects[1]["metadata"]["resourceVersion"] == "5"


def test_written_bundle_reads_back() -> None:
    bundle = read_bundle(FRONT + OBJECTS)
    assert bundle.front is not None
    text = write_bundle(bundle.front.value, bundle.objects)
    again = read_bundle(text)
    assert again.errors == ()
    assert again.front is not None
    assert again.front.value == bundle.front.value
    assert again.objects == bundle.objects
    assert write_bundle(again.front.value, again.objects) == text


def test_written_front_matter_is_in_the_order_of_the_schema() -> None:
    bundle = read_bundle(FRONT)
    assert bundle.front is not None
    shuffled = copy.deepcopy(bundle.front.value)
    shuffled["spec"] = dict(reversed(shuffled["spec"].items()))
    text = write_bundle(dict(reversed(shuffled.items())), [])
    assert text == write_bundle(bundle.front.value, [])
    assert text.startswith(
        "apiVersion: gpuschedlab.io/v1alpha1\nkind: Scenario\nmetadata:\n  name: first-fit\nspec:\n  title:\n"
    )
    assert "      一个 Pod 要两张卡。\n" in text


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("seed: 7", "sed: 7", ("schema.unknown_field", 19, 3)),
        ("seed: 7", "seed: -1", ("schema.too_small", 19, 9)),
        ("seed: 7", "seed: seven", ("schema.wrong_type", 19, 9)),
        ("seed: 7", "seed: 99999999999999999999", ("schema.too_big", 19, 9)),
        ("level: beginner", "level: easy", ("schema.not_allowed", 7, 10)),
        ("  level: beginner\n", "", ("schema.missing_field", 5, 1)),
        ("name: first-fit", "name: First Fit", ("schema.pattern", 4, 9)),
        ("{zh-hans: 第一次放置, en: First fit}", "{}", ("schema.too_short", 6, 10)),
        ("en: First fit", "en: ''", ("schema.too_short", 6, 31)),
        ("topics: [filter, gpu]", "topics: [gpu, gpu]", ("schema.not_unique", 8, 11)),
        ("gpu-1: [120, 80.5]", "gpu-1: [120]", ("schema.too_short", 22, 12)),
        ("gpu-1: [120, 80.5]", "gpu-1: {x: 1, y: 2}", ("schema.wrong_type", 22, 12)),
        ("mode: required", "mode: off", ("schema.not_allowed", 26, 11)),
        ("predict: winner", "predict: looser", ("schema.not_allowed", 28, 17)),
        ("kind: allBound", "kind: allHappy", ("schema.not_allowed", 32, 11)),
        ("kind: allBound", "kind: allBound\n    pod: x", ("schema.unknown_field", 33, 5)),
        ("    nodeLabels: {gpu-type: a100}\n", "", ("schema.missing_field", 33, 5)),
        ("kind: KubeSchedulerConfiguration", "kind: Other", ("schema.not_allowed", 18, 13)),
        ("{command: apply, manifest", "{comand: apply, manifest", ("schema.missing_field", 37, 5)),
    ],
)
def test_error_of_the_front_matter_with_its_place(old: str, new: str, expected: tuple[str, int, int]) -> None:
    assert FRONT.count(old) == 1
    assert errors(FRONT.replace(old, new)) == [expected]


def test_text_may_lack_a_language() -> None:
    assert errors(FRONT.replace(", en: First fit", "")) == []


def test_all_errors_are_told_in_the_order_of_the_text() -> None:
    broken = FRONT.replace("level: beginner", "level: easy").replace("seed: 7", "sed: 7").replace("allBound", "x")
    assert [code for code, _, _ in errors(broken + OBJECTS + "---\nhello\n")] == [
        "schema.not_allowed",
        "schema.unknown_field",
        "schema.not_allowed",
        "object.not_mapping",
    ]


def test_bundle_without_front_matter() -> None:
    assert errors("# x\napiVersion: v1\nkind: Pod\n") == [("bundle.no_front_matter", 2, 1)]
    assert errors("") == [("bundle.no_front_matter", 1, 1)]


def test_second_front_matter() -> None:
    assert errors(FRONT + "---\n" + FRONT) == [("bundle.second_front_matter", 39, 1)]


def test_broken_bundles_raise_nothing() -> None:
    for front in (
        "metadata: 5\nspec: []",
        "metadata: {name: 5}\nspec: {title: 5, goals: 5, positions: 5}",
        "spec: {goals: [5, {kind: [1]}]}",
    ):
        bundle = read_bundle(f"apiVersion: gpuschedlab.io/v1alpha1\nkind: Scenario\n{front}\n")
        assert bundle.errors
        assert bundle.front is None


@pytest.mark.parametrize("kind", KINDS)
def test_schema_is_a_json_schema(kind: str) -> None:
    Draft202012Validator.check_schema(front_matter_schema(kind))


def _open_mappings(schema: Any, path: str = "") -> list[str]:
    """Paths of mappings with listed properties that let others pass."""
    if isinstance(schema, list):
        return [found for index, item in enumerate(schema) for found in _open_mappings(item, f"{path}/{index}")]
    if not isinstance(schema, dict):
        return []
    is_open = isinstance(schema.get("properties"), dict) and "type" in schema and "additionalProperties" not in schema
    return ([path] if is_open else []) + [
        f for key, item in schema.items() for f in _open_mappings(item, f"{path}/{key}")
    ]


def test_mappings_are_closed_but_for_those_the_engine_reads() -> None:
    for kind in KINDS:
        assert _open_mappings(front_matter_schema(kind)) == [
            "/properties/spec/properties/rules",
            "/$defs/schedulerConfiguration",
            "/$defs/command",
            "/$defs/goal",
        ]


@pytest.mark.parametrize("kind", sorted(GOAL_KINDS))
def test_every_goal_kind_refuses_unknown_fields(kind: str) -> None:
    text = FRONT.replace("- kind: allBound\n", f"- kind: {kind}\n    nonsense: 1\n")
    assert ("schema.unknown_field", 33, 5) in errors(text)


def test_the_manual_names_every_field_and_kind_of_goal() -> None:
    manual = (Path(__file__).parents[3] / "docs" / "bundle.md").read_text(encoding="utf-8")
    words = set(re.findall(r"\w+", manual))
    fields = {field for kind in KINDS for field in front_matter_schema(kind)["properties"]["spec"]["properties"]}
    assert fields | set(GOAL_KINDS) <= words


def test_a_lab_is_a_bundle_too() -> None:
    bundle = read_bundle(
        "apiVersion: gpuschedlab.io/v1alpha1\nkind: Lab\nmetadata: {name: mine}\n"
        "spec:\n  scenario: {name: first-fit, revision: 2}\n  seed: 1\n  commands: [{command: apply}]\n"
    )
    assert bundle.errors == ()
    assert bundle.kind == "Lab"
