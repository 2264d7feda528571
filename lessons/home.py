"""What lessons put on the frame's pages, and what of theirs participants own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from gpuschedlab.accounts.merging import Belongings, register_belongings
from gpuschedlab.web.home import HomeSection, NavEntry, register_home_section, register_nav
from lessons.presenters.course import present_course
from lessons.rules import can_teach
from lessons.selectors.lessons import lesson_list, progress_of
from lessons.selectors.reviews import due_count
from lessons.services.belongings import (
    attempts_count,
    attempts_export,
    attempts_move,
    lessons_count,
    lessons_export,
    lessons_move,
    reviews_count,
    reviews_export,
    reviews_move,
)

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


register_belongings(Belongings(_("lessons begun"), lessons_count, lessons_move, key="lessons", export=lessons_export))
register_belongings(
    Belongings(_("questions in review"), reviews_count, reviews_move, key="reviews", export=reviews_export)
)
register_belongings(
    Belongings(_("answers and quizzes"), attempts_count, attempts_move, key="attempts", export=attempts_export)
)
register_nav(NavEntry(_("Course"), "lessons:course", order=10))
register_nav(NavEntry(_("Self-test"), "lessons:quizzes", order=30))
register_nav(NavEntry(_("Glossary"), "lessons:glossary", order=40))
register_nav(NavEntry(_("Your record"), "lessons:progress", order=50))
register_nav(NavEntry(_("Teaching"), "lessons:figures", order=60, visible_to=can_teach))
register_home_section(HomeSection("lessons/home.html", course_for_home, order=10, style="css/pages/course.css"))
