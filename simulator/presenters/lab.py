"""The lab page at a moment: everything its template shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from simulator.engine.objects.pod import Pod
from simulator.enums import StepUnit
from simulator.models import Lab
from simulator.presenters.clock import clock_text
from simulator.presenters.graph.cards import Card, Tenant, cards_of
from simulator.presenters.graph.layout import positions_of
from simulator.presenters.graph.marks import Mark, marks_of
from simulator.presenters.graph.network import network_of
from simulator.presenters.lab_sentence import sentence_of
from simulator.presenters.lab_tools import LabTools, present_tools
from simulator.presenters.lab_urls import LabUrls
from simulator.presenters.pipeline.view import Pipeline, pipeline_of
from simulator.presenters.pods import hue_of, short_name
from simulator.presenters.predictions.view import PredictView, present_predictions
from simulator.presenters.resources import gpus_of
from simulator.presenters.sentences.happenings import Happening, present_action
from simulator.presenters.sentences.say import Sentence
from simulator.presenters.tabs.registry import TABS, tab_named
from simulator.presenters.tabs.tab import TabRequest
from simulator.presenters.timeline import Timeline, timeline_of
from simulator.selectors.moments import Moment

MOST_IN_STRIP = 24
OUTLINE_ROWS = 50
KEPT_PARAMS = ("hints", "object", "q", "show", "pod", "node", "pair")
"""What of an address stays the same from step to step, beside the tab."""


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
    hue: str
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
    sentence: Sentence
    clock: str
    pipeline: Pipeline | None
    happening: Happening
    timeline: Timeline
    waiting: tuple[Waiting, ...]
    waiting_more: int
    outline: tuple[OutlineNode, ...]
    outline_more: int
    tabs: tuple[TabLink, ...]
    tab_template: str
    tab: Mapping[str, Any]
    tools: LabTools
    predict: PredictView
    kept: Mapping[str, str]
    units: tuple[tuple[str, Any], ...]
    state: Mapping[str, Any]


def present_lab(moment: Moment, urls: LabUrls, params: Mapping[str, str], *, known_count: int | None = None) -> LabView:
    """The page at a moment. `params` are the address's own; `known_count`: the state the browser draws already."""
    frame, lab = moment.frame, moment.lab
    cards, marks = cards_of(frame), marks_of(moment)
    tab = tab_named(params.get("tab", ""))
    asked = TabRequest(moment, params, urls.can_change)
    kept = {name: params[name] for name in KEPT_PARAMS if params.get(name)}
    shown = list(cards.values())[:OUTLINE_ROWS]
    pending = [pod for pod in frame.pods if not pod.node_name and not pod.terminal and pod.key not in frame.assumed]
    predict = present_predictions(moment, urls)
    return LabView(
        lab=lab,
        urls=urls,
        moment=moment,
        title=lab.revision.title,
        sentence=sentence_of(moment),
        clock=clock_text(frame.elapsed),
        pipeline=pipeline_of(moment, page=_page(params)),
        happening=present_action(moment.action, start=moment.clock_start),
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
                urls.at(moment.at, **{**kept, "tab": item.name}),
                item is tab,
            )
            for item in TABS
        ),
        tab_template=tab.template,
        tab=tab.context_for(asked),
        tools=present_tools(moment, urls),
        predict=predict,
        kept=kept,
        units=tuple((unit.value, unit.label) for unit in StepUnit),
        state={
            **_state(moment, urls, {"tab": tab.name, **kept}, cards, marks.to_json(), known_count),
            "predicted": predict.marks,
        },
    )


def _page(params: Mapping[str, str]) -> int | None:
    text = params.get("page", "")
    return int(text) if text.isdecimal() and len(text) < 6 else None


def _waiting(moment: Moment, pod: Pod) -> Waiting:
    current = moment.record is not None and moment.record.pod == pod.key
    nominated = moment.frame.nominations.get(pod.key, "")
    gpus = gpus_of(pod.shape.requests.on_node)
    return Waiting(pod.key, short_name(pod.key), hue_of(pod, moment.frame), current, nominated, gpus)


def _state(
    moment: Moment,
    urls: LabUrls,
    kept: Mapping[str, str],
    cards: Mapping[str, Card],
    marks: Mapping[str, Any],
    known_count: int | None,
) -> Mapping[str, Any]:
    state: dict[str, Any] = {
        "at": str(moment.at),
        "url": urls.at(moment.at, **kept),
        "seq": moment.seq,
        "frame": moment.frame.count,
        "isHead": moment.is_head,
        "isStart": moment.is_start,
        "canGoOn": not moment.is_head or (urls.can_change and moment.horizon is None and not moment.newest.idle),
        "pod": moment.record.pod if moment.record else "",
        "goals": [sum(p.is_met for p in moment.progress), len(moment.progress)],
        "marks": marks,
    }
    if known_count != moment.frame.count:
        places = positions_of(cards, moment.lab.positions)
        state["nodes"] = {name: {**card.to_json(), "place": places[name]} for name, card in cards.items()}
        state["network"] = network_of(moment.frame, moment.lab.positions)
    return state


def with_tab(view: LabView, context: Mapping[str, Any]) -> LabView:
    """The same page with more in its tab (what came of a form in it)."""
    return replace(view, tab={**view.tab, **context})
