"""The timeline: one mark for each action around the present one."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from simulator.presenters.clock import clock_text
from simulator.presenters.pods import short_name
from simulator.selectors import marks
from simulator.selectors.marks import Told
from simulator.selectors.moments import Moment

ICONS = {
    marks.BOUND: "pass",
    marks.FAILED: "fail",
    marks.PREEMPTED: "victim",
    marks.WAITING: "held",
    marks.TIMED_OUT: "late",
    marks.ERROR: "error",
    marks.SKIPPED: "skip",
    marks.WOKEN: "woken",
    marks.ENDED: "ended",
    marks.CREATED: "created",
    marks.COMMAND: "command",
    marks.OTHER: "dot",
}


@dataclass(frozen=True, slots=True)
class TimelineMark:
    at: str
    icon: str
    mark: str
    label: str
    current: bool


@dataclass(frozen=True, slots=True)
class Timeline:
    """`before` and `after`: how many actions there are beyond the marks shown."""

    marks: tuple[TimelineMark, ...]
    before: int
    after: int
    now: str
    position: int
    last: int


def timeline_of(moment: Moment) -> Timeline:
    start = moment.frame.now - moment.frame.elapsed
    shown = tuple(
        TimelineMark(
            f"{item['index']}.end",
            ICONS[item["mark"]],
            item["mark"],
            f"{clock_text(item['time'] - start)} {told_text(item)}",
            item["index"] == moment.at.action,
        )
        for item in moment.outlines
    )
    first, last = moment.outlines[0]["index"], moment.outlines[-1]["index"]
    return Timeline(
        shown,
        first,
        moment.count - 1 - last,
        clock_text(moment.frame.elapsed),
        moment.at.action,
        moment.count - 1,
    )


def told_text(item: Told) -> str:
    """An action in a few words."""
    subject, node = short_name(item["subject"]), item["node"]
    params = {"subject": subject, "node": node, "count": item["pods"]}
    texts = {
        marks.BOUND: _("%(subject)s is bound to %(node)s"),
        marks.FAILED: _("%(subject)s finds no node"),
        marks.PREEMPTED: _("%(subject)s preempts on %(node)s"),
        marks.WAITING: _("%(subject)s waits at Permit"),
        marks.TIMED_OUT: _("%(subject)s waited at Permit for too long"),
        marks.ERROR: _("an error stops the cycle of %(subject)s"),
        marks.SKIPPED: _("%(subject)s is skipped"),
        marks.WOKEN: _("Pods are tried again"),
        marks.ENDED: _("%(subject)s ends"),
        marks.CREATED: _("%(subject)s gets new Pods"),
        marks.COMMAND: _("command: %(subject)s"),
        marks.OTHER: _("%(subject)s is brought up to date"),
    }
    if item["index"] == 0:
        return _("the scenario begins")
    return texts[item["mark"]] % params
