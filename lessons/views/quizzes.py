"""Quizzes: the list, a quiz with its attempts, taking it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from gpuschedlab.web.errors import BadInput
from gpuschedlab.web.htmx import render_page, wants_partial
from lessons.assessment.problems import Invalid
from lessons.forms.questions import QuestionForm
from lessons.forms.quizzes import StartForm
from lessons.presenters.made import SUBJECTS
from lessons.presenters.questions.views import Link, Refilled
from lessons.presenters.quizzes import present_attempt, present_quiz, present_quiz_card
from lessons.selectors.asked import settings_of
from lessons.selectors.attempts import attempt_get, attempt_list, slot_get
from lessons.selectors.questions import quiz_get, quiz_list, quiz_slugs
from lessons.selectors.reviews import best_scores, due_count
from lessons.services.attempts import StaleDraft, attempt_finish, attempt_settle, attempt_start, slot_open, slot_save
from lessons.services.attempts import slot_hint as hint
from lessons.views.single import Place, limit_answers, respond, shown

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from gpuschedlab.web.http import LabRequest
    from lessons.models import Attempt
    from lessons.presenters.questions.views import QuestionView
    from lessons.selectors.asked import Asked


@require_safe
def quizzes(request: LabRequest) -> HttpResponse:
    """The self-test, the quizzes, engine-made questions and review, on one page."""
    found = list(quiz_list())
    slugs, best = quiz_slugs(found), best_scores(viewer=request.participant)
    context = {
        "cards": [present_quiz_card(quiz, slugs[quiz.slug], best) for quiz in found],
        "subjects": SUBJECTS.items(),
        "due": due_count(viewer=request.participant),
    }
    return render_page(request, "lessons/quizzes.html", context)


@require_safe
def quiz_detail(request: LabRequest, slug: str) -> HttpResponse:
    quiz = quiz_get(slug)
    attempts = [attempt_settle(one) for one in attempt_list(viewer=request.participant, quiz=quiz)]
    return render_page(request, "lessons/quiz.html", {"view": present_quiz(quiz, attempts)})


@require_POST
@limit_answers
def quiz_start(request: LabRequest, slug: str) -> HttpResponse:
    quiz = quiz_get(slug)
    form = StartForm(request.POST).cleaned_or_raise()
    attempt = attempt_start(actor=request.participant, quiz=quiz, mode=form["mode"], client_token=form["client_token"])
    return redirect("lessons:attempt_detail", attempt_id=attempt.pk)


@require_safe
def attempt_detail(request: LabRequest, attempt_id: UUID) -> HttpResponse:
    """Where an attempt stands, or its result."""
    attempt = attempt_settle(attempt_get(viewer=request.participant, attempt_id=attempt_id))
    return render_page(request, "lessons/attempt.html", {"view": present_attempt(attempt)})


@require_POST
@limit_answers
def attempt_hand_in(request: LabRequest, attempt_id: UUID) -> HttpResponse:
    attempt = attempt_get(viewer=request.participant, attempt_id=attempt_id)
    attempt_finish(attempt=attempt)
    return redirect("lessons:attempt_detail", attempt_id=attempt.pk)


@require_http_methods(["GET", "POST"])
@limit_answers
def attempt_question(request: LabRequest, attempt_id: UUID, number: int) -> HttpResponse:
    """One question of an attempt."""
    attempt = attempt_settle(attempt_get(viewer=request.participant, attempt_id=attempt_id))
    asked = slot_get(attempt, number)
    slot_open(asked)
    form = QuestionForm(request.POST) if request.method == "POST" else None
    if form is not None and form.action == "save":
        return _save(request, attempt, asked, form)
    if form is not None and form.action == "hint":
        hint(asked)
    view = _question(request, attempt, asked, form)
    context = {"q": view, "view": present_attempt(attempt, current=number)}
    return render_page(request, "lessons/attempt_question.html", context, partial="question")


def _question(request: LabRequest, attempt: Attempt, asked: Asked, form: QuestionForm | None) -> QuestionView:
    return respond(request, asked, _place(attempt, asked.slot.number), turn=0, form=form)


def _place(attempt: Attempt, number: int) -> Place:
    settings = settings_of(attempt)
    certainty = settings is not None and settings.certainty
    return Place(_address(attempt, number), lambda _asked: _links(attempt, number), certainty)


def _save(request: LabRequest, attempt: Attempt, asked: Asked, form: QuestionForm) -> HttpResponse:
    """Save the answer of a test and go on; what cannot be read comes back with what is wrong."""
    problem: Refilled | None = None
    try:
        slot_save(asked=asked, form=form.fields, certainty=form.certainty, draft_seq=form.draft_seq)
    except StaleDraft as stale:
        problem = Refilled(form.fields, form.certainty, form.hints, sentences=[str(stale.detail)])
        asked = slot_get(attempt_get(viewer=request.participant, attempt_id=attempt.pk), asked.slot.number)
    except Invalid as invalid:
        problem = Refilled(form.fields, form.certainty, form.hints, invalid.problems)
    if problem is None:
        return _go_on(request, attempt, asked.slot.number)
    view = shown(asked, _place(attempt, asked.slot.number), turn=0, refilled=problem)
    context = {"q": view, "view": present_attempt(attempt, current=asked.slot.number)}
    return render_page(request, "lessons/attempt_question.html", context, partial="question")


def _go_on(request: LabRequest, attempt: Attempt, number: int) -> HttpResponse:
    """To the next question, after the last one to the overview."""
    numbers = [slot.number for slot in attempt.slots.all()]
    last = number >= max(numbers)
    address = reverse("lessons:attempt_detail", args=[attempt.pk]) if last else _address(attempt, number + 1)
    if wants_partial(request):
        response = HttpResponse(status=204)
        response["HX-Redirect"] = address
        return response
    return redirect(address)


@require_POST
@limit_answers
def attempt_autosave(request: LabRequest, attempt_id: UUID, number: int) -> HttpResponse:
    """Save what is filled in, without going on: 204 with the new save's number, 422 for what cannot be read yet."""
    attempt = attempt_get(viewer=request.participant, attempt_id=attempt_id)
    asked, form = slot_get(attempt, number), QuestionForm(request.POST)
    try:
        slot_save(asked=asked, form=form.fields, certainty=form.certainty, draft_seq=form.draft_seq)
    except (Invalid, BadInput):
        return HttpResponse(status=422)
    return HttpResponse(status=204, headers={"X-Draft": str(asked.slot.draft_seq)})


def _address(attempt: Attempt, number: int) -> str:
    return reverse("lessons:attempt_question", args=[attempt.pk, number])


def _links(attempt: Attempt, number: int) -> Sequence[Link]:
    """From a question to the next, or to the overview."""
    overview = Link(reverse("lessons:attempt_detail", args=[attempt.pk]), _("Overview"))
    if number >= max(slot.number for slot in attempt.slots.all()):
        return (overview,)
    return Link(_address(attempt, number + 1), _("Next question")), overview
