"""Giving each of several things one of several values: the core of matching, sort-into-categories and label-the-graph.

Score: share of the things that got their right value.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from lessons.assessment.forms import FormReader
from lessons.assessment.grades import ONE, ZERO, Grade, Part, Verdict, graded, unanswered
from lessons.assessment.localized import Text
from lessons.assessment.question_types.base import Evidence, QuestionType, View
from lessons.assessment.responses import Response, pairs
from lessons.assessment.tokens import Tokens


@dataclass(frozen=True, slots=True)
class Target:
    """A thing to be given a value. ``accepts``: the values that are right (the first is shown as the answer)."""

    id: str
    text: Text
    accepts: tuple[str, ...]
    feedback: Text | None


@dataclass(frozen=True, slots=True)
class Value:
    """Something that can be given."""

    id: str
    text: Text


@dataclass(frozen=True, slots=True)
class Assignment:
    """Things to be given a value, and the values, both in the order shown."""

    targets: tuple[Target, ...]
    values: tuple[Value, ...]


Content = TypeVar("Content", bound=Assignment)


class AssigningType(QuestionType[Content]):
    """Form fields ``to.<target token>``: the token of a value. Response ``{"pairs": {target: value}}``."""

    def view(self, content: Content, tokens: Tokens) -> View:
        """``targets``: ``[{token, field, text}]`` with their form fields. ``values``: ``[{token, text}]``."""
        return {
            "targets": [_target_view(target, tokens) for target in content.targets],
            "values": [
                {"token": tokens.of("value", value.id), "text": value.text.as_mapping()} for value in content.values
            ],
        }

    def parse(self, content: Content, form: FormReader, earlier: Response) -> Response:
        """A value for each target; some may be left open."""
        del earlier
        known = [value.id for value in content.values]
        given: dict[str, str] = {}
        for target in content.targets:
            value = form.choice(field_of(target.id, form.tokens), "value", known)
            if value is not None:
                given[target.id] = value
        return {"pairs": dict(sorted(given.items()))} if given else {}

    def form_of(self, content: Content, response: Response, tokens: Tokens) -> dict[str, list[str]]:
        """The values given."""
        known = {value.id for value in content.values}
        given = pairs(response, "pairs")
        return {
            field_of(target.id, tokens): [tokens.of("value", given[target.id])]
            for target in content.targets
            if given.get(target.id) in known
        }

    def grade(self, content: Content, response: Response, evidence: Evidence) -> Grade:
        """Share of the targets that got a value they accept."""
        del evidence
        given = pairs(response, "pairs")
        parts = tuple(_part(target, given.get(target.id)) for target in content.targets)
        if not given:
            return unanswered(parts)
        right = sum(part.verdict is Verdict.RIGHT for part in parts)
        return graded(Fraction(right, len(content.targets)), parts)

    def best(self, content: Content) -> Response:
        """Every target with the first value it accepts."""
        targets = sorted(content.targets, key=lambda target: target.id)
        return {"pairs": {target.id: target.accepts[0] for target in targets}}


def field_of(target: str, tokens: Tokens) -> str:
    """The name of the form field for a target."""
    return f"to.{tokens.of('target', target)}"


def _target_view(target: Target, tokens: Tokens) -> dict[str, object]:
    return {
        "token": tokens.of("target", target.id),
        "field": field_of(target.id, tokens),
        "text": target.text.as_mapping(),
    }


def _part(target: Target, given: str | None) -> Part:
    if given is None:
        return Part("target", target.id, Verdict.MISSED, None, target.feedback, tells_key=True)
    right = given in target.accepts
    verdict, score = (Verdict.RIGHT, ONE) if right else (Verdict.WRONG, ZERO)
    return Part("target", target.id, verdict, score, target.feedback, tells_key=True)
