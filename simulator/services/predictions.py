"""Predictions: making one, and finding out what became of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gpuschedlab.accounts.models import Participant
from gpuschedlab.web.errors import BadInput, Conflict
from gpuschedlab.web.sockets.events import publish
from simulator.enums import PredictionOutcome, PredictKind, PredictMode
from simulator.models import Lab, LabPredicting, Prediction
from simulator.rules import can_change_lab
from simulator.selectors.gates import Gate, Question
from simulator.selectors.histories import open_history
from simulator.selectors.horizon import asked_of, shown_of
from simulator.selectors.keys import key_of
from simulator.selectors.lab_history import LabHistory
from simulator.selectors.moments import Moment
from simulator.selectors.positions import Position, settle
from simulator.services.labs import lab_bear

CHANGED: Final = "lab.predicted"
SHOWN_ALREADY = gettext_lazy("What came of it has been shown already, so there is nothing to predict any more.")
ANSWERED = gettext_lazy("You have answered this before, perhaps in another tab. Your first answer stands.")


def prediction_make(*, actor: Participant, lab: Lab, question: Question, answer: Sequence[str]) -> Prediction:
    """Store an answer before its question's answer is shown. The same answer again is the first one.

    Raises `BadInput` for what is no answer to a question of this lab, `Conflict` where it comes too late.
    """
    with open_history(lab) as history:
        asked = asked_of(lab)
        gate = history.gates.find(question) or history.gates.to_come(question)
        horizon = settle(shown_of(lab, history), asked.seen)
        if gate is None or not asked.wants(gate) or gate.stands > horizon:
            raise BadInput(_("This lab does not ask that now."))
        names = _checked(history, gate, answer)
        earlier = asked.answer_to(question)
        if earlier is not None:
            return _first_answer(earlier, names)
        if horizon >= gate.reveals:
            raise Conflict(SHOWN_ALREADY)
    return _store(actor, lab, Prediction(**_identity(question), answer=names, horizon=str(horizon)))


def _identity(question: Question) -> dict[str, object]:
    kind, pod, attempt = question
    return {"kind": kind, "pod": pod, "attempt": attempt}


def _checked(history: LabHistory, gate: Gate, answer: Sequence[str]) -> list[str]:
    """The answer in order; raises `BadInput` where it is none."""
    names = sorted(set(answer))
    frame = history.frame(min(gate.action, history.count))
    about_pods = gate.kind in (PredictKind.VICTIMS, PredictKind.NEXT_POD)
    known = {pod.key for pod in frame.pods} if about_pods else {node.name for node in frame.nodes}
    strangers = [name for name in names if name not in known]
    if strangers:
        raise BadInput(_("There is no “%(name)s” to choose here.") % {"name": strangers[0][:253]})
    if gate.kind == PredictKind.NEXT_POD and not names:
        raise BadInput(_("Choose a Pod first."))
    if gate.kind in (PredictKind.NEXT_POD, PredictKind.WINNER) and len(names) > 1:
        raise BadInput(_("Choose one of them."))
    return names


def _first_answer(earlier: Prediction, names: Sequence[str]) -> Prediction:
    if list(earlier.answer) != list(names):
        raise Conflict(ANSWERED)
    return earlier


def _store(actor: Participant, lab: Lab, made: Prediction) -> Prediction:
    try:
        with transaction.atomic():
            if lab.is_unborn:
                lab_bear(actor=actor, lab=lab)
            LabPredicting.objects.get_or_create(lab_id=lab.pk)
            made.lab_id = lab.pk
            made.save(force_insert=True)
            publish(lab.topic, CHANGED, 0)
    except IntegrityError as error:
        earlier = Prediction.objects.filter(lab_id=lab.pk, kind=made.kind, pod=made.pod, attempt=made.attempt)
        found = earlier.exclude(outcome=PredictionOutcome.WITHDRAWN).first()
        if found is None:
            raise Conflict(ANSWERED) from error
        return _first_answer(found, made.answer)
    return made


def lab_predict_mode(*, actor: Participant, lab: Lab, mode: PredictMode) -> None:
    """Switch predictions off or have them offered. Raises `BadInput` where the scenario asks for them."""
    asked = asked_of(lab)
    if asked.forced or mode == PredictMode.REQUIRED:
        raise BadInput(_("This scenario asks for predictions; they cannot be switched here."))
    with open_history(lab) as history:
        head = shown_of(lab, history).head
    with transaction.atomic():
        if lab.is_unborn:
            lab_bear(actor=actor, lab=lab)
        state, _created = LabPredicting.objects.get_or_create(lab_id=lab.pk)
        if not asked.is_on:  # while they were off nobody took down what was shown: it may have been all there is
            state.seen_action, state.seen_record = head.action, head.record
        state.mode = mode
        state.save()


# what is shown


def moment_shown(*, viewer: Participant, moment: Moment) -> None:
    """The moment is about to be shown: remember how far its owner has come, and fill in what became of predictions
    whose answer it tells. The moment's own predictions are brought up to date."""
    lab, asked = moment.lab, moment.asked
    if lab.is_unborn or not asked.is_on or not can_change_lab(viewer, lab):
        return
    seen = max(asked.seen, moment.at)
    if seen > asked.seen:
        place = {"seen_action": seen.action, "seen_record": seen.record}
        LabPredicting.objects.update_or_create(lab_id=lab.pk, defaults=place)
    waiting = [made for made in asked.made if made.is_waiting]
    if waiting:
        with open_history(lab) as history:
            for made in waiting:
                gate = history.gates.find(made.question)
                if gate is not None and gate.told <= seen:
                    _fill_in(made, history, gate)


def _fill_in(made: Prediction, history: LabHistory, gate: Gate) -> None:
    key = key_of(history, gate)
    made.key = list(key.names)
    made.outcome = PredictionOutcome.RIGHT if key.accepts(made.answer) else PredictionOutcome.WRONG
    made.revealed_at = timezone.now()
    waiting = Prediction.objects.filter(pk=made.pk, outcome=PredictionOutcome.WAITING)
    waiting.update(key=made.key, outcome=made.outcome, revealed_at=made.revealed_at)


# branches


def predictions_take_over(*, actor: Participant, lab: Lab, fork: Lab, history: LabHistory) -> None:
    """Have a branch know what its owner predicted, and was shown, of the turns it begins with; of any other it asks
    anew. `history` is the branch's."""
    asked = asked_of(lab)
    if not asked.is_on and not asked.made:
        return
    end = Position(history.count - 1, max(0, len(history.records(history.count - 1)) - 1))
    seen = min(asked.seen, end) if asked.is_on else end
    LabPredicting.objects.get_or_create(
        lab_id=fork.pk,
        defaults={
            "mode": "" if asked.forced else asked.mode,
            "seen_action": seen.action,
            "seen_record": seen.record,
        },
    )
    if can_change_lab(actor, lab):
        Prediction.objects.bulk_create(_copy(made, fork) for made in asked.made if _came_along(made, history))


def _came_along(made: Prediction, history: LabHistory) -> bool:
    told = made.outcome in (PredictionOutcome.RIGHT, PredictionOutcome.WRONG)
    return told and history.gates.find(made.question) is not None


def _copy(made: Prediction, fork: Lab) -> Prediction:
    copied = Prediction(lab=fork, taken_over=True)
    for name in ("kind", "pod", "attempt", "answer", "horizon", "key", "outcome", "created_at", "revealed_at"):
        setattr(copied, name, getattr(made, name))
    return copied
