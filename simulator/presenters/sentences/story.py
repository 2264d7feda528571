"""The records of a turn as sentences, one each, with the numbers where an explanation is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from simulator.engine.framework.messages import TEXTS, status_text
from simulator.engine.framework.status import Code, Status
from simulator.engine.objects.times import parse_time
from simulator.engine.trace.explain import Check
from simulator.engine.trace.records import AttemptDetail, Record, ScoreColumn
from simulator.engine.world.setup import EPOCH
from simulator.presenters.clock import clock_text
from simulator.presenters.sentences.both import Both, unknown
from simulator.presenters.sentences.facts import failed_clauses, present_check
from simulator.presenters.sentences.say import Sentence, joined, say
from simulator.presenters.sentences.tables.records import CRITERIA, DECIDED, POINTS, RECORDS, TIMED

START = parse_time(EPOCH)
MOST_SCORES = 6

Params = Mapping[str, Any]
Variant = tuple[str, dict[str, Any]]


def present_record(
    record: Record, *, check: Check | None = None, detail: AttemptDetail | None = None, start: int = START
) -> Sentence:
    """What a record says.

    `check` (from `explain_record`) puts the numbers into rejections by Filter and into the dry run of a preemption;
    `detail`, the record's attempt, puts the scores into those of Score. `start` is the virtual clock's zero.
    """
    numbers = None if check is None else _with_numbers(record, check)
    if numbers is not None:
        return numbers
    variant = _VARIANTS.get(record.code)
    suffix, more = _by_status(record) if variant is None else variant(record)
    params = {**record.params, "pod": record.pod, "node": record.node, "plugin": record.plugin}
    params |= {"reasons": record.status.reasons, **more, **_further(record, detail, start)}
    return say(_sentence(f"{record.code}{suffix}"), params, kube=_kube(record), start=start)


def _sentence(code: str) -> Both:
    """A variant's sentence, or that of its code."""
    return RECORDS.get(code) or RECORDS.get(code.rsplit(".", 1)[0]) or unknown(code)


def _kube(record: Record) -> str:
    return str(record.params.get("message") or status_text(record.status))


def _with_numbers(record: Record, check: Check) -> Sentence | None:
    """The sentence with the facts of a check that rejects, None where it does not, or says nothing about it."""
    clauses = failed_clauses(check, pod=record.pod, node=record.node)
    if not clauses:
        return None
    params = {**record.params, "pod": record.pod, "node": record.node}
    match record.code:
        case "filter.verdict":
            return present_check(check, pod=record.pod, node=record.node)
        case "filter.nominees":
            return joined(clauses, opening=say(RECORDS["filter.nominees.counted"], params), kube=_kube(record))
        case "preemption.victim":
            suffix, _ = _offered(record)
            return joined([say(RECORDS[f"{record.code}{suffix}"], params), *clauses], kube=_kube(record))
    return None


def _further(record: Record, detail: AttemptDetail | None, start: int) -> dict[str, Any]:
    """What a sentence needs of the attempt and of the clock."""
    match record.code:
        case "score.raw" | "score.normalized":
            return {"scores": _scores(record, detail)}
        case "permit.waits":
            deadlines = record.params["deadlines"]
            return {"plugins": timed(deadlines, start), "until": min(deadlines.values())}
        case "preemption.criterion":
            return {"values": _criterion_values(record, start)}
    return {}


def timed(deadlines: Mapping[str, int], start: int) -> list[Sentence]:
    """Plugins that make a Pod wait, each with its deadline on the virtual clock."""
    return [say(TIMED, {"plugin": plugin, "time": time}, start=start) for plugin, time in deadlines.items()]


def present_point(point: str) -> str:
    """The name of a stage."""
    return say(POINTS.get(point, unknown(point)), {}).text


def _by_status(record: Record) -> Variant:
    status = record.status
    if status.is_success:
        return "", {}
    if status.code == Code.SKIP:
        return ".skip", {}
    if status.code == Code.WAIT:
        return ".wait", {}
    return (".error" if status.code == Code.ERROR else ".rejected"), {}


def _popped(record: Record) -> Variant:
    return (".woken" if record.params["woken_by"] else ""), {}


def _skipped(record: Record) -> Variant:
    return (".terminating" if record.params["terminating"] else ""), {}


def _collected(record: Record) -> Variant:
    members = record.params["members"]
    return ("" if record.params["needed"] is None else ".gang"), {"count": len(members), "members": members}


