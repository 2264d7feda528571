"""A prediction beside what came of it: name by name, what decided, and what to look at next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from simulator.enums import PredictKind
from simulator.models import Prediction
from simulator.presenters.lab_urls import LabUrls
from simulator.presenters.pods import short_name
from simulator.presenters.predictions.questions import ABOUT_NODES, MANY, answer_text, question_id, question_text
from simulator.presenters.predictions.reasons import reasons_of
from simulator.presenters.sentences.say import Sentence
from simulator.selectors.evidence import Evidence, evidence_of
from simulator.selectors.gates import Gate
from simulator.selectors.moments import Moment
from simulator.selectors.positions import Position

RIGHT, EXTRA, MISSED = "right", "extra", "missed"
ROWS = 24


@dataclass(frozen=True, slots=True)
class Row:
    """A node's name or a Pod's key, whether it was said and whether it was so.

    `state`: right (said and so), extra (said, not so), missed (not said, but so), "" for neither.
    """

    key: str
    said: bool
    was: bool
    state: str

    @property
    def name(self) -> str:
        return short_name(self.key)


@dataclass(frozen=True, slots=True)
class Look:
    """What to look at next: `explains` opens in a dialog."""

    text: str
    url: str
    explains: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """`tabled`: it takes a table to compare the `rows`; `rows_more` names, not listed, were as predicted. `newest`: no
    other was told later; `just_told`: it is told right here."""

    id: str
    text: str
    said: str
    was: str
    is_right: bool
    summary: str
    rows: tuple[Row, ...]
    rows_more: int
    reasons: tuple[Sentence, ...]
    look: Look | None
    about: str
    tabled: bool
    newest: bool
    just_told: bool


def verdicts_of(moment: Moment, urls: LabUrls) -> tuple[Verdict, ...]:
    """The predictions about the turn one is looking at whose answers have been told, in the order of their telling."""
    found = [(evidence, made) for made in moment.asked.made if (evidence := evidence_of(moment, made)) is not None]
    found.sort(key=lambda pair: pair[0].gate.told)
    last = len(found) - 1
    return tuple(
        _verdict(moment, urls, evidence, made, newest=index == last) for index, (evidence, made) in enumerate(found)
    )


def _verdict(moment: Moment, urls: LabUrls, found: Evidence, made: Prediction, *, newest: bool) -> Verdict:
    rows = _rows(found, made)
    listed = rows if len(rows) <= ROWS else [row for row in rows if row.state in (EXTRA, MISSED)][:ROWS]
    return Verdict(
        question_id(made.question),
        question_text(made.question),
        answer_text(made.kind, made.answer),
        answer_text(made.kind, found.names),
        made.is_right,
        _summary(rows, made),
        tuple(listed),
        len(rows) - len(listed),
        reasons_of(found, made, start=moment.clock_start),
        _look(found, made, urls),
        "nodes" if made.kind in ABOUT_NODES else "pods",
        made.kind in MANY and len(listed) > 1,
        newest,
        found.gate.told == moment.at,
    )


def _rows(found: Evidence, made: Prediction) -> list[Row]:
    """Every node, or every Pod that was said or was meant."""
    said, was = set(made.answer), set(found.names)
    if made.kind == PredictKind.FEASIBLE_NODES and found.detail is not None:
        names = [node for node in found.detail.nodes if node not in found.uncounted]
    else:
        names = sorted(said | was)
    alike = made.is_right and made.kind != PredictKind.FEASIBLE_NODES
    return [_row(name, name in said, name in was, alike=alike) for name in names]


def _row(key: str, said: bool, was: bool, *, alike: bool) -> Row:
    """`alike`: another answer than what it was is as good."""
    so = was or alike
    state = (RIGHT if so else EXTRA) if said else (MISSED if was and not alike else "")
    return Row(key, said, was, state)


def _summary(rows: list[Row], made: Prediction) -> str:
    if made.is_right:
        return _("As you said.")
    if made.kind != PredictKind.FEASIBLE_NODES:
        return _("It came otherwise.")
    alike = sum(row.said == row.was for row in rows)
    text = ngettext("%(alike)d of %(all)d node as you said.", "%(alike)d of %(all)d nodes as you said.", len(rows))
    return text % {"alike": alike, "all": len(rows)}


def _look(found: Evidence, made: Prediction, urls: LabUrls) -> Look | None:
    if made.is_right:
        return None
    cell = _cell(found)
    if cell is not None:
        query = urlencode({"at": str(_filtered(found)), **cell})
        text = _("Look at %(plugin)s on %(node)s") % cell
        return Look(text, f"{urls.part('explain')}?{query}", explains=True)
    place, tab = _places(found.gate)[found.gate.kind]
    return Look(str(_LOOKS[found.gate.kind]), urls.at(place, tab=tab), explains=False)


def _cell(found: Evidence) -> Mapping[str, str] | None:
    """The cell of the matrix that says why a predicted node did not pass."""
    for node, explanation in found.nodes.items():
        decisive = explanation.decisive
        if decisive is not None and node not in found.names:
            return {"node": node, "plugin": decisive.plugin}
    return None


def _filtered(found: Evidence) -> Position:
    """A place at which Filter is over and nothing is scored yet."""
    gate = found.gate
    if gate.kind == PredictKind.WINNER:
        several = found.detail is not None and len(found.detail.feasible) > 1
        return Position(gate.action, gate.reveals.record - several)
    return gate.told


def _places(gate: Gate) -> Mapping[PredictKind, tuple[str, str]]:
    told = str(gate.told)
    return {
        PredictKind.FEASIBLE_NODES: (told, ""),
        PredictKind.WINNER: (told, ""),
        PredictKind.VICTIMS: (told, ""),
        PredictKind.NEXT_POD: (str(gate.stands), "queue"),
    }


_LOOKS: Mapping[PredictKind, Any] = {
    PredictKind.FEASIBLE_NODES: gettext_lazy("Look at the table of Filter"),
    PredictKind.WINNER: gettext_lazy("Look at the table of scores"),
    PredictKind.VICTIMS: gettext_lazy("Look at the story of the preemption"),
    PredictKind.NEXT_POD: gettext_lazy("Look at the queue just before"),
}
