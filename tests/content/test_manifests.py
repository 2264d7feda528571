"""The manifests in the lessons are what Kubernetes takes, and what the exercises say of them is so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from simulator.engine.framework.config import read_config
from simulator.engine.objects.api import Admitted, ApiServer
from simulator.engine.world.history import History
from simulator.engine.world.setup import Setup
from tests.content.texts import fenced, lesson, texts

GATES = {"GenericWorkload": True, "GangScheduling": True}
BLOCKS = [(name, block) for name, text in texts() for block in fenced(text, "yaml")]


class Registry:
    """What was applied before, for an API server that looks things up."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str, str], Any] = {("Namespace", "", "default"): {"metadata": {"name": "default"}}}

    def get(self, kind: str, namespace: str, name: str) -> Any:
        return self.kept.get((kind, namespace, name))

    def all(self, kind: str) -> Iterator[Any]:
        return iter([manifest for key, manifest in self.kept.items() if key[0] == kind])


@pytest.mark.parametrize(("name", "block"), BLOCKS, ids=[name for name, _ in BLOCKS])
def test_yaml_reads(name: str, block: str) -> None:
    assert [document for document in yaml.safe_load_all(block) if document]


@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_manifests_are_admitted(language: str) -> None:
    server, registry = ApiServer(gates=GATES), Registry()
    kinds = []
    for slug in ("four-pains", "ladder-and-practice"):
        for block in fenced(lesson(slug).texts[language], "yaml"):
            for manifest in yaml.safe_load_all(block):
                if manifest["apiVersion"].startswith("kind.x-k8s.io"):
                    continue
                answer = server.admit(manifest, registry)
                assert isinstance(answer, Admitted), (manifest["metadata"]["name"], answer)
                registry.kept[(answer.kind.kind, answer.namespace, answer.name)] = answer.manifest
                kinds.append(answer.kind.kind)
    assert sorted(set(kinds)) == ["Pod", "PodGroup", "PriorityClass"]


@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_scheduler_configurations_are_read(language: str) -> None:
    (profiles,) = fenced(lesson("scheduling-framework").texts[language], "yaml")
    config = read_config(yaml.safe_load(profiles))
    assert [profile.scheduler_name for profile in config.profiles] == ["default-scheduler", "gpu-packing"]
    extenders, _wire = fenced(lesson("extenders").texts[language], "yaml")
    head = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
    assert len(read_config(head | yaml.safe_load(extenders)).extenders) == 1


def test_both_languages_have_the_same_code() -> None:
    for name, text in texts():
        slug, _, language = name.partition("/")
        if language == "en":
            other = lesson(slug).texts["zh-hans"]
            for kind in ("bash", "go", "console"):
                assert list(fenced(text, kind)) == list(fenced(other, kind)), slug
            ours, theirs = ([list(yaml.safe_load_all(block)) for block in fenced(one, "yaml")] for one in (text, other))
            assert ours == theirs, slug


# -- the exercises of 6.8, with the manifests of the lesson --


def _lab(*, labels: dict[str, dict[str, str]] | None = None, cordoned: str = "") -> History:
    history = History.begin(Setup())
    control = {"key": "node-role.kubernetes.io/control-plane", "effect": "NoSchedule"}
    nodes = []
    for name in ("gpu-lab-control-plane", "gpu-lab-worker", "gpu-lab-worker2"):
        spec: dict[str, Any] = {"taints": [control]} if name.endswith("plane") else {}
        if name == cordoned:
            spec["unschedulable"] = True
        amounts = {"cpu": "4", "memory": "8Gi", "pods": "110"}
        own = {"kubernetes.io/hostname": name, **(labels or {}).get(name, {})}
        nodes.append(
            {
                "apiVersion": "v1",
                "kind": "Node",
                "metadata": {"name": name, "labels": own},
                "spec": spec,
                "status": {"capacity": amounts, "allocatable": amounts},
            }
        )
    history.apply({"type": "apply", "objects": nodes})
    return history


def _manifests(name: str) -> list[dict[str, Any]]:
    """The block of lesson 6.8 whose first line names this file."""
    blocks = fenced(lesson("ladder-and-practice").texts["en"], "yaml")
    return next(list(yaml.safe_load_all(block)) for block in blocks if block.startswith(f"# {name}"))


def _run(history: History, *names: str, seconds: float = 5) -> None:
    history.apply({"type": "apply", "objects": [item for name in names for item in _manifests(name)]})
    history.apply({"type": "advance", "seconds": seconds})


def _places(history: History) -> dict[str, str]:
    return {pod.name: pod.node_name for pod in history.head.world.list("Pod")}


def _events(history: History) -> str:
    return "\n".join(event.message for event in history.head.world.events)


def test_exercise_a_waits_for_the_label_and_then_goes() -> None:
    history = _lab(labels={"gpu-lab-worker2": {"gpu-type": "l40s"}})
    _run(history, "affinity-test.yaml")
    quoted = next(fenced(lesson("ladder-and-practice").texts["en"], "text")).strip()
    assert quoted in _events(history)
    history.apply({"type": "label", "kind": "Node", "name": "gpu-lab-worker", "labels": {"gpu-type": "a100"}})
    history.apply({"type": "advance", "seconds": 1})
    assert _places(history) == {"affinity-test": "gpu-lab-worker"}


def test_exercise_b_preempts_with_one_worker_and_not_with_two() -> None:
    alone = _lab(cordoned="gpu-lab-worker2")
    _run(alone, "priorities.yaml", "hog.yaml")
    _run(alone, "important.yaml", seconds=29)
    assert _places(alone)["important"] == ""
    alone.apply({"type": "advance", "seconds": 5})
    assert _places(alone) == {"important": "gpu-lab-worker"}
    told = (
        "0/3 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable."
    )
    assert told in _events(alone).split("\n"), "nothing about preemption behind it: it succeeded"
    assert told in lesson("ladder-and-practice").texts["en"].body
    both = _lab()
    _run(both, "priorities.yaml", "hog.yaml")
    _run(both, "important.yaml")
    assert sorted(_places(both).values()) == ["gpu-lab-worker", "gpu-lab-worker2"]


@pytest.mark.parametrize(
    ("weight", "totals", "winner"),
    [(50, (615, 439), "gpu-lab-worker"), (1, (615, 439), "gpu-lab-worker"), (None, (415, 439), "gpu-lab-worker2")],
)
def test_exercise_c_is_decided_by_the_score(weight: int | None, totals: tuple[int, int], winner: str) -> None:
    a100 = {"gpu-type": "a100"}
    history = _lab(labels={"gpu-lab-worker": {**a100, "tier": "fast"}, "gpu-lab-worker2": a100})
    _run(history, "busy.yaml", "light.yaml")
    (pod,) = _manifests("score-test.yaml")
    affinity = pod["spec"]["affinity"]["nodeAffinity"]
    if weight is None:
        del affinity["preferredDuringSchedulingIgnoredDuringExecution"]
    else:
        affinity["preferredDuringSchedulingIgnoredDuringExecution"][0]["weight"] = weight
    applied = history.apply({"type": "apply", "objects": [pod]})
    history.apply({"type": "advance", "seconds": 1})
    (attempt,) = next(
        trace.attempts for index in range(applied.last, history.count) if (trace := history.trace(index)).attempts
    )
    assert attempt.chosen == winner
    assert (attempt.totals["gpu-lab-worker"], attempt.totals["gpu-lab-worker2"]) == totals
    for text in lesson("ladder-and-practice").texts.values():
        assert all(str(total) in text.body for total in totals)
