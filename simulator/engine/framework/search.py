"""One Pod's search for feasible nodes over the whole cluster.

Source: kube-scheduler 1.36 `schedule_one.go` findNodesThatFitPod, findNodesThatPassFilters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from simulator.engine.cluster.columns import Ints
from simulator.engine.cluster.rows import Bools
from simulator.engine.framework import messages
from simulator.engine.framework.diagnosis import Diagnosis, Findings
from simulator.engine.framework.extender_replies import ExtenderError
from simulator.engine.framework.extenders import FILTER, PLUGIN_NAME
from simulator.engine.framework.filtering import (
    PluginError,
    Search,
    evaluate,
    evaluate_with_nominated,
    feasible_to_find,
    nominated_delta,
    run_pre_filter,
)
from simulator.engine.framework.plugin import CycleState, FilterPlugin
from simulator.engine.framework.status import Code, Reason, Status, Verdicts, unresolvable, unschedulable
from simulator.engine.objects.pod import Pod

if TYPE_CHECKING:
    from simulator.engine.framework.runtime import Framework

NO_STATUS = Status(Code.UNRESOLVABLE)


def find_feasible(
    framework: Framework,
    state: CycleState,
    pod: Pod,
    start: int,
    *,
    candidates: Bools | None = None,
    detail: bool = False,
) -> Search:
    """Look for nodes for `pod`, beginning at index `start` of the visiting order.

    `candidates` (rows,) limits the search to a placement. Why single nodes failed is only worked out with `detail`,
    or where nothing fits. Raises `PluginError`.
    """
    cluster = framework.handle.cluster
    outcome = run_pre_filter(framework, state, pod)
    diagnosis = Diagnosis(_count(candidates, len(cluster)), Findings.start(0), _none(), NO_STATUS)
    search = Search(outcome, _none(), diagnosis, start=start, next_start=start)
    if not outcome.status.is_success:
        _rejected_early(search, len(cluster))
        return search
    if outcome.rows is not None:
        diagnosis.absent = unresolvable("framework.unsatisfied", plugins=" ".join(outcome.narrowing))
        diagnosis.plugins = tuple(outcome.narrowing)
    if pod.nominated_node_name and _try_nominated(framework, state, pod, search, candidates):
        return search
    _pass_filters(framework, state, pod, search, candidates, detail=detail)
    search.feasible, search.bare = _ask_extenders(framework, pod, search.feasible, diagnosis)
    return search


def _none() -> Ints:
    return np.zeros(0, dtype=np.int64)


def _count(candidates: Bools | None, rows: int) -> int:
    return rows if candidates is None else int(candidates.sum())


def _rejected_early(search: Search, rows: int) -> None:
    status, diagnosis = search.pre_filter.status, search.diagnosis
    diagnosis.findings = Findings.start(rows)
    diagnosis.absent = status
    diagnosis.pre_filter = messages.status_text(status)
    if status.plugin:
        diagnosis.plugins = (status.plugin,)


def _try_nominated(framework: Framework, state: CycleState, pod: Pod, search: Search, candidates: Bools | None) -> bool:
    """Try the node the Pod is nominated to. True where it fits: then it is the only feasible node."""
    cluster, diagnosis = framework.handle.cluster, search.diagnosis
    row = cluster.nodes.row_of.get(pod.nominated_node_name)
    if row is None or (candidates is not None and not candidates[row]):
        return False
    ids = np.array([row], dtype=np.int64)
    findings = evaluate_with_nominated(framework, state, pod, cluster.rows(ids))
    if findings.codes[0] == 0:
        left, bare = _ask_extenders(framework, pod, ids, diagnosis)
        if not len(left):
            return False
        search.feasible, search.bare, search.nominated, search.looked_at = ids, bare, True, 1
        return True
    diagnosis.findings = Findings.start(len(cluster))
    diagnosis.findings.replace(ids, findings)
    diagnosis.failed = ids
    diagnosis.plugins = _joined(diagnosis.plugins, findings.plugins(np.zeros(1, dtype=np.int64)))
    return False


def _joined(left: tuple[str, ...], right: list[str]) -> tuple[str, ...]:
    return tuple(sorted({*left, *right}))


def _visiting_order(framework: Framework, search: Search, candidates: Bools | None) -> Ints:
    """Rows in the order in which they are visited, from the start index on."""
    cluster = framework.handle.cluster
    if candidates is None and search.pre_filter.rows is None and search.start == 0 and cluster.is_in_row_order:
        return cluster.order_of_rows
    order = cluster.order
    if candidates is not None:
        order = order[candidates[order]]
    if search.pre_filter.rows is not None:
        chosen = search.pre_filter.rows
        order = np.array([row for row in order.tolist() if row in chosen], dtype=np.int64)
    shift = search.start % len(order) if len(order) else 0
    return np.concatenate([order[shift:], order[:shift]]) if shift else order


def _pass_filters(
    framework: Framework, state: CycleState, pod: Pod, search: Search, candidates: Bools | None, *, detail: bool
) -> None:
    cluster = framework.handle.cluster
    order = _visiting_order(framework, search, candidates)
    wanted = 1 if framework.picks_first else feasible_to_find(len(order), framework.percentage_of_nodes_to_score)
    passes, answers = framework.filter_plan(state, pod).verdicts(state, pod, cluster.all_rows())
    passes, first_pass = _check_nominated(framework, state, pod, passes)
    visited, search.feasible = _cut(order, passes if order is cluster.order_of_rows else passes[order], wanted)
    diagnosis = search.diagnosis
    outside = framework.handle.extenders is not None and framework.handle.extenders.filters
    search.looked_at = len(visited)
    if len(diagnosis.failed) or diagnosis.extra:
        search.looked_at += len(
            {*diagnosis.failed.tolist(), *diagnosis.extra}.difference(visited[~passes[visited]].tolist())
        )
    if detail or outside or not len(search.feasible) or any(plugin.may_fail for plugin, _ in answers):
        _enter_failures(framework, diagnosis, answers, visited[~passes[visited]], first_pass)
    if diagnosis.nodes:
        search.next_start = (search.start + search.looked_at) % diagnosis.nodes


def _cut(order: Ints, fits: Bools, wanted: int) -> tuple[Ints, Ints]:
    """(rows visited, rows found): the search stops at the first feasible row too many, which is not counted."""
    found = np.flatnonzero(fits)
    if len(found) == len(order):
        return order[:wanted], order[:wanted]
    if len(found) <= wanted:
        return order, order[found]
    return order[: found[wanted]], order[found[:wanted]]


def _check_nominated(
    framework: Framework, state: CycleState, pod: Pod, passes: Bools
) -> tuple[Bools, tuple[Ints, Findings]]:
    """`passes` without the rows that fail once the Pods nominated to them are counted, and why those fail."""
    rows = framework.handle.cluster.all_rows()
    delta, positions = nominated_delta(framework, pod, rows)
    if not len(positions):
        return passes, (positions, Findings.start(0))
    with_them = evaluate(framework, state, pod, rows.with_delta(delta).subset(positions))
    failed = np.flatnonzero(with_them.codes)
    passes = passes.copy()
    passes[positions[failed]] = False
    return passes, (positions[failed], with_them.take(failed))


def _enter_failures(
    framework: Framework,
    diagnosis: Diagnosis,
    answers: list[tuple[FilterPlugin, Verdicts]],
    failed: Ints,
    first_pass: tuple[Ints, Findings],
) -> None:
    """Work out the first rejection of every failed row; one looked at earlier (the nominated node) keeps its own."""
    findings = Findings.start(len(framework.handle.cluster))
    for plugin, verdicts in answers:
        findings.add(plugin.name, verdicts)
    findings.replace(*first_pass)
    findings.keep_only(failed)
    earlier = diagnosis.failed
    if len(earlier):
        earlier = np.setdiff1d(earlier, failed)
    if len(earlier):
        findings.replace(earlier, diagnosis.findings.take(earlier))
    errors = failed[findings.codes[failed] == Code.ERROR]
    if len(errors):
        status = findings.status(int(errors[0]))
        raise framework.failure("framework.filter", status.plugin, status)
    diagnosis.findings = findings
    diagnosis.failed = np.concatenate([earlier, failed])
    diagnosis.plugins = _joined(diagnosis.plugins, findings.plugins(failed))


def _ask_extenders(framework: Framework, pod: Pod, feasible: Ints, diagnosis: Diagnosis) -> tuple[Ints, bool]:
    """(rows that remain, whether they came back without their Pods) after the filters outside. Raises `PluginError`."""
    extenders, cluster = framework.handle.extenders, framework.handle.cluster
    if extenders is None or not len(feasible):
        return feasible, False
    before, bare = len(feasible), False
    for extender in extenders.interested(pod, FILTER):
        if not len(feasible):
            break
        try:
            answer = extender.filter(pod, [cluster.nodes.objects[row] for row in feasible.tolist()])
        except ExtenderError as failure:
            if extender.ignorable:
                continue
            raise PluginError(Reason.of("extender.failed", message=str(failure)), PLUGIN_NAME) from failure
        bare = bare or answer.bare
        row_of = cluster.nodes.row_of
        feasible = np.array([row_of[name] for name in answer.names if name in row_of], dtype=np.int64)
        for name, text in answer.failed.items():
            if name not in answer.unresolvable and name in row_of:
                diagnosis.extra[row_of[name]] = unschedulable("extender.rejected", message=text)
        for name, text in answer.unresolvable.items():
            if name in row_of:
                diagnosis.extra[row_of[name]] = unresolvable("extender.rejected", message=text)
    if len(feasible) != before:
        diagnosis.plugins = _joined(diagnosis.plugins, [PLUGIN_NAME])
    return feasible, bare
