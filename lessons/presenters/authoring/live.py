"""A draft's question as learners will see it, and with its key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid5

from django.utils import timezone

from lessons.assessment.grades import ONE, State
from lessons.assessment.question_types.build_it import BuildItContent
from lessons.assessment.review_options import Mode
from lessons.models import Answer, Attempt, Grading, Slot
from lessons.presenters.questions.views import present_question
from lessons.selectors.asked import Asked

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gpuschedlab.accounts.models import Participant
    from lessons.presenters.questions.views import QuestionView
    from lessons.services.scenes import Bound

CONTEXT = "draft"


@dataclass(frozen=True, slots=True)
class LiveQuestion:
    """The question before the answer, and with the answer that earns the full mark."""

    asked: QuestionView
    key: QuestionView


def present_live(*, viewer: Participant, draft_id: UUID, bound: Bound, seed: int, language: str) -> LiveQuestion:
    """The variant of a seed; nothing of it is stored."""
    made = {"source": bound.text.source, "situation": bound.situation}
    asked = _asked(viewer, uuid5(draft_id, "asked"), made, seed)
    key = _asked(viewer, uuid5(draft_id, "key"), made, seed)
    key = _answered(key.attempt, key.slot, key.variant.kind.best(key.variant.content), key.variant.content)
    return LiveQuestion(
        present_question(asked, language=language, post_url="", asks_certainty=False),
        present_question(key, language=language, post_url="", asks_certainty=False),
    )


def _asked(viewer: Participant, name: UUID, made: dict[str, Any], seed: int) -> Asked:
    attempt = Attempt(id=name, participant=viewer, context=CONTEXT, mode=Mode.PRACTICE)
    return Asked(attempt, Slot(attempt=attempt, number=1, made=made, seed=seed), None, None)


def _answered(attempt: Attempt, slot: Slot, response: Mapping[str, Any], content: Any) -> Asked:
    attempt.finished_at = timezone.now()
    evidence = {"goals": {goal.id: True for goal in content.goals}} if isinstance(content, BuildItContent) else {}
    answer = Answer(slot=slot, response=dict(response), evidence=evidence)
    return Asked(attempt, slot, answer, Grading(answer=answer, score=ONE, mark=ONE, state=State.RIGHT))
