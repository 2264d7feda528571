"""The lab page at a moment: everything its template shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from simulator.engine.world.commands import Command
from simulator.enums import StepUnit
from simulator.models import Lab
from simulator.presenters.clock import clock_text
from simulator.presenters.graph.cards import Card, Tenant, cards_of
from simulator.presenters.graph.layout import positions_of
from simulator.presenters.graph.marks import Mark, marks_of
from simulator.presenters.lab_sentence import sentence_of
from simulator.presenters.lab_urls import LabUrls
from simulator.presenters.pipeline.view import Pipeline, pipeline_of
from simulator.presenters.pods import hue_of, short_name
from simulator.presenters.tabs.registry import TABS, tab_named
from simulator.presenters.tabs.tab import TabRequest
from simulator.presenters.timeline import Timeline, timeline_of
from simulator.selectors.moments import Moment

MOST_IN_STRIP = 24
OUTLINE_ROWS = 50


@dataclass(frozen=True, slots=True)
class TabLink:
    name: str
    label: Any
    count: int | None
    url: str
    current: bool


@dataclass(frozen=True, slots=True)
class Waiting:
    """A Pod without a node, in the strip over the drawing."""

    key: str
    name: str
    hue: int
    current: bool
    nominated: str
    gpus: int


@dataclass(frozen=True, slots=True)
class OutlineNode:
    card: Card
    mark: Mark | None
    tenants: tuple[Tenant, ...]
    victims: frozenset[str]


@dataclass(frozen=True, slots=True)
class LabView:
    """What the page shows; `state` is what its scripts are told."""

    lab: Lab
    urls: LabUrls
    moment: Moment
    title: str
    sentence: str
    clock: str
    pipeline: Pipeline | None
    outcomes: tuple[Mapping[str, Any], ...]
    moves: tuple[Mapping[str, Any], ...]
    timeline: Timeline
    waiting: tuple[Waiting, ...]
    waiting_more: int
    outline: tuple[OutlineNode, ...]
    outline_more: int
    tabs: tuple[TabLink, ...]
    tab_template: str
    tab: Mapping[str, Any]
    undo: str
    undo_branches: bool
    redo: str
    units: tuple[tuple[str, Any], ...]
    state: Mapping[str, Any]


def present_lab(moment: Moment, urls: LabUrls, params: Mapping[str, str], *, known_count: int | None = None) -> LabView:
    """The page at a moment. `params` are the address's own; `known_count`: the state the browser draws already."""
    frame, lab = moment.frame, moment.lab
    cards, marks = cards_of(frame), marks_of(moment)
    tab = tab_named(params.get("tab", ""))
    asked = TabRequest(moment, params, urls.can_change)
    shown = list(cards.values())[:OUTLINE_ROWS]
    undo, branches = _undo_text(moment)
    pending = [pod for pod in frame.pods if not pod.node_name and not pod.terminal and pod.key not in frame.assumed]
    return LabView(
        lab=lab,
        urls=urls,
        moment=moment,
        title=lab.revision.title,
        sentence=sentence_of(moment),
        clock=clock_text(frame.elapsed),
        pipeline=pipeline_of(moment, page=_page(params)),
        outcomes=tuple(moment.note.get("outcomes") or ()),
        moves=tuple({"pod": short_name(m.pod), "event": m.event, "plugin": m.plugin} for m in moment.action.moves),
        timeline=timeline_of(moment),
        waiting=tuple(_waiting(moment, pod) for pod in pending[:MOST_IN_STRIP]),
        waiting_more=max(0, len(pending) - MOST_IN_STRIP),
        outline=tuple(
            OutlineNode(card, marks.nodes.get(card.name), card.tenants, frozenset(marks.victims)) for card in shown
        ),
        outline_more=max(0, len(cards) - OUTLINE_ROWS),
        tabs=tuple(
            TabLink(
                item.name,
                item.label,
                item.count(moment) if item.count else None,
                urls.at(moment.at, tab=item.name),
                item is tab,
            )
            for item in TABS
        ),
        tab_template=tab.template,
        tab=tab.context_for(asked),
        undo=undo,
        undo_branches=branches,
        redo=_redo_text(moment),
        units=tuple((unit.value, unit.label) for unit in StepUnit),
        state=_state(moment, urls, tab.name, cards, marks.to_json(), known_count),
    )


def _page(params: Mapping[str, str]) -> int | None:
    text = params.get("page", "")
    return int(text) if text.isdecimal() and len(text) < 6 else None


def _waiting(moment: Moment, pod: Any) -> Waiting:
    current = moment.record is not None and moment.record.pod == pod.key
    gpus = sum(amount for name, amount in pod.shape.requests.on_node.items() if name.endswith("/gpu"))
    return Waiting(pod.key, short_name(pod.key), hue_of(pod), current, moment.frame.nominations.get(pod.key, ""), gpus)


def _state(
    moment: Moment,
    urls: LabUrls,
    tab: str,
    cards: Mapping[str, Card],
    marks: Mapping[str, Any],
    known_count: int | None,
) -> Mapping[str, Any]:
    state: dict[str, Any] = {
        "at": str(moment.at),
        "url": urls.at(moment.at, tab=tab),
        "seq": moment.seq,
        "frame": moment.frame.count,
        "isHead": moment.is_head,
        "isStart": moment.is_start,
        "canGoOn": not moment.is_head or (urls.can_change and not moment.newest.idle),
        "pod": moment.record.pod if moment.record else "",
        "marks": marks,
    }
    if known_count != moment.frame.count:
        places = positions_of(cards, moment.lab.positions)
        state["nodes"] = {name: {**card.to_json(), "place": places[name]} for name, card in cards.items()}
    return state


def command_text(command: Command | None) -> str:
    """A command in a few words."""
    if command is None:
        return ""
    name = command.get("name") or ""
    objects = command.get("objects")
    params = {"name": name, "count": len(objects) if isinstance(objects, list) else 0}
    texts = {
        "apply": _("apply %(count)d objects"),
        "delete": _("delete %(name)s"),
        "deleteMany": _("delete %(count)d objects"),
        "label": _("label %(name)s"),
        "annotate": _("annotate %(name)s"),
        "taint": _("taint %(name)s"),
        "cordon": _("cordon %(name)s") if command.get("on", True) else _("uncordon %(name)s"),
        "drain": _("drain %(name)s"),
        "scale": _("scale %(name)s"),
        "patch": _("change %(name)s"),
        "restore": _("take back"),
        "configure": _("configure the scheduler"),
        "run": _("run"),
        "advance": _("let time pass"),
    }
    return texts.get(str(command.get("type")), str(command.get("type"))) % params


def _undo_text(moment: Moment) -> tuple[str, bool]:
    """What the button would take back, and whether only by a branch."""
    undoing = moment.undoing
    seq = undoing.undo or undoing.branch
    return (command_text(moment.undoable[seq]), undoing.undo is None) if seq else ("", False)


def _redo_text(moment: Moment) -> str:
    return command_text(moment.undoable[moment.undoing.redo]) if moment.undoing.redo else ""


def with_tab(view: LabView, context: Mapping[str, Any]) -> LabView:
    """The same page with more in its tab (what came of a form in it)."""
    return replace(view, tab={**view.tab, **context})
