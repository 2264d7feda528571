"""The timeline: one mark for each action around the present one."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from simulator.engine.world.simulation import Action
from simulator.presenters.clock import clock_text
from simulator.presenters.pods import short_name
from simulator.presenters.sentences.happenings import present_action
from simulator.selectors import marks
from simulator.selectors.marks import Told
from simulator.selectors.moments import Moment

LONG = 24
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

    @property
    def is_long(self) -> bool:
        """Too long to see at a glance, so that a slider helps."""
        return self.last > LONG


def timeline_of(moment: Moment) -> Timeline:
    shown = tuple(_mark(moment, action, item) for action, item in zip(moment.around, moment.outlines, strict=True))
    first, last = moment.outlines[0]["index"], moment.outlines[-1]["index"]
    return Timeline(
        shown,
        first,
        moment.count - 1 - last,
        clock_text(moment.frame.elapsed),
        moment.at.action,
        moment.count - 1,
    )


def _mark(moment: Moment, action: Action, item: Told) -> TimelineMark:
    """What came of an action is not told before its last record is."""
    start, current = moment.clock_start, action.index == moment.at.action
    at, time = f"{action.index}.end", clock_text(action.time - start)
    if current and not moment.is_over:
        label = _("cycle of %(subject)s") % {"subject": short_name(item["subject"])}
        return TimelineMark(at, "looking", marks.OTHER, f"{time} {label}", current)
    return TimelineMark(at, ICONS[item["mark"]], item["mark"], f"{time} {headline(action, start)}", current)


def headline(action: Action, start: int) -> str:
    """An action in one sentence."""
    return _("the scenario begins") if action.index == 0 else present_action(action, start=start).headline.text
