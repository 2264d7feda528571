"""What the moment says about each node: looked at, passed, failed, scored, chosen, nominated, or losing Pods."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.utils.translation import gettext as _

from simulator.engine.trace import records
from simulator.engine.trace.records import AttemptDetail, Record
from simulator.presenters.pipeline.matrix import FAILED, NOT_REACHED, PASSED, results_of
from simulator.presenters.pipeline.stages import scope
from simulator.presenters.pods import short_name
from simulator.selectors.moments import Moment

LOOKING, CHOSEN, NOMINATED, CANDIDATE, HELD = "looking", "chosen", "nominated", "candidate", "held"


@dataclass(frozen=True, slots=True)
class Mark:
    """A node's state at a moment, in words too; `score` where it has one. The page adds icon and fill."""

    state: str
    text: str = ""
    score: int | None = None


@dataclass(frozen=True, slots=True)
class Marks:
    """`nodes` by name (those with nothing to say are left out); `victims` are Pods that will have to go."""

    nodes: dict[str, Mark]
    victims: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {"nodes": {name: asdict(mark) for name, mark in self.nodes.items()}, "victims": list(self.victims)}


def marks_of(moment: Moment) -> Marks:
    nodes = {
        node: Mark(NOMINATED, _("nominated for %(pod)s") % {"pod": short_name(pod)})
        for pod, node in moment.frame.nominations.items()
    }
    record, detail = moment.record, moment.attempt
    if record is None or detail is None:
        return Marks(nodes)
    told = [item for item in scope(moment) if item.index <= record.index]
    nodes |= _filtered(detail, told)
    nodes |= _scored(detail, told)
    nodes |= _settled(told)
    victims = {str(item.params["victim"]) for item in told if item.code in _VICTIM_CODES}
    kept = {str(item.params["victim"]) for item in told if item.code == "preemption.reprieved"}
    return Marks(nodes, tuple(sorted(victims - kept)))


_VICTIM_CODES = frozenset({"preemption.victim", "preemption.evicted"})


def _filtered(detail: AttemptDetail, told: Sequence[Record]) -> dict[str, Mark]:
    if not any(record.point == records.FILTER for record in told):
        return {}
    found: dict[str, Mark] = {}
    for node, (result, plugin) in results_of(detail, told).items():
        if result == FAILED:
            found[node] = Mark(FAILED, plugin)
        elif result == PASSED:
            found[node] = Mark(PASSED, _("passes"))
        elif result == NOT_REACHED:
            found[node] = Mark(NOT_REACHED, _("not looked at"))
    here = told[-1]
    if here.point == records.FILTER and here.node and here.node not in found:
        found[here.node] = Mark(LOOKING, here.plugin)
    return found


def _scored(detail: AttemptDetail, told: Sequence[Record]) -> dict[str, Mark]:
    here = told[-1]
    if here.point in (records.SCORE, records.NORMALIZE):
        column = next((item for item in detail.scores if item.plugin == here.plugin), None)
        if column is None:
            return {}
        values = column.raw if here.point == records.SCORE else column.normalized
        return {node: Mark(PASSED, here.plugin, values[node]) for node in detail.feasible}
    if any(record.point == records.SELECT for record in told):
        return {node: Mark(PASSED, _("total"), t) for node, t in detail.totals.items()}
    return {}


def _settled(told: Sequence[Record]) -> dict[str, Mark]:
    """The node it comes down to, as far as the records say."""
    found: dict[str, Mark] = {}
    for record in told:
        make = _SETTLING.get(record.code)
        if make is not None and record.node:
            found[record.node] = make(record)
    return found


def _chosen(record: Record) -> Mark:
    return Mark(CHOSEN, _("chosen"), record.params.get("total"))


def _victims(record: Record) -> Mark:
    names = ", ".join(short_name(str(name)) for name in record.params.get("victims") or ())
    return Mark(CANDIDATE, _("would lose %(pods)s") % {"pods": names})


_SETTLING: Mapping[str, Callable[[Record], Mark]] = {
    "select.only": _chosen,
    "select.best": _chosen,
    "reserve.assumed": lambda _record: Mark(HELD, _("reserved")),
    "permit.waits": lambda _record: Mark(HELD, _("holds, waiting at Permit")),
    "bind.done": lambda _record: Mark(CHOSEN, _("bound")),
    "preemption.removed": lambda _record: Mark(LOOKING, _("trial without lower priorities")),
    "preemption.candidate": _victims,
    "preemption.no_candidate": lambda _record: Mark(FAILED, _("no use either")),
    "preemption.chosen": lambda record: Mark(NOMINATED, _("nominated for %(pod)s") % {"pod": short_name(record.pod)}),
}
