"""Short text: an open answer that the learner marks against a rubric.

Two steps. First the text is submitted; from then on it cannot change, and the rubric and the model answer may be
shown. Then the learner says for each criterion how many of its points the text earns. Score: points earned / points
of all criteria. An instructor's marks come as evidence (``{"criteria": {id: points}}``) and count instead of the
learner's own.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from lessons.assessment.forms import FormReader
from lessons.assessment.grades import Grade, Part, State, Verdict, graded, unanswered, verdict_of
from lessons.assessment.localized import Text
from lessons.assessment.question_types.base import Evidence, QuestionType, View
from lessons.assessment.reading import NAME, Fields, Node, unique
from lessons.assessment.responses import Response, counts, word
from lessons.assessment.tokens import Tokens

MAX_ANSWER: Final = 6_000
MAX_POINTS: Final = 10


@dataclass(frozen=True, slots=True)
class Criterion:
    """One thing a good answer says, and its points."""

    id: str
    text: Text
    points: int


@dataclass(frozen=True, slots=True)
class ShortTextContent:
    """The rubric, a model answer, and how long the text may be (characters)."""

    rubric: tuple[Criterion, ...]
    answer: Text | None
    limit: int


class ShortText(QuestionType[ShortTextContent]):
    """Form fields ``text`` and, in the second step, ``criterion.<token>``.

    Response ``{"text": …, "criteria": {id: points}}``.
    """

    name = "short-text"
    required = ("rubric",)
    optional = ("answer", "limit")

    def read(self, fields: Fields) -> ShortTextContent:
        """``rubric``: ``{id?, text, points?}``; at least one criterion."""
        limit = fields.get("limit")
        return ShortTextContent(
            rubric=read_rubric(fields),
            answer=fields.text("answer"),
            limit=limit.integer(minimum=20, maximum=MAX_ANSWER) if limit else MAX_ANSWER,
        )

    def view(self, content: ShortTextContent, tokens: Tokens) -> View:
        """``limit`` only: the rubric would tell the answer."""
        del tokens
        return {"limit": content.limit}

    def parse(self, content: ShortTextContent, form: FormReader, earlier: Response) -> Response:
        """The text in the first step; afterwards the text stays and the points are read."""
        written = form.text("text", limit=content.limit)
        kept = word(earlier, "text")
        text = kept or written
        given = {
            criterion.id: form.integer(_field(criterion, form.tokens), minimum=0, maximum=criterion.points)
            for criterion in content.rubric
        }
        marks = {name: points for name, points in sorted(given.items()) if points is not None}
        if not text:
            return {}
        return {"text": text, "criteria": marks} if marks else {"text": text}

    def form_of(self, content: ShortTextContent, response: Response, tokens: Tokens) -> dict[str, list[str]]:
        """The text and the points."""
        text, marks = word(response, "text"), counts(response, "criteria")
        form = {"text": [text]} if text else {}
        for criterion in content.rubric:
            if criterion.id in marks:
                form[_field(criterion, tokens)] = [str(marks[criterion.id])]
        return form

    def grade(self, content: ShortTextContent, response: Response, evidence: Evidence) -> Grade:
        """Unmarked until every criterion has points."""
        marks = counts(evidence, "criteria") or counts(response, "criteria")
        parts = tuple(_part(criterion, marks.get(criterion.id)) for criterion in content.rubric)
        if not word(response, "text"):
            return unanswered(parts)
        if any(criterion.id not in marks for criterion in content.rubric):
            return Grade(Fraction(0), State.UNMARKED, parts)
        earned = sum(min(criterion.points, max(0, marks[criterion.id])) for criterion in content.rubric)
        return graded(Fraction(earned, sum(criterion.points for criterion in content.rubric)), parts)

    def best(self, content: ShortTextContent) -> Response:
        """The model answer with all points."""
        text = content.answer.in_language("zh-hans") if content.answer else "…"
        return {"text": text, "criteria": {criterion.id: criterion.points for criterion in content.rubric}}

    def revealed(self, content: ShortTextContent, tokens: Tokens) -> View:
        """``rubric``: ``[{token, field, text, points}]`` and the model ``answer``."""
        rubric = [
            {
                "token": tokens.of("criterion", criterion.id),
                "field": _field(criterion, tokens),
                "text": criterion.text.as_mapping(),
                "points": criterion.points,
            }
            for criterion in content.rubric
        ]
        return {"rubric": rubric, "answer": content.answer.as_mapping() if content.answer else None}


def _field(criterion: Criterion, tokens: Tokens) -> str:
    return f"criterion.{tokens.of('criterion', criterion.id)}"


def read_rubric(fields: Fields) -> tuple[Criterion, ...]:
    """Read the list ``rubric``."""
    nodes = fields.children("rubric", minimum=1, limit=20)
    rubric = tuple(_read_criterion(node, f"c{index + 1}") for index, node in enumerate(nodes))
    unique(zip((criterion.id for criterion in rubric), nodes, strict=True))
    return rubric


def _read_criterion(node: Node, default: str) -> Criterion:
    fields = node.fields(required=("text",), optional=("id", "points"))
    name, points = fields.get("id"), fields.get("points")
    return Criterion(
        id=name.named(NAME) if name else default,
        text=fields["text"].text(),
        points=points.integer(minimum=1, maximum=MAX_POINTS) if points else 1,
    )


def _part(criterion: Criterion, points: int | None) -> Part:
    if points is None:
        return Part("criterion", criterion.id, Verdict.UNMARKED)
    credit = Fraction(min(criterion.points, max(0, points)), criterion.points)
    return Part("criterion", criterion.id, verdict_of(credit), credit)
