"""Taking predictions back that nothing can come of any more."""

from __future__ import annotations

from simulator.enums import PredictionOutcome, PredictKind
from simulator.models import Lab, Prediction


def predictions_withdraw(*, lab: Lab, cycles: int) -> None:
    """The cluster is changed by hand after so many scheduling cycles: what was said of the next one is about another
    cluster now, and is asked anew."""
    waiting = Prediction.objects.filter(lab_id=lab.pk, outcome=PredictionOutcome.WAITING)
    waiting.filter(kind=PredictKind.NEXT_POD, attempt__gt=cycles).update(outcome=PredictionOutcome.WITHDRAWN)
