"""How a run stands at a moment, in figures that can be put beside those of another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from simulator.engine.actors.kube_scheduler.cycle import Cycle
from simulator.engine.goals.run import Run
from simulator.selectors.histories import open_history
from simulator.selectors.moments import Moment
from simulator.selectors.pod_log import Stay, gpus_of_node, stays_of

PENDING, HOLDING, RUNNING, LEAVING, FINISHED, GONE = "pending", "holding", "running", "leaving", "finished", "gone"


@dataclass(frozen=True, slots=True)
class PodOutcome:
    """One Pod: `state` is one of the above, `node` where it is or was last; `waited` how long it had no node
    (microseconds, up to the moment where it still has none). A name that was used again stands for all its Pods.
    """

    key: str
    state: str
    node: str
    attempts: int
    waited: int
    evictions: int


@dataclass(frozen=True, slots=True)
class Outcomes:
    """`elapsed` is the virtual clock, `cycles` how many scheduling cycles ran; waits in microseconds."""

    pods: Mapping[str, PodOutcome]
    elapsed: int
    cycles: int
    gpus_used: int
    gpus: int
    pending: int
    evictions: int
    average_wait: int
    longest_wait: int


def outcomes_of(moment: Moment) -> Outcomes:
    """How the run stands in the state that the moment shows."""
    frame = moment.frame
    with open_history(moment.lab) as history:
        log = history.pod_log(frame.count)
        run = Run.of(history.history, frame.count)
        evicted = Counter(eviction.pod for eviction in run.evictions())
        attempts: Counter[str] = Counter()
        cycles = 0
        for _action, cycle in run.cycles():
            cycles += _is_scheduling(cycle)
            attempts.update(dict.fromkeys((tried.pod for tried in cycle.tries), 1))
    pods: dict[str, PodOutcome] = {}
    for stay in stays_of(log):
        key = stay.pod.key
        waited = (frame.now if stay.start is None else stay.start) - stay.created
        earlier = pods[key].waited if key in pods else 0
        state, node = _state(stay, frame.assumed)
        pods[key] = PodOutcome(key, state, node, attempts[key], earlier + waited, evicted[key])
    waits = [outcome.waited for outcome in pods.values()]
    used = [stay for stay in stays_of(log) if stay.start is not None and stay.end is None]
    return Outcomes(
        pods,
        frame.elapsed,
        cycles,
        sum(stay.gpus for stay in used),
        sum(gpus_of_node(node) for node in frame.nodes),
        sum(outcome.state in (PENDING, HOLDING) for outcome in pods.values()),
        sum(evicted.values()),
        sum(waits) // len(waits) if waits else 0,
        max(waits, default=0),
    )


def _is_scheduling(cycle: Cycle) -> bool:
    return bool(cycle.tries)


def _state(stay: Stay, assumed: Mapping[str, str]) -> tuple[str, str]:
    pod = stay.pod
    if pod.terminal:
        return FINISHED, stay.node
    if stay.end is not None:
        return GONE, stay.node
    if stay.start is None:
        held = assumed.get(pod.key, "")
        return (HOLDING, held) if held else (PENDING, "")
    return (LEAVING if pod.terminating else RUNNING), stay.node
