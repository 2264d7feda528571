"""Choice: exactly one of several options. An option may carry part of the credit (``weight``)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from lessons.assessment.dice import Dice
from lessons.assessment.forms import FormReader
from lessons.assessment.grades import ONE, ZERO, Grade, Part, Verdict, graded, unanswered, verdict_of
from lessons.assessment.question_types.base import Evidence, QuestionType, View
from lessons.assessment.question_types.options import Option, option_views, read_options, shuffled_options
from lessons.assessment.reading import Fields
from lessons.assessment.responses import Response, word
from lessons.assessment.tokens import Tokens


@dataclass(frozen=True, slots=True)
class ChoiceContent:
    """The options in the order shown, and whether learners see them shuffled."""

    options: tuple[Option, ...]
    shuffle: bool


class Choice(QuestionType[ChoiceContent]):
    """Form field ``choice``: one token. Response ``{"choice": id}``."""

    name = "choice"
    required = ("options",)
    optional = ("shuffle",)

    def read(self, fields: Fields) -> ChoiceContent:
        """At least two options, at least one of which is worth the full score; no negative weights."""
        options = read_options(fields, minimum=2)
        if not any(option.weight == ONE for option in options):
            fields.fail("question.no_right_answer")
        for node, option in zip(fields.children("options"), options, strict=False):
            if option.weight < ZERO:
                node.fail("value.out_of_range", minimum="0", maximum="1", found=str(option.weight))
        return ChoiceContent(options, fields.flag("shuffle", default=True))

    def shuffled(self, content: ChoiceContent, dice: Dice) -> ChoiceContent:
        """Options in random order unless the author fixed it."""
        return replace(content, options=shuffled_options(content.options, dice)) if content.shuffle else content

    def view(self, content: ChoiceContent, tokens: Tokens) -> View:
        """``options``: token and text."""
        return {"options": option_views(content.options, tokens)}

    def parse(self, content: ChoiceContent, form: FormReader, earlier: Response) -> Response:
        """At most one token."""
        del earlier
        chosen = form.choice("choice", "option", [option.id for option in content.options])
        return {"choice": chosen} if chosen is not None else {}

    def form_of(self, content: ChoiceContent, response: Response, tokens: Tokens) -> dict[str, list[str]]:
        """The chosen token."""
        chosen = word(response, "choice")
        return {"choice": [tokens.of("option", chosen)]} if any(o.id == chosen for o in content.options) else {}

    def grade(self, content: ChoiceContent, response: Response, evidence: Evidence) -> Grade:
        """The weight of the chosen option."""
        del evidence
        chosen = word(response, "choice")
        score = next((option.weight for option in content.options if option.id == chosen), ZERO)
        parts = tuple(_part(option, option.id == chosen) for option in content.options)
        return graded(score, parts) if chosen else unanswered(parts)

    def best(self, content: ChoiceContent) -> Response:
        """The first option worth the full score."""
        return _response(next(option for option in content.options if option.weight == ONE))


def _response(option: Option) -> dict[str, Any]:
    return {"choice": option.id}


def _part(option: Option, chosen: bool) -> Part:
    if chosen:
        return Part("option", option.id, verdict_of(option.weight), option.weight, option.feedback)
    left_out = Verdict.MISSED if option.weight == ONE else Verdict.AVOIDED
    return Part("option", option.id, left_out, None, option.feedback)
