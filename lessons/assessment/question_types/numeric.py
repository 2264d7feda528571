"""Numeric: a number with tolerance, ranges, recognised mistakes, and units.

``units`` lists the units a learner may write, the first being the one the answers are in (factor 1); a value in
another unit is multiplied by its factor. With ``unit_required`` a right number without any of the units earns the
full score less ``unit_penalty``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from lessons.assessment.forms import FormReader
from lessons.assessment.grades import ONE, ZERO, Grade, Part, graded, unanswered, verdict_of
from lessons.assessment.localized import Text
from lessons.assessment.number_text import MAX_LENGTH, format_number, parse_number
from lessons.assessment.question_types.accepted_numbers import AcceptedNumber, matching, ranges, read_numbers
from lessons.assessment.question_types.base import Evidence, QuestionType, View
from lessons.assessment.reading import Fields, Node, unique
from lessons.assessment.responses import Response, word
from lessons.assessment.tokens import Tokens

DEFAULT_PENALTY: Final = Fraction(1, 4)


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit and what one of it is in the unit of the answers."""

    symbol: str
    factor: Fraction


@dataclass(frozen=True, slots=True)
class NumericContent:
    """Accepted numbers, units, and the feedback for any other number."""

    answers: tuple[AcceptedNumber, ...]
    units: tuple[Unit, ...]
    unit_required: bool
    unit_penalty: Fraction
    otherwise: Text | None


class Numeric(QuestionType[NumericContent]):
    """Form field ``value``: a number, its unit behind it if units are asked for.

    Response ``{"value": "450 GB/s"}`` as written.
    """

    name = "numeric"
    required = ("answers",)
    optional = ("units", "unit_required", "unit_penalty", "otherwise")

    def read(self, fields: Fields) -> NumericContent:
        """At least one answer of full credit; unit factors are positive."""
        nodes = fields.children("units", limit=12)
        units = tuple(_read_unit(node) for node in nodes)
        unique(zip((unit.symbol for unit in units), nodes, strict=True))
        penalty = fields.get("unit_penalty")
        return NumericContent(
            answers=read_numbers(fields, "answers"),
            units=units,
            unit_required=fields.flag("unit_required", default=False),
            unit_penalty=penalty.share() if penalty else DEFAULT_PENALTY,
            otherwise=fields.text("otherwise"),
        )

    def view(self, content: NumericContent, tokens: Tokens) -> View:
        """``units``: the symbols a learner may write."""
        del tokens
        return {"units": [unit.symbol for unit in content.units], "unit_required": content.unit_required}

    def parse(self, content: NumericContent, form: FormReader, earlier: Response) -> Response:
        """A number, and one of the units if there are any."""
        del earlier
        text = form.text("value", limit=MAX_LENGTH)
        if text and split_unit(text, content.units)[0] is None:
            form.fail("response.not_a_number", "value", found=text)
        return {"value": text} if text else {}

    def form_of(self, content: NumericContent, response: Response, tokens: Tokens) -> dict[str, list[str]]:
        """What was written."""
        del content, tokens
        written = word(response, "value")
        return {"value": [written]} if written else {}

    def grade(self, content: NumericContent, response: Response, evidence: Evidence) -> Grade:
        """The credit of the accepted number that takes the value, less the penalty for a missing unit."""
        del evidence
        number, unit = split_unit(word(response, "value"), content.units)
        if number is None:
            return unanswered()
        answer = matching(content.answers, number * (unit.factor if unit else ONE))
        credit = answer.credit if answer else ZERO
        lacks_unit = content.unit_required and unit is None and bool(content.units)
        score = max(ZERO, credit - content.unit_penalty) if lacks_unit else credit
        feedback = answer.feedback if answer else content.otherwise
        return graded(score, [Part("value", "value", verdict_of(score), score, feedback)])

    def best(self, content: NumericContent) -> Response:
        """The first number of full credit, in the answers' unit."""
        value = next(answer.value for answer in content.answers if answer.credit == ONE)
        symbol = f" {content.units[0].symbol}" if content.units else ""
        return {"value": f"{format_number(value)}{symbol}"}

    def revealed(self, content: NumericContent, tokens: Tokens) -> View:
        """``accepted``: from where to where a number earns the full score."""
        del tokens
        return {"accepted": ranges(content.answers)}


def _read_unit(node: Node) -> Unit:
    fields = node.fields(required=("symbol",), optional=("factor",))
    factor_node = fields.get("factor")
    factor = factor_node.number(minimum=ZERO) if factor_node else ONE
    if factor_node and factor == ZERO:
        factor_node.fail("value.out_of_range", minimum="0", maximum=None, found="0")
    return Unit(fields["symbol"].string(limit=20), factor)


def split_unit(text: str, units: Sequence[Unit]) -> tuple[Fraction | None, Unit | None]:
    """The number that ``text`` starts with and the unit it ends with; the longest fitting unit counts, case does not
    matter.
    """
    written = text.strip()
    for unit in sorted(units, key=lambda unit: -len(unit.symbol)):
        if written.casefold().endswith(unit.symbol.casefold()):
            number = parse_number(written[: -len(unit.symbol)])
            if number is not None:
                return number, unit
    return parse_number(written), None
