"""Patches and apply give what kubectl and the API server give. Recorded answers: tests/golden/kubectl."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.engine.objects.merging import has_strategy
from simulator.engine.objects.patch import (
    LAST_APPLIED,
    PatchError,
    Result,
    apply,
    json_merge_patch,
    same,
    strategic_merge_patch,
    three_way_merge,
)

GOLDEN = Path(__file__).parents[2] / "golden" / "kubectl"

TEXTS = st.sampled_from(["a", "b", "c", "d"])
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.booleans() | st.integers(0, 3) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
CONTAINERS = st.lists(
    st.fixed_dictionaries(
        {"name": st.sampled_from("abcd")},
        optional={
            "image": TEXTS,
            "env": st.lists(st.fixed_dictionaries({"name": TEXTS, "value": TEXTS}), unique_by=lambda env: env["name"]),
            "args": st.lists(TEXTS, max_size=2),
        },
    ),
    unique_by=lambda container: container["name"],
    max_size=4,
)
PODS = st.fixed_dictionaries(
    {
        "apiVersion": st.just("v1"),
        "kind": st.just("Pod"),
        "metadata": st.fixed_dictionaries({"name": st.just("p")}, optional={"labels": st.dictionaries(TEXTS, TEXTS)}),
        "spec": st.fixed_dictionaries(
            {"containers": CONTAINERS},
            optional={
                "nodeSelector": st.dictionaries(TEXTS, TEXTS),
                "tolerations": st.lists(st.fixed_dictionaries({"key": TEXTS}), max_size=3),
            },
        ),
    }
)


def recorded(name: str) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads((GOLDEN / name).read_text(encoding="utf-8"))
    return cases


def as_decoded(value: Any) -> Any:
    """What is left of a recorded result when the API server decodes it: no nulls, no directives."""
    if isinstance(value, dict):
        return {key: as_decoded(item) for key, item in value.items() if item is not None and not key.startswith("$")}
    return [as_decoded(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("case", recorded("patches.json"), ids=lambda case: f"{case['type']}-{case['target']['kind']}")
def test_patch_gives_what_kubectl_gives(case: dict[str, Any]) -> None:
    before = copy.deepcopy(case)
    patch = strategic_merge_patch if case["type"] == "strategic" else json_merge_patch
    assert patch(case["target"], case["patch"]) == case["result"]
    assert case == before


@pytest.mark.parametrize("case", recorded("merge-keys.json"), ids=lambda case: case["field"])
def test_field_is_merged_as_its_type_says(case: dict[str, Any]) -> None:
    assert has_strategy(case["target"]["apiVersion"], case["target"]["kind"])
    assert strategic_merge_patch(case["target"], case["patch"]) == case["result"]


@pytest.mark.parametrize(
    "case", recorded("applies.json"), ids=lambda case: f"{case['manifest']['kind']}-{case['word']}"
)
def test_apply_gives_what_kubectl_gives(case: dict[str, Any]) -> None:
    before = copy.deepcopy(case)
    applied = apply(case["current"], case["manifest"])
    assert applied.object == as_decoded(case["result"])
    assert applied.result == ("unchanged" if case["result"] == case["current"] else case["word"])
    assert case == before


def test_apply_creates_with_the_annotation_kubectl_writes() -> None:
    manifest = {"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "a"}, "spec": {"x": "<&>中"}}
    applied = apply(None, manifest)
    assert applied.result is Result.CREATED
    assert applied.object["metadata"]["annotations"][LAST_APPLIED] == (
        '{"apiVersion":"v1","kind":"Pod","metadata":{"annotations":{},"name":"a"},'
        '"spec":{"x":"\\u003c\\u0026\\u003e中"}}\n'
    )
    assert "annotations" not in manifest["metadata"]


@given(PODS)
def test_applying_the_same_again_changes_nothing(manifest: dict[str, Any]) -> None:
    created = apply(None, manifest).object
    assert apply(created, manifest).result is Result.UNCHANGED
    assert apply(created, created).result is Result.UNCHANGED


@given(PODS, PODS)
def test_what_was_applied_before_leaves_no_trace(first: dict[str, Any], second: dict[str, Any]) -> None:
    applied = apply(apply(None, first).object, second)
    assert applied.object == apply(None, second).object


@given(PODS, PODS)
def test_what_others_set_stays(first: dict[str, Any], second: dict[str, Any]) -> None:
    current = apply(None, first).object
    current["status"] = {"phase": "Running"}
    current["spec"]["nodeName"] = "n1"
    current["spec"]["containers"].append({"name": "sidecar", "image": "s"})
    merged = apply(current, second).object
    assert merged["status"] == {"phase": "Running"}
    assert merged["spec"]["nodeName"] == "n1"
    assert {"name": "sidecar", "image": "s"} in merged["spec"]["containers"]


@given(PODS, PODS)
def test_three_ways_with_equal_first_two_only_adds(current: dict[str, Any], applied: dict[str, Any]) -> None:
    merged = three_way_merge(applied, applied, current)
    names = {container["name"] for container in current["spec"]["containers"] + applied["spec"]["containers"]}
    assert {container["name"] for container in merged["spec"]["containers"]} == names


@given(VALUES, VALUES)
def test_merge_patch_follows_the_rfc(target: Any, patch: Any) -> None:
    merged = json_merge_patch(target, patch)
    if isinstance(patch, dict):
        for key, value in patch.items():
            if not isinstance(value, dict):
                assert same(merged[key], value)
    else:
        assert same(merged, patch)
    assert same(json_merge_patch(merged, patch), merged)


def test_merge_patch_examples_of_the_rfc() -> None:
    for target, patch, result in (
        ({"a": "b"}, {"a": "c"}, {"a": "c"}),
        ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
        ({"a": "b"}, {"a": None}, {}),
        ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
        ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
        ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
        (["a", "b"], ["c", "d"], ["c", "d"]),
        ({"a": "b"}, ["c"], ["c"]),
        ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
        ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
        ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
    ):
        assert json_merge_patch(target, patch) == result


def pod(**spec: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": spec}


def test_ports_of_one_number_are_told_apart_by_their_order() -> None:
    ports = [{"containerPort": 53, "protocol": "TCP"}, {"containerPort": 53, "protocol": "UDP"}]
    manifest = pod(containers=[{"name": "dns", "ports": ports}])
    assert apply(apply(None, manifest).object, manifest).result is Result.UNCHANGED


def test_order_directive_sorts_and_keeps_others_in_between() -> None:
    target = pod(containers=[{"name": "a"}, {"name": "x"}, {"name": "b"}])
    patch = {
        "spec": {
            "$setElementOrder/containers": [{"name": "b"}, {"name": "a"}],
            "containers": [{"name": "b", "image": "i"}],
        }
    }
    containers = strategic_merge_patch(target, patch)["spec"]["containers"]
    assert containers == [{"name": "x"}, {"name": "b", "image": "i"}, {"name": "a"}]


@pytest.mark.parametrize(
    ("patch", "code"),
    [
        ({"spec": {"containers": [{"image": "i"}]}}, "patch.no_merge_key"),
        ({"spec": {"containers": [5]}}, "patch.no_merge_key"),
        ({"spec": {"containers": [{"name": {}}]}}, "patch.wrong_type"),
        ({"$patch": "explode"}, "patch.directive"),
        ({"spec": {"containers": [{"name": "a", "$patch": "merge"}]}}, "patch.directive"),
        ({"spec": {"$retainKeys": "containers"}}, "patch.wrong_type"),
        ({"spec": {"$retainKeys": ["x"], "nodeName": "n"}}, "patch.directive"),
        ({"spec": {"$setElementOrder/containers": "x"}}, "patch.wrong_type"),
    ],
)
def test_patch_that_cannot_be_applied(patch: dict[str, Any], code: str) -> None:
    with pytest.raises(PatchError) as raised:
        strategic_merge_patch(pod(containers=[{"name": "a"}]), patch)
    assert raised.value.code == code


def test_annotation_that_is_no_json_counts_as_none() -> None:
    for text in ("{", "[]", "5"):
        current = pod(nodeName="n")
        current["metadata"]["annotations"] = {LAST_APPLIED: text}
        assert apply(current, pod(priority=1)).object["spec"] == {"nodeName": "n", "priority": 1}


def test_true_is_not_one() -> None:
    assert not same({"a": [True]}, {"a": [1]})
    assert same({"a": [1, 2.0]}, {"a": (1, 2)})
    assert not same({"a": 1}, {"a": 1, "b": 2})


def test_long_lists_are_merged_in_no_time() -> None:
    items = [{"name": f"c{number}"} for number in range(20_000)]
    patch = {"spec": {"containers": [{"name": f"c{number}", "$patch": "delete"} for number in range(0, 20_000, 2)]}}
    assert len(strategic_merge_patch(pod(containers=items), patch)["spec"]["containers"]) == 10_000
    assert apply(apply(None, pod(containers=items)).object, pod(containers=items[::-1])).result is Result.CONFIGURED
