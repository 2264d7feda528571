"""Pages for instructors: figures of questions, regrade, GIFT files."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, TypeVar, cast

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from gpuschedlab.web.htmx import render_page
from lessons.assessment.gift.exporting import export_gift
from lessons.assessment.problems import Invalid
from lessons.forms.teaching import GiftForm, RegradeForm
from lessons.presenters.languages import page_language
from lessons.presenters.problems import problem_sentence
from lessons.presenters.teaching import present_figures, present_notes, present_question_figures
from lessons.rules import can_teach
from lessons.selectors.questions import question_get, quiz_get, quiz_list, quiz_questions
from lessons.selectors.statistics import figures_list, revision_list, statistics_of
from lessons.services.gift import gift_read, gift_store
from lessons.services.regrades import regrade_apply, regrade_preview

if TYPE_CHECKING:
    from collections.abc import Callable

    from gpuschedlab.web.http import LabRequest

View = TypeVar("View", bound="Callable[..., HttpResponse]")


def for_teachers(view: View) -> View:
    """A page that nobody else knows of."""

    @functools.wraps(view)
    def guarded(request: LabRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not can_teach(request.participant):
            raise Http404
        return view(request, *args, **kwargs)

    return cast("View", guarded)


@require_safe
@for_teachers
def figures(request: LabRequest) -> HttpResponse:
    """Every question with how hard it turned out to be."""
    return render_page(request, "lessons/teaching.html", {"lines": present_figures(figures_list())})


@require_safe
@for_teachers
def question_figures(request: LabRequest, slug: str) -> HttpResponse:
    """All figures of one question, and its revisions."""
    question = question_get(slug)
    context = {
        "view": present_question_figures(question, statistics_of(question)),
        "revisions": revision_list(question),
    }
    return render_page(request, "lessons/teaching_question.html", context)


@require_POST
@for_teachers
def question_regrade(request: LabRequest, slug: str) -> HttpResponse:
    """Show what judging by another revision would change; with `apply`, do it."""
    question = question_get(slug)
    form = RegradeForm(request.POST).cleaned_or_raise()
    revision = next((one for one in revision_list(question) if one.number == form["revision"]), None)
    if revision is None:
        raise Http404
    if form["apply"]:
        regrade_apply(actor=request.participant, question=question, revision=revision)
        return redirect("lessons:question_figures", slug=slug)
    context = {"question": question, "revision": revision, "preview": regrade_preview(question, revision)}
    return render_page(request, "lessons/regrade.html", context)


@require_http_methods(["GET", "POST"])
@for_teachers
def gift(request: LabRequest) -> HttpResponse:
    """Bring questions in from a GIFT file: first the report, then for good."""
    form = GiftForm(request.POST or None, request.FILES or None, initial={"language": page_language()})
    context: dict[str, Any] = {"form": form, "quizzes": quiz_list()}
    if request.method == "POST" and form.is_valid():
        store = gift_store if request.POST.get("store") else gift_read
        text, language = form.cleaned_data["text"], form.cleaned_data["language"]
        try:
            brought = store(actor=request.participant, text=text, language=language)
        except Invalid as invalid:
            context["problems"] = [problem_sentence(one.code, one.params) for one in invalid.problems]
        else:
            context |= {"brought": brought, "notes": present_notes(brought.read.notes), "text": text}
    return render_page(request, "lessons/gift.html", context)


@require_safe
@for_teachers
def gift_export(_request: LabRequest, slug: str) -> HttpResponse:
    """A quiz's questions as a GIFT file; what it cannot say stands in comments at its head."""
    language = page_language()
    exported = export_gift(quiz_questions(quiz_get(slug)), language)
    notes = "".join(f"// {note.question}: {note.text}\n" for note in present_notes(exported.notes))
    response = HttpResponse(f"{notes}\n{exported.text}\n", content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slug}-{language}.gift.txt"'
    return response
