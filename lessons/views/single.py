"""What all pages with single questions share: a form comes in, the question's part goes out."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, cast

from gpuschedlab.web.errors import BadInput
from gpuschedlab.web.limits import Rate, limit_rate
from lessons.assessment.problems import Invalid
from lessons.forms.questions import QuestionForm
from lessons.presenters.languages import page_language
from lessons.presenters.questions.views import Link, QuestionView, Refilled, present_question
from lessons.services.answers import answer_give

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from django.http import HttpResponse

    from gpuschedlab.web.http import LabRequest
    from lessons.selectors.asked import Asked

View = TypeVar("View", bound="Callable[..., HttpResponse]")
_ANSWERS = limit_rate("lessons.answer", participant=Rate(120), address=Rate(3000))


def limit_answers(view: View) -> View:
    """Limit how often forms are sent; looking is free."""
    limited = _ANSWERS(view)

    @functools.wraps(view)
    def guarded(request: LabRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return (limited if request.method == "POST" else view)(request, *args, **kwargs)

    return cast("View", guarded)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a question stands: the address its form goes to, where one may go on after the answer, what is asked."""

    post_url: str
    links: Callable[[Asked], Sequence[Link]]
    asks_certainty: bool = True


def respond(request: LabRequest, asked: Asked, place: Place, *, turn: int, form: QuestionForm | None) -> QuestionView:
    """The question as it is asked, or as it is after its form came."""
    if form is None:
        return shown(asked, place, turn=turn)
    return answered(request, asked, place, turn=turn, form=form)


def shown(
    asked: Asked, place: Place, *, turn: int, fresh: bool = False, refilled: Refilled | None = None
) -> QuestionView:
    """The question as the page shows it."""
    links = place.links(asked) if asked.answer is not None else ()
    return present_question(
        asked,
        language=page_language(),
        post_url=place.post_url,
        turn=turn,
        refilled=refilled,
        links=links,
        fresh=fresh,
        asks_certainty=place.asks_certainty,
    )


def answered(request: LabRequest, asked: Asked, place: Place, *, turn: int, form: QuestionForm) -> QuestionView:
    """The question after its form came: with one more hint, with what is wrong, or with its result."""
    if form.action == "hint" and asked.is_open:
        hinted = Refilled(form.fields, form.certainty, form.hints + 1)
        return shown(asked, place, turn=turn, refilled=hinted, fresh=True)
    try:
        after = answer_give(actor=request.participant, asked=asked, given=form.given())
    except Invalid as invalid:
        problem = Refilled(form.fields, form.certainty, form.hints, invalid.problems)
        return shown(asked, place, turn=turn, refilled=problem)
    except BadInput as bad:
        told = Refilled(form.fields, form.certainty, form.hints, sentences=[str(bad.detail)])
        return shown(asked, place, turn=turn, refilled=told)
    return shown(after, place, turn=turn, fresh=True)
