"""Pages for instructors: figures of questions, regrade, GIFT files."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, TypeVar, cast

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from gpuschedlab.materials.filling import draft_set, readable
from gpuschedlab.materials.selectors import draft_list, draft_published_as
from gpuschedlab.materials.views.common import MAKES
from gpuschedlab.web.htmx import render_page
from lessons.assessment.gift.exporting import export_gift
from lessons.assessment.problems import Invalid
from lessons.forms.teaching import GiftForm, RegradeForm
from lessons.presenters.authoring.parts import with_questions
from lessons.presenters.languages import page_language
from lessons.presenters.problems import problem_sentence
from lessons.presenters.questions.titles import question_title
from lessons.presenters.teaching import (
    present_figures,
    present_notes,
    present_question_figures,
    present_regrade,
)
from lessons.rules import can_regrade, can_teach
from lessons.selectors.questions import question_for_author, quiz_get, quiz_list, quiz_questions
from lessons.selectors.statistics import figures_list, regrade_list, revision_list, statistics_of
from lessons.services.gift import gift_read, gift_store
from lessons.services.regrades import regrade_answers, regrade_apply, regrade_pending, regrade_preview

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gpuschedlab.materials.models import Draft
    from gpuschedlab.web.http import LabRequest

View = TypeVar("View", bound="Callable[..., HttpResponse]")
SHOWN_CHANGES = 200


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
    """Questions with how hard they turned out to be."""
    return render_page(request, "lessons/teaching.html", {"lines": present_figures(figures_list(request.participant))})


@require_safe
@for_teachers
def question_figures(request: LabRequest, slug: str) -> HttpResponse:
    """All figures of one question, and its revisions."""
    viewer = request.participant
    question = question_for_author(viewer=viewer, slug=slug)
    context = {
        "view": present_question_figures(question, statistics_of(question)),
        "revisions": revision_list(question) if can_regrade(viewer, question) else (),
        "draft": draft_published_as(viewer=viewer, kind="question", name=slug),
        "regrades": regrade_list(question),
        "pending": regrade_pending(question),
    }
    return render_page(request, "lessons/teaching_question.html", context)


@require_POST
@for_teachers
def question_regrade(request: LabRequest, slug: str) -> HttpResponse:
    """Show whose marks judging by another revision would change; with `apply`, do it."""
    question = question_for_author(viewer=request.participant, slug=slug)
    if not can_regrade(request.participant, question):
        raise Http404
    form = RegradeForm(request.POST).cleaned_or_raise()
    revision = next((one for one in revision_list(question) if one.number == form["revision"]), None)
    if revision is None:
        raise Http404
    if form["apply"]:
        regrade_apply(actor=request.participant, question=question, revision=revision)
        return redirect("lessons:question_figures", slug=slug)
    preview = regrade_preview(question, revision)
    answers = regrade_answers(question, {change.attempt for change in preview.differing[:SHOWN_CHANGES]})
    title = present_question_figures(question, statistics_of(question)).title
    context = {"question": question, "title": title, "revision": revision, "view": present_regrade(preview, answers)}
    return render_page(request, "lessons/regrade.html", context)


@require_http_methods(["GET", "POST"])
@for_teachers
@MAKES
def gift(request: LabRequest) -> HttpResponse:
    """Bring questions in from a GIFT file: first the report, then as drafts. `?for=` is the quiz they are meant for."""
    form = GiftForm(request.POST or None, request.FILES or None, initial={"language": page_language()})
    parent = _quiz_draft(request)
    context: dict[str, Any] = {"form": form, "quizzes": quiz_list(), "parent": parent}
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        text, language = data["text"], data["language"]
        try:
            if request.POST.get("store"):
                token = data["client_token"]
                brought = gift_store(
                    actor=request.participant, text=text, language=language, client_token=token, parent=parent
                )
                if parent is not None:
                    _into_quiz(parent, brought.drafts)
            else:
                brought = gift_read(text=text, language=language)
        except Invalid as invalid:
            context["problems"] = [problem_sentence(one.code, one.params) for one in invalid.problems]
        else:
            context |= {"brought": brought, "notes": present_notes(brought.read.notes)}
            context["lines"] = [(question_title(one), one.type) for one in brought.read.questions]
            context["form"] = GiftForm(initial={"language": language, "text": text})
    return render_page(request, "lessons/gift.html", context)


def _quiz_draft(request: LabRequest) -> Draft | None:
    wanted = request.GET.get("for", "")
    mine = draft_list(viewer=request.participant).filter(kind="quiz") if wanted else ()
    return next((one for one in mine if str(one.pk) == wanted), None)


def _into_quiz(parent: Draft, parts: Sequence[Draft]) -> None:
    names = [one.name for one in parts]
    draft_set(draft=parent, document=with_questions(readable(parent).value, names), origin="import", what="sections")


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
