"""Numbers that count as an answer: exact, within a tolerance, or within a range.

Shared by numeric, cloze and fill-in-score.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from lessons.assessment.grades import ONE, ZERO
from lessons.assessment.localized import Text
from lessons.assessment.number_text import format_number
from lessons.assessment.reading import Fields, Node

MAX_ANSWERS = 30


@dataclass(frozen=True, slots=True)
class AcceptedNumber:
    """All numbers from ``low`` to ``high`` (both included) earn ``credit``. ``value`` is the one shown as the answer.

    A credit of 0 recognises a typical mistake, to give it its own feedback.
    """

    value: Fraction
    low: Fraction
    high: Fraction
    credit: Fraction
    feedback: Text | None


def read_numbers(fields: Fields, name: str) -> tuple[AcceptedNumber, ...]:
    """Read the list ``name`` of ``{value, tolerance?, credit?, feedback?}`` or ``{from, to, credit?, feedback?}``.

    ``tolerance`` is ``{absolute: x}`` or ``{relative: share}``. At least one entry must earn the full credit.
    """
    numbers = tuple(read_number(node) for node in fields.children(name, minimum=1, limit=MAX_ANSWERS))
    if numbers and not any(number.credit == ONE for number in numbers):
        fields[name].fail("question.no_right_answer")
    return numbers


def read_number(node: Node) -> AcceptedNumber:
    """One entry of such a list."""
    is_range = isinstance(node.value, dict) and "from" in node.value
    needed = ("from", "to") if is_range else ("value",)
    fields = node.fields(
        required=needed, optional=("credit", "feedback") if is_range else ("tolerance", "credit", "feedback")
    )
    credit_node = fields.get("credit")
    credit = credit_node.share() if credit_node else ONE
    feedback = fields.text("feedback")
    if is_range:
        low, high = fields["from"].number(), fields["to"].number()
        if low > high:
            fields["to"].fail("value.out_of_range", minimum=str(low), maximum=None, found=str(high))
        return AcceptedNumber((low + high) / 2, low, high, credit, feedback)
    value = fields["value"].number()
    margin = _margin(fields.get("tolerance"), value)
    return AcceptedNumber(value, value - margin, value + margin, credit, feedback)


def _margin(node: Node | None, value: Fraction) -> Fraction:
    if node is None:
        return ZERO
    fields = node.fields(optional=("absolute", "relative"))
    margins = [fields["absolute"].number(minimum=0)] if "absolute" in fields else []
    if "relative" in fields:
        margins.append(abs(value) * fields["relative"].share())
    if not margins:
        node.fail("field.missing", field="absolute")
    return max(margins, default=ZERO)


def matching(numbers: Sequence[AcceptedNumber], value: Fraction) -> AcceptedNumber | None:
    """The entry that takes ``value``: the one of highest credit, the first of those; or None."""
    fitting = [number for number in numbers if number.low <= value <= number.high]
    return max(fitting, key=lambda number: number.credit, default=None)


def ranges(numbers: Sequence[AcceptedNumber]) -> list[dict[str, str]]:
    """``[{from, to}]`` of the entries of full credit, for a page that shows the key."""
    full = (number for number in numbers if number.credit == ONE)
    return [{"from": format_number(number.low), "to": format_number(number.high)} for number in full]
