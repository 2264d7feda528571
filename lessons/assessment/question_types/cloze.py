"""Cloze: a text with blanks ``[[id]]`` to write a word or a number into, or to choose an option for.

Score: mean over the blanks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from lessons.assessment.dice import Dice
from lessons.assessment.forms import FormReader
from lessons.assessment.grades import ONE, ZERO, Grade, Part, Verdict, graded, unanswered, verdict_of
from lessons.assessment.localized import LANGUAGES, Text
from lessons.assessment.number_text import format_number, parse_number
from lessons.assessment.question_types.accepted_numbers import AcceptedNumber, matching, ranges, read_numbers
from lessons.assessment.question_types.accepted_words import MAX_WORD, AcceptedWord, accepting, read_word
from lessons.assessment.question_types.base import Evidence, QuestionType, View
from lessons.assessment.question_types.options import Option, option_views, read_options, shuffled_options
from lessons.assessment.reading import NAME, Fields, Node, unique
from lessons.assessment.responses import Response, pairs
from lessons.assessment.tokens import Tokens

MAX_BLANKS: Final = 20
_BLANK: Final = re.compile(r"\[\[([A-Za-z0-9._-]{1,60})\]\]")


@dataclass(frozen=True, slots=True)
class Blank:
    """One blank: filled by a word, a number or an option (exactly one of the three lists is not empty)."""

    id: str
    words: tuple[AcceptedWord, ...]
    numbers: tuple[AcceptedNumber, ...]
    options: tuple[Option, ...]
    feedback: Text | None

    @property
    def kind(self) -> str:
        """``word``, ``number`` or ``option``."""
        return "word" if self.words else "number" if self.numbers else "option"


@dataclass(frozen=True, slots=True)
class ClozeContent:
    """The text and its blanks."""

    text: Text
    blanks: tuple[Blank, ...]


class Cloze(QuestionType[ClozeContent]):
    """Form fields ``blank.<token>``. Response ``{"blanks": {id: text, number or option id}}``."""

    name = "cloze"
    required = ("text", "blanks")

    def read(self, fields: Fields) -> ClozeContent:
        """Blanks ``{id, accept | numbers | options, feedback?}``, each exactly once in the text of each language."""
        text = fields["text"].text()
        nodes = fields.children("blanks", minimum=1, limit=MAX_BLANKS)
        blanks = tuple(_read_blank(node) for node in nodes)
        unique(zip((blank.id for blank in blanks), nodes, strict=True))
        _check_places(fields["text"], text, [blank.id for blank in blanks])
        return ClozeContent(text, blanks)

    def shuffled(self, content: ClozeContent, dice: Dice) -> ClozeContent:
        """Options inside the blanks in random order."""
        blanks = (replace(blank, options=shuffled_options(blank.options, dice)) for blank in content.blanks)
        return replace(content, blanks=tuple(blanks))

    def view(self, content: ClozeContent, tokens: Tokens) -> View:
        """``segments``: per language a list of texts and blank tokens.

        ``blanks``: ``{token, field, kind, options}``.
        """
        languages = [language for language in LANGUAGES if content.text.written(language)]
        return {
            "segments": {name: _segments(content.text.written(name), tokens) for name in languages},
            "blanks": [_blank_view(blank, tokens) for blank in content.blanks],
        }

    def parse(self, content: ClozeContent, form: FormReader, earlier: Response) -> Response:
        """A word, number or option for each blank; some may be left open."""
        del earlier
        filled = {blank.id: _parse_blank(blank, form) for blank in content.blanks}
        given = {name: value for name, value in sorted(filled.items()) if value}
        return {"blanks": given} if given else {}

    def form_of(self, content: ClozeContent, response: Response, tokens: Tokens) -> dict[str, list[str]]:
        """What was written or chosen."""
        given = pairs(response, "blanks")
        form: dict[str, list[str]] = {}
        for blank in content.blanks:
            value = given.get(blank.id)
            if value is None or (blank.kind == "option" and value not in [option.id for option in blank.options]):
                continue
            shown = tokens.of(_option_kind(blank), value) if blank.kind == "option" else value
            form[_field(blank, tokens)] = [shown]
        return form

    def grade(self, content: ClozeContent, response: Response, evidence: Evidence) -> Grade:
        """Mean credit of the blanks."""
        del evidence
        given = pairs(response, "blanks")
        parts = tuple(_grade_blank(blank, given.get(blank.id)) for blank in content.blanks)
        if not given:
            return unanswered(parts)
        total = sum((part.score or ZERO for part in parts), ZERO)
        return graded(total / len(content.blanks), parts)

    def best(self, content: ClozeContent) -> Response:
        """The first full answer of each blank."""
        return {"blanks": {blank.id: _best(blank) for blank in sorted(content.blanks, key=lambda blank: blank.id)}}

    def revealed(self, content: ClozeContent, tokens: Tokens) -> View:
        """``accepted``: per blank token the words of full credit, or the ranges of numbers."""
        return {
            "accepted": {
                tokens.of("blank", blank.id): [word.text for word in blank.words if word.credit == ONE]
                or ranges(blank.numbers)
                for blank in content.blanks
            }
        }


def _read_blank(node: Node) -> Blank:
    fields = node.fields(required=("id",), optional=("accept", "numbers", "options", "feedback"))
    name = fields["id"].named(NAME)
    if sum(kind in fields for kind in ("accept", "numbers", "options")) != 1:
        node.fail("cloze.blank_kind", blank=name)
        return Blank(name, (), (), (), None)
    words = tuple(read_word(entry) for entry in fields.children("accept", minimum=1))
    numbers = read_numbers(fields, "numbers") if "numbers" in fields else ()
    options = read_options(fields, minimum=2) if "options" in fields else ()
    full = [*(w.credit for w in words), *(n.credit for n in numbers), *(o.weight for o in options)]
    if ONE not in full and not numbers:
        node.fail("question.no_right_answer")
    return Blank(name, words, numbers, options, fields.text("feedback"))


def _check_places(node: Node, text: Text, blanks: Sequence[str]) -> None:
    for language in LANGUAGES:
        written = text.written(language)
        if not written:
            continue
        places = _BLANK.findall(written)
        for name in blanks:
            if places.count(name) != 1:
                node.fail("cloze.blank_not_in_text", blank=name, language=language)
        for name in dict.fromkeys(places):
            if name not in blanks:
                node.fail("cloze.blank_unknown", blank=name, language=language)


def _segments(written: str, tokens: Tokens) -> list[dict[str, str]]:
    pieces = _BLANK.split(written)
    return [
        {"blank": tokens.of("blank", piece)} if index % 2 else {"text": piece}
        for index, piece in enumerate(pieces)
        if piece
    ]


def _field(blank: Blank, tokens: Tokens) -> str:
    return f"blank.{tokens.of('blank', blank.id)}"


def _option_kind(blank: Blank) -> str:
    return f"option of {blank.id}"


def _blank_view(blank: Blank, tokens: Tokens) -> dict[str, Any]:
    options = option_views(blank.options, tokens)
    for view, option in zip(options, blank.options, strict=True):
        view["token"] = tokens.of(_option_kind(blank), option.id)
    return {
        "token": tokens.of("blank", blank.id),
        "field": _field(blank, tokens),
        "kind": blank.kind,
        "options": options,
    }


def _parse_blank(blank: Blank, form: FormReader) -> str:
    field = _field(blank, form.tokens)
    if blank.kind == "option":
        return form.choice(field, _option_kind(blank), [option.id for option in blank.options]) or ""
    return form.number(field) if blank.kind == "number" else form.text(field, limit=MAX_WORD)


def _grade_blank(blank: Blank, given: str | None) -> Part:
    if given is None:
        return Part("blank", blank.id, Verdict.MISSED, ZERO, blank.feedback, tells_key=True)
    credit, feedback = _credit(blank, given)
    told = feedback or blank.feedback
    return Part("blank", blank.id, verdict_of(credit), credit, told, tells_key=feedback is None)


def _credit(blank: Blank, given: str) -> tuple[Fraction, Text | None]:
    if blank.kind == "option":
        option = next((option for option in blank.options if option.id == given), None)
        return (max(option.weight, ZERO), option.feedback) if option else (ZERO, None)
    if blank.kind == "number":
        value = parse_number(given)
        number = matching(blank.numbers, value) if value is not None else None
        return (number.credit, number.feedback) if number else (ZERO, None)
    word = accepting(blank.words, given)
    return (word.credit, word.feedback) if word else (ZERO, None)


def _best(blank: Blank) -> str:
    if blank.kind == "option":
        return next(option.id for option in blank.options if option.weight == ONE)
    if blank.kind == "number":
        return format_number(next(number.value for number in blank.numbers if number.credit == ONE))
    return next(word.text for word in blank.words if word.credit == ONE)
