"""Verdicts from outside that a question needs beside its response: the goals met in a learner's lab."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from gpuschedlab.web.errors import BadInput
from lessons.assessment.question_types.base import NO_EVIDENCE, Evidence
from lessons.assessment.question_types.build_it import BuildItContent
from simulator.engine.goals.fields import GoalError
from simulator.engine.goals.registry import read_goal
from simulator.engine.goals.run import Run
from simulator.models import Lab
from simulator.selectors.histories import open_history
from simulator.selectors.horizon import settled_actions
from simulator.selectors.labs import lab_list
from simulator.selectors.replaying import RecordedOtherwise

if TYPE_CHECKING:
    from gpuschedlab.accounts.models import Participant
    from lessons.assessment.question import Question as QuestionText
    from lessons.assessment.responses import Response
    from lessons.selectors.asked import Asked

MOST_LABS = 8


def evidence_for(*, actor: Participant, asked: Asked, response: Response) -> Evidence:
    """The evidence for a response. Raises BadInput for a lab that is not the learner's, or of another scenario."""
    content = asked.variant.content
    if not isinstance(content, BuildItContent) or asked.text.scene is None:
        return NO_EVIDENCE
    lab = next((lab for lab in labs_for(actor, asked.text) if str(lab.pk) == response.get("lab")), None)
    if lab is None:
        raise BadInput(_("That lab is not there any more. Open the scenario, build it, and hand in that lab."))
    return {"goals": goals_met(lab, content)}


def labs_for(participant: Participant, text: QuestionText) -> list[Lab]:
    """The participant's labs of the question's scenario, the one used last first."""
    if participant.is_new or text.scene is None:
        return []
    return list(lab_list(viewer=participant).filter(revision__scenario__slug=text.scene.scenario)[:MOST_LABS])


def goals_met(lab: Lab, content: BuildItContent) -> dict[str, bool]:
    """Which goals hold at the end of a lab, as far as it may be shown.

    Raises BadInput for a lab that this version of the engine cannot play.
    """
    try:
        found = Lab.objects.select_related("revision__scenario").get(pk=lab.pk)
        with open_history(found) as history:
            run = Run.of(history.history, settled_actions(found, history))
            return {goal.id: read_goal(dict(goal.statement)).check(run).is_met for goal in content.goals}
    except RecordedOtherwise as problem:
        raise BadInput(
            _("This lab was made with another version of the engine. Open it, replay it, and hand it in again.")
        ) from problem


def goals_readable(text: QuestionText) -> bool:
    """Whether the engine knows all the goals of a question that asks to build something."""
    if text.type != "build-it":
        return True
    try:
        for goal in text.variant(0).content.goals:
            read_goal(dict(goal.statement))
    except GoalError:
        return False
    return True
