"""Noting when a lab has come to what its scenario asks for."""

from __future__ import annotations

from simulator.models import Lab, LabOutcome
from simulator.selectors.lab_history import LabHistory


def outcome_note(lab: Lab, history: LabHistory) -> None:
    """After a stored command: remember the first time all goals are met. `history` is at the lab's end."""
    if not history.goals or not all(progress.is_met for progress in history.progress(history.count)):
        return
    LabOutcome.objects.bulk_create(
        [LabOutcome(lab_id=lab.pk, commands=history.seq, actions=history.count)], ignore_conflicts=True
    )
