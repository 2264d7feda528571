"""What lessons put on the frame's pages, and what of theirs participants own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from gpuschedlab.web.home import HomeSection, NavEntry, register_home_section, register_nav
from lessons.presenters.course import present_course
from lessons.selectors.lessons import lesson_list, progress_of
from lessons.selectors.reviews import due_count

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gpuschedlab.accounts.models import Participant


def course_for_home(participant: Participant) -> Mapping[str, Any]:
    """The course map; nothing while there are no lessons."""
    lessons = lesson_list()
    if not lessons:
        return {}
    progress = progress_of(viewer=participant, lessons=lessons)
    return {"course": present_course(lessons, progress), "due": due_count(viewer=participant)}


register_nav(NavEntry(_("Course"), "lessons:course", order=10))
register_nav(NavEntry(_("Self-test"), "lessons:quizzes", order=30))
register_nav(NavEntry(_("Glossary"), "lessons:glossary", order=40))
register_nav(NavEntry(_("Your record"), "lessons:progress", order=50))
register_home_section(HomeSection("lessons/home.html", course_for_home, order=10))
