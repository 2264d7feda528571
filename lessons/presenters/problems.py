"""Sentences for the codes of lessons.assessment and of the catalogue's readers: what is wrong, and what to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    from lessons.manifests.faults import Fault

SENTENCES: Final[Mapping[str, StrOrPromise]] = {
    # shape of a content document
    "field.missing": _("The field “%(field)s” is missing. Add it."),
    "field.unknown": _("There is no field “%(field)s” here. Known are: %(known)s."),
    "value.not_mapping": _("A mapping is needed here, not %(found)s."),
    "value.not_list": _("A list is needed here, not %(found)s."),
    "value.not_string": _("A text is needed here, not %(found)s. Put it in quotation marks."),
    "value.not_integer": _("A whole number is needed here, not %(found)s."),
    "value.not_number": _("A number is needed here, not %(found)s."),
    "value.not_boolean": _("true or false is needed here, not %(found)s."),
    "value.not_plain": _("A value of the kind %(found)s cannot be used here."),
    "value.too_deep": _("This is nested more than %(limit)s levels deep."),
    "value.empty": _("Something has to stand here."),
    "value.too_long": _("This is %(length)s characters long; %(limit)s are allowed."),
    "value.out_of_range": _("%(found)s is not in the range from %(minimum)s to %(maximum)s."),
    "value.not_one_of": _("“%(found)s” is not one of: %(allowed)s."),
    "value.bad_name": _("“%(found)s” cannot be a name here: use lower-case letters, digits and hyphens."),
    "value.repeated": _("“%(found)s” stands here twice. Give one of them another name."),
    "value.unknown_reference": _("There is no “%(found)s”. Known are: %(known)s."),
    "list.too_short": _("The list has %(length)s entries; it needs %(minimum)s."),
    "list.too_long": _("The list has %(length)s entries; %(limit)s are allowed."),
    "text.no_language": _("Write the text in a language: %(languages)s."),
    "text.untranslated": _("“%(found)s” needs both languages: write it as zh-hans and en."),
    "text.bad_character": _("The character %(codepoint)s cannot be used. Take it out."),
    # questions
    "question.unknown_type": _("There is no question type “%(found)s”. Known are: %(known)s."),
    "question.needs_scene": _("A question of the type %(type)s needs a scene, or its key written out."),
    "question.no_right_answer": _("No answer earns the full mark. Mark one as right."),
    "ordering.cycle": _("The order goes in a circle: %(items)s."),
    "ordering.unconstrained": _("Nothing says where “%(item)s” stands. Put it into a chain, or make it a distractor."),
    "ordering.distractor_constrained": _("“%(item)s” is a distractor and stands in a chain. Take it out of one."),
    "cloze.blank_not_in_text": _("The blank “%(blank)s” has to stand in the text (%(language)s) exactly once."),
    "cloze.blank_unknown": _("The text (%(language)s) has a blank “%(blank)s” that is not described."),
    "cloze.blank_kind": _("The blank “%(blank)s” needs words, numbers or options: one of the three."),
    "weights.do_not_reach_full": _("All positive weights together are %(total)s; they have to reach 1."),
    "scene.facts_missing": _("The engine says nothing about %(what)s at this place of the scenario."),
    # expressions and variables
    "expression.syntax": _("“%(source)s” is not an expression that can be read."),
    "expression.too_long": _("The expression is %(length)s characters long; %(limit)s are allowed."),
    "expression.too_complex": _("The expression has more than %(limit)s parts."),
    "expression.not_allowed": _("%(what)s is not allowed in an expression."),
    "expression.unknown_name": _("There is no variable “%(name)s”. Known are: %(known)s."),
    "expression.divides_by_zero": _("“%(source)s” divides by zero."),
    "expression.too_large": _("“%(source)s” becomes too large."),
    "expression.arguments": _("%(function)s got the wrong number of arguments."),
    "expression.not_a_number": _("“%(name)s” is not a number."),
    "variables.unsatisfiable": _("In %(tries)s draws no numbers met the requirements. Widen the ranges."),
    # responses
    "response.shape": _("The form did not arrive as a form. Reload the page and answer again."),
    "response.too_many_fields": _("The form has more than %(limit)s fields. Reload the page and answer again."),
    "response.too_many_values": _("A field has more than %(limit)s values. Reload the page and answer again."),
    "response.unknown_field": _("The form belongs to another version of this question. Reload the page."),
    "response.unknown_choice": _("A choice belongs to another version of this question. Reload the page."),
    "response.repeated": _("Something was chosen twice. Choose each only once."),
    "response.contradiction": _("You chose some and “none of them”. Take one of both back."),
    "response.not_a_number": _("“%(found)s” is not a number here. Write digits, and the unit if one is asked for."),
    "response.out_of_range": _("The number has to be from %(minimum)s to %(maximum)s."),
    "response.too_long": _("The answer is longer than %(limit)s characters. Shorten it."),
    "response.bad_character": _("The answer has a character that cannot be stored. Type it anew."),
    # quizzes
    "quiz.unknown_question": _("The bank has no question “%(question)s”."),
    "quiz.pool_too_small": _("%(pick)s questions are to be drawn, but only %(size)s are there."),
    # GIFT files
    "gift.too_large": _("The file has %(length)s characters; %(limit)s are allowed. Split it."),
    "gift.too_many_questions": _("The file has more than %(limit)s questions. Split it."),
    "gift.too_many_answers": _("The question has more than %(limit)s answers."),
    "gift.brace_unbalanced": _("A brace is not closed, or escaped wrongly."),
    "gift.no_right_answer": _("No answer is marked as right."),
    "gift.too_few_answers": _("The question has %(count)s answers; it needs %(minimum)s."),
    "gift.not_a_number": _("“%(found)s” is not a number."),
    "gift.pair_without_arrow": _("“%(found)s” is no pair: it has no “->”."),
    "gift.empty_question": _("The question has no text."),
    "gift.question_invalid": _("The question cannot be used: %(code)s at %(where)s."),
    "gift.description_dropped": _("A description without answers was left out."),
    "gift.markup_dropped": _("The markup <%(tag)s> was dropped; its text stayed."),
    "gift.image_dropped": _("An image was dropped."),
    "gift.link_dropped": _("A link was dropped; its text stayed."),
    "gift.control_character_dropped": _("A control character was dropped."),
    "gift.weight_out_of_range": _("The weight %(weight)s is not between -100 and 100."),
    "gift.tag_dropped": _("The tag “%(tag)s” was dropped: it is no topic name."),
    "gift.essay_needs_rubric": _("An essay became an open answer. Write its rubric."),
    "gift.id_changed": _("The id “%(wanted)s” was taken or unusable; “%(used)s” stands instead."),
    "gift.type_not_exportable": _("“%(question)s” was left out: GIFT knows no %(type)s questions."),
    "gift.detail_not_exportable": _("“%(question)s” lost what GIFT cannot say: %(detail)s."),
    # lessons and glossary
    "lesson.no_file": _("The lesson has no file for %(language)s."),
    "lesson.no_front_matter": _("The file has to begin with “---” and the front matter."),
    "lesson.front_matter_unclosed": _("The front matter does not end. Close it with a line “---”."),
    "lesson.heading_level": _("A heading %(level)s is not used here: write ## or ###."),
    "lesson.heading_without_id": _("“%(heading)s” needs an id: write {#name} behind it."),
    "lesson.repeated_id": _("The id “%(id)s” stands in this lesson twice."),
    "lesson.unknown_box": _("There is no box “%(box)s”. Known are: %(known)s."),
    "lesson.box_not_closed": _("The box “%(box)s” is not closed. Add a line “:::”."),
    "lesson.two_keys": _("A section has more than one key idea. Keep one."),
    "lesson.box_in_box": _("A box cannot stand inside another, or inside a list: %(box)s."),
    "lesson.bad_link": _("“%(address)s” leads nowhere: write lesson:, term:, lab:, quiz: or #section."),
    "lesson.unknown_reference": _("“%(reference)s” leads to nothing that exists."),
    "lesson.differs": _("The languages differ in %(what)s: “%(zh)s” in Chinese, “%(en)s” in English."),
    "glossary.name_twice": _("The name “%(name)s” belongs to more than one term: %(term)s."),
}
"""Code -> sentence with the code's parameters."""


def problem_sentence(code: str, params: Mapping[str, Any]) -> str:
    """The sentence of a code; a code of another reader stands for itself, with what it has to say."""
    sentence = SENTENCES.get(code)
    if sentence is None:
        return ": ".join([code, *(f"{name} {value}" for name, value in params.items())])
    return str(sentence) % {name: _listed(value) for name, value in params.items()}


def _listed(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return "–" if value is None else str(value)


def fault_sentence(fault: Fault) -> str:
    """A fault of a catalogue's file, with its place."""
    code, params = fault.code, fault.params
    where = str(params.get("where", "")) if code == "file.problem" else ""
    if code == "file.problem":
        code, params = str(params["code"]), params["params"]  # type: ignore[assignment]
    place = f"{fault.file}:{fault.line}" if fault.line else fault.file
    return f"{place}: {where + ': ' if where else ''}{problem_sentence(code, params)}"
