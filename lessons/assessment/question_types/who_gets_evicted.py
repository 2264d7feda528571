"""Who gets evicted: choose the Pods that preemption removes in a scene; possibly none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lessons.assessment.forms import FormReader
from lessons.assessment.grades import Grade
from lessons.assessment.question_types.base import Evidence, SceneQuestionType, View
from lessons.assessment.question_types.choosing_names import (
    Named,
    best_names,
    grade_names,
    name_views,
    names_form,
    parse_names,
    read_names,
)
from lessons.assessment.reading import Fields
from lessons.assessment.responses import Response
from lessons.assessment.scenes import PodFacts, SceneFacts
from lessons.assessment.tokens import Tokens


@dataclass(frozen=True, slots=True)
class EvictionContent:
    """The bound Pods of the scene; the right ones are the victims."""

    pods: tuple[Named, ...]


class WhoGetsEvicted(SceneQuestionType[EvictionContent]):
    """Form fields ``name`` and ``none``."""

    name = "who-gets-evicted"
    required = ("pods",)
    engine_fields = ("pods",)

    def read(self, fields: Fields) -> EvictionContent:
        """``pods``: ``{name, right?, detail?, feedback?}``."""
        return EvictionContent(read_names(fields, "pods"))

    def bind(self, source: Mapping[str, Any], facts: SceneFacts) -> dict[str, Any]:
        """All bound Pods; the engine's victims are the right ones."""
        return {**source, "pods": [_entry(pod, pod.name in facts.victims) for pod in facts.pods]}

    def view(self, content: EvictionContent, tokens: Tokens) -> View:
        """``names``: token, name and detail of every Pod."""
        return {"names": name_views(content.pods, tokens)}

    def parse(self, content: EvictionContent, form: FormReader, earlier: Response) -> Response:
        """A set of Pods, or "none"."""
        del earlier
        return parse_names(content.pods, form)

    def form_of(self, content: EvictionContent, response: Response, tokens: Tokens) -> dict[str, list[str]]:
        """The chosen Pods."""
        return names_form(content.pods, response, tokens)

    def grade(self, content: EvictionContent, response: Response, evidence: Evidence) -> Grade:
        """Right minus wrong."""
        del evidence
        return grade_names(content.pods, response)

    def best(self, content: EvictionContent) -> Response:
        """The victims."""
        return best_names(content.pods)


def _entry(pod: PodFacts, victim: bool) -> dict[str, Any]:
    told = {"detail": pod.detail, "feedback": pod.reason}
    return {"name": pod.name, "right": victim} | {key: text.as_mapping() for key, text in told.items() if text}
