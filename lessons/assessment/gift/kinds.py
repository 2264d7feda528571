"""From GIFT's answer sections to the course's kinds of question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Final

from lessons.assessment.gift.syntax import Answer, release
from lessons.assessment.localized import Text
from lessons.assessment.number_text import format_number, parse_number
from lessons.assessment.problems import Invalid, Problem

Source = dict[str, Any]
Localized = Callable[[str], dict[str, str]]
Report = Callable[[Problem], None]

TRUE: Final = Text("正确", "True")
FALSE: Final = Text("错误", "False")
FILL_IN: Final = Text("填空。", "Fill in the blank.")
DEFAULT_RUBRIC: Final = Text("答案完整、正确。", "The answer is complete and right.")
BLANK: Final = "answer"
_SEVERAL: Final = {"type": "multiple", "credit": "weights"}
_TRUTHS: Final = {"T": True, "TRUE": True, "F": False, "FALSE": False}


def answers_of(
    section: str, answers: Sequence[Answer], around: tuple[str, str], localized: Localized, report: Report
) -> Source:
    """The type and content that an answer section describes. ``around``: the Markdown before and behind it.

    Raises Invalid if there is no such question. The order of the tests is the format's own.
    """
    if not section:
        report(Problem("gift.essay_needs_rubric"))
        return {"type": "short-text", "rubric": [{"text": DEFAULT_RUBRIC.as_mapping()}]}
    if section.startswith("#"):
        return _numeric(answers, localized, report)
    if any(answer.mark == "~" for answer in answers):
        return _options(answers, localized, report)
    if any("->" in answer.text for answer in answers):
        return _matching(answers, localized)
    truth = _TRUTHS.get(section.partition("#")[0].strip())
    return _words(answers, around, localized, report) if truth is None else _true_false(section, truth, localized)


def _weight(answer: Answer, default: int, report: Report) -> Fraction:
    """The answer's weight, -1 … 1."""
    if answer.weight is None:
        return Fraction(default)
    weight = Fraction(answer.weight) / 100
    if abs(weight) > 1:
        report(Problem("gift.weight_out_of_range", {"weight": answer.weight}))
    return max(Fraction(-1), min(Fraction(1), weight))


def _feedback(answer: Answer, localized: Localized) -> Source:
    return {"feedback": localized(answer.feedback)} if answer.feedback else {}


def _options(answers: Sequence[Answer], localized: Localized, report: Report) -> Source:
    """Multiple choice: one right answer if any is marked ``=``, else several with weights."""
    if len(answers) < 2:
        raise Invalid([Problem("gift.too_few_answers", {"minimum": 2, "count": len(answers)})])
    single = any(answer.mark == "=" for answer in answers)
    options: list[Source] = []
    best = Fraction(0)
    for answer in answers:
        weight = Fraction(1) if answer.mark == "=" else _weight(answer, 0, report)
        if single:
            weight = max(weight, Fraction(0))
        share = {"weight": format_number(weight, digits=12)} if weight else {}
        option: Source = {"text": localized(answer.text), **_feedback(answer, localized)}
        options.append({**option, "correct": True} if single and weight == 1 else {**option, **share})
        best = max(best, weight)
    if best <= 0:
        raise Invalid([Problem("gift.no_right_answer")])
    return {"type": "choice", "options": options} if single else {**_SEVERAL, "options": options}


def _true_false(section: str, truth: bool, localized: Localized) -> Source:
    """Feedback comes as ``#wrong#right``: first for those who chose wrong."""
    _, wrong, right = (*(piece.strip() for piece in section.split("#", 2)), "", "")[:3]
    options: list[Source] = []
    for value, text in ((True, TRUE), (False, FALSE)):
        feedback = right if value is truth else wrong
        told = {"feedback": localized(feedback)} if feedback else {}
        option: Source = {"id": str(value).lower(), "text": text.as_mapping(), **told}
        options.append({**option, "correct": True} if value is truth else option)
    return {"type": "choice", "shuffle": False, "options": options}


def _matching(answers: Sequence[Answer], localized: Localized) -> Source:
    """Pairs ``=left -> right``; an empty left side is a right side that fits none."""
    pairs: list[Source] = []
    distractors: list[dict[str, str]] = []
    for answer in answers:
        left, arrow, right = answer.whole.partition("->")
        if not arrow or not right.strip():
            raise Invalid([Problem("gift.pair_without_arrow", {"found": release(answer.whole)[:60]})])
        if left.strip():
            side = {name: text.replace("-&gt;", "->") for name, text in localized(left).items()}
            pairs.append({"left": side, "right": localized(right)})
        else:
            distractors.append(localized(right))
    if len(pairs) < 2:
        raise Invalid([Problem("gift.too_few_answers", {"minimum": 2, "count": len(pairs)})])
    return {"type": "matching", "pairs": pairs, **({"distractors": distractors} if distractors else {})}


def _words(answers: Sequence[Answer], around: tuple[str, str], localized: Localized, report: Report) -> Source:
    """Short answer: a cloze with one blank, in its place in the text, or alone below it."""
    accepted: list[Source] = []
    for answer in answers:
        credit = _weight(answer, 1, report)
        entry: Source = {"text": release(answer.text), **_feedback(answer, localized)}
        accepted.append(
            entry if credit == 1 else {**entry, "credit": format_number(max(credit, Fraction(0)), digits=12)}
        )
    before, after = around
    blank = f"[[{BLANK}]]"
    made: Source = {"type": "cloze", "blanks": [{"id": BLANK, "accept": accepted}], "text": blank}
    if after.strip():
        (language,) = localized("x")
        made["text"] = {language: f"{before}{blank}{after}".strip()}
        made["stem"] = FILL_IN.as_mapping()
    return made


def _numeric(answers: Sequence[Answer], localized: Localized, report: Report) -> Source:
    """Numbers with tolerance, ranges, weights; ``~`` or ``*`` carries the feedback for everything else."""
    accepted: list[Source] = []
    made: Source = {"type": "numeric"}
    for answer in answers:
        if answer.mark == "~" or answer.text == "*":
            made |= {"otherwise": localized(answer.feedback)} if answer.feedback else {}
            continue
        credit = max(_weight(answer, 1, report), Fraction(0))
        entry = {**_number(release(answer.text)), **_feedback(answer, localized)}
        accepted.append(entry if credit == 1 else {**entry, "credit": format_number(credit, digits=12)})
    if not accepted:
        raise Invalid([Problem("gift.no_right_answer")])
    return {**made, "answers": accepted}


def _number(written: str) -> Source:
    low, dots, high = written.partition("..")
    value, colon, margin = written.partition(":")
    numbers = (low, high) if dots else (value, margin) if colon else (value,)
    if any(parse_number(number) is None for number in numbers):
        raise Invalid([Problem("gift.not_a_number", {"found": written[:60]})])
    if dots:
        return {"from": low.strip(), "to": high.strip()}
    entry: Source = {"value": value.strip()}
    return {**entry, "tolerance": {"absolute": margin.strip()}} if colon and parse_number(margin) else entry
