"""Two jobs that need all their Pods at once: which of them can start, with and without gang scheduling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from lessons.assessment.dice import Dice
from lessons.assessment.generators import Subject
from lessons.generators.base import EngineGenerator, Made, both
from lessons.generators.objects import Manifest, node, pod
from lessons.situations.facts import Say
from lessons.situations.picture import picture_of
from lessons.situations.runs import ScenarioRun
from simulator.engine.world.setup import Setup

GATES: Final = {"GenericWorkload": True, "GangScheduling": True}
JOBS: Final = ("a", "b")
_OUTCOMES: Final = (
    ("neither", both("都开始不了", "Neither of them")),
    ("a", both("只有 a", "Only a")),
    ("b", both("只有 b", "Only b")),
    ("both", both("两个都开始", "Both of them")),
)


class GangOutcome(EngineGenerator):
    """choice: which jobs get all of their Pods."""

    subject = Subject.GANG_OUTCOME

    def attempt(self, dice: Dice, say: Say) -> Made | None:
        sizes = {job: dice.pick((3, 4, 6, 8)) for job in JOBS}
        gpus = dice.pick((6, 8, 12, 16))
        gang = dice.below(2) == 1
        order = _submission(sizes, dice)
        objects = [node(f"gpu-{index + 1}", gpus=gpus // 2) for index in range(2)]
        objects += [_group(job, sizes[job]) for job in JOBS] if gang else []
        objects += [_member(name, job, gang=gang) for job, name in order]
        run = ScenarioRun(Setup(gates=GATES if gang else {}), objects)
        bound = {job: _bound(run, job) for job in JOBS}
        started = [job for job in JOBS if bound[job] == sizes[job]]
        if gpus >= sum(sizes.values()) and dice.below(5):
            return None
        outcome = "both" if len(started) == 2 else started[0] if started else "neither"
        return Made(_source(sizes, gpus, order, bound, outcome, gang=gang), picture_of(run.history.at(run.start)))


def _submission(sizes: dict[str, int], dice: Dice) -> list[tuple[str, str]]:
    """(job, Pod) in order of submission: one job after the other, or in turn."""
    members = {job: [(job, f"{job}-{index}") for index in range(size)] for job, size in sizes.items()}
    first, second = dice.shuffled(JOBS)
    if dice.below(3) == 0:
        return members[first] + members[second]
    most = max(sizes.values())
    return [members[job][index] for index in range(most) for job in (first, second) if index < sizes[job]]


def _group(job: str, size: int) -> Manifest:
    policy = {"gang": {"minCount": size}}
    return {
        "apiVersion": "scheduling.k8s.io/v1alpha2",
        "kind": "PodGroup",
        "metadata": {"name": job, "namespace": "default"},
        "spec": {"schedulingPolicy": policy},
    }


def _member(name: str, job: str, *, gang: bool) -> Manifest:
    spec = {"schedulingGroup": {"podGroupName": job}} if gang else {}
    return pod(name, gpus=1, labels={"job": job}, spec=spec)


def _bound(run: ScenarioRun, job: str) -> int:
    return sum(bool(item.node_name) for item in run.end.world.list("Pod") if item.labels.get("job") == job)


def _source(
    sizes: dict[str, int],
    gpus: int,
    order: Sequence[tuple[str, str]],
    bound: dict[str, int],
    outcome: str,
    *,
    gang: bool,
) -> dict[str, Any]:
    told = ", ".join(f"`{name}`" for _, name in order)
    rule = (
        both("启用了原生 gang 调度，每个作业是一个 PodGroup。", "Native gang scheduling is on; each job is a PodGroup.")
        if gang
        else both("默认 profile，没有 gang 调度。", "Default profile, no gang scheduling.")
    )
    zh_sizes, en_sizes = (
        "，".join(f"{job} 要 {size} 个 Pod" for job, size in sizes.items()),
        ", ".join(f"{job} has {size} Pods" for job, size in sizes.items()),
    )
    counted = ", ".join(f"{job} {bound[job]}/{sizes[job]}" for job in JOBS)
    end = both(f"最后绑定的 Pod：{counted}。", f"Pods bound at the end: {counted}.")
    return {
        "type": "choice",
        "stem": both(
            f"集群共有 {gpus} 张卡，每个 Pod 要 1 张。{zh_sizes}；缺一个就训练不了。{rule['zh-hans']}"
            f"提交次序：{told}。哪个作业能开始训练？",
            f"The cluster has {gpus} cards; each Pod asks for 1. {en_sizes}; with one missing it cannot train. "
            f"{rule['en']} Submitted in this order: {told}. Which jobs can start to train?",
        ),
        "options": [
            {"id": name, "text": text, "correct": name == outcome, "feedback": end} for name, text in _OUTCOMES
        ],
        "shuffle": False,
        "level": "intermediate",
        "topics": ["gang"],
        "explanation": both(
            "默认调度器逐个 Pod 地放，不管它们属于谁；gang 调度先看整组放不放得下，放不下就一个也不放。",
            "The default scheduler places Pod by Pod, whoever they belong to. Gang scheduling first asks whether the "
            "whole group fits, and places none of it if not.",
        ),
    }
