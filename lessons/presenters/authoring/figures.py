"""How questions, quizzes and lessons are used, in figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gpuschedlab.materials.kinds import Figure, Figures, Link
from lessons.presenters.questions.titles import question_title
from lessons.presenters.teaching import present_question_figures
from lessons.selectors.texts import question_text

if TYPE_CHECKING:
    from lessons.assessment.item_statistics import ItemStatistics
    from lessons.models import Question
    from lessons.selectors.quiz_use import QuizUse
    from lessons.selectors.statistics import QuestionFigures

NONE = "–"


def present_question_use(question: Question, statistics: ItemStatistics, pending: int) -> Figures:
    """`pending`: answers that the current revision would judge otherwise."""
    view = present_question_figures(question, statistics)
    heads = (
        gettext_lazy("Choice"),
        gettext_lazy("Count"),
        gettext_lazy("Lower third"),
        gettext_lazy("Middle"),
        gettext_lazy("Upper third"),
    )
    rows = tuple(
        (line.words, str(line.row.count), f"{line.row.lower:.1f}", f"{line.row.middle:.1f}", f"{line.row.upper:.1f}")
        for line in view.choices
    )
    tables = ((gettext_lazy("What was chosen"), heads, rows),) if rows else ()
    links = (Link(gettext_lazy("All figures, and regrading"), _figures_url(question)),)
    return Figures(
        (
            Figure(gettext_lazy("Answers"), str(statistics.count)),
            Figure(gettext_lazy("Facility"), share(statistics.facility)),
            Figure(gettext_lazy("Discrimination"), number(statistics.discrimination)),
            Figure(gettext_lazy("Median time"), _seconds(statistics.median_seconds)),
            Figure(gettext_lazy("Judged by an earlier key"), str(pending)),
        ),
        tables,
        links,
    )


def short_question_figures(one: QuestionFigures) -> Sequence[Figure]:
    return (
        Figure(gettext_lazy("Learners"), str(one.learners), short=True),
        Figure(gettext_lazy("Mean score"), share(one.facility), short=True),
    )


def present_quiz_use(use: QuizUse, questions: Mapping[str, QuestionFigures], order: Sequence[str]) -> Figures:
    """`order`: the quiz's questions in their order."""
    figures = [
        Figure(gettext_lazy("Attempts"), str(use.attempts)),
        Figure(gettext_lazy("Learners"), str(use.people)),
        Figure(gettext_lazy("Handed in"), str(use.finished)),
        Figure(gettext_lazy("Mean result"), share(use.mean)),
    ]
    if use.passed is not None:
        told = _("%(n)s of %(all)s") % {"n": use.passed, "all": len(use.shares)}
        figures.append(Figure(gettext_lazy("Passed"), told))
    known = [questions[slug] for slug in order if slug in questions]
    heads = (gettext_lazy("Question"), gettext_lazy("Learners"), gettext_lazy("Mean score"))
    rows = tuple((_title(one.question), str(one.learners), share(one.facility)) for one in known)
    links = tuple(
        Link(_("Figures of “%(title)s”") % {"title": _title(one.question)}, _figures_url(one.question)) for one in known
    )
    return Figures(tuple(figures), ((gettext_lazy("Questions"), heads, rows),) if rows else (), links)


def short_quiz_figures(attempts: int) -> Sequence[Figure]:
    return (Figure(gettext_lazy("Attempts"), str(attempts), short=True),)


def present_lesson_use(readers: int, finished: int) -> Figures:
    return Figures(
        (
            Figure(gettext_lazy("Readers"), str(readers), short=True),
            Figure(gettext_lazy("Read to the end"), str(finished), short=True),
        )
    )


def _figures_url(question: Question) -> str:
    return reverse("lessons:question_figures", args=[question.slug])


def _title(question: Question) -> str:
    return question_title(question_text(question.current)) if question.current is not None else question.slug


def share(value: float | None) -> str:
    """`0.5` as `50%`."""
    return NONE if value is None else f"{round(100 * value)}%"


def number(value: float | None) -> str:
    return NONE if value is None else f"{value:.2f}"


def _seconds(value: float | None) -> str:
    return NONE if value is None else _("%(n)s s") % {"n": round(value)}
