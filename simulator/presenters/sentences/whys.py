"""Answers to "why is this Pod (not) on that node" as sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from simulator.engine.framework.messages import status_text
from simulator.engine.trace.why import Look, Why
from simulator.presenters.sentences.both import unknown
from simulator.presenters.sentences.facts import present_check
from simulator.presenters.sentences.say import Sentence, joined, say
from simulator.presenters.sentences.scores import present_difference, present_total
from simulator.presenters.sentences.states import present_state
from simulator.presenters.sentences.story import START, timed
from simulator.presenters.sentences.tables.whys import NOW, WHYS


@dataclass(frozen=True, slots=True)
class WhyView:
    """The answer, where the Pod is, the evidence (why the node was rejected, or plugin by plugin how far behind it
    was), and what would be found now (None where nothing would)."""

    answer: Sentence
    state: Sentence | None
    evidence: tuple[Sentence, ...]
    now: Sentence | None
    evidence_now: tuple[Sentence, ...]


def present_why(why: Why, *, start: int = START) -> WhyView:
    state = None if why.state is None else present_state(why.state, start=start)
    evidence = () if why.last is None else present_look(why.last)
    now = None if why.now is None else _now(why)
    evidence_now = () if why.now is None else present_look(why.now)
    return WhyView(_answer(why, start), state, evidence, now, evidence_now)


def _answer(why: Why, start: int) -> Sentence:
    params: dict[str, Any] = {**why.params, "pod": why.pod, "node": why.node, "group": why.group}
    kube = why.params.get("message", "")
    if why.last is not None and why.code == "why.rejected":
        kube = status_text(why.last.explanation.status)
    if "deadlines" in params:
        params["plugins"] = timed(params["deadlines"], start)
    both = WHYS.get(f"{why.code}{_suffix(why)}") or unknown(why.code)
    return say(both, params, kube=kube, start=start)


def _suffix(why: Why) -> str:
    if why.code == "why.rejected" and why.params["nominees"]:
        return ".nominees"
    if why.code == "why.undone" and why.group:
        return ".group"
    return ".next" if why.code == "why.not_tried" and not why.params["ahead"] else ""


def present_look(look: Look) -> tuple[Sentence, ...]:
    """What an attempt found for the node: the check that rejected it, else its total and where others were ahead."""
    explanation = look.explanation
    decisive = explanation.decisive
    if decisive is not None:
        return (present_check(decisive, pod=explanation.pod, node=explanation.node),)
    if explanation.scores is None:
        return ()
    behind = (present_difference(d, chosen=look.chosen, node=explanation.node) for d in look.differences)
    return (present_total(explanation.scores), *behind)


def _now(why: Why) -> Sentence:
    assert why.now is not None
    look = why.now
    explanation = look.explanation
    params: dict[str, Any] = {"node": why.node, "pod": why.pod, "chosen": look.chosen, "group": why.group}
    params |= {"reasons": explanation.status.reasons, "total": look.total, "chosen_total": look.chosen_total}
    said = say(NOW[explanation.outcome], params, kube=status_text(explanation.status))
    if not why.group:
        return said
    return joined([say(NOW["group"], params)], opening=said, kube=said.kube)
