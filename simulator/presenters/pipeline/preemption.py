"""Preemption as a story: who may, which nodes, who would have to go, who may stay after all, what decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from simulator.engine.trace import records
from simulator.engine.trace.explain import Check
from simulator.engine.trace.records import Record
from simulator.presenters.sentences.say import Sentence
from simulator.presenters.sentences.story import present_record


@dataclass(frozen=True, slots=True)
class Beat:
    """One step of the story: an icon's name, a sentence with kube's own words, how deep it is nested."""

    icon: str
    sentence: Sentence
    deep: bool
    current: bool


def story_of(told: Sequence[Record], *, check: Check | None, start: int) -> tuple[Beat, ...]:
    """The story as far as the records `told` tell it; `check` are the numbers behind the last of them."""
    last = told[-1]
    return tuple(
        Beat(
            _ICONS.get(record.code, "dot"),
            present_record(record, check=check if record is last else None, start=start),
            record.code in _DEEP,
            record is last,
        )
        for record in told
        if record.point == records.POST_FILTER
    )


_DEEP = frozenset({"preemption.reprieved", "preemption.victim"})
_ICONS = {
    "preemption.refused": "fail",
    "preemption.no_candidate": "fail",
    "preemption.removed": "looking",
    "preemption.reprieved": "pass",
    "preemption.victim": "victim",
    "preemption.candidate": "looking",
    "preemption.chosen": "nominated",
    "preemption.evicted": "victim",
}
