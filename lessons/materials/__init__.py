"""Questions, quizzes and lessons as material of instructors."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from gpuschedlab.materials.kinds import register_kind
from gpuschedlab.web.audit import register_audit_actions
from lessons.materials.lessons import LessonKind
from lessons.materials.questions import QuestionKind
from lessons.materials.quizzes import QuizKind

register_kind(QuestionKind())
register_kind(QuizKind())
register_kind(LessonKind())
register_audit_actions(
    {
        "question.published": _("published the question %(subject)s, revision %(number)s"),
        "question.retired": _("retired the question %(subject)s"),
        "question.put_back": _("put the question %(subject)s back"),
        "question.listed": _("opened the question %(subject)s to everybody's quizzes"),
        "question.unlisted": _("took the question %(subject)s out of everybody's bank"),
        "question.regraded": _("regraded the question %(subject)s by revision %(number)s: %(up)s up, %(down)s down"),
        "quiz.published": _("published the quiz %(subject)s, revision %(number)s"),
        "quiz.retired": _("retired the quiz %(subject)s"),
        "quiz.put_back": _("put the quiz %(subject)s back"),
        "quiz.listed": _("put the quiz %(subject)s on everybody's list"),
        "quiz.unlisted": _("took the quiz %(subject)s off everybody's list"),
        "lesson.published": _("published the lesson %(subject)s, revision %(number)s"),
        "lesson.retired": _("retired the lesson %(subject)s"),
        "lesson.put_back": _("put the lesson %(subject)s back"),
        "lesson.listed": _("put the lesson %(subject)s on everybody's list"),
        "lesson.unlisted": _("took the lesson %(subject)s off everybody's list"),
    }
)
