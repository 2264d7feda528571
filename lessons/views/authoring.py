"""What drafts of questions, quizzes and lessons have besides their forms: how they look, the bank, boxes to insert."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from gpuschedlab.materials.filling import draft_set, readable
from gpuschedlab.materials.kinds import kind_of
from gpuschedlab.materials.selectors import draft_get
from gpuschedlab.materials.views.common import SAVES
from gpuschedlab.web.errors import BadInput, Conflict
from gpuschedlab.web.htmx import render_page
from lessons.assessment.localized import LANGUAGES
from lessons.assessment.problems import Invalid
from lessons.assessment.question import LEVELS, read_question
from lessons.forms.authoring import CheckForm, SceneForm, TakeForm
from lessons.manifests.lesson_material import read_lesson_material
from lessons.presenters.authoring.bank import BankFilter, present_bank, present_parts
from lessons.presenters.authoring.inserting import present_places, with_check, with_scene
from lessons.presenters.authoring.live import present_live
from lessons.presenters.authoring.parts import with_questions
from lessons.presenters.authoring.question_fields import TYPES
from lessons.presenters.authoring.scenes import present_steps, scenario_choices
from lessons.presenters.languages import page_language
from lessons.presenters.lesson_text import present_body
from lessons.selectors.lessons import term_list
from lessons.selectors.question_drafts import drafts_named, names_of
from lessons.selectors.questions import bank_for, questions_by_slug
from lessons.services.scenes import Unbound, scene_bound

if TYPE_CHECKING:
    from collections.abc import Container
    from uuid import UUID

    from django_stubs_ext import StrOrPromise

    from gpuschedlab.materials.kinds import Reading
    from gpuschedlab.materials.models import Draft
    from gpuschedlab.web.http import LabRequest

MOST_SEED = 10_000


@require_safe
def beside(request: LabRequest, draft_id: UUID) -> HttpResponse:
    """What stands beside the draft's form: how it looks to learners, and what can be put into it."""
    draft = _draft(request, draft_id, "question", "quiz", "lesson")
    reading = kind_of(draft).read(draft.text)
    context: dict[str, Any] = {"draft": draft, "shown_in": _language(request)}
    if reading.is_readable:
        context |= _BESIDE[draft.kind](request, draft, reading)
    return render_page(request, f"lessons/authoring/beside_{draft.kind}.html", context)


def _language(request: LabRequest) -> str:
    asked = request.GET.get("lang", "")
    return asked if asked in LANGUAGES else page_language()


def _beside_question(request: LabRequest, draft: Draft, reading: Reading) -> dict[str, Any]:
    seed = request.GET.get("seed", "")
    number = int(seed) % MOST_SEED if seed.isascii() and seed.isdecimal() and len(seed) < 8 else 0
    stem = reading.value.get("stem")
    context: dict[str, Any] = {"seed": number, "steps": present_steps(reading.value)}
    context["stem"] = stem.get(_language(request), "") if isinstance(stem, dict) else ""
    try:
        bound = scene_bound(read_question(reading.value))
        live = present_live(
            viewer=request.participant, draft_id=draft.pk, bound=bound, seed=number, language=_language(request)
        )
    except (Invalid, Unbound):
        return context  # the list of problems says why
    engine = read_question(reading.value).waits_for_engine
    return {**context, "live": live, "draws": bound.text.variables is not None, "by_engine": engine}


def _beside_quiz(request: LabRequest, _draft: Draft, reading: Reading) -> dict[str, Any]:
    names = names_of(reading.value)
    drafts = drafts_named(request.participant, names)
    return {"parts": present_parts(reading.value, bank_for(request.participant, names), drafts)}


def _beside_lesson(request: LabRequest, _draft: Draft, reading: Reading) -> dict[str, Any]:
    language = _language(request)
    read = read_lesson_material(reading.value)
    text = read.document.texts[language]
    asked = questions_by_slug(text.outline()["checks"])
    return {"text": present_body(text, term_list()), "front": text.front, "asked": set(asked)}


_BESIDE: dict[str, Any] = {"question": _beside_question, "quiz": _beside_quiz, "lesson": _beside_lesson}


