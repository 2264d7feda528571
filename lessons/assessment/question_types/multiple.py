"""Multiple: any number of options. Four documented rules turn what was chosen into a score.

* ``right_minus_wrong`` (the default): share of the right options chosen minus share of the wrong options chosen, at
  least 0.
* ``per_option``: share of all options judged as the key does (chosen if right, left out if wrong).
* ``all_or_nothing``: 1 for exactly the right set, else 0.
* ``weights``: the sum of the chosen options' own weights (-1 … 1), kept within 0 … 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from lessons.assessment.dice import Dice
from lessons.assessment.forms import FormReader
from lessons.assessment.grades import ONE, ZERO, Grade, Part, graded, right_minus_wrong, unanswered, verdict_on_choice
from lessons.assessment.question_types.base import Evidence, QuestionType, View
from lessons.assessment.question_types.options import Option, option_views, read_options, shuffled_options
from lessons.assessment.reading import Fields
from lessons.assessment.responses import Response, words
from lessons.assessment.tokens import Tokens

RULES: Final = ("right_minus_wrong", "per_option", "all_or_nothing", "weights")


@dataclass(frozen=True, slots=True)
class MultipleContent:
    """The options in the order shown, the rule of credit, and whether learners see them shuffled."""

    options: tuple[Option, ...]
    credit: str
    shuffle: bool

    def right(self) -> frozenset[str]:
        """The ids that belong to the answer: those marked correct, or with ``weights`` those of positive weight."""
        return frozenset(option.id for option in self.options if _belongs(option, self.credit))


class Multiple(QuestionType[MultipleContent]):
    """Form field ``choice``: any number of tokens. Response ``{"choices": [ids]}``."""

    name = "multiple"
    required = ("options",)
    optional = ("credit", "shuffle")

    def read(self, fields: Fields) -> MultipleContent:
        """At least two options, at least one of them right; positive weights add up to at least 1 (within a
        thousandth).
        """
        options = read_options(fields, minimum=2)
        rule = fields.get("credit")
        content = MultipleContent(
            options, rule.one_of(RULES) if rule else RULES[0], fields.flag("shuffle", default=True)
        )
        if not content.right():
            fields.fail("question.no_right_answer")
        total = sum((option.weight for option in options if option.weight > ZERO), ZERO)
        if content.credit == "weights" and total < ONE - _ROUNDING:
            fields.fail("weights.do_not_reach_full", total=str(total))
        return content

    def shuffled(self, content: MultipleContent, dice: Dice) -> MultipleContent:
        """Options in random order unless the author fixed it."""
        return replace(content, options=shuffled_options(content.options, dice)) if content.shuffle else content

    def view(self, content: MultipleContent, tokens: Tokens) -> View:
        """``options``: token and text. How many are right is not told."""
        return {"options": option_views(content.options, tokens)}

    def parse(self, content: MultipleContent, form: FormReader, earlier: Response) -> Response:
        """Any number of tokens, each once."""
        del earlier
        chosen = set(form.choices("choice", "option", [option.id for option in content.options]))
        in_order = sorted(option.id for option in content.options if option.id in chosen)
        return {"choices": in_order} if in_order else {}

    def form_of(self, content: MultipleContent, response: Response, tokens: Tokens) -> dict[str, list[str]]:
        """The chosen tokens."""
        known = {option.id for option in content.options}
        chosen = [tokens.of("option", name) for name in words(response, "choices") if name in known]
        return {"choice": chosen} if chosen else {}

    def grade(self, content: MultipleContent, response: Response, evidence: Evidence) -> Grade:
        """By the content's rule of credit."""
        del evidence
        chosen = frozenset(words(response, "choices"))
        right = content.right()
        parts = tuple(_part(option, option.id in chosen, option.id in right) for option in content.options)
        return graded(_score(content, chosen), parts) if chosen else unanswered(parts)

    def best(self, content: MultipleContent) -> Response:
        """All the right ones."""
        return {"choices": sorted(content.right())}


_ROUNDING: Final = Fraction(1, 1000)
"""GIFT files write a third as 33.333: three of them are accepted, and counted, as the whole."""


def _belongs(option: Option, credit: str) -> bool:
    return option.weight > ZERO if credit == "weights" else option.correct


def _score(content: MultipleContent, chosen: frozenset[str]) -> Fraction:
    universe = frozenset(option.id for option in content.options)
    right = content.right()
    if content.credit == "all_or_nothing":
        return ONE if chosen == right else ZERO
    if content.credit == "per_option":
        return max(ZERO, Fraction(len(universe) - len(chosen ^ right), len(universe)))
    if content.credit == "weights":
        total = sum((option.weight for option in content.options if option.id in chosen), ZERO)
        return ONE if total >= ONE - _ROUNDING else total
    return right_minus_wrong(chosen, right, universe)


def _part(option: Option, chosen: bool, right: bool) -> Part:
    return Part("option", option.id, verdict_on_choice(chosen=chosen, right=right), None, option.feedback)
