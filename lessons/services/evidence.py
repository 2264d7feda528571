"""Verdicts from outside that a question needs beside its response: the goals met in a learner's lab."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lessons.assessment.question_types.base import NO_EVIDENCE, Evidence

if TYPE_CHECKING:
    from gpuschedlab.accounts.models import Participant
    from lessons.assessment.responses import Response
    from lessons.selectors.asked import Asked


def evidence_for(*, actor: Participant, asked: Asked, response: Response) -> Evidence:
    """The evidence for a response."""
    del actor, asked, response
    return NO_EVIDENCE
