"""What another profile changes, in sentences, and what that means for one Pod, node by node."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from simulator.engine.framework.messages import status_text
from simulator.engine.framework.plugin import Point
from simulator.selectors.profiles import changes as kinds
from simulator.selectors.profiles.changes import Change
from simulator.selectors.profiles.preview import FITS, REJECTED, Outcome, Preview, Row


@dataclass(frozen=True, slots=True)
class Cell:
    state: str
    text: str
    total: int | None


@dataclass(frozen=True, slots=True)
class PreviewRow:
    node: str
    before: Cell
    after: Cell
    differs: bool
    wins_before: bool
    wins_after: bool
    shares: str


@dataclass(frozen=True, slots=True)
class PreviewView:
    pod: str
    sentence: str
    rows: tuple[PreviewRow, ...]
    more: int


def change_text(change: Change) -> str:
    point = next((point.go_name.removesuffix("Plugin") for point in Point if point.key == change.point), "")
    params = {"plugin": change.plugin, "point": point, **change.params}
    if change.kind == kinds.ORDER:
        params["order"] = ", ".join(params["order"])
    return _template(change, bool(point)) % params


def _template(change: Change, at_point: bool) -> str:
    if change.kind == kinds.WEIGHT:
        newcomer = change.params["before"] is None
        return _("%(plugin)s weighs %(after)s") if newcomer else _("%(plugin)s weighs %(after)s instead of %(before)s")
    if change.kind == kinds.ORDER:
        return _("%(point)s runs in another order: %(order)s")
    if change.kind == kinds.ARGS:
        kept = bool(change.params["after"])
        return _("%(plugin)s has other arguments") if kept else _("%(plugin)s has no arguments any more")
    if change.kind == kinds.ON:
        return _("%(plugin)s runs at %(point)s too") if at_point else _("%(plugin)s runs")
    return _("%(plugin)s no longer runs at %(point)s") if at_point else _("%(plugin)s is off")


def preview_view(found: Preview) -> PreviewView:
    old, new = found.before.winner, found.after.winner
    names = {"pod": found.pod.removeprefix("default/"), "old": old, "new": new}
    if old and new:
        sentence = _("%(pod)s stays on %(new)s.") if old == new else _("%(pod)s goes to %(new)s instead of %(old)s.")
    elif new:
        sentence = _("%(pod)s goes to %(new)s; before it found no node.")
    elif old:
        sentence = _("%(pod)s finds no node any more; before it went to %(old)s.")
    else:
        sentence = _("%(pod)s finds no node, as before.")
    rows = tuple(
        PreviewRow(
            row.node, _cell(row.before), _cell(row.after), row.differs, row.node == old, row.node == new, _shares(row)
        )
        for row in found.rows
    )
    return PreviewView(found.pod, sentence % names, rows, found.more)


def _cell(outcome: Outcome) -> Cell:
    if outcome.state == REJECTED:
        return Cell("rejected", f"{outcome.status.plugin}: {status_text(outcome.status)}".removeprefix(": "), None)
    if outcome.state == FITS:
        text = _("fits, alone") if outcome.total is None else ""
        return Cell("passed", text, outcome.total)
    return Cell("unseen", _("not looked at"), None)


def _shares(row: Row) -> str:
    """Where the difference between the totals comes from, plugin by plugin."""
    before, after = row.before.parts, row.after.parts
    if not before or not after:
        return ""
    gains = {name: after.get(name, 0) - before.get(name, 0) for name in dict.fromkeys([*before, *after])}
    told = sorted(((name, gain) for name, gain in gains.items() if gain), key=lambda item: -abs(item[1]))
    return ", ".join(f"{name} {gain:+d}".replace("-", "−") for name, gain in told)
