"""Engine-made questions: repeatable, answerable, in both languages, and keyed by what the engine really does."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lessons.assessment.generators import Subject, generated
from lessons.assessment.learner_view import grade
from lessons.assessment.question import missing_translations
from lessons.generators.matrix_reading import MatrixReading
from lessons.generators.registry import GENERATORS
from lessons.generators.victims import CLASSES
from lessons.services.made import make_question
from simulator.engine.fabric.distance import gpu_bandwidth
from simulator.engine.fabric.presets import PRESETS

SEEDS = range(25)
EACH = sorted(GENERATORS)


def sources(subject: str) -> list[dict[str, Any]]:
    return [dict(make_question(subject, seed)["source"]) for seed in SEEDS]


def pictures(subject: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    made = [make_question(subject, seed) for seed in SEEDS]
    return [(dict(one["source"]), one["situation"]) for one in made]


def test_every_subject_has_its_generator() -> None:
    assert set(GENERATORS) == {str(subject) for subject in Subject}


@pytest.mark.parametrize("subject", EACH)
def test_same_seed_gives_the_same_question(subject: str) -> None:
    generator = GENERATORS[subject]
    assert generator.make(7) == generator.make(7)
    assert len({json.dumps(generator.source(seed), sort_keys=True) for seed in range(8)}) > 4


@pytest.mark.parametrize("subject", EACH)
def test_question_is_whole_and_its_key_earns_the_full_score(subject: str) -> None:
    for seed in SEEDS:
        question = generated(GENERATORS[subject], seed, None)
        assert missing_translations(question.source) == []
        assert question.explanation is not None
        variant = question.variant(seed)
        assert grade(variant, variant.kind.best(variant.content)).score == 1


@pytest.mark.parametrize("subject", EACH)
def test_no_answer_is_always_right(subject: str) -> None:
    keys = set()
    for seed in SEEDS:
        variant = generated(GENERATORS[subject], seed, None).variant(seed)
        keys.add(json.dumps(variant.kind.best(variant.content), sort_keys=True))
    assert len(keys) >= 3


def free(node: dict[str, Any], resource: str) -> int:
    used, total = node["resources"].get(resource, (0, 0))
    return int(total - used)


def test_filter_set_is_what_one_works_out_from_the_picture() -> None:
    """Worked out here from the shown values alone: cordon, hard taints, required affinity, free resources."""
    for source, picture in pictures("filter-set"):
        pod = picture["pod"]
        failing = "淘汰" in source["stem"]["zh-hans"]
        for node, entry in zip(picture["nodes"], source["nodes"], strict=True):
            assert node["name"] == entry["name"]
            assert entry["right"] == (passes(node, pod) != failing), (node, pod)


def passes(node: dict[str, Any], pod: dict[str, Any]) -> bool:
    hard = [taint for taint in node["taints"] if taint.endswith(("NoSchedule", "NoExecute"))]
    if node["unschedulable"] or any(
        not tolerated(taint, pod["tolerations"]) for taint in hard if "Prefer" not in taint
    ):
        return False
    if any(free(node, name) < amount for name, amount in pod["requests"].items()):
        return False
    required = pod["affinity"].get("nodeAffinity", {}).get("requiredDuringSchedulingIgnoredDuringExecution")
    if not required:
        return True
    (expression,) = required["nodeSelectorTerms"][0]["matchExpressions"]
    return node["labels"].get(expression["key"]) in expression["values"]


def tolerated(taint: str, tolerations: list[str]) -> bool:
    key, _, rest = taint.partition("=") if "=" in taint else taint.partition(":")
    value, _, effect = rest.rpartition(":") if "=" in taint else ("", "", rest)
    for toleration in tolerations:
        words, _, only = toleration.partition(":")
        if only and only != effect:
            continue
        if words in {f"{key} (Exists)", f"{key}={value}"}:
            return True
    return False


def test_queue_order_is_priority_then_submission() -> None:
    for source, picture in pictures("queue-order"):
        waiting = picture["waiting"]
        expected = sorted(waiting, key=lambda pod: (-pod["priority"], waiting.index(pod)))
        assert source["order"] == [[pod["name"] for pod in expected]]


def test_score_is_least_allocated_by_hand() -> None:
    """(total − used − asked) × 100 ÷ total for cpu and memory, rounded down, then their mean, rounded down."""
    for source, picture in pictures("score"):
        asked = picture["pod"]["requests"]
        for node in picture["nodes"]:
            shares = [
                (free(node, name) - asked[name]) * 100 // node["resources"][name][1] for name in ("cpu", "memory")
            ]
            cells = {cell["column"]: cell for cell in source["cells"] if cell["row"] == node["name"]}
            assert cells["NodeResourcesFit"]["value"] == sum(shares) // 2
            parts = [cell["value"] for column, cell in cells.items() if column != "total"]
            assert cells["total"]["value"] == sum(parts)


def test_victims_have_lower_priority_and_make_enough_room() -> None:
    for source, picture in pictures("victims"):
        wanted = picture["pod"]["requests"]["nvidia.com/gpu"]
        pods = {pod["name"]: pod for node in picture["nodes"] for pod in node["pods"]}
        victims = [pods[entry["name"]] for entry in source["pods"] if entry["right"]]
        assert all(pod["priority"] < picture["pod"]["priority"] for pod in victims)
        assert len({pod["node"] for pod in victims}) <= 1
        room = {
            node["name"]: sum(
                pod["requests"]["nvidia.com/gpu"]
                for pod in node["pods"]
                if pod["priority"] < picture["pod"]["priority"]
            )
            for node in picture["nodes"]
        }
        if victims:
            assert sum(pod["requests"]["nvidia.com/gpu"] for pod in victims) >= wanted
        else:
            assert max(room.values()) < wanted
    assert CLASSES["low"] < CLASSES["high"]


def test_gangs_start_as_a_whole_or_not_at_all() -> None:
    for source in sources("gang-outcome"):
        if "PodGroup" not in source["stem"]["en"]:
            continue
        counts = source["options"][0]["feedback"]["en"].split(": ")[1].rstrip(".").split(", ")
        for count in counts:
            bound, size = count.split(" ")[1].split("/")
            assert bound in {"0", size}


def test_winner_has_the_highest_total_alone() -> None:
    for source in sources("winner"):
        totals = {
            entry["name"]: int(entry["feedback"]["en"].rsplit("= ", 1)[1].rstrip(".")) for entry in source["nodes"]
        }
        best = max(totals, key=lambda name: totals[name])
        assert [entry["name"] for entry in source["nodes"] if entry["right"]] == [best]
        assert list(totals.values()).count(totals[best]) == 1


def test_matrix_question_shows_the_matrix_it_asks_about() -> None:
    for seed in SEEDS:
        source = MatrixReading().make(seed).source
        table = source["stem"]["en"].split("```text\n")[1].split("\n```")[0].splitlines()
        names = table[0].split()
        cells = {row.split()[0]: dict(zip(names, row.split()[1:], strict=True)) for row in table[1:]}
        right = next(option for option in source["options"] if option["correct"])
        if ", " in right["text"]:
            first, second = right["text"].split(", ")
            assert cells[first][second] in right["feedback"]["en"]
        else:
            gpu = source["stem"]["en"].split(" ")[0]
            assert f"says {cells[gpu][right['text']]} for this pair" in right["feedback"]["en"]


def test_best_pair_of_a_machine_has_the_most_bandwidth() -> None:
    shape = PRESETS["a100-pcie-bridged"].shape if "a100-pcie-bridged" in PRESETS else next(iter(PRESETS.values())).shape
    speeds = {(i, j): gpu_bandwidth(shape, i, j).per_direction for i in range(4) for j in range(i)}
    assert max(speeds.values()) > 0
