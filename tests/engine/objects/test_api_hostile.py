"""Whatever comes in, an object or a refusal comes out: no exception, no hang, nothing changed."""

from __future__ import annotations

import copy
import math
import random
import time
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simulator.engine.objects.api import Admitted, ApiServer, Refusal
from simulator.engine.objects.scheme import KINDS
from tests.engine.objects.manifests import ALL_GATES, MANIFESTS, Store, manifest

HOSTILE: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    1,
    2**31,
    2**63,
    -(2**63) - 1,
    10**400,
    1.0,
    1.5,
    -0.0,
    1e308,
    math.nan,
    math.inf,
    "",
    " ",
    "a",
    "A_b",
    "-5",
    "100%",
    "1e999999999",
    "9" * 5000,
    "\ud800",
    "\x00",
    "é" * 70,
    "a" * 300,
    "a/b/c",
    [],
    {},
    [None],
    [[]],
    [{}],
    {"": ""},
    {"a": None},
    {1: 2},
    {None: True},
    {("t",): 1},
    b"bytes",
    {1, 2},
    object(),
    ("tuple",),
    {"key": "a", "operator": "In", "values": ["x"]},
    [{"name": "c", "image": "i"}] * 3,
]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a manifest."""
    found = [path] if path else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        found += places(item, (*path, key))
    return found


def mutate(value: Any, choose: random.Random) -> Any:
    """Return the manifest with one to three places replaced, removed, doubled or joined by a stranger."""
    mutated = copy.deepcopy(value)
    for _ in range(choose.randint(1, 3)):
        all_places = places(mutated)
        if not all_places:
            break
        *parents, last = choose.choice(all_places)
        place = mutated
        for key in parents:
            place = place[key]
        action = choose.randrange(5)
        if action == 0:
            del place[last]
        elif action == 1 and isinstance(place, list):
            place.append(copy.deepcopy(place[last]))
        elif action == 1 and isinstance(place, dict):
            place[choose.choice(["gpu", "", "name", "a b", 7])] = copy.deepcopy(choose.choice(HOSTILE))
        else:
            place[last] = copy.deepcopy(choose.choice(HOSTILE))
    return mutated


@pytest.mark.parametrize("kind", sorted(MANIFESTS))
def test_example_is_admitted(kind: str) -> None:
    answer = ApiServer(ALL_GATES).admit(manifest(kind), Store())
    assert isinstance(answer, Admitted), [error.text for error in answer.errors]


def test_every_kind_has_an_example() -> None:
    assert sorted(MANIFESTS) == sorted(kind for _, kind in KINDS)


@pytest.mark.parametrize("kind", sorted(MANIFESTS))
def test_admitted_object_is_admitted_again_unchanged(kind: str) -> None:
    """Defaults are complete, normal forms stay. (Merged label keys would be refused the second time, as in kube.)"""
    server = ApiServer(ALL_GATES)
    example = manifest(kind)
    if kind == "Pod":
        del example["spec"]["affinity"], example["spec"]["topologySpreadConstraints"]
    first = server.admit(example, Store())
    assert isinstance(first, Admitted)
    second = server.admit(first.manifest, Store())
    assert isinstance(second, Admitted)
    assert second.manifest == first.manifest


@pytest.mark.parametrize("kind", sorted(MANIFESTS))
def test_mutated_manifests_are_answered(kind: str) -> None:
    choose = random.Random(f"mutate {kind}")
    server, store = ApiServer(ALL_GATES), Store()
    known = server.admit(manifest(kind), store)
    assert isinstance(known, Admitted)
    existing = Store()
    existing.add(known)
    refusals = 0
    for _ in range(400):
        mutated = mutate(MANIFESTS[kind], choose)
        for answer in (server.admit(mutated, store), server.admit_update(mutated, existing)):
            assert isinstance(answer, (Admitted, Refusal))
            if isinstance(answer, Refusal):
                refusals += 1
                assert answer.errors
                assert answer.message
                for error in answer.errors:
                    assert isinstance(error.text, str)
                    assert error.code
    assert refusals > 100


JSON = st.recursive(
    st.sampled_from(HOSTILE[:28]) | st.text(max_size=10) | st.integers() | st.floats(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.sampled_from(sorted(MANIFESTS)), st.data())
def test_any_value_in_any_place_is_answered(kind: str, data: st.DataObject) -> None:
    mutated = manifest(kind)
    *parents, last = data.draw(st.sampled_from(places(mutated)))
    place: Any = mutated
    for key in parents:
        place = place[key]
    place[last] = data.draw(JSON)
    assert isinstance(ApiServer(ALL_GATES).admit(mutated, Store()), (Admitted, Refusal))


@given(JSON)
def test_any_manifest_is_answered(value: Any) -> None:
    assert isinstance(ApiServer().admit(value, Store()), Refusal)


def nested(depth: int) -> Any:
    value: Any = "x"
    for _ in range(depth):
        value = {"a": [value]}
    return value


def looped() -> Any:
    value: dict[str, Any] = {}
    value["spec"] = value
    return value


def laughing() -> Any:
    value: Any = ["ha"] * 10
    for _ in range(9):
        value = [value] * 10
    return value


MANY = 20_000
LARGE = {
    "containers": [{"name": f"c{i}", "image": "i"} for i in range(MANY)],
    "volumes": [{"name": f"v{i}", "emptyDir": {}} for i in range(MANY)],
    "tolerations": [{"key": "a b", "operator": "In", "value": "x y"}] * MANY,
    "schedulingGates": [{"name": "same"}] * MANY,
    "resourceClaims": [{"name": f"r{i}"} for i in range(MANY)],
    "topologySpreadConstraints": [{"maxSkew": 0}] * MANY,
    "nodeSelector": {f"k {i}": "v w" for i in range(MANY)},
    "hostAliases": [{"ip": "x", "hostnames": ["A"] * 10}] * (MANY // 10),
}


@pytest.mark.parametrize("build", [lambda: nested(50_000), looped, laughing, lambda: "x" * 5_000_000])
def test_bombs_are_refused_at_once(build: Any) -> None:
    started = time.process_time()
    for path in ("spec", "metadata", "status"):
        answer = ApiServer().admit({"apiVersion": "v1", "kind": "Pod", path: build()}, Store())
        assert isinstance(answer, Refusal)
        assert answer.errors[0].code in ("decode.too_large", "decode.too_deep", "decode.type")
    assert time.process_time() - started < 5


@pytest.mark.parametrize("field", sorted(LARGE))
def test_long_lists_take_linear_time(field: str) -> None:
    started = time.process_time()
    spec = {"containers": [{"name": "c", "image": "i"}], field: LARGE[field]}
    answer = ApiServer().admit({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": spec}, Store())
    assert isinstance(answer, (Admitted, Refusal))
    if isinstance(answer, Refusal):
        assert len(answer.errors) <= 1000
    assert time.process_time() - started < 8


def test_mounts_against_many_volumes_take_linear_time() -> None:
    mounts = [{"name": f"v{i}", "mountPath": f"/m{i}"} for i in range(MANY)]
    devices = [{"name": f"d{i}", "devicePath": f"/d{i}"} for i in range(MANY)]
    claims = [{"name": f"r{i % 7}", "request": f"q{i}"} for i in range(MANY)] + [{"name": "r1"}] * 10
    container = {
        "name": "c",
        "image": "i",
        "volumeMounts": mounts,
        "volumeDevices": devices,
        "resources": {"claims": claims},
    }
    started = time.process_time()
    spec = {"containers": [container], "volumes": LARGE["volumes"][: MANY // 2]}
    answer = ApiServer().admit({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": spec}, Store())
    assert isinstance(answer, Refusal)
    assert time.process_time() - started < 8
