"""One's own record: lessons, questions, attempts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.views.decorators.http import require_safe

from gpuschedlab.web.htmx import render_page
from lessons.presenters.course import present_course
from lessons.presenters.records import present_record
from lessons.selectors.lessons import lesson_list, progress_of
from lessons.selectors.records import recent_attempts, state_list

if TYPE_CHECKING:
    from django.http import HttpResponse

    from gpuschedlab.web.http import LabRequest


@require_safe
def progress(request: LabRequest) -> HttpResponse:
    viewer, lessons = request.participant, lesson_list()
    context = {
        "course": present_course(lessons, progress_of(viewer=viewer, lessons=lessons)),
        "record": present_record(state_list(viewer=viewer), recent_attempts(viewer=viewer)),
    }
    return render_page(request, "lessons/progress.html", context)
