"""What a learner's page may show of a question, as plain values: before the answer, and in review.

``public_view`` depends on nothing secret. ``review_view`` adds what the review options allow, and nothing else; both
carry tokens instead of ids. Texts are mappings of languages, so that the page can switch without asking again.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any

from lessons.assessment.forms import FormReader
from lessons.assessment.grades import Grade, Part, Verdict
from lessons.assessment.localized import LANGUAGES, Text
from lessons.assessment.question import Variant
from lessons.assessment.question_types.base import NO_EVIDENCE, Evidence
from lessons.assessment.responses import Response
from lessons.assessment.review_options import Aspect
from lessons.assessment.tokens import Tokens


def public_view(variant: Variant, tokens: Tokens, *, hints: int = 0) -> dict[str, Any]:
    """``{type, stem, scene, hints, hints_left, …}`` plus what the question's type shows.

    ``hints``: how many were asked for.
    """
    scene = variant.question.scene
    return {
        "type": variant.question.type,
        "stem": variant.stem.as_mapping(),
        "scene": scene.as_mapping() if scene else None,
        "hints": [hint.as_mapping() for hint in variant.hints[:hints]],
        "hints_left": max(0, len(variant.hints) - hints),
        **variant.kind.view(variant.content, tokens),
    }


def parse_response(
    variant: Variant, form: object, tokens: Tokens, earlier: Mapping[str, Any] | None = None
) -> Response:
    """Read a submitted form: a mapping of field names to lists of strings. Raises Invalid with the fields at fault.

    Returns the response in the content's own ids, to be stored with the attempt; an empty mapping if everything was
    left blank. ``earlier``: the response stored so far, for answers in two steps.
    """
    reader = FormReader(form, tokens)
    response = variant.kind.parse(variant.content, reader, earlier or {})
    reader.finish()
    return response


def filled_form(variant: Variant, response: Response, tokens: Tokens) -> dict[str, list[str]]:
    """The inverse of ``parse_response``: what to fill into the page when it is shown again."""
    return variant.kind.form_of(variant.content, response, tokens)


def grade(variant: Variant, response: Response, evidence: Evidence = NO_EVIDENCE) -> Grade:
    """Judge a stored response. ``evidence``: verdicts from outside (goals met in a lab, an instructor's marks)."""
    return variant.kind.grade(variant.content, response, evidence)


def review_view(
    variant: Variant, response: Response, judged: Grade, tokens: Tokens, shown: Set[Aspect]
) -> dict[str, Any]:
    """The public view and what ``shown`` allows: response, state, score, parts, feedback, key, explanation, revealed.

    What is not allowed is absent, not empty.
    """
    view = public_view(variant, tokens, hints=len(variant.hints) if Aspect.KEY in shown else 0)
    if Aspect.RESPONSE in shown:
        view["response"] = filled_form(variant, response, tokens)
    if Aspect.CORRECTNESS in shown:
        view["state"] = judged.state.value
    if Aspect.MARKS in shown:
        view["score"] = round(float(judged.score), 6)
    if shown & {Aspect.CORRECTNESS, Aspect.FEEDBACK}:
        visible = [part for part in judged.parts if part.of_response or Aspect.KEY in shown]
        view["parts"] = [_part_view(part, tokens, shown) for part in visible]
    if Aspect.FEEDBACK in shown:
        view["feedback"] = [text.as_mapping() for text in judged.feedback]
    if Aspect.KEY in shown:
        view["key"] = filled_form(variant, variant.kind.best(variant.content), tokens)
        view["explanation"] = _mapping(variant.explanation)
        view["revealed"] = variant.kind.revealed(variant.content, tokens)
    return view


def in_language(view: Any, language: str) -> Any:
    """The view with every text in one language (the other one where it is not translated), ready for a template."""
    if isinstance(view, Mapping):
        if view and set(view) <= set(LANGUAGES):
            chosen = view.get(language)
            return in_language(chosen if chosen is not None else next(iter(view.values())), language)
        return {name: in_language(value, language) for name, value in view.items()}
    return [in_language(item, language) for item in view] if isinstance(view, list) else view


def _part_view(part: Part, tokens: Tokens, shown: Set[Aspect]) -> dict[str, Any]:
    view: dict[str, Any] = {"token": tokens.of(part.kind, part.name)}
    if Aspect.CORRECTNESS in shown:
        view["verdict"] = part.verdict.value
    if Aspect.MARKS in shown and part.score is not None:
        view["score"] = round(float(part.score), 6)
    if Aspect.FEEDBACK in shown:
        may_see = Aspect.KEY in shown or not part.tells_key or part.verdict is Verdict.RIGHT
        view["feedback"] = _mapping(part.feedback) if may_see else None
    return view


def _mapping(text: Text | None) -> dict[str, str] | None:
    return text.as_mapping() if text else None
