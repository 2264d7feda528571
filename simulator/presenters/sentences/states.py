"""Where Pods are, as sentences, and what would wake those that wait."""

from __future__ import annotations

from simulator.engine.framework.messages import text
from simulator.engine.trace.pod_states import ACTIVE, BOUND, GATED, WAITING, PodState
from simulator.presenters.sentences.both import unknown
from simulator.presenters.sentences.say import Sentence, joined, say
from simulator.presenters.sentences.story import START, timed
from simulator.presenters.sentences.tables.queues import POD_STATES, QUEUES, WAKES


def present_state(state: PodState, *, start: int = START) -> Sentence:
    """Where a Pod is and until when."""
    params = {**state.params, "pod": state.pod}
    suffix = ""
    if state.code == BOUND and state.params["until"] is not None:
        suffix = ".until"
    if state.code == ACTIVE and state.params["ahead"] == 0:
        suffix = ".next"
    if state.code == WAITING:
        params["plugins"] = timed(state.params["deadlines"], start)
    kube = text(state.params["reason"]) if state.code == GATED else ""
    both = POD_STATES.get(f"{state.code}{suffix}") or unknown(state.code)
    said = say(both, params, kube=kube, start=start)
    if not state.nominated:
        return said
    nominated = say(POD_STATES["pod.nominated"], {"node": state.nominated}, start=start)
    return joined([nominated], opening=said, kube=kube)


def present_wakers(state: PodState) -> list[Sentence]:
    """What may wake a waiting Pod: one sentence for every event and plugin."""
    wakers = state.params.get("wakers") or ()
    return [say(WAKES, {"event": event, "plugin": plugin}, kube=event) for event, plugin in wakers]


def present_queue(queue: str) -> str:
    """The name of a queue."""
    return say(QUEUES.get(queue, unknown(queue)), {}).text
