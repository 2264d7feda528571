"""Why is Pod P not on node N, or why is it? Asked at any moment of a run, and also "if it were tried now".

An answer is a code with parameters, where the Pod is at that moment, what the attempt that matters found for the node,
and what would be found now. Everything comes from the plugins themselves (see `explain`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from simulator.engine.framework.attempt import Attempt, attempt
from simulator.engine.framework.runtime import Framework
from simulator.engine.objects.pod import Pod
from simulator.engine.trace import pod_states
from simulator.engine.trace.explain import (
    CHOSEN,
    NOT_FOUND,
    NOT_LOOKED_AT,
    REJECTED,
    Difference,
    NodeExplanation,
    compare,
    explain_node,
    score_sheet,
)
from simulator.engine.trace.pod_states import PodState
from simulator.engine.trace.turns import tries
from simulator.engine.world.history import History
from simulator.engine.world.simulation import Action, Simulation

ONLY, BEST, TIE, NOMINATED = "only", "best", "tie", "nominated"
"""How a node came to be chosen: the only one that fits, the highest total, one of several highest, the nominated."""


@dataclass(frozen=True, slots=True)
class Look:
    """What one attempt found for the node.

    chosen       the node the attempt chose, "" for none; `how` it was chosen
    differences  plugin by plugin where the chosen node was ahead, where both were scored
    looked_at    nodes with a verdict, of `nodes` in the cluster
    message      the attempt's text where it found nothing
    """

    explanation: NodeExplanation
    chosen: str
    how: str
    total: int | None
    chosen_total: int | None
    differences: tuple[Difference, ...]
    looked_at: int
    nodes: int
    message: str


@dataclass(frozen=True, slots=True)
class Moment:
    """An attempt's place in the run: number of the action, of the attempt in it, and the virtual time."""

    action: int
    attempt: int
    time: int


@dataclass(frozen=True, slots=True)
class Why:
    """`last` is the attempt that decided (at `moment`), `now` what would come of one now; None where there is none.

    `group`: the Pod's pod group, which decides together with it, "" for none. `now` looks at the Pod alone.
    """

    pod: str
    node: str
    code: str
    params: Mapping[str, Any]
    state: PodState | None = None
    moment: Moment | None = None
    last: Look | None = None
    now: Look | None = None
    group: str = ""


def why(history: History, pod: str, node: str, *, at: int | None = None) -> Why:
    """The answer for Pod `pod` (namespace/name) and a node after the first `at` actions (all where None)."""
    at = history.count if at is None else at
    simulation = history.at(at)
    found = simulation.world.pod(pod)
    past = history.actions[:at]
    if found is None:
        known = next(tries(past, pod), None) is not None
        return Why(pod, node, "why.gone" if known else "why.no_pod", {})
    state = pod_states.pod_state(simulation, pod)
    if simulation.world.get("Node", "", node) is None:
        return Why(pod, node, "why.no_node", {}, state)
    moment = _decisive(past, found)
    last = None if moment is None else _look_back(history, moment, node)
    message = "" if moment is None else _failure(past[moment.action], pod)
    answer = Why(pod, node, "", {}, state, moment, last, group=found.shape.pod_group or "")
    code, params = _answer(answer, found, message)
    return replace(answer, code=code, params=params, now=_now(simulation, found, node))


def why_now(simulation: Simulation, pod: str, node: str) -> Look | None:
    """What an attempt would find for the node now; None where there is no such Pod or no scheduler for it.

    Uses up `simulation`: give it one that nobody else goes on with (`History.at`). Extenders are not asked.
    """
    found = simulation.world.pod(pod)
    return None if found is None else _now(simulation, found, node)


# attempts of the past


def _decisive(past: Sequence[Action], pod: Pod) -> Moment | None:
    """The attempt that explains where the Pod is: the one that gave it its node, else the last."""
    for action, number, tried in tries(past, pod.key, since=pod.creation_time):
        if not pod.node_name or tried.node == pod.node_name:
            return Moment(action.index, number, action.time)
    return None


def _look_back(history: History, moment: Moment, node: str) -> Look | None:
    return history.probe(moment.action, moment.attempt, lambda framework, tried: look(framework, tried, node))


def _failure(turn: Action, pod: str) -> str:
    """The text with which a turn put the Pod back, "" where it did not."""
    return next((failure.message for failure in turn.record.failures if failure.pod == pod), "")


# attempts now


