"""Writing questions as a GIFT file in one language, with a report of what GIFT cannot carry.

Choice, multiple, numeric, matching, cloze with one blank of words (none with an arrow, which would read as a matching
question), and short text can be written; all texts go as Markdown. Reading the file again gives the same content (see
the round-trip test), apart from what the report lists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from lessons.assessment.gift.kinds import FILL_IN
from lessons.assessment.gift.markup import split_format
from lessons.assessment.gift.notes import Effect, Note
from lessons.assessment.gift.syntax import escape
from lessons.assessment.localized import Text
from lessons.assessment.number_text import format_number
from lessons.assessment.problems import Problem
from lessons.assessment.question import Question, Variant
from lessons.assessment.question_types.accepted_numbers import AcceptedNumber
from lessons.assessment.question_types.assigning import Assignment
from lessons.assessment.question_types.choice import ChoiceContent
from lessons.assessment.question_types.cloze import ClozeContent
from lessons.assessment.question_types.multiple import MultipleContent
from lessons.assessment.question_types.numeric import NumericContent
from lessons.assessment.question_types.options import Option
from lessons.assessment.question_types.short_text import ShortTextContent

_CANNOT: Final = ("scene", "hints", "open", "variables", "selftest")
_DIGITS: Final = 12


@dataclass(frozen=True, slots=True)
class GiftExport:
    """The file's text and the report."""

    text: str
    notes: tuple[Note, ...]


def export_gift(questions: Iterable[Question], language: str) -> GiftExport:
    """Write the questions in ``language``; a text that is not translated yet goes in the language it has."""
    writing = _Writing(language)
    for question in questions:
        writing.add(question)
    return GiftExport("\n".join(writing.lines), tuple(writing.notes))


