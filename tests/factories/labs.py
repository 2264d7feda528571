"""Scenarios and labs for tests."""

from __future__ import annotations

import itertools
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulator.catalogue import scenarios_load
from simulator.manifests.bundle import read_bundle
from simulator.models import Lab, ScenarioRevision
from simulator.selectors.scenarios import revision_get
from simulator.services.labs import Answer, lab_apply, lab_run
from simulator.services.scenarios import scenario_publish

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gpuschedlab.accounts.models import Participant

FIXTURES = Path(__file__).resolve().parent.parent.parent / "fixtures" / "scenarios"
_numbers = itertools.count(1)


def make_node(name: str, *, cpu: str = "4", gpus: int = 0, **metadata: Any) -> dict[str, Any]:
    amounts = {"cpu": cpu, "memory": "16Gi", "pods": "110"} | ({"nvidia.com/gpu": str(gpus)} if gpus else {})
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, **metadata},
        "status": {"capacity": amounts, "allocatable": amounts},
    }


def make_pod(name: str, *, cpu: str = "1", gpus: int = 0, **spec: Any) -> dict[str, Any]:
    resources: dict[str, Any] = {"requests": {"cpu": cpu}}
    if gpus:
        resources["limits"] = {"nvidia.com/gpu": str(gpus)}
    containers = [{"name": "main", "image": "example/main:1", "resources": resources}]
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": {"containers": containers, **spec}}


def make_revision(objects: Sequence[Mapping[str, Any]] = (), slug: str = "", **spec: Any) -> ScenarioRevision:
    """A published scenario with these objects."""
    slug = slug or f"scenario-{next(_numbers)}"
    whole = {"title": {"zh-hans": "场景", "en": "Scenario"}, "level": "beginner", **spec}
    scenario_publish(slug=slug, content=f"{slug} {objects} {whole}", spec=whole, objects=objects)
    return revision_get(slug)


def load_exercise(slug: str) -> ScenarioRevision:
    """A scenario of the catalogue."""
    scenarios_load(sorted(FIXTURES.glob(f"*-{slug}.yaml")))
    return revision_get(slug)


def load_text(text: str) -> ScenarioRevision:
    """A scenario from the text of its bundle."""
    bundle = read_bundle(text)
    assert bundle.errors == ()
    scenario_publish(slug=bundle.name, content=text, spec=bundle.spec, objects=bundle.objects)
    return revision_get(bundle.name)


def make_lab(owner: Participant, revision: ScenarioRevision | None = None) -> Lab:
    """A lab that nothing was done in yet, so that nothing is stored."""
    return Lab(id=uuid.uuid4(), owner=owner, revision=revision or small_revision())


def small_revision() -> ScenarioRevision:
    """Two nodes and a Pod that fits on both."""
    return make_revision([make_node("n1"), make_node("n2"), make_pod("p1")])


def give(lab: Lab, command: Mapping[str, Any], *, token: uuid.UUID | None = None, seq: int | None = None) -> Answer:
    """A command of the lab's owner at its end."""
    return lab_apply(
        actor=lab.owner,
        lab=lab,
        command=command,
        client_token=token or uuid.uuid4(),
        expected_seq=lab.head_seq if seq is None else seq,
    )


def run(lab: Lab, turns: int = 1) -> Answer:
    """So many turns as one command (fewer where nothing is left to do)."""
    return lab_run(
        actor=lab.owner,
        lab=lab,
        client_token=uuid.uuid4(),
        expected_seq=lab.head_seq,
        stop=lambda _action: False,
        most=turns,
    )
