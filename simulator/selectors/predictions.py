"""Reads of predictions: one's own record, and for those who teach what is predicted wrong most often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Count, Q

from simulator.enums import PredictionOutcome, PredictKind
from simulator.models import Prediction, Scenario

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from gpuschedlab.accounts.models import Participant

TOLD = (PredictionOutcome.RIGHT, PredictionOutcome.WRONG)


@dataclass(frozen=True, slots=True)
class Tally:
    """How many predictions of a kind came as predicted, of all whose answer was told."""

    kind: PredictKind
    right: int
    told: int

    @property
    def percent(self) -> int:
        return round(100 * self.right / self.told) if self.told else 0


@dataclass(frozen=True, slots=True)
class Answers:
    """What was answered to one question of a scenario by those who met it, each person's first answer alone.

    pod     the Pod asked about (namespace/name), "" for which Pod is next
    right   how many of the `people` were right
    wrong   (answer, how many gave it), the commonest first
    """

    kind: PredictKind
    pod: str
    people: int
    right: int
    wrong: tuple[tuple[tuple[str, ...], int], ...]


def predictions_of(participant: Participant) -> QuerySet[Prediction]:
    """The participant's own predictions whose answers were told, the latest first, each with its lab and scenario."""
    own = Prediction.objects.filter(lab__owner_id=participant.pk, taken_over=False, outcome__in=TOLD)
    with_labs = own.select_related("lab__revision__scenario").defer(
        "lab__revision__content", "lab__revision__objects_json", "lab__positions"
    )
    return with_labs.order_by("-revealed_at", "-pk")


def predictions_export(participant: Participant) -> list[dict[str, object]]:
    """The same as JSON values, to take along."""
    return [
        {
            "scenario": made.lab.revision.scenario.slug,
            "lab": str(made.lab_id),
            "question": made.kind,
            "pod": made.pod,
            "attempt": made.attempt,
            "answer": made.answer,
            "key": made.key,
            "outcome": made.outcome,
            "made_at": made.created_at.isoformat(),
        }
        for made in predictions_of(participant)
    ]


def prediction_tally(participant: Participant) -> tuple[Tally, ...]:
    """The participant's record, kind by kind; kinds never predicted are left out."""
    own = Prediction.objects.filter(lab__owner_id=participant.pk, taken_over=False, outcome__in=TOLD)
    counted = own.values("kind").annotate(
        told=Count("pk"), right=Count("pk", filter=Q(outcome=PredictionOutcome.RIGHT))
    )
    by_kind = {row["kind"]: row for row in counted}
    return tuple(Tally(kind, by_kind[kind]["right"], by_kind[kind]["told"]) for kind in PredictKind if kind in by_kind)


def tally_of(made: Iterable[Prediction]) -> tuple[int, int]:
    """(right, told) of some predictions."""
    told = [item for item in made if item.outcome in TOLD]
    return sum(item.is_right for item in told), len(told)


def commonest_wrong(scenario: Scenario, *, among: Iterable[int] | None = None, most: int = 5) -> tuple[Answers, ...]:
    """What is predicted wrong most often in a scenario, question by question; `among`: of these participants alone.

    Questions are told apart by what they ask of which Pod; only its first attempt in a lab counts, and of everybody
    only the first answer, for whoever starts anew has seen what comes. The author's own do not count.
    """
    rows = Prediction.objects.filter(lab__revision__scenario=scenario, taken_over=False, outcome__in=TOLD)
    if scenario.owner_id is not None:
        rows = rows.exclude(lab__owner_id=scenario.owner_id)
    if among is not None:
        rows = rows.filter(lab__owner_id__in=list(among))
    first: dict[tuple[str, str, int], tuple[tuple[str, ...], bool]] = {}
    fields = ("kind", "pod", "lab__owner_id", "answer", "outcome")
    for kind, pod, owner, answer, outcome in rows.order_by("created_at", "pk").values_list(*fields):
        first.setdefault((kind, pod, owner), (tuple(answer), outcome == PredictionOutcome.RIGHT))
    return tuple(_answers(first, kind, pod, most) for kind, pod in dict.fromkeys((k, p) for k, p, _ in first))


def _answers(
    first: dict[tuple[str, str, int], tuple[tuple[str, ...], bool]], kind: str, pod: str, most: int
) -> Answers:
    given = [answer for (its_kind, its_pod, _), answer in first.items() if (its_kind, its_pod) == (kind, pod)]
    wrong = Counter(answer for answer, right in given if not right)
    ranked = sorted(wrong.items(), key=lambda item: (-item[1], item[0]))[:most]
    return Answers(PredictKind(kind), pod, len(given), sum(right for _, right in given), tuple(ranked))
