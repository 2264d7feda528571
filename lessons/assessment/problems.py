"""What is wrong with a content, a response or an imported file: a code, its parameters and the place.

This floor knows no languages: pages make the Chinese and English sentence from the code and its parameters.
``CODES`` lists every code that can arise, with its parameters, so that a page can be tested to know them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

Path = tuple[str | int, ...]

CODES: Final[Mapping[str, tuple[str, ...]]] = {
    # shape of a content document
    "field.missing": ("field",),
    "field.unknown": ("field", "known"),
    "value.not_mapping": ("found",),
    "value.not_list": ("found",),
    "value.not_string": ("found",),
    "value.not_integer": ("found",),
    "value.not_number": ("found",),
    "value.not_boolean": ("found",),
    "value.not_plain": ("found",),
    "value.too_deep": ("limit",),
    "value.empty": (),
    "value.too_long": ("limit", "length"),
    "value.out_of_range": ("minimum", "maximum", "found"),
    "value.not_one_of": ("allowed", "found"),
    "value.bad_name": ("found",),
    "value.repeated": ("found",),
    "value.unknown_reference": ("found", "known"),
    "list.too_short": ("minimum", "length"),
    "list.too_long": ("limit", "length"),
    "text.no_language": ("languages",),
    "text.untranslated": ("found",),
    "text.bad_character": ("codepoint",),
    # questions
    "question.unknown_type": ("found", "known"),
    "question.needs_scene": ("type",),
    "question.no_right_answer": (),
    "ordering.cycle": ("items",),
    "ordering.unconstrained": ("item",),
    "ordering.distractor_constrained": ("item",),
    "cloze.blank_not_in_text": ("blank", "language"),
    "cloze.blank_unknown": ("blank", "language"),
    "cloze.blank_kind": ("blank",),
    "weights.do_not_reach_full": ("total",),
    "scene.facts_missing": ("what",),
    # expressions and variables
    "expression.syntax": ("source",),
    "expression.too_long": ("limit", "length"),
    "expression.too_complex": ("limit",),
    "expression.not_allowed": ("what",),
    "expression.unknown_name": ("name", "known"),
    "expression.divides_by_zero": ("source",),
    "expression.too_large": ("source",),
    "expression.arguments": ("function",),
    "expression.not_a_number": ("name",),
    "variables.unsatisfiable": ("tries",),
    # responses
    "response.shape": (),
    "response.too_many_fields": ("limit",),
    "response.too_many_values": ("field", "limit"),
    "response.unknown_field": ("field",),
    "response.unknown_choice": ("field",),
    "response.repeated": ("field",),
    "response.contradiction": ("field",),
    "response.not_a_number": ("field", "found"),
    "response.out_of_range": ("field", "minimum", "maximum"),
    "response.too_long": ("field", "limit"),
    "response.bad_character": ("field",),
    # quizzes
    "quiz.unknown_question": ("question",),
    "quiz.pool_too_small": ("pick", "size"),
    # GIFT files
    "gift.too_large": ("limit", "length"),
    "gift.too_many_questions": ("limit",),
    "gift.too_many_answers": ("limit",),
    "gift.brace_unbalanced": (),
    "gift.no_right_answer": (),
    "gift.too_few_answers": ("minimum", "count"),
    "gift.not_a_number": ("found",),
    "gift.pair_without_arrow": ("found",),
    "gift.empty_question": (),
    "gift.question_invalid": ("code", "where"),
    # GIFT: what was dropped or changed (import and export)
    "gift.description_dropped": (),
    "gift.markup_dropped": ("tag",),
    "gift.image_dropped": (),
    "gift.link_dropped": (),
    "gift.control_character_dropped": (),
    "gift.weight_out_of_range": ("weight",),
    "gift.tag_dropped": ("tag",),
    "gift.essay_needs_rubric": (),
    "gift.id_changed": ("wanted", "used"),
    "gift.type_not_exportable": ("question", "type"),
    "gift.detail_not_exportable": ("question", "detail"),
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, at one place. ``path`` leads from the document's root: ``("options", 2, "text")``."""

    code: str
    params: Mapping[str, object] = field(default_factory=dict)
    path: Path = ()

    def __post_init__(self) -> None:
        if self.code not in CODES:
            msg = f"unknown problem code {self.code!r}"
            raise ValueError(msg)

    @property
    def where(self) -> str:
        """The path as an author reads it: ``options[2].text``; empty for the document itself."""
        parts = [f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.path]
        return "".join(parts).removeprefix(".")

    def below(self, *prefix: str | int) -> Problem:
        """The same problem, seen from a document that holds this one at ``prefix``."""
        return Problem(self.code, self.params, (*prefix, *self.path))

    def as_mapping(self) -> dict[str, object]:
        """For JSON and templates: ``code``, ``params``, ``where``."""
        return {"code": self.code, "params": dict(self.params), "where": self.where}


class Invalid(Exception):
    """Raised with every problem found, in document order; never with none."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(f"{p.where or '(document)'}: {p.code} {dict(p.params)}" for p in self.problems))
