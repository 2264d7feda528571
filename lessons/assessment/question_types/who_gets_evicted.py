"""Who gets evicted: choose the Pods that preemption removes in a scene; possibly none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lessons.assessment.question_types.choosing_names import ChoosingNamesType, Names, read_names
from lessons.assessment.reading import Fields
from lessons.assessment.scenes import PodFacts, SceneFacts


class WhoGetsEvicted(ChoosingNamesType[Names]):
    """Form fields ``name`` and ``none``."""

    name = "who-gets-evicted"
    required = ("pods",)
    engine_fields = ("pods",)

    def read(self, fields: Fields) -> Names:
        """``pods``: ``{name, right?, detail?, feedback?}``."""
        return Names(read_names(fields, "pods"))

    def bind(self, source: Mapping[str, Any], facts: SceneFacts) -> dict[str, Any]:
        """All bound Pods; the engine's victims are the right ones."""
        return {**source, "pods": [_entry(pod, pod.name in facts.victims) for pod in facts.pods]}


def _entry(pod: PodFacts, victim: bool) -> dict[str, Any]:
    told = {"detail": pod.detail, "feedback": pod.reason}
    return {"name": pod.name, "right": victim} | {key: text.as_mapping() for key, text in told.items() if text}
