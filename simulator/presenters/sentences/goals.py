"""Goals as sentences: what they ask for, and how far they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from simulator.engine.goals.fields import EVERY_POD, PodSelector
from simulator.engine.goals.goal import Goal, Progress
from simulator.presenters.sentences.both import unknown
from simulator.presenters.sentences.say import Sentence, say
from simulator.presenters.sentences.tables.goals import PIECES, PODS, PROGRESS, STATEMENTS, STATES


@dataclass(frozen=True, slots=True)
class GoalView:
    """A line of the checklist: what is asked for, the state in words, `done` of `total`, and what is missing."""

    statement: Sentence
    state: str
    state_text: str
    done: int
    total: int
    detail: Sentence | None
    is_met: bool


def present_goal(goal: Goal, progress: Progress) -> GoalView:
    state = say(STATES[progress.state], {}).text
    detail = present_progress(progress)
    return GoalView(
        present_statement(goal), progress.state, state, progress.done, progress.total, detail, progress.is_met
    )


def present_statement(goal: Goal) -> Sentence:
    """What a goal asks for, made from its kind and parameters."""
    words = _STATEMENTS.get(goal.kind)
    suffix, more = ("", {}) if words is None else words(goal.params)
    one = isinstance(goal.params.get("pods"), PodSelector) and bool(goal.params["pods"].name)
    params = {**goal.params, **_pods(goal.params), "one": one, **more}
    both = STATEMENTS.get(f"{goal.kind}{suffix}") or unknown(goal.kind)
    return say(both, params)


def present_progress(progress: Progress) -> Sentence | None:
    """What there is to say about how far a goal is, None where nothing."""
    if not progress.code:
        return None
    suffix = ""
    if progress.code == "goal.other_winner" and progress.params["node"]:
        suffix = ".other" if progress.params["scored"] else ".unscored"
    return say(PROGRESS.get(f"{progress.code}{suffix}") or unknown(progress.code), progress.params)


def _pods(params: Mapping[str, Any]) -> dict[str, str]:
    return {name: pods_text(value) for name, value in params.items() if isinstance(value, PodSelector)}


def pods_text(selector: PodSelector) -> str:
    """Which Pods are meant."""
    if selector == EVERY_POD:
        return say(PODS["every"], {}).text
    if selector.name:
        return say(PODS["name"], {"name": selector.name}).text
    if selector.labels:
        return say(PODS["labels"], {"labels": selector.labels}).text
    return say(PODS["namespace"], {"namespace": selector.namespace}).text


Words = tuple[str, dict[str, Any]]
Params = Mapping[str, Any]


def _piece(name: str, **params: Any) -> str:
    return say(PIECES[name], params).text


def _keyed(params: Params) -> Words:
    return (".key" if params["topology_key"] else ""), {}


def _gang(params: Params) -> dict[str, str]:
    if params["pod_group"]:
        return {"gang": _piece("gang", pod_group=params["pod_group"])}
    return {"gang": _piece("gang.pods", pods=pods_text(params["pods"]))}


def _gang_complete(params: Params) -> Words:
    return (".size" if params["size"] else ""), _gang(params)


def _gang_deadlock(params: Params) -> Words:
    return (".bound" if params["bound"] else ""), _gang(params)


def _range(params: Params) -> str:
    least, most = params["at_least"], params["at_most"]
    if params.get("equals") is not None:
        return _piece("equals", equals=params["equals"])
    if least is not None and most is not None:
        return _piece("between", least=least, most=most)
    return _piece("at_least", least=least) if least is not None else _piece("at_most", most=most)


def _nodes(params: Params, every: str) -> str:
    if params["node"]:
        return _piece("node", node=params["node"])
    return _piece("nodes.labels", labels=params["node_labels"]) if params["node_labels"] else _piece(every)


def _pod_count(params: Params) -> Words:
    return "", {"where": _nodes(params, "nodes.every"), "range": _range(params)}


def _node_count(params: Params) -> Words:
    pieces = []
    if params["node_labels"]:
        pieces.append(_piece("which.labels", labels=params["node_labels"]))
    if params["gpus"]:
        pieces.append(_piece("which.gpus", gpus=params["gpus"]))
    return "", {"which": "".join(pieces)}


def _node_tainted(params: Params) -> Words:
    taint = f"{params['key']}:{params['effect']}" if params["effect"] else params["key"]
    return "", {"taint": taint, "where": _nodes(params, "nodes.all")}


def _total_score(params: Params) -> Words:
    return "", {"range": _range(params)}


def _preempted_for(params: Params) -> Words:
    return ("" if params["at_most"] is None else ".most"), {}


def _whole_nodes(params: Params) -> Words:
    return (".gpus" if params["gpus"] else ""), {}


def _event_seen(params: Params) -> Words:
    return ("" if params["pods"] == EVERY_POD else ".pods"), {}


def _used_profile(params: Params) -> Words:
    if not params["enabled"]:
        return ".off", {}
    return (".weight" if params["weight"] else ""), {}


_STATEMENTS: Mapping[str, Callable[[Params], Words]] = {
    "sameDomain": _keyed,
    "maxPerDomain": _keyed,
    "gangComplete": _gang_complete,
    "gangDeadlock": _gang_deadlock,
    "podCount": _pod_count,
    "nodeCount": _node_count,
    "nodeTainted": _node_tainted,
    "totalScore": _total_score,
    "preemptedFor": _preempted_for,
    "wholeNodesFree": _whole_nodes,
    "eventSeen": _event_seen,
    "usedProfile": _used_profile,
}
"""Which variant of a kind's statement is meant, and the pieces it is put together from."""