class _Writing:
    """One export under way."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._category = ""
        self.lines: list[str] = []
        self.notes: list[Note] = []

    def add(self, question: Question) -> None:
        writer = _WRITERS.get(question.type)
        body = None
        if writer is not None and question.variables is None and not question.waits_for_engine:
            body = writer(self, question.variant(0))
        if body is None:
            problem = Problem("gift.type_not_exportable", {"question": question.id, "type": question.type})
            self.notes.append(Note(Effect.SKIPPED, problem, 0, question.id))
            return
        for detail in _CANNOT:
            if detail in question.source:
                self.lost(question, detail)
        if question.category != self._category:
            self._category = question.category
            self.lines += [f"$CATEGORY: {question.category}", ""]
        tags = [*question.facts, *question.topics, *([question.level] if "level" in question.source else [])]
        self.lines.append(" ".join((f"// [id:{question.id}]", *(f"[tag:{tag}]" for tag in tags))))
        title = f"::{self.text(question.title)}::" if question.title else ""
        self.lines += [f"{title}{body}", ""]

    def lost(self, question: Question, detail: str) -> None:
        problem = Problem("gift.detail_not_exportable", {"question": question.id, "detail": detail})
        self.notes.append(Note(Effect.DROPPED, problem, 0, question.id))

    def text(self, text: Text) -> str:
        written = text.in_language(self._language)
        marker = "[markdown]" if split_format(written, "")[0] else ""
        return marker + escape(written)

    def feedback(self, text: Text | None) -> str:
        return f"#{self.text(text)}" if text else ""

    def around(self, variant: Variant, answers: Iterable[str], *, mark: str = "", stem: str = "") -> str:
        """Stem (the question's own unless given), answers on lines of their own, explanation."""
        explanation = f"\t####{self.text(variant.explanation)}\n" if variant.explanation else ""
        lines = "".join(f"\t{answer}\n" for answer in answers)
        return f"[markdown]{stem or self.text(variant.stem)}{{{mark}\n{lines}{explanation}}}"

    def choice(self, variant: Variant) -> str:
        content: ChoiceContent = variant.content
        options = sorted(content.options, key=lambda option: option.id)
        if {option.id for option in options} == {"true", "false"} and {o.weight for o in options} == {0, 1}:
            return self._true_false(variant, options)
        return self.around(variant, (self._option(option) for option in options))

    def multiple(self, variant: Variant) -> str:
        content: MultipleContent = variant.content
        weights = _weights(content)
        if content.credit != "weights":
            self.lost(variant.question, "credit")
        options = sorted(content.options, key=lambda option: option.id)
        return self.around(
            variant,
            (f"~%{_percent(weights[o.id])}%{self.text(o.text)}{self.feedback(o.feedback)}" for o in options),
        )

    def _option(self, option: Option) -> str:
        text = self.text(option.text)
        needs_weight = option.weight not in (0, 1) or text.startswith("%")
        weight = f"%{_percent(option.weight)}%" if needs_weight else ""
        return f"{'=' if option.weight == 1 else '~'}{weight}{text}{self.feedback(option.feedback)}"

    def _true_false(self, variant: Variant, options: Iterable[Option]) -> str:
        by_truth = {option.correct: option for option in options}
        right, wrong = by_truth[True], by_truth[False]
        told = ""
        if right.feedback or wrong.feedback:
            told = (self.feedback(wrong.feedback) or "#") + self.feedback(right.feedback)
        return self.around(variant, [f"{right.id.upper()}{told}"])

    def numeric(self, variant: Variant) -> str:
        content: NumericContent = variant.content
        if content.units:
            self.lost(variant.question, "units")
        answers = [f"=%{_percent(n.credit)}%{_number(n)}{self.feedback(n.feedback)}" for n in content.answers]
        if content.otherwise:
            answers.append(f"~{self.feedback(content.otherwise)}")
        return self.around(variant, answers, mark="#")

    def matching(self, variant: Variant) -> str:
        content: Assignment = variant.content
        rights = {value.id: value.text for value in content.values}
        lefts = sorted(content.targets, key=lambda left: left.id)
        used = {left.accepts[0] for left in lefts}
        pairs = [
            f"={self.text(left.text).replace('->', '-&gt;')} -> {self.text(rights[left.accepts[0]])}" for left in lefts
        ]
        if any(left.feedback for left in lefts):
            self.lost(variant.question, "feedback")
        spare = [f"= -> {self.text(value.text)}" for value in content.values if value.id not in used]
        return self.around(variant, [*pairs, *sorted(spare)])

    def cloze(self, variant: Variant) -> str | None:
        content: ClozeContent = variant.content
        if len(content.blanks) != 1 or not content.blanks[0].words:
            return None
        (blank,) = content.blanks
        told = [word.feedback.in_language(self._language) for word in blank.words if word.feedback]
        if any("->" in written for written in (*told, *(word.text for word in blank.words))):
            return None
        if blank.feedback:
            self.lost(variant.question, "feedback")
        words = (f"=%{_percent(w.credit)}%{escape(w.text)}{self.feedback(w.feedback)}" for w in blank.words)
        written = content.text.in_language(self._language)
        before, after = (escape(side) for side in written.split(f"[[{blank.id}]]"))
        if not (before or after):
            return self.around(variant, words)
        stem = before
        if variant.stem != FILL_IN:
            self.lost(variant.question, "stem")
            stem = f"{self.text(variant.stem)}\\n\\n{before}"
        return f"{self.around(variant, words, stem=stem or ' ')}{after}"

    def short_text(self, variant: Variant) -> str:
        content: ShortTextContent = variant.content
        self.lost(variant.question, "rubric")
        if content.answer:
            self.lost(variant.question, "answer")
        return self.around(variant, [])


_WRITERS: Final[Mapping[str, Callable[[_Writing, Variant], str | None]]] = {
    "choice": _Writing.choice,
    "multiple": _Writing.multiple,
    "numeric": _Writing.numeric,
    "matching": _Writing.matching,
    "cloze": _Writing.cloze,
    "short-text": _Writing.short_text,
}


def _percent(share: Fraction) -> str:
    return format_number(share * 100, digits=10)


def _weights(content: MultipleContent) -> dict[str, Fraction]:
    """The weights that come nearest to the content's rule: equal shares for the right ones, equal losses for the
    wrong ones.
    """
    if content.credit == "weights":
        return {option.id: option.weight for option in content.options}
    right = content.right()
    wrong = len(content.options) - len(right)
    return {o.id: Fraction(1, len(right)) if o.id in right else Fraction(-1, wrong) for o in content.options}


def _number(number: AcceptedNumber) -> str:
    low, value, high = (format_number(bound, digits=_DIGITS) for bound in (number.low, number.value, number.high))
    if number.value - number.low != number.high - number.value:
        return f"{low}..{high}"
    margin = number.high - number.value
    return f"{value}:{format_number(margin, digits=_DIGITS)}" if margin else value
