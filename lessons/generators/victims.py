"""Who gets evicted: full nodes, Pods of several priorities, and one Pod that matters more."""

from __future__ import annotations

from typing import Any, Final

from lessons.assessment.dice import Dice
from lessons.assessment.generators import Subject
from lessons.assessment.scenes import Scene
from lessons.generators.base import EngineGenerator, Made, both
from lessons.generators.objects import Manifest, node, pod, priority_class
from lessons.situations.facts import Say, scene_facts
from lessons.situations.picture import picture_of
from lessons.situations.runs import NoSuchPlace, ScenarioRun
from simulator.engine.world.setup import Setup

CLASSES: Final = {"low": 100, "middle": 500, "high": 1000}
POD: Final = "important"
SCENE: Final = Scene("made", "PostFilter", POD)


class Victims(EngineGenerator):
    """who-gets-evicted: the smallest sacrifice on the node that preemption picks."""

    subject = Subject.VICTIMS

    def attempt(self, dice: Dice, say: Say) -> Made | None:
        objects: list[Manifest] = [priority_class(name, value) for name, value in CLASSES.items()]
        letters = iter("abcdefghij")
        for index in range(2 + dice.below(2)):
            objects += _full_node(f"gpu-{index + 1}", letters, dice)
        chosen = dice.pick(("middle", "high"))
        objects.append(pod(POD, gpus=dice.pick((2, 4, 6)), priority_class=chosen))
        run = ScenarioRun(Setup(), objects)
        try:
            facts = scene_facts(run, SCENE, say)
        except NoSuchPlace:
            return None
        if len(facts.pods) < 3 or (not facts.victims and dice.below(4)):
            return None
        picture = picture_of(run.before(SCENE), f"default/{POD}")
        return Made(_source(facts), picture)


def _full_node(name: str, letters: Any, dice: Dice) -> list[Manifest]:
    """A node with 8 cards, all of them taken by two or three Pods."""
    shares = dice.pick(((4, 4), (2, 2, 4), (6, 2), (2, 6), (4, 2, 2)))
    classes = [dice.pick(tuple(CLASSES)) for _ in shares]
    pods = [
        pod(next(letters), gpus=share, on=name, priority_class=classed)
        for share, classed in zip(shares, classes, strict=True)
    ]
    return [node(name, gpus=8), *pods]


def _source(facts: Any) -> dict[str, Any]:
    pods = [
        {
            "name": fact.name,
            "right": fact.name in facts.victims,
            "detail": fact.detail.as_mapping(),
            "feedback": fact.reason.as_mapping(),
        }
        for fact in facts.pods
    ]
    return {
        "type": "who-gets-evicted",
        "stem": both(
            "`important` 找不到空闲的 GPU。抢占会驱逐谁？", "`important` finds no free GPU. Whom does preemption evict?"
        ),
        "pods": pods,
        "level": "advanced",
        "topics": ["preemption"],
        "explanation": both(
            "每个节点：先移走所有优先级更低的 Pod，再从最重要的开始放回；放不回去的就是牺牲者。"
            "节点之间依次比较：违反的 PDB 最少、最高牺牲者优先级最低、优先级之和最小、个数最少。",
            "On each node all Pods of lower priority are taken away, then given back, the most important first; who "
            "does not fit any more is a victim. Nodes are compared by: fewest PDBs violated, lowest highest victim, "
            "smallest sum of priorities, fewest victims.",
        ),
    }
