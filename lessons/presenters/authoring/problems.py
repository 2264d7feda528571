"""What is wrong with a draft of a question, a quiz or a lesson, or is not there yet, each with its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from gpuschedlab.materials.documents.paths import get_at
from gpuschedlab.materials.kinds import Missing, Problem
from lessons.assessment.localized import LANGUAGES
from lessons.presenters.authoring.places import place_name
from lessons.presenters.problems import problem_sentence
from simulator.presenters.authoring.problems import remark_problem

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    from gpuschedlab.materials.documents.paths import Path
    from gpuschedlab.materials.kinds import Weight
    from gpuschedlab.materials.models import Draft
    from lessons.assessment.problems import Problem as Found
    from lessons.manifests.material_text import MaterialText

NOT_YET: Final = frozenset({"field.missing", "list.too_short", "value.empty", "text.no_language"})
"""Codes of what an author has not come to, rather than got wrong."""

UNBOUND: Final[Mapping[str, StrOrPromise]] = {
    "scenario": gettext_lazy(
        "The scenario is not published, does not run, or is too large to ask about. Choose another."
    ),
    "goals": gettext_lazy("The engine does not know one of the goals. Choose them from the list."),
    "place": gettext_lazy("The scenario has no such turn. Choose one of its steps beside."),
    "facts": gettext_lazy("The engine says too little at this step to make a key of it. Choose another step."),
}
"""Why a question cannot get its key (lessons.services.scenes.Unbound) -> what to do."""


def unreadable(text: MaterialText) -> list[Problem]:
    """Why a text has no document."""
    if text.errors:
        return [remark_problem(error) for error in text.errors]
    if text.document is None:
        return [Problem("error", _("The text has to be one mapping: “name: value”, line by line."), None, 1, 1)]
    return []


def located(text: MaterialText, one: Found) -> Problem:
    """A problem of lessons.assessment, with its field and its line."""
    path: Path = one.path
    if one.code == "field.missing":
        path = (*path, str(one.params["field"]))
    line, column = text.place_of(one.path)
    weight: Weight = "missing" if one.code in NOT_YET else "error"
    where, sentence = place_name(path), problem_sentence(one.code, one.params)
    told = f"{where}: {sentence}" if where else sentence
    if one.code in NOT_YET:
        told = _("Fill in: %(place)s.") % {"place": where}
    return Problem(weight, told, path or None, line, column)


def name_problems(draft: Draft, document: Mapping[str, Any], taken: bool) -> Iterator[Problem]:
    """What is wrong with the name in the address."""
    name = str(document.get("id", ""))
    if draft.published and draft.published != name:
        words = _("It was published as “%(name)s”. Its name cannot change any more.") % {"name": draft.published}
        yield Problem("error", words, ("id",))
    elif taken:
        yield Problem("error", _("Something else is named “%(name)s”. Choose another name.") % {"name": name}, ("id",))


# languages


def missing_texts(document: Any, path: Path = ()) -> Iterator[Missing]:
    """Every text that is written in one language alone."""
    if isinstance(document, Mapping):
        if document and set(document) <= set(LANGUAGES):
            other = next((str(text) for text in document.values() if text), "")
            for language in LANGUAGES:
                if other and not document.get(language):
                    yield Missing((*path, language), language, place_name(path), other)
            return
        for key, item in document.items():
            yield from missing_texts(item, (*path, str(key)))
    elif isinstance(document, list):
        for index, item in enumerate(document):
            yield from missing_texts(item, (*path, index))


def translation_problems(draft: Draft, missing: Sequence[Missing]) -> Iterator[Problem]:
    if missing:
        count = len(missing)
        words = ngettext("%(n)d text lacks a language.", "%(n)d texts lack a language.", count) % {"n": count}
        yield Problem("advice", words, url=reverse("materials:translations", args=[draft.pk]))


# advice


def question_advice(document: Mapping[str, Any]) -> Iterator[Problem]:
    """What would make a question better."""
    if not document.get("explanation"):
        words = _("An explanation makes a wrong answer worth something.")
        yield Problem("advice", words, ("explanation",))
    options = document.get("options")
    if isinstance(options, list) and len(options) > 1:
        told = [index for index in range(len(options)) if get_at(document, ("options", index, "feedback"))]
        if not any(isinstance(get_at(document, ("options", index, "feedback")), Mapping | str) for index in told):
            yield Problem("advice", _("Say to each option why it is right or wrong."), ("options", 0, "feedback"))
    if not document.get("topics"):
        yield Problem("advice", _("Topics let pools of quizzes find it."), ("topics",))


def lesson_advice(document: Mapping[str, Any]) -> Iterator[Problem]:
    """What would make a lesson better."""
    for name, words in (
        ("goal", _("A goal tells the reader what it is good for.")),
        ("summary", _("A summary stands in the list.")),
    ):
        if not document.get(name):
            yield Problem("advice", words, (name,))