@require_http_methods(["GET", "POST"])
@SAVES
def bank(request: LabRequest, draft_id: UUID) -> HttpResponse:
    """The bank to choose from; a POST takes what is ticked into the quiz."""
    draft = _draft(request, draft_id, "quiz")
    document = readable(draft).value
    if request.method == "POST":
        form = TakeForm(request.POST)
        part: Any = form.cleaned_or_raise()["part"]
        _check_version(draft, form.base)
        known = bank_for(request.participant, ())
        names = [name for name in request.POST.getlist("question") if name in known]
        _set(draft, with_questions(document, names, -1 if part is None else part))
        return redirect(f"{reverse('materials:form', args=[draft.pk])}#part-questions")
    wanted = BankFilter(
        request.GET.get("q", "")[:100],
        request.GET.get("type", ""),
        request.GET.get("level", ""),
        request.GET.get("mine") == "1",
    )
    questions = bank_for(request.participant, ())
    there = names_of(document)
    context = {
        "draft": draft,
        "lines": present_bank(questions, request.participant.pk, there, wanted),
        "wanted": wanted,
        "types": [(name, words) for name, (words, _told) in TYPES.items()],
        "levels": LEVELS,
        "parts": present_parts(document, questions, {}),
    }
    return render_page(request, "lessons/authoring/bank.html", context, partial="bank-lines")


@require_http_methods(["GET", "POST"])
@SAVES
def scene(request: LabRequest, draft_id: UUID) -> HttpResponse:
    """A scene for a lesson: choose a scenario, then the step; a POST puts it into both languages."""
    draft = _draft(request, draft_id, "lesson")
    document = readable(draft).value
    known = dict(scenario_choices(request.participant))
    wrong: StrOrPromise = ""
    if request.method == "POST":
        try:
            _insert_scene(draft, document, SceneForm(request.POST), known)
        except BadInput as error:
            wrong = error.detail
        else:
            return redirect(f"{reverse('materials:form', args=[draft.pk])}#part-text")
    chosen = request.POST.get("scenario", request.GET.get("scenario", ""))
    point = request.GET.get("point", "filter")
    asked = {"scene": {"scenario": chosen, "point": _POINTS.get(point, "Filter")}}
    context = {
        "draft": draft,
        "scenarios": known.items(),
        "chosen": chosen if chosen in known else "",
        "title": known.get(chosen, ""),
        "point": point,
        "steps": present_steps(asked) if chosen in known else (),
        "places": present_places(document),
        "sent": request.POST,
        "wrong": wrong,
    }
    return render_page(request, "lessons/authoring/scene.html", context, status=BadInput.status if wrong else 200)


def _insert_scene(draft: Draft, document: Any, form: SceneForm, known: Container[str]) -> None:
    data: dict[str, Any] = form.cleaned_or_raise()
    _check_version(draft, form.base)
    if data["scenario"] not in known:
        raise BadInput(_("There is no such scenario. Choose one of the list."))
    _set(draft, with_scene(document, data))


_POINTS = {"filter": "Filter", "postFilter": "PostFilter", "score": "Score"}


@require_http_methods(["GET", "POST"])
@SAVES
def check(request: LabRequest, draft_id: UUID) -> HttpResponse:
    """Questions for a lesson: the bank to choose from; a POST puts what is ticked into both languages."""
    draft = _draft(request, draft_id, "lesson")
    document = readable(draft).value
    known = bank_for(request.participant, ())
    if request.method == "POST":
        form = CheckForm(request.POST)
        data = form.cleaned_or_raise()
        _check_version(draft, form.base)
        names = [name for name in request.POST.getlist("question") if name in known]
        if not names:
            raise BadInput(_("Tick a question first."))
        _set(draft, with_check(document, names, str(data["section"])))
        return redirect(f"{reverse('materials:form', args=[draft.pk])}#part-text")
    wanted = BankFilter(request.GET.get("q", "")[:100], request.GET.get("type", ""), request.GET.get("level", ""))
    context = {
        "draft": draft,
        "lines": present_bank(known, request.participant.pk, (), wanted),
        "wanted": wanted,
        "types": [(name, words) for name, (words, _told) in TYPES.items()],
        "levels": LEVELS,
        "places": present_places(document),
    }
    return render_page(request, "lessons/authoring/bank.html", context, partial="bank-lines")


def _draft(request: LabRequest, draft_id: UUID, *kinds: str) -> Draft:
    """A draft of the viewer's own, of one of these kinds. Raises Http404."""
    draft = draft_get(viewer=request.participant, draft_id=draft_id)
    if draft.kind not in kinds:
        raise Http404
    return draft


def _check_version(draft: Draft, base: int) -> None:
    if base > draft.version:
        raise Conflict(_("This draft was changed in another tab or view meanwhile."))


def _set(draft: Draft, document: Any) -> None:
    draft_set(draft=draft, document=document, origin="form", what="sections" if draft.kind == "quiz" else "text")