def _now(simulation: Simulation, pod: Pod, node: str) -> Look | None:
    scheduler = simulation.scheduler
    framework = scheduler.frameworks.get(pod.shape.scheduler_name)
    if framework is None or pod.terminal:
        return None
    framework.handle.extenders = None
    scheduler.cluster.remove_pod(pod.key)
    queued = scheduler.queue.find(pod.key)
    waiting = replace(pod, node_name="") if queued is None else queued.pod
    return look(framework, attempt(framework, waiting, scheduler.start_index, detail=True), node)


def look(framework: Framework, tried: Attempt, node: str) -> Look:
    """What `tried` found for the node. The cluster must be as it was for it."""
    explanation = explain_node(framework, tried, node)
    search = tried.search
    nodes = len(framework.handle.cluster)
    if search is None:
        return Look(explanation, "", "", None, None, (), 0, nodes, tried.message)
    own, best = explanation.scores, score_sheet(framework, tried, tried.node) if tried.found else None
    return Look(
        explanation,
        tried.node,
        _how(tried) if tried.found else "",
        None if own is None else own.total,
        None if best is None else best.total,
        () if own is None or best is None or tried.node == node else tuple(compare(best, own)),
        search.looked_at,
        nodes,
        "" if tried.found else tried.message,
    )


def _how(tried: Attempt) -> str:
    assert tried.search is not None
    if tried.search.nominated:
        return NOMINATED
    if tried.scoring is None:
        return ONLY
    return TIE if tried.best is not None and len(tried.best) > 1 else BEST


# the answer


def _answer(found: Why, pod: Pod, message: str) -> tuple[str, dict[str, Any]]:
    state = found.state
    assert state is not None
    if pod.node_name:
        return _of_placed(found, pod)
    if state.code in _BY_STATE:
        return _BY_STATE[state.code], dict(state.params)
    if state.code == pod_states.WAITING:
        return _of_waiting(found, state)
    return _of_queued(found, state, message)


_BY_STATE = {
    pod_states.FOREIGN: "why.foreign",
    pod_states.TERMINATING: "why.terminating",
    pod_states.GATED: "why.gated",
}


def _of_queued(found: Why, state: PodState, message: str) -> tuple[str, dict[str, Any]]:
    if found.last is None:
        return "why.not_tried", {"ahead": state.params.get("ahead")}
    if state.nominated == found.node:
        return "why.nominated_here", {"node": found.node}
    if found.last.explanation.outcome == CHOSEN:
        return "why.undone", {"chosen": found.node, "message": message}
    return _of_look(found.last, found.node, message)


def _of_placed(found: Why, pod: Pod) -> tuple[str, dict[str, Any]]:
    if found.last is None:
        here = pod.node_name == found.node
        return "why.here_by_manifest" if here else "why.by_manifest", {"chosen": pod.node_name}
    if pod.node_name == found.node:
        return f"why.here_{found.last.how}", _totals(found.last)
    return _of_look(found.last, found.node, "")


def _of_waiting(found: Why, state: PodState) -> tuple[str, dict[str, Any]]:
    here = state.params["node"] == found.node
    if here or found.last is None or found.last.explanation.outcome == CHOSEN:
        code = "why.waiting_here" if here else "why.waiting"
        return code, {"chosen": state.params["node"], **state.params}
    return _of_look(found.last, found.node, "")


def _totals(look: Look) -> dict[str, Any]:
    params = {"chosen": look.chosen, "total": look.total, "chosen_total": look.chosen_total}
    return {**params, "looked_at": look.looked_at, "nodes": look.nodes}


def _of_look(look: Look, node: str, message: str) -> tuple[str, dict[str, Any]]:
    """The answer that an attempt gives for a node it did not choose."""
    params = _totals(look)
    match look.explanation.outcome:
        case outcome if outcome == NOT_FOUND:
            return "why.not_there", params
        case outcome if outcome == REJECTED:
            decisive = look.explanation.decisive
            status = look.explanation.status
            return "why.rejected", {
                **params,
                "plugin": status.plugin or (decisive.plugin if decisive else ""),
                "reasons": status.reasons,
                "nominees": look.explanation.nominees if look.explanation.with_them else (),
            }
        case outcome if outcome == NOT_LOOKED_AT:
            return "why.nominated_first" if look.how == NOMINATED else "why.not_looked_at", params
    if not look.chosen:
        return "why.undone", {"chosen": node, "message": message or look.message}
    if look.total == look.chosen_total:
        return "why.tie", params
    lead = look.differences[0] if look.differences else None
    return "why.less", {**params, "plugin": lead.plugin if lead else "", "points": lead.points if lead else 0}
