"""Stepping on: within what has happened by moving, beyond it by letting something happen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from gpuschedlab.accounts.models import Participant
from simulator.engine.world.simulation import Action
from simulator.enums import Direction, StepUnit
from simulator.models import Lab
from simulator.selectors.histories import open_history
from simulator.selectors.horizon import shown_of
from simulator.selectors.marks import EVENTS, told
from simulator.selectors.positions import END, Position, back, forward, settle
from simulator.services.labs import Answer, lab_run
from simulator.services.oversight import MAX_WORK, tired

MOST_TURNS = 500  # a step to the next cycle or event looks no further


@dataclass(frozen=True, slots=True)
class Stepped:
    """Where a step led; `answer` is the command that had to be given for it, None where nothing had to."""

    at: Position
    answer: Answer | None = None


def lab_look(*, lab: Lab, at: Position, direction: Direction, unit: StepUnit) -> Position | None:
    """Where a step leads within what has happened and may be shown; None where more has to happen for it."""
    with open_history(lab) as history:
        shown = shown_of(lab, history)
        match direction:
            case Direction.START:
                return Position(0, 0)
            case Direction.HEAD:
                return shown.head
            case Direction.BACK:
                return back(shown, at, unit)
            case _:
                return forward(shown, at, unit)


def lab_step(
    *,
    actor: Participant,
    lab: Lab,
    at: Position,
    direction: Direction,
    unit: StepUnit,
    client_token: UUID,
    expected_seq: int,
) -> Stepped:
    """Take a step. Raises `BadInput` where nothing happens any more, `Conflict` as commands do (`PredictionOpen` where
    the lab waits for a prediction)."""
    found = lab_look(lab=lab, at=at, direction=direction, unit=unit)
    if found is not None:
        return Stepped(found)
    (stop, most), is_tired = _STOPS.get(unit, (_always, 1)), tired(MAX_WORK)
    answer = lab_run(
        actor=actor,
        lab=lab,
        client_token=client_token,
        expected_seq=expected_seq,
        stop=lambda action: stop(action) or is_tired(),
        most=most,
    )
    with open_history(lab) as history:
        shown = shown_of(lab, history)
        return Stepped(forward(shown, at, unit) or settle(shown, Position(answer.last - 1, END)), answer)


def _always(_action: Action) -> bool:
    return True


_STOPS: dict[StepUnit, tuple[Callable[[Action], bool], int]] = {
    StepUnit.CYCLE: (lambda action: told(action)["cycle"], MOST_TURNS),
    StepUnit.EVENT: (lambda action: told(action)["mark"] in EVENTS, MOST_TURNS),
}
