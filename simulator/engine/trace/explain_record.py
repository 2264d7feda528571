"""The numbers behind one record of a turn, worked out again when somebody looks at it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from simulator.engine.framework.attempt import Attempt
from simulator.engine.framework.runtime import Framework
from simulator.engine.trace import records
from simulator.engine.trace.explain import (
    Check,
    NodeExplanation,
    check,
    explain_node,
    explain_reprieves,
)
from simulator.engine.trace.records import Record, Trace
from simulator.engine.world.history import History


@dataclass(frozen=True, slots=True)
class RecordExplanation:
    """What there is to a record: a plugin's check of a node, or everything about the node."""

    check: Check | None = None
    node: NodeExplanation | None = None


_NOTHING = RecordExplanation()

Ask = Callable[[Framework, Attempt], RecordExplanation]


def explain_record(history: History, index: int, record: Record, trace: Trace | None = None) -> RecordExplanation:
    """The numbers behind `record` of action `index`. `trace` is that action's, where it is at hand already."""
    ask = _question(record, lambda: history.trace(index) if trace is None else trace)
    if ask is None:
        return _NOTHING
    return history.probe(index, record.attempt, ask) or _NOTHING


def _question(record: Record, trace: Callable[[], Trace]) -> Ask | None:
    """What to ask of the attempt that the record belongs to, None where there is nothing to ask."""
    match record.code:
        case "filter.verdict":
            return lambda framework, tried: _verdict(framework, tried, record)
        case "filter.nominees":
            return lambda framework, tried: _nominees(framework, tried, record)
        case "preemption.reprieved" | "preemption.victim":
            steps = _steps(trace(), record)
            return lambda framework, tried: _reprieve(framework, tried, record, steps)
        case "filter.nominated_fits" | "select.only" | "select.best" | "extenders.rejected":
            return lambda framework, tried: RecordExplanation(node=explain_node(framework, tried, record.node))
    return None


def _verdict(framework: Framework, tried: Attempt, record: Record) -> RecordExplanation:
    return RecordExplanation(check(framework, tried, record.node, record.plugin))


def _nominees(framework: Framework, tried: Attempt, record: Record) -> RecordExplanation:
    node = explain_node(framework, tried, record.node)
    return RecordExplanation(node.decisive, node)


def _reprieve(framework: Framework, tried: Attempt, record: Record, steps: Mapping[str, bool]) -> RecordExplanation:
    """The check that decided about a victim: the one that failed with it back, else the last that passed."""
    for step in explain_reprieves(framework, tried, record.node, list(steps.items())):
        if step.victim == record.params["victim"]:
            failed = (item for item in step.checks if not item.status.is_success)
            return RecordExplanation(next(failed, step.checks[-1] if step.checks else None))
    return _NOTHING


def _steps(trace: Trace, record: Record) -> dict[str, bool]:
    """Victim -> whether it was kept, in the order of the dry run on the record's node."""
    offered = (
        other
        for other in trace.records
        if other.point == records.POST_FILTER and other.attempt == record.attempt and other.node == record.node
    )
    found: dict[str, bool] = {}
    for other in offered:
        if other.code in ("preemption.reprieved", "preemption.victim"):
            found[other.params["victim"]] = other.code == "preemption.reprieved"
    return found
