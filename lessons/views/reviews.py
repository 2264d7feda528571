"""Spaced review: the questions that are due, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from gpuschedlab.web.htmx import render_page
from lessons.assessment.review_options import Mode
from lessons.forms.questions import QuestionForm, turn_asked
from lessons.presenters.questions.views import Link
from lessons.selectors.questions import question_get
from lessons.selectors.reviews import due_states, next_due, states_of
from lessons.selectors.single import attempts_at, question_asked, turn_of
from lessons.views.single import Place, limit_answers, respond

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpResponse

    from gpuschedlab.web.http import LabRequest
    from lessons.models import Attempt

CONTEXT = "review"


@require_safe
def review(request: LabRequest) -> HttpResponse:
    """What is due now, and when the next question will be."""
    due = list(due_states(viewer=request.participant)[:50])
    viewer = request.participant
    context = {
        "due": due,
        "next": next_due(viewer=viewer),
        "known": 0 if viewer.is_new else states_of(viewer=viewer).count(),
    }
    return render_page(request, "lessons/review.html", context)


@require_http_methods(["GET", "POST"])
@limit_answers
def review_question(request: LabRequest, slug: str) -> HttpResponse:
    """A question asked again; the address names the asking, so that going back shows what was answered."""
    question = question_get(viewer=request.participant, slug=slug)
    form = QuestionForm(request.POST) if request.method == "POST" else None
    found = attempts_at(viewer=request.participant, context=CONTEXT, questions=[question])
    before = found.get(question.pk, [])
    turn = turn_asked(request.GET, form)
    asked = question_asked(
        viewer=request.participant,
        context=CONTEXT,
        question=question,
        before=before,
        turn=_unanswered(before) if turn is None else turn,
        revision_id=form.revision if form else None,
        mode=Mode.REVIEW,
    )
    place = Place(reverse("lessons:review_question", args=[slug]), lambda _asked: _links(request))
    view = respond(request, asked, place, turn=turn_of(asked, before), form=form)
    return render_page(request, "lessons/review_question.html", {"q": view}, partial="question")


def _unanswered(before: Sequence[Attempt]) -> int:
    """The asking that is still open, else a new one."""
    return next((number for number, attempt in enumerate(before) if attempt.finished_at is None), len(before))


def _links(request: LabRequest) -> Sequence[Link]:
    following = due_states(viewer=request.participant).first()
    if following is None:
        return (Link(reverse("lessons:review"), _("Nothing more is due")),)
    return (Link(reverse("lessons:review_question", args=[following.question.slug]), _("Next question")),)
