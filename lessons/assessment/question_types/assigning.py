"""Giving each of several things one of several values: the core of matching, sort-into-categories and label-the-graph.

Score: share of the things that got their right value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from lessons.assessment.forms import FormReader
from lessons.assessment.grades import ONE, ZERO, Grade, Part, Verdict, graded, unanswered
from lessons.assessment.localized import Text
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


def parse_assignment(targets: Sequence[Target], values: Sequence[Value], form: FormReader) -> Response:
    """Form fields ``to.<target token>``: the token of a value. Response ``{"pairs": {target: value}}``."""
    known = [value.id for value in values]
    given: dict[str, str] = {}
    for target in targets:
        value = form.choice(field_of(target.id, form.tokens), "value", known)
        if value is not None:
            given[target.id] = value
    return {"pairs": dict(sorted(given.items()))} if given else {}


def assignment_form(
    targets: Sequence[Target], values: Sequence[Value], response: Response, tokens: Tokens
) -> dict[str, list[str]]:
    """The inverse of ``parse_assignment``."""
    known = {value.id for value in values}
    given = pairs(response, "pairs")
    return {
        field_of(target.id, tokens): [tokens.of("value", given[target.id])]
        for target in targets
        if given.get(target.id) in known
    }


def grade_assignment(targets: Sequence[Target], response: Response) -> Grade:
    """Share of the targets that got a value they accept."""
    given = pairs(response, "pairs")
    parts = tuple(_part(target, given.get(target.id)) for target in targets)
    if not given:
        return unanswered(parts)
    right = sum(part.verdict is Verdict.RIGHT for part in parts)
    return graded(Fraction(right, len(targets)), parts)


def best_assignment(targets: Sequence[Target]) -> Response:
    """Every target with the first value it accepts."""
    return {"pairs": {target.id: target.accepts[0] for target in sorted(targets, key=lambda target: target.id)}}


def target_views(targets: Sequence[Target], tokens: Tokens) -> list[dict[str, object]]:
    """``[{token, field, text}]``: the form field of each target."""
    return [
        {
            "token": tokens.of("target", target.id),
            "field": field_of(target.id, tokens),
            "text": target.text.as_mapping(),
        }
        for target in targets
    ]


def value_views(values: Sequence[Value], tokens: Tokens) -> list[dict[str, object]]:
    """``[{token, text}]``."""
    return [{"token": tokens.of("value", value.id), "text": value.text.as_mapping()} for value in values]


def field_of(target: str, tokens: Tokens) -> str:
    """The name of the form field for a target."""
    return f"to.{tokens.of('target', target)}"


def _part(target: Target, given: str | None) -> Part:
    if given is None:
        return Part("target", target.id, Verdict.MISSED, None, target.feedback, tells_key=True)
    right = given in target.accepts
    verdict, score = (Verdict.RIGHT, ONE) if right else (Verdict.WRONG, ZERO)
    return Part("target", target.id, verdict, score, target.feedback, tells_key=True)
