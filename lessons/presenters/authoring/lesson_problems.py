"""What is wrong with the draft of a lesson."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from django.template import TemplateDoesNotExist
from django.template.loader import get_template
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gpuschedlab.materials.kinds import Problem
from lessons.manifests.lesson_material import read_lesson_material
from lessons.presenters.authoring.problems import lesson_advice, located
from lessons.presenters.problems import problem_sentence
from lessons.selectors.references import references_known

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    from lessons.manifests.faults import Fault
    from lessons.manifests.lesson_text import LessonText
    from lessons.manifests.material_text import MaterialText

LANGUAGES: Final[Mapping[str, StrOrPromise]] = {"zh-hans": gettext_lazy("Chinese"), "en": gettext_lazy("English")}
LINKED: Final = frozenset({"lesson", "term", "lab", "quiz"})


def lesson_problems(text: MaterialText) -> Iterator[Problem]:
    """Everything but its name and its translations."""
    document = text.value
    if document is None:
        return
    read = read_lesson_material(document)
    yield from (located(text, one) for one in read.problems)
    for language, faults in read.faults.items():
        yield from (_in_text(text, language, one) for one in faults)
    for fault in read.differences:
        yield Problem("error", problem_sentence(fault.code, fault.params), ("text",))
    told: set[str] = set()
    for language, lesson in read.document.texts.items():
        if isinstance(document.get("text"), Mapping) and language in document["text"]:
            yield from _references(text, language, lesson, read.document.slug, told)
    yield from lesson_advice(document)


def _in_text(text: MaterialText, language: str, fault: Fault) -> Problem:
    """A fault of one language's text: its line there, and where that is in the draft."""
    code, params = fault.code, fault.params
    if code == "file.problem":
        code, params = str(params["code"]), params["params"]  # type: ignore[assignment]
    sentence = problem_sentence(code, params)
    words = _("%(language)s text, line %(line)s: %(problem)s")
    told = words % {"language": LANGUAGES[language], "line": fault.line, "problem": sentence}
    line = text.place_of(("text", language)).line + fault.line
    return Problem("error", told, ("text", language), line, 1)


def _references(text: MaterialText, language: str, lesson: LessonText, slug: str, told: set[str]) -> Iterator[Problem]:
    """Links, scenes, questions and figures that lead to nothing; each is told once."""
    wanted = [*_named(lesson)]
    places = {f"#{section.id}" for section in lesson.sections}
    places |= {f"#scene-{piece.data['id']}" for piece in lesson.pieces("scene")}
    here = [(address, line) for address, line in lesson.references if address.startswith("#")]
    known = references_known({reference for reference, _line in wanted})
    lost = [(one, line) for one, line in wanted if one not in known and one != f"lesson:{slug}" and not _is_figure(one)]
    lost += [(address, line) for address, line in here if address not in places]
    for reference, line in lost:
        if reference not in told:
            told.add(reference)
            sentence = problem_sentence("lesson.unknown_reference", {"reference": reference})
            at = text.place_of(("text", language)).line + line
            yield Problem("error", sentence, ("text", language), at, 1)


def _named(lesson: LessonText) -> Iterator[tuple[str, int]]:
    """What a text names outside itself, with the line."""
    for address, line in lesson.references:
        if address.partition(":")[0] in LINKED:  # other addresses are told already
            yield address.partition("#")[0], line
    for section in lesson.sections:
        for piece in section.pieces:
            yield from ((reference, piece.line) for reference in _box_names(piece.kind, piece.data))


def _box_names(kind: str, data: Mapping[str, Any]) -> list[str]:
    if kind == "check":
        return [f"question:{name}" for name in data["questions"]]
    if kind == "figure":
        return [f"figure:{data['name']}"]
    if kind == "scene":
        asked = [f"question:{data['question']}"] if data["question"] else []
        return [f"lab:{data['scenario']}", *asked]
    return []


def _is_figure(reference: str) -> bool:
    kind, _mark, name = reference.partition(":")
    if kind != "figure":
        return False
    try:
        get_template(f"lessons/figures/{name}.html")
    except TemplateDoesNotExist:
        return False
    return True
