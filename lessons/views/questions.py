"""A question by itself, and the questions the engine makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from gpuschedlab.web.htmx import render_page
from lessons.forms.questions import QuestionForm, turn_asked
from lessons.generators.registry import GENERATORS
from lessons.presenters.made import subject_title
from lessons.presenters.questions.titles import question_title
from lessons.presenters.questions.views import Link
from lessons.selectors.questions import open_form_of, question_get
from lessons.selectors.single import attempts_at, made_asked, made_context, question_asked, turn_of
from lessons.services.made import make_question
from lessons.views.single import Place, limit_answers, respond

if TYPE_CHECKING:
    from django.http import HttpResponse

    from gpuschedlab.web.http import LabRequest
    from lessons.models import Question

CONTEXT = "question"


@require_http_methods(["GET", "POST"])
@limit_answers
def question_detail(request: LabRequest, slug: str) -> HttpResponse:
    """One question of the bank, in interactive or open form."""
    question = question_get(viewer=request.participant, slug=slug)
    form = QuestionForm(request.POST) if request.method == "POST" else None
    before = attempts_at(viewer=request.participant, context=CONTEXT, questions=[question]).get(question.pk, [])
    asked = question_asked(
        viewer=request.participant,
        context=CONTEXT,
        question=question,
        before=before,
        turn=turn_asked(request.GET, form),
        revision_id=form.revision if form else None,
    )
    address = reverse("lessons:question_detail", args=[slug])
    again = Link(f"{address}?n={len(before) or 1}", _("Once more"))
    place = Place(address, lambda _asked: (again, *other_form(question)))
    view = respond(request, asked, place, turn=turn_of(asked, before), form=form)
    context = {"q": view, "title": question_title(asked.text)}
    return render_page(request, "lessons/question.html", context, partial="question")


def other_form(question: Question) -> tuple[Link, ...]:
    """The way from the interactive to the open form, and back."""
    if question.open_of is not None:
        return (Link(reverse("lessons:question_detail", args=[question.open_of.slug]), _("The interactive form")),)
    opened = open_form_of(question)
    return () if opened is None else (Link(reverse("lessons:question_detail", args=[opened]), _("In open form")),)


@require_http_methods(["GET", "POST"])
@limit_answers
def practice_detail(request: LabRequest, subject: str) -> HttpResponse:
    """Questions about one subject, one after the other."""
    if subject not in GENERATORS:
        raise Http404
    form = QuestionForm(request.POST) if request.method == "POST" else None
    before = attempts_at(viewer=request.participant, context=made_context(subject)).get(None, [])
    asked = made_asked(
        viewer=request.participant,
        subject=subject,
        make=lambda seed: make_question(subject, seed),
        before=before,
        turn=turn_asked(request.GET, form),
    )
    address = reverse("lessons:practice_detail", args=[subject])
    turn = turn_of(asked, before)
    following = Link(f"{address}?n={turn + 1}", _("Next question"))
    view = respond(request, asked, Place(address, lambda _asked: (following,)), turn=turn, form=form)
    context = {"q": view, "title": subject_title(subject), "answered": len(before), "subject": subject}
    return render_page(request, "lessons/practice_question.html", context, partial="question")
