"""Which nodes pass Filter: GPUs, models, taints and cordons in one small cluster."""

from __future__ import annotations

from typing import Any

from lessons.assessment.dice import Dice
from lessons.assessment.generators import Subject
from lessons.assessment.scenes import Scene
from lessons.generators.base import EngineGenerator, Made, both
from lessons.generators.objects import MODELS, PRODUCT, Manifest, node, pod, require_label
from lessons.situations.facts import Say, scene_facts
from lessons.situations.picture import picture_of
from lessons.situations.runs import ScenarioRun
from simulator.engine.world.setup import Setup

_TAINTS: tuple[dict[str, str], ...] = (
    {"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"},
    {"key": "team", "value": "vision", "effect": "NoSchedule"},
    {"key": "team", "value": "vision", "effect": "PreferNoSchedule"},
)
_TOLERATIONS: tuple[dict[str, str], ...] = (
    {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"},
    {"key": "team", "operator": "Equal", "value": "speech", "effect": "NoSchedule"},
    {"key": "team", "operator": "Exists"},
)
SCENE = Scene("made", "Filter", "trainer")


class FilterSet(EngineGenerator):
    """click-the-nodes: the nodes that pass, or those that drop out."""

    subject = Subject.FILTER_SET

    def attempt(self, dice: Dice, say: Say) -> Made | None:
        wanted = 1 + dice.below(4)
        models = dice.sample(MODELS, 3)
        objects: list[Manifest] = []
        for index in range(4 + dice.below(3)):
            objects += _node_with_load(f"gpu-{index + 1}", models, dice)
        objects.append(pod("trainer", gpus=wanted, cpu=4, memory_gib=16, spec=_wishes(models, dice)))
        run = ScenarioRun(Setup(), objects)
        if not any("default/trainer" in turn.pods for turn in run.turns()):
            return None
        detail = run.detail(run.turn_of(SCENE))
        if detail is None or not 1 <= len(detail.feasible) < len(detail.nodes):
            return None
        if len({status.plugin for status in detail.rejections.values()}) < 2:
            return None
        facts = scene_facts(run, SCENE, say)
        ask = dice.pick(("passing", "passing", "failing"))
        picture = picture_of(run.before(SCENE), "default/trainer")
        return Made(_source(ask, facts), picture)


def _node_with_load(name: str, models: tuple[str, ...], dice: Dice) -> list[Manifest]:
    total, used = dice.pick((4, 8)), dice.pick((0, 0, 2, 3, 4))
    taints = [dice.pick(_TAINTS)] if dice.below(3) == 0 else []
    made = node(
        name,
        gpus=total,
        labels={PRODUCT: dice.pick(models)},
        taints=taints,
        unschedulable=dice.below(8) == 0,
    )
    return [made, pod(f"busy-{name}", gpus=used, cpu=2 * used, on=name)] if used else [made]


def _wishes(models: tuple[str, ...], dice: Dice) -> dict[str, Any]:
    wishes: dict[str, Any] = {}
    if dice.below(2):
        wishes |= require_label(PRODUCT, sorted(dice.sample(models, 1 + dice.below(2))))
    if dice.below(2):
        wishes["tolerations"] = [dict(dice.pick(_TOLERATIONS))]
    return wishes


def _source(ask: str, facts: Any) -> dict[str, Any]:
    stems = {
        "passing": both("哪些节点能通过 Filter？", "Which nodes pass Filter?"),
        "failing": both("哪些节点会被 Filter 淘汰？", "Which nodes does Filter drop?"),
    }
    nodes = [
        {
            "name": fact.name,
            "right": fact.passes == (ask == "passing"),
            **({"feedback": fact.reason.as_mapping()} if fact.reason else {}),
        }
        for fact in facts.nodes
    ]
    return {
        "type": "click-the-nodes",
        "stem": stems[ask],
        "ask": "own",
        "nodes": nodes,
        "level": "intermediate",
        "topics": ["filter"],
        "explanation": both(
            "逐个节点看：是否可调度、污点有没有被容忍、亲和是否匹配、空闲资源够不够。第一个不满足的插件就淘汰它。",
            "Take the nodes one by one: schedulable, taints tolerated, affinity met, enough free. The first plugin "
            "that says no drops the node.",
        ),
    }
