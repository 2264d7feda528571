"""Why it came otherwise than predicted, in the engine's own sentences with the numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from simulator.engine.trace.explain import NodeExplanation
from simulator.engine.trace.records import Record
from simulator.enums import PredictKind
from simulator.models import Prediction
from simulator.presenters.pods import short_name
from simulator.presenters.sentences.facts import present_check, present_fact
from simulator.presenters.sentences.say import Sentence, say
from simulator.presenters.sentences.scores import present_difference
from simulator.presenters.sentences.states import present_state
from simulator.presenters.sentences.story import present_record, present_status
from simulator.presenters.sentences.tables.predictions import PREDICTIONS
from simulator.selectors.evidence import Evidence

MOST_FACTS = 4
MOST_DIFFERENCES = 5


def reasons_of(found: Evidence, made: Prediction, *, start: int) -> tuple[Sentence, ...]:
    """What decided, one sentence each; also beside a right answer where another was as good."""
    return tuple(_REASONS[found.gate.kind](found, made, start))


# which nodes pass


def _of_nodes(found: Evidence, made: Prediction, _start: int) -> Iterator[Sentence]:
    for explanation in found.nodes.values():
        yield from about_node(explanation, passes=explanation.node in found.names)
    uncounted = sorted(set(made.answer) & found.uncounted)
    if uncounted:
        yield say(PREDICTIONS["uncounted"], {"nodes": uncounted})


def about_node(explanation: NodeExplanation, *, passes: bool) -> Iterator[Sentence]:
    """Why a node is out, with the numbers; what lets it through otherwise."""
    pod, node = explanation.pod, explanation.node
    if not passes:
        decisive = explanation.decisive
        yield present_check(decisive, pod=pod, node=node) if decisive else present_status(explanation.status, node=node)
        return
    yield say(PREDICTIONS["passes"], {"node": node, "checks": len(explanation.checks)})
    facts = (fact for check in explanation.checks for fact in check.facts if fact.code not in _EVIDENT)
    for fact in [fact for fact in facts if fact.holds][:MOST_FACTS]:
        yield present_fact(fact, pod=pod, node=node)


_EVIDENT = frozenset({"node_unschedulable.cordon", "node_resources_fit.pod_slots"})
"""Facts that nobody had in mind who said that a node is out."""


# who wins


def _of_winner(found: Evidence, made: Prediction, _start: int) -> Iterator[Sentence]:
    chosen = found.names[0] if found.names else ""
    if made.is_right:
        if len(found.equals) > 1:
            yield say(PREDICTIONS["winner.equal"], {"best": [best[0] for best in found.equals]})
        return
    for node in made.answer:
        yield from _of_loser(found, node, chosen)
    if not chosen:
        yield say(PREDICTIONS["winner.none"], {"pod": found.gate.pod})
    elif not made.answer:
        feasible = len(found.detail.feasible) if found.detail else 0
        yield say(PREDICTIONS["winner.found"], {"pod": found.gate.pod, "chosen": chosen, "feasible": feasible})
        explanation = found.nodes.get(chosen)
        if explanation is not None:
            yield from about_node(explanation, passes=True)
    elif len(found.sheets) < 2:
        nominated = any(explanation.nominated for explanation in found.nodes.values())
        alone = found.detail is not None and len(found.detail.feasible) == 1
        if nominated or alone:
            yield say(PREDICTIONS["winner.nominated" if nominated else "winner.only"], {"chosen": chosen})


def _of_loser(found: Evidence, node: str, chosen: str) -> Iterator[Sentence]:
    """Why the predicted node did not win: Filter, or points."""
    explanation = found.nodes.get(node)
    if len(found.sheets) == 2:
        first, second = found.sheets
        totals = {"chosen_total": first.total, "total": second.total, "lead": first.total - second.total}
        yield say(PREDICTIONS["winner.behind"], {"node": node, "chosen": chosen, **totals})
        for difference in found.differences[:MOST_DIFFERENCES]:
            yield present_difference(difference, chosen=chosen, node=node)
    elif explanation is not None and not explanation.status.is_success:
        yield from about_node(explanation, passes=False)


# who is evicted


def _of_victims(found: Evidence, made: Prediction, start: int) -> Iterator[Sentence]:
    said, was = set(made.answer), set(found.names)
    if made.is_right:
        if len(found.equals) > 1 and tuple(sorted(said)) != found.names:
            yield say(PREDICTIONS["victims.equal"], {})
        return
    chosen = next((record for record in found.story if record.code == "preemption.chosen"), None)
    for victim in sorted(said - was):
        yield from _spared(found, victim, chosen, start)
    for victim in sorted(was - said):
        offered = _offered(found, victim, chosen.node if chosen else "")
        if offered is not None:
            yield present_record(offered, check=found.checks.get(offered.index), start=start)
    if chosen is None:
        ended = [record for record in found.story if record.code in _ENDS]
        yield (
            present_record(ended[-1], start=start)
            if ended
            else say(PREDICTIONS["victims.nobody"], {"pod": found.gate.pod})
        )
        return
    if any(_node_of(found, victim) != chosen.node for victim in said - was):
        decisive = next((r for r in reversed(found.story) if r.code == "preemption.criterion"), None)
        for record in (decisive, chosen):
            if record is not None:
                yield present_record(record, start=start)


def _unable(found: Evidence, start: int) -> Sentence:
    """Why nobody is preempted at all."""
    ended = [record for record in found.story if record.code in _ENDS]
    if ended:
        return present_record(ended[-1], start=start)
    return say(PREDICTIONS["victims.nobody"], {"pod": found.gate.pod})


_ENDS = frozenset({"preemption.refused", "preemption.potential", "preemption.no_candidate"})


def _spared(found: Evidence, victim: str, chosen: Record | None, start: int) -> Iterator[Sentence]:
    """Why a Pod that was predicted to go may stay."""
    pods = {pod.key: pod for pod in found.before.pods}
    pod, own = pods.get(victim), pods.get(found.gate.pod)
    if pod is not None and own is not None and pod.priority >= own.priority:
        priorities = {"priority": pod.priority, "own": own.priority}
        yield say(PREDICTIONS["victims.priority"], {"victim": victim, "pod": own.key, **priorities})
        return
    node = _node_of(found, victim)
    if chosen is None or node == chosen.node:
        offered = _offered(found, victim, node)
        if offered is not None:
            yield present_record(offered, check=found.checks.get(offered.index), start=start)
        return
    out = next((r for r in found.story if r.code == "preemption.no_candidate" and r.node == node), None)
    if out is not None:
        yield present_record(out, start=start)
    else:
        yield say(PREDICTIONS["victims.elsewhere"], {"victim": victim, "node": node, "chosen": chosen.node})


def _node_of(found: Evidence, key: str) -> str:
    return next((pod.node_name for pod in found.before.pods if pod.key == key), "")


def _offered(found: Evidence, victim: str, node: str) -> Record | None:
    """The record in which a Pod was offered its place on a node again."""
    offered = (record for record in found.story if record.params.get("victim") == victim and record.node == node)
    return next((record for record in offered if record.code != "preemption.evicted"), None)


# who is next


def _of_next(found: Evidence, made: Prediction, start: int) -> Iterator[Sentence]:
    first = found.names[0]
    if made.is_right:
        if len(found.equals) > 1 and list(made.answer) != [first]:
            yield say(PREDICTIONS["next.group"], {"first": short_name(first)})
        return
    entries = {entry.key: entry for entry in found.entries}
    active = {entry.key for entry in found.before.queues.active}
    for key in made.answer:
        if key not in active and key in found.states:
            yield present_state(found.states[key], start=start)
            continue
        own, other = entries.get(first), entries.get(key)
        if own is None or other is None:
            continue
        params = {"first": short_name(first), "pod": key, "own": other.pod.priority, "priority": own.pod.priority}
        params |= {"since": own.since, "later": other.since}
        yield say(
            PREDICTIONS[_order(own.pod.priority - other.pod.priority, other.since - own.since)], params, start=start
        )


def _order(priorities: int, times: int) -> str:
    if priorities:
        return "next.priority"
    return "next.time" if times else "next.order"


Reasons = Callable[[Evidence, Prediction, int], Iterator[Sentence]]
_REASONS: Mapping[PredictKind, Reasons] = {
    PredictKind.FEASIBLE_NODES: _of_nodes,
    PredictKind.WINNER: _of_winner,
    PredictKind.VICTIMS: _of_victims,
    PredictKind.NEXT_POD: _of_next,
}
