"""The completion's schema: every field, under names that mean one thing."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.urls import reverse

from simulator.engine.objects.api import ApiServer
from simulator.engine.objects.scheme import KINDS
from simulator.presenters.editing.schema import VALUES, completion_json, completion_version

SCHEMA = json.loads(completion_json())


def test_every_kind_is_there_with_its_fields() -> None:
    assert set(SCHEMA["kinds"]) == {f"{kind.api_version}/{kind.kind}" for kind in KINDS.values()}
    for name, kind in SCHEMA["kinds"].items():
        assert "metadata" in SCHEMA["types"][kind], name


def test_every_type_that_is_named_is_there() -> None:
    scalars = {"string", "bool", "int", "Quantity", "Time", "IntOrString", "Any"}
    named = {kind.lstrip("[{") for fields in SCHEMA["types"].values() for kind in fields.values()}
    assert named <= scalars | set(SCHEMA["types"])


def test_structs_of_the_same_name_are_told_apart() -> None:
    claims = SCHEMA["types"]["ResourceRequirements"]["claims"]
    assert set(SCHEMA["types"][claims.removeprefix("[")]) == {"name", "request"}
    assert "spec" in SCHEMA["types"][SCHEMA["kinds"]["resource.k8s.io/v1/ResourceClaim"]]


def test_values_belong_to_fields_that_are_there() -> None:
    for place in VALUES:
        struct, _dot, field = place.partition(".")
        assert field in SCHEMA["types"][struct], place


@pytest.mark.parametrize("effect", VALUES["Taint.effect"])
def test_offered_effects_are_accepted(effect: str) -> None:
    class Nothing:
        def get(self, *_: str) -> None: ...
        def all(self, _: str) -> list[object]:
            return []

    node = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "n"},
        "spec": {"taints": [{"key": "a", "effect": effect}]},
    }
    assert hasattr(ApiServer().admit(node, Nothing()), "manifest")


@pytest.mark.django_db
def test_schema_is_served_to_be_kept() -> None:
    response = Client().get(reverse("simulator:schema", args=[completion_version()]))
    assert response.json() == SCHEMA
    assert "max-age" in response["Cache-Control"]
