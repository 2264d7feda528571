"""In which order waiting Pods are tried: priority first, then who came first."""

from __future__ import annotations

from typing import Final

from lessons.assessment.dice import Dice
from lessons.assessment.generators import Subject
from lessons.assessment.scenes import Scene
from lessons.generators.base import EngineGenerator, Made, both
from lessons.generators.objects import Manifest, node, pod, priority_class
from lessons.generators.victims import CLASSES
from lessons.situations.facts import Say, scene_facts
from lessons.situations.picture import picture_of
from lessons.situations.runs import ScenarioRun
from simulator.engine.world.setup import Setup

NAMES: Final = ("eval", "serve", "train", "batch", "sweep", "notebook")
SCENE: Final = Scene("made", "Start")


class QueueOrder(EngineGenerator):
    """ordering: the waiting Pods; the list beside it is in order of submission."""

    subject = Subject.QUEUE_ORDER

    def attempt(self, dice: Dice, say: Say) -> Made | None:
        names = dice.sample(NAMES, 4 + dice.below(2))
        classes = [dice.pick(("", *CLASSES)) for _ in names]
        if len(set(classes)) in {1, len(classes)}:
            return None
        objects: list[Manifest] = [priority_class(name, value) for name, value in CLASSES.items()]
        objects.append(node("gpu-1", gpus=8))
        objects += [pod(name, gpus=1, priority_class=classed) for name, classed in zip(names, classes, strict=True)]
        run = ScenarioRun(Setup(), objects)
        queue = scene_facts(run, SCENE, say).queue
        if set(queue) != set(names) or queue == names:
            return None
        return Made(
            {
                "type": "ordering",
                "stem": both(
                    "这些 Pod 按表里的先后提交，都在等。调度器按什么次序取出它们？",
                    "These Pods were submitted in the order of the list, and all of them wait. In which order does the "
                    "scheduler take them?",
                ),
                "items": [{"id": name, "text": name} for name in queue],
                "order": [list(queue)],
                "level": "beginner",
                "topics": ["queue"],
                "explanation": both(
                    "默认的 QueueSort（PrioritySort）：优先级高的先出队；优先级相同，先提交的先出队。",
                    "The default QueueSort (PrioritySort): higher priority first; among equals, who came first.",
                ),
            },
            picture_of(run.before(SCENE)),
        )
