"""The learner behind a browser, as the server sees it: what it is asked on a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpuschedlab.accounts.cookies import COOKIE, read_participant_cookie
from gpuschedlab.accounts.models import Participant
from lessons.models import Attempt, Question
from lessons.selectors.attempts import slot_get, with_slots
from lessons.selectors.single import attempts_at, question_asked

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from lessons.selectors.asked import Asked


def participant_of(page: Page) -> Participant:
    cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}
    found = read_participant_cookie({COOKIE: cookies[COOKIE]})
    assert found is not None
    return Participant.objects.filter(pk=found).first() or Participant(id=found)


def asked_alone(page: Page, context: str, slug: str) -> Asked:
    """A single question as it stands on the page."""
    viewer = participant_of(page)
    question = Question.objects.select_related("current").get(slug=slug)
    before = attempts_at(viewer=viewer, context=context, questions=[question]).get(question.pk, [])
    return question_asked(viewer=viewer, context=context, question=question, before=before)


def asked_in_attempt(page: Page) -> Asked:
    """The question of the attempt that the address names."""
    parts = page.url.split("/attempts/")[1].split("/")
    attempt = with_slots(Attempt.objects.filter(pk=parts[0])).get()
    return slot_get(attempt, int(parts[1]))
