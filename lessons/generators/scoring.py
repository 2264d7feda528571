"""Who wins, and by how much: two to four nodes with different load under the default profile."""

from __future__ import annotations

from typing import Any, Final

from lessons.assessment.dice import Dice
from lessons.assessment.generators import Subject
from lessons.assessment.scenes import Scene, SceneFacts
from lessons.generators.base import EngineGenerator, Made, both
from lessons.generators.objects import Manifest, node, pod
from lessons.situations.facts import Say, scene_facts
from lessons.situations.picture import Picture, picture_of
from lessons.situations.runs import ScenarioRun
from simulator.engine.world.setup import Setup

POD: Final = "serve"
SCENE: Final = Scene("made", "Score", POD)
FIT, BALANCED = "NodeResourcesFit", "NodeResourcesBalancedAllocation"


def scored_cluster(dice: Dice, size: int, say: Say) -> tuple[SceneFacts, Picture] | None:
    """A cluster with round numbers in which a Pod gets scores, and its facts; None where it does not."""
    objects: list[Manifest] = []
    for index in range(size):
        name = f"node-{index + 1}"
        cpu, memory = dice.pick((10, 20)), dice.pick((50, 100))
        objects.append(node(name, gpus=0, cpu=cpu, memory_gib=memory))
        share = dice.below(7)
        if share:
            objects.append(
                pod(f"busy-{index + 1}", cpu=cpu * share // 10, memory_gib=memory * dice.below(7) // 10 or 1, on=name)
            )
    objects.append(pod(POD, cpu=1 + dice.below(2), memory_gib=5 * (1 + dice.below(2))))
    run = ScenarioRun(Setup(), objects)
    facts = scene_facts(run, SCENE, say)
    if any(fact.total is None for fact in facts.nodes):
        return None
    return facts, picture_of(run.before(SCENE), f"default/{POD}")


class Winner(EngineGenerator):
    """predict-winner: the node with the highest total."""

    subject = Subject.WINNER

    def attempt(self, dice: Dice, say: Say) -> Made | None:
        found = scored_cluster(dice, 3 + dice.below(2), say)
        if found is None:
            return None
        facts, picture = found
        totals = sorted((fact.total or 0 for fact in facts.nodes), reverse=True)
        if totals[0] - totals[1] < 3:
            return None
        nodes = [
            {
                "name": fact.name,
                "right": fact.name in facts.best,
                **({"feedback": fact.reason.as_mapping()} if fact.reason else {}),
            }
            for fact in facts.nodes
        ]
        return Made(
            {
                "type": "predict-winner",
                "stem": both("默认 profile。`serve` 会去哪个节点？", "Default profile. Which node does `serve` get?"),
                "nodes": nodes,
                "level": "intermediate",
                "topics": ["score"],
                "explanation": both(
                    "NodeResourcesFit（LeastAllocated）喜欢放上之后仍然空的节点，"
                    "NodeResourcesBalancedAllocation 喜欢 CPU 和内存用得一样多的节点。",
                    "NodeResourcesFit (LeastAllocated) likes nodes that stay empty with the Pod on them; "
                    "NodeResourcesBalancedAllocation likes equal shares of CPU and memory.",
                ),
            },
            picture,
        )


class Score(EngineGenerator):
    """fill-in-score: NodeResourcesFit by hand, and the total."""

    subject = Subject.SCORE

    def attempt(self, dice: Dice, say: Say) -> Made | None:
        found = scored_cluster(dice, 2, say)
        if found is None:
            return None
        facts, picture = found
        columns = [FIT, BALANCED, "TaintToleration", "total"]
        cells: list[dict[str, Any]] = []
        for fact in facts.nodes:
            known = {**fact.scores, "total": fact.total}
            if any(known.get(column) is None for column in columns):
                return None
            others = sum(score for plugin, score in fact.scores.items() if plugin not in columns)
            if others:
                return None
            cells += [_cell(fact.name, column, known[column]) for column in columns]
        return Made(
            {
                "type": "fill-in-score",
                "stem": both(
                    "默认 profile（LeastAllocated，cpu 和 memory 各占一半）。"
                    "算出 NodeResourcesFit 给每个节点的分，再加出总分。",
                    "Default profile (LeastAllocated; cpu and memory count the same). Work out what NodeResourcesFit "
                    "gives each node, and the totals.",
                ),
                "columns": columns,
                "rows": [fact.name for fact in facts.nodes],
                "cells": cells,
                "level": "advanced",
                "topics": ["score"],
                "hints": [
                    both(
                        "每种资源：(总量 − 已请求 − 这个 Pod 的请求) × 100 ÷ 总量，向下取整；"
                        "再取两者的平均，向下取整。",
                        "Per resource: (total − requested − this Pod’s request) × 100 ÷ total, rounded down; then the "
                        "mean of both, rounded down.",
                    )
                ],
                "explanation": both(
                    "总分是各插件归一化后的分乘以权重之和。没有不被容忍的软污点时，"
                    "TaintToleration 给每个节点 100 × 3 = 300。",
                    "The total adds each plugin’s normalized score times its weight. Without untolerated soft taints "
                    "TaintToleration gives every node 100 × 3 = 300.",
                ),
            },
            picture,
        )


def _cell(row: str, column: str, value: int | None) -> dict[str, Any]:
    cell: dict[str, Any] = {"row": row, "column": column, "value": value}
    return cell if column in {FIT, "total"} else {**cell, "given": True}
