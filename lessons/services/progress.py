"""What somebody has seen of a lesson."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from gpuschedlab.accounts.services import participant_ensure
from lessons.models import LessonState

if TYPE_CHECKING:
    from gpuschedlab.accounts.models import Participant
    from lessons.models import Lesson


@transaction.atomic
def lesson_seen(*, actor: Participant, lesson: Lesson, section: str = "", scene: str = "") -> None:
    """Enter a section that was read, or a scene that was worked through; names the lesson lacks are left out."""
    assert lesson.current is not None
    outline = lesson.current.outline
    participant_ensure(actor)
    state, _ = LessonState.objects.select_for_update().get_or_create(participant=actor, lesson=lesson)
    if section in outline["sections"]:
        state.sections = _with(state.sections, section)
        state.place = section
    if scene in outline["scenes"]:
        state.scenes = _with(state.scenes, scene)
    state.visited_at = timezone.now()
    state.save()


def _with(names: list[str], name: str) -> list[str]:
    return names if name in names else [*names, name]
