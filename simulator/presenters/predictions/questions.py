"""Questions as the page asks them: what may be chosen, and what helps to choose."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from simulator.enums import PredictKind
from simulator.presenters.clock import clock_text
from simulator.presenters.graph.cards import Card, cards_of
from simulator.presenters.pods import hue_of, short_name
from simulator.presenters.resources import gpus_of
from simulator.selectors.frames import Frame, QueueEntry
from simulator.selectors.gates import Gate, Question
from simulator.selectors.moments import Moment

NONE = ""
"""Chosen where one says that there is none."""

ABOUT_NODES = frozenset({PredictKind.FEASIBLE_NODES, PredictKind.WINNER})
MANY = frozenset({PredictKind.FEASIBLE_NODES, PredictKind.VICTIMS})
"""Questions with any number of names as their answer."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A node or a Pod one may choose; `note` is what one may want to know of it."""

    value: str
    label: str
    note: str = ""
    hue: str = ""


@dataclass(frozen=True, slots=True)
class Prompt:
    """An open question. `asked`: the scenario asks it here; `required`: the lab does not go on without an answer.
    `none` is the wording for "none of these", "" where that is no answer.
    """

    id: str
    kind: str
    pod: str
    attempt: int
    text: str
    help: str
    many: bool
    about: str
    none: str
    choices: tuple[Choice, ...]
    asked: bool
    required: bool


def question_text(question: Question) -> str:
    """The question in one line."""
    kind, pod, _attempt = question
    return str(_TEXTS[PredictKind(kind)] % {"pod": short_name(pod)})


def question_id(question: Question) -> str:
    """A name for the question that can be an element's id."""
    kind, pod, attempt = question
    return f"{kind}-{pod.replace('/', '--').replace('.', '_') or 'queue'}-{attempt}"


def prompt_of(moment: Moment, gate: Gate, *, asked: bool, required: bool) -> Prompt:
    kind = gate.kind
    return Prompt(
        question_id(gate.question),
        kind.value,
        gate.pod,
        gate.attempt,
        question_text(gate.question),
        str(_HELP[kind]),
        kind in MANY,
        "nodes" if kind in ABOUT_NODES else "pods",
        str(_NONE[kind]),
        tuple(_CHOICES[kind](moment.frame)),
        asked,
        required,
    )


_TEXTS: Mapping[PredictKind, Any] = {
    PredictKind.FEASIBLE_NODES: gettext_lazy("Which nodes pass Filter for %(pod)s?"),
    PredictKind.WINNER: gettext_lazy("Which node does %(pod)s get?"),
    PredictKind.VICTIMS: gettext_lazy("Who is evicted for %(pod)s?"),
    PredictKind.NEXT_POD: gettext_lazy("Which Pod is tried next?"),
}
_HELP: Mapping[PredictKind, Any] = {
    PredictKind.FEASIBLE_NODES: gettext_lazy("Choose every node that passes, here or in the drawing."),
    PredictKind.WINNER: gettext_lazy("Choose a node, here or in the drawing."),
    PredictKind.VICTIMS: gettext_lazy("No node has room. Choose every Pod that has to go, here or in the drawing."),
    PredictKind.NEXT_POD: gettext_lazy("Choose a Pod, here or above the drawing."),
}
_NONE: Mapping[PredictKind, Any] = {
    PredictKind.FEASIBLE_NODES: gettext_lazy("none of them"),
    PredictKind.WINNER: gettext_lazy("none: it stays without a node"),
    PredictKind.VICTIMS: gettext_lazy("nobody"),
    PredictKind.NEXT_POD: "",
}


def _nodes(frame: Frame) -> Iterable[Choice]:
    return (Choice(name, name, _of_node(card)) for name, card in cards_of(frame).items())


def _of_node(card: Card) -> str:
    if not card.gpus:
        return f"CPU {card.cpu_used_text} / {card.cpu_text}"
    return _("%(free)d of %(all)d GPUs free") % {"free": card.gpus - card.gpus_used, "all": card.gpus}


def _on_nodes(frame: Frame) -> Iterable[Choice]:
    for pod in frame.pods:
        if pod.node_name and not pod.terminal and not pod.terminating:
            facts = [pod.node_name, _("priority %(priority)d") % {"priority": pod.priority}]
            gpus = gpus_of(pod.shape.requests.on_node)
            facts += [f"{gpus} GPU"] if gpus else []
            yield Choice(pod.key, short_name(pod.key), " · ".join(facts), hue_of(pod, frame))


def _waiting(frame: Frame) -> Iterable[Choice]:
    """By name, so that the order tells nothing."""
    queues = frame.queues
    entries = [*queues.active, *queues.backoff, *queues.unschedulable, *queues.gated]
    return (_in_queue(frame, entry) for entry in sorted(entries, key=lambda entry: entry.key))


def _in_queue(frame: Frame, entry: QueueEntry) -> Choice:
    since = clock_text(entry.since - (frame.now - frame.elapsed))
    facts = [_("priority %(priority)d") % {"priority": entry.pod.priority}, _("since %(time)s") % {"time": since}]
    return Choice(entry.key, short_name(entry.key), " · ".join(facts), hue_of(entry.pod, frame))


_CHOICES: Mapping[PredictKind, Callable[[Frame], Iterable[Choice]]] = {
    PredictKind.FEASIBLE_NODES: _nodes,
    PredictKind.WINNER: _nodes,
    PredictKind.VICTIMS: _on_nodes,
    PredictKind.NEXT_POD: _waiting,
}


def answer_text(kind: str, answer: Iterable[str]) -> str:
    """An answer in words."""
    names = [short_name(name) for name in answer]
    return ", ".join(names) if names else str(_NONE[PredictKind(kind)])
