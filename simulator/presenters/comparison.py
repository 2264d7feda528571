"""Two branches, or two places of one, side by side: figures, Pods, nodes; what differs carries a sign and a word."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from simulator.models import Lab
from simulator.presenters.clock import clock_text
from simulator.presenters.goals import goals_of
from simulator.presenters.graph.cards import Card, cards_of
from simulator.presenters.lab_urls import own_urls
from simulator.presenters.pods import short_name
from simulator.presenters.timeline import timeline_of
from simulator.selectors.frames import Frame
from simulator.selectors.moments import Moment
from simulator.selectors.outcomes import Outcomes, PodOutcome, outcomes_of

MOST_NODES = 60
MOST_PODS = 300
SLOTS = 16
CPU_SHARES = 10


@dataclass(frozen=True, slots=True)
class Place:
    """A place that can be chosen for a side."""

    value: str
    label: str
    current: bool


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two: `name` tells it from the other."""

    letter: str
    name: str
    url: str
    at: str
    clock: str
    places: tuple[Place, ...]
    lab_id: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of both sides; `change` is the signed difference from the first to the second, "" for none."""

    label: Any
    first: str
    second: str
    change: str
    differs: bool


@dataclass(frozen=True, slots=True)
class PodCell:
    """None of it where a side has no such Pod."""

    state: str
    state_text: Any
    node: str
    attempts: int
    waited: str
    evictions: int


@dataclass(frozen=True, slots=True)
class PodRow:
    key: str
    first: PodCell | None
    second: PodCell | None
    differs: bool

    @property
    def name(self) -> str:
        return short_name(self.key)


@dataclass(frozen=True, slots=True)
class Slot:
    """A GPU, or a tenth of the CPUs of a node without GPUs; free where `hue` is ""."""

    hue: str
    pattern: str


@dataclass(frozen=True, slots=True)
class MiniNode:
    """A node as the small drawing shows it; `text` says the same."""

    name: str
    slots: tuple[Slot, ...]
    text: str
    differs: bool
    cordoned: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """`drawings`: for each side its nodes, () where there are too many to draw."""

    sides: tuple[Side, Side]
    figures: tuple[Figure, ...]
    goals: tuple[Figure, ...]
    pods: tuple[PodRow, ...]
    pods_more: int
    drawings: tuple[tuple[MiniNode, ...], tuple[MiniNode, ...]]
    nodes_more: int
    others: tuple[tuple[str, str, bool], ...]
    differing: int


def compare_moments(first: Moment, second: Moment, family: Sequence[Lab]) -> Comparison:
    """Both moments beside each other. `family`: labs that may be chosen for the second side."""
    one, two = outcomes_of(first), outcomes_of(second)
    pods = _pods(one, two)
    listed = sorted(pods, key=lambda row: not row.differs) if len(pods) > MOST_PODS else pods
    frames = _with_shared_colours(first.frame, second.frame)
    return Comparison(
        (_side("A", first), _side("B", second)),
        _figures(one, two),
        _goals(first, second),
        tuple(listed[:MOST_PODS]),
        max(0, len(pods) - MOST_PODS),
        _drawings(*frames),
        max(0, max(len(frame.nodes) for frame in frames) - MOST_NODES),
        tuple((str(lab.pk), lab_name(lab), lab.pk == second.lab.pk) for lab in family),
        sum(row.differs for row in pods),
    )


def compare_url(lab: Lab, other: Lab, *, at: str = "", other_at: str = "") -> str:
    """The address of a comparison."""
    address = reverse("simulator:lab_compare", kwargs={"slug": lab.revision.scenario.slug, "lab_id": lab.pk})
    values = {"with": str(other.pk), "at": at, "with_at": other_at}
    return f"{address}?{'&'.join(f'{name}={value}' for name, value in values.items() if value)}"


def lab_name(lab: Lab) -> str:
    return lab.name or _("main line")


def _side(letter: str, moment: Moment) -> Side:
    urls = own_urls(moment.lab)
    timeline = timeline_of(moment)
    chosen = str(moment.at.action)
    places = [Place(mark.at, f"{mark.at.partition('.')[0]} · {mark.label}", mark.current) for mark in timeline.marks]
    if timeline.after:
        places.append(Place("9999999.end", _("the end"), chosen == str(timeline.last)))
    clock = clock_text(moment.frame.elapsed)
    return Side(
        letter, lab_name(moment.lab), urls.at(moment.at), str(moment.at), clock, tuple(places), str(moment.lab.pk)
    )


# figures


def _figures(one: Outcomes, two: Outcomes) -> tuple[Figure, ...]:
    found = [
        _counted(gettext_lazy("GPUs in use"), one.gpus_used, two.gpus_used, f" / {one.gpus}", f" / {two.gpus}"),
        _counted(gettext_lazy("Pods without a node"), one.pending, two.pending),
        _counted(gettext_lazy("evictions"), one.evictions, two.evictions),
        _counted(gettext_lazy("scheduling cycles"), one.cycles, two.cycles),
        _timed(gettext_lazy("virtual time"), one.elapsed, two.elapsed, clock_text),
        _timed(gettext_lazy("average time without a node"), one.average_wait, two.average_wait, _span),
        _timed(gettext_lazy("longest time without a node"), one.longest_wait, two.longest_wait, _span),
    ]
    return tuple(found)


def _counted(label: Any, first: int, second: int, tail: str = "", second_tail: str = "") -> Figure:
    change = f"{second - first:+d}".replace("-", "\u2212") if first != second else ""
    return Figure(label, f"{first}{tail}", f"{second}{second_tail}", change, first != second)


def _timed(label: Any, first: int, second: int, text: Callable[[int], str]) -> Figure:
    sign = "+" if second > first else "\u2212"
    change = f"{sign}{_span(abs(second - first))}" if first != second else ""
    return Figure(label, text(first), text(second), change, first != second)


def _span(microseconds: int) -> str:
    return f"{microseconds / 1_000_000:.3f} s"


def _goals(first: Moment, second: Moment) -> tuple[Figure, ...]:
    """The goals of both; of another scenario (or another revision of it) there is nothing to compare."""
    if first.lab.revision_id != second.lab.revision_id:
        return ()
    pairs = zip(goals_of(first), goals_of(second), strict=True)
    return tuple(
        Figure(one.text, str(one.view.state_text), str(two.view.state_text), "", one.view.state != two.view.state)
        for one, two in pairs
    )


# Pods


STATES: Mapping[str, Any] = {
    "pending": gettext_lazy("without a node"),
    "holding": gettext_lazy("holds its place"),
    "running": gettext_lazy("running"),
    "leaving": gettext_lazy("leaving"),
    "finished": gettext_lazy("finished"),
    "gone": gettext_lazy("gone"),
}


def _pods(one: Outcomes, two: Outcomes) -> list[PodRow]:
    keys = dict.fromkeys([*one.pods, *two.pods])
    return [_pod(key, one.pods.get(key), two.pods.get(key)) for key in keys]


def _pod(key: str, first: PodOutcome | None, second: PodOutcome | None) -> PodRow:
    return PodRow(key, _cell(first), _cell(second), _came_to(first) != _came_to(second))


def _came_to(outcome: PodOutcome | None) -> tuple[str, str, int] | None:
    """What makes two outcomes different ones; how often and how long something was tried does not."""
    return None if outcome is None else (outcome.state, outcome.node, outcome.evictions)


def _cell(outcome: PodOutcome | None) -> PodCell | None:
    if outcome is None:
        return None
    return PodCell(
        outcome.state,
        STATES[outcome.state],
        outcome.node,
        outcome.attempts,
        _span(outcome.waited),
        outcome.evictions,
    )


# small drawings


def _with_shared_colours(first: Frame, second: Frame) -> tuple[Frame, Frame]:
    """Both frames with the same numbers for the same owners, so that colours mean the same on both sides."""
    numbers = dict(first.owners)
    for owner in second.owners:
        numbers.setdefault(owner, len(numbers))
    return replace(first, owners=numbers), replace(second, owners=numbers)


def _drawings(first: Frame, second: Frame) -> tuple[tuple[MiniNode, ...], tuple[MiniNode, ...]]:
    one, two = cards_of(first), cards_of(second)
    return _drawing(one, two), _drawing(two, one)


def _drawing(cards: Mapping[str, Card], others: Mapping[str, Card]) -> tuple[MiniNode, ...]:
    shown = list(cards.values())[:MOST_NODES]
    return tuple(_mini(card, others.get(card.name)) for card in shown)


def _mini(card: Card, other: Card | None) -> MiniNode:
    tenants = sorted((tenant.key, tenant.state) for tenant in card.tenants)
    differs = other is None or tenants != sorted((tenant.key, tenant.state) for tenant in other.tenants)
    return MiniNode(card.name, _slots(card), _text(card), differs, card.cordoned)


def _slots(card: Card) -> tuple[Slot, ...]:
    if card.gpus:
        taken = [tenant.hue for tenant in card.tenants for _gpu in range(tenant.gpus)]
        size = min(card.gpus, SLOTS)
    else:
        whole = max(card.cpu, 1)
        taken = [tenant.hue for tenant in card.tenants for _share in range(round(CPU_SHARES * tenant.cpu / whole))]
        size = CPU_SHARES
    return tuple(_slot(taken[index] if index < len(taken) else "") for index in range(size))


def _slot(hue: str) -> Slot:
    return Slot(hue, {"2": "is-striped", "3": "is-dotted"}.get(hue.partition("-")[2], ""))


def _text(card: Card) -> str:
    names = ", ".join(f"{tenant.name} ({tenant.gpus})" if tenant.gpus else tenant.name for tenant in card.tenants)
    if not names:
        return _("empty")
    if not card.gpus:
        return names
    return _("%(used)d of %(all)d GPUs: %(pods)s") % {"used": card.gpus_used, "all": card.gpus, "pods": names}
