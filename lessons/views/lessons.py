"""The course, its lessons, and the glossary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from gpuschedlab.web.htmx import render_page, wants_partial
from gpuschedlab.web.limits import Rate, limit_rate
from lessons.forms.questions import QuestionForm, turn_asked
from lessons.presenters.course import present_course
from lessons.presenters.glossary import present_glossary
from lessons.presenters.languages import page_language
from lessons.presenters.lesson_page import present_lesson
from lessons.presenters.lesson_text import present_text
from lessons.presenters.questions.views import Link
from lessons.selectors.lessons import lesson_get, lesson_list, lesson_more_list, progress_of, term_list
from lessons.selectors.questions import questions_by_slug
from lessons.selectors.single import attempts_at, question_asked, turn_of
from lessons.services.progress import lesson_seen
from lessons.services.scene_labs import scene_lab_open
from lessons.views.single import Place, limit_answers, respond, shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gpuschedlab.web.http import LabRequest
    from lessons.models import Attempt, Lesson, Question
    from lessons.presenters.questions.views import QuestionView
    from lessons.selectors.asked import Asked

SEEN = limit_rate("lessons.seen", participant=Rate(240), address=Rate(6000))


@require_safe
def course(request: LabRequest) -> HttpResponse:
    lessons, more = lesson_list(), lesson_more_list()
    progress = progress_of(viewer=request.participant, lessons=[*lessons, *more])
    context = {"course": present_course(lessons, progress), "more": present_course(more, progress)}
    return render_page(request, "lessons/course.html", context)


@require_safe
def lesson_detail(request: LabRequest, slug: str) -> HttpResponse:
    lesson, lessons, terms = lesson_get(slug), lesson_list(), term_list()
    assert lesson.current is not None
    text = present_text(lesson.current, page_language(), terms)
    context = {
        "lesson": present_lesson(lesson, lessons, text, terms, _checks(request, lesson)),
        "progress": progress_of(viewer=request.participant, lessons=[lesson])[lesson.pk],
    }
    return render_page(request, "lessons/lesson.html", context)


def _checks(request: LabRequest, lesson: Lesson) -> dict[str, QuestionView]:
    """The lesson's questions as the viewer meets them, by slug."""
    assert lesson.current is not None
    questions = questions_by_slug(lesson.current.outline["checks"])
    before = attempts_at(viewer=request.participant, context=_context(lesson), questions=questions.values())
    views: dict[str, QuestionView] = {}
    for slug, question in questions.items():
        earlier = before.get(question.pk, [])
        asked = question_asked(viewer=request.participant, context=_context(lesson), question=question, before=earlier)
        views[slug] = shown(asked, _place(lesson, question, earlier), turn=turn_of(asked, earlier))
    return views


@require_http_methods(["GET", "POST"])
@limit_answers
def lesson_check(request: LabRequest, slug: str, question: str) -> HttpResponse:
    """One check of a lesson: its part for htmx; anybody else is led to its place in the lesson."""
    lesson = lesson_get(slug)
    found = questions_by_slug([question]).get(question)
    assert lesson.current is not None
    if found is None or question not in lesson.current.outline["checks"]:
        raise Http404
    form = QuestionForm(request.POST) if request.method == "POST" else None
    before = attempts_at(viewer=request.participant, context=_context(lesson), questions=[found])
    earlier = before.get(found.pk, [])
    asked = question_asked(
        viewer=request.participant,
        context=_context(lesson),
        question=found,
        before=earlier,
        turn=turn_asked(request.GET, form),
        revision_id=form.revision if form else None,
    )
    view = respond(request, asked, _place(lesson, found, earlier), turn=turn_of(asked, earlier), form=form)
    if not wants_partial(request):
        return redirect(f"{reverse('lessons:lesson_detail', args=[slug])}#{view.dom_id}")
    progress = progress_of(viewer=request.participant, lessons=[lesson])[lesson.pk]
    context = {"q": view, "progress": progress, "swaps_progress": True}
    return render_page(request, "lessons/lesson_check.html", context)


def _context(lesson: Lesson) -> str:
    return f"lesson:{lesson.slug}"


def _place(lesson: Lesson, question: Question, before: Sequence[Attempt]) -> Place:
    address = reverse("lessons:lesson_check", args=[lesson.slug, question.slug])

    def links(asked: Asked) -> Sequence[Link]:
        return (Link(f"{address}?n={turn_of(asked, before) + 1}", _("Once more"), swaps=True),)

    return Place(address, links)


@require_POST
@SEEN
def lesson_mark(request: LabRequest, slug: str) -> HttpResponse:
    """A section was read to its end, or a scene was worked through; answers with the lesson's progress."""
    lesson = lesson_get(slug)
    data: Mapping[str, str] = request.POST
    lesson_seen(actor=request.participant, lesson=lesson, section=data.get("section", ""), scene=data.get("scene", ""))
    progress = progress_of(viewer=request.participant, lessons=[lesson])[lesson.pk]
    if not wants_partial(request):
        return redirect(f"{reverse('lessons:lesson_detail', args=[slug])}#scene-{data.get('scene', '')}")
    return render_page(request, "lessons/lesson_progress.html", {"progress": progress})


@require_POST
@SEEN
def lesson_scene(request: LabRequest, slug: str, scene: str) -> HttpResponse:
    """A scene's lab, at the place where the scene begins."""
    lesson = lesson_get(slug)
    assert lesson.current is not None
    text = present_text(lesson.current, page_language(), term_list())
    pieces = (piece for section in text.sections for piece in section.pieces if piece.kind == "scene")
    found = next((piece.data for piece in pieces if piece.data["id"] == scene), None)
    if found is None:
        raise Http404
    lab, action = scene_lab_open(actor=request.participant, lesson=slug, scene=found)
    page = reverse("simulator:lab", args=[lab.revision.scenario.slug, lab.pk])
    return redirect(f"{page}?at={action}.end")


@require_safe
def glossary(request: LabRequest) -> HttpResponse:
    """All terms, or those that a search finds."""
    query = request.GET.get("q", "")[:100]
    context = {"entries": present_glossary(term_list(), query), "query": query}
    return render_page(request, "lessons/glossary.html", context, partial="entries")