def _member(record: Record) -> Variant:
    return (".placement" if record.params["placement"] else ""), {}


def _group_result(record: Record) -> Variant:
    if record.params["success"]:
        return "", {}
    return (".waiting" if record.params["waiting"] else ".failed"), {}


def _pre_filter(record: Record) -> Variant:
    nodes = record.params["nodes"]
    if nodes is not None and record.status.is_success:
        return ".nodes", {"count": len(nodes), "nodes": nodes[:MOST_SCORES]}
    suffix, _ = _by_status(record)
    return (".rejected" if suffix == ".error" else suffix), {}


def _narrowed(record: Record) -> Variant:
    nodes = record.params["nodes"]
    return "", {"count": len(nodes), "nodes": nodes[:MOST_SCORES]}


def _summary(record: Record) -> Variant:
    return (".unseen" if record.params["unseen"] else ""), {}


def _best(record: Record) -> Variant:
    best = record.params["best"]
    return (".tie" if len(best) > 1 else ""), {"count": len(best), "best": best[:MOST_SCORES]}


def _potential(record: Record) -> Variant:
    nodes = record.params["nodes"]
    return ("" if nodes else ".none"), {"count": len(nodes), "nodes": nodes[:MOST_SCORES]}


def _removed(record: Record) -> Variant:
    pods = record.params["pods"]
    return "", {"count": len(pods), "pods": pods[:MOST_SCORES]}


def _offered(record: Record) -> Variant:
    return (".budget" if record.params["violates"] else ""), {}


def _candidate(record: Record) -> Variant:
    victims = record.params["victims"]
    suffix = ".budget" if record.params["violations"] else ""
    return suffix, {"count": len(victims), "victims": victims[:MOST_SCORES]}


def _criterion(record: Record) -> Variant:
    name = record.params["name"]
    return "", {"criterion": say(CRITERIA.get(name, unknown(name)), {}), "left": record.params["left"]}


def _criterion_values(record: Record, start: int) -> list[str]:
    is_time = record.params["name"] == "startTime"
    values = list(record.params["values"].items())[:MOST_SCORES]
    return [f"{node} {clock_text(value - start) if is_time else value}" for node, value in values]


def _chosen(record: Record) -> Variant:
    decided = record.params["decided_by"]
    return "", {"decided": say(DECIDED.get(decided, unknown(decided)), {})}


def _failed(record: Record) -> Variant:
    if record.params["nominated"]:
        return ".nominated", {}
    if record.params["rejectors"]:
        return "", {}
    return (".group" if record.params["message"].startswith(TEXTS["pod_group.unschedulable"]) else ".error"), {}


_VARIANTS: Mapping[str, Callable[[Record], Variant]] = {
    "queue.popped": _popped,
    "queue.skipped": _skipped,
    "group.collected": _collected,
    "group.member": _member,
    "group.result": _group_result,
    "pre_filter.result": _pre_filter,
    "pre_filter.narrowed": _narrowed,
    "filter.summary": _summary,
    "select.best": _best,
    "preemption.potential": _potential,
    "preemption.removed": _removed,
    "preemption.reprieved": _offered,
    "preemption.victim": _offered,
    "preemption.candidate": _candidate,
    "preemption.criterion": _criterion,
    "preemption.chosen": _chosen,
    "requeue.failed": _failed,
}
"""Which variant of a record's sentence is meant, and what it needs beside the record's own parameters."""


def _scores(record: Record, detail: AttemptDetail | None) -> Sequence[str]:
    """`h100-1 98, h100-2 87`, the best first; nothing where the attempt is not given."""
    column = None if detail is None else next((c for c in detail.scores if c.plugin == record.plugin), None)
    if column is None:
        return ["…"]
    values = column.raw if record.code == "score.raw" else column.normalized
    return _ranked(values, column)


def _ranked(values: Mapping[str, int], column: ScoreColumn) -> Sequence[str]:
    ordered = sorted(values, key=lambda node: (-column.normalized[node], node))
    shown = [f"{node} {values[node]}" for node in ordered[:MOST_SCORES]]
    return [*shown, "…"] if len(ordered) > MOST_SCORES else shown


def present_status(status: Status, *, node: str = "") -> Sentence:
    """A status alone, without numbers: what its reasons mean."""
    params = {"reasons": status.reasons, "node": node}
    both = RECORDS["filter.verdict.rejected"] if node else _REASONS_ALONE
    return say(both, params, kube=status_text(status))


_REASONS_ALONE = Both("{reasons:reasons}", "{reasons:reasons}")
