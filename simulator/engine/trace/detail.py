"""The details of an attempt, taken while the cluster still is as the attempt saw it."""

from __future__ import annotations

import numpy as np

from simulator.engine.framework.attempt import Attempt, node_names
from simulator.engine.framework.filtering import Search
from simulator.engine.framework.runtime import Framework
from simulator.engine.framework.status import Status
from simulator.engine.trace.records import AttemptDetail, Cell, ScoreColumn


def detail_of(framework: Framework, attempt: Attempt, placement: str | None = None) -> AttemptDetail:
    """Must be called before anything changes after the attempt, which must have been made with detail."""
    cluster = framework.handle.cluster
    names = [node.name for node in cluster.nodes.objects]
    detail = AttemptDetail(
        attempt.pod.key, placement, names, [], [], [], [], {}, {}, [], [], [], {}, {}, [], attempt.node, attempt.message
    )
    search = attempt.search
    if search is None:
        return detail
    detail.feasible = node_names(framework, search.feasible)
    detail.rejections = {names[row]: status for row, status in search.diagnosis.explicit()}
    detail.skipped = [p.name for p in framework.filter if p.name in attempt.state.skip_filter]
    if search.pre_filter.status.is_success:
        detail.plugins = [plugin.name for plugin in framework.filters_for(attempt.state)]
        _fill_matrix(framework, attempt, search, detail)
    _fill_scores(framework, attempt, detail)
    return detail


def _fill_matrix(framework: Framework, attempt: Attempt, search: Search, detail: AttemptDetail) -> None:
    cluster = framework.handle.cluster
    failed_rows = [row for row in search.diagnosis.failed.tolist() if row not in search.diagnosis.extra]
    outside = list(search.diagnosis.extra)
    looked_at = {*search.feasible.tolist(), *failed_rows, *outside}
    order = [row for row in _rotated(framework, search) if row in looked_at]
    detail.visited = [detail.nodes[row] for row in order]
    rows = cluster.all_rows()
    alive = np.zeros(len(cluster), dtype=np.bool_)
    alive[list(looked_at)] = True
    for plugin in framework.filters_for(attempt.state):
        verdicts = plugin.filter(attempt.state, attempt.pod, rows)
        for row, name in enumerate(detail.nodes):
            cell = Cell(verdicts.status(row).by(plugin.name), bool(alive[row]))
            detail.matrix.setdefault(name, {})[plugin.name] = cell
        alive &= verdicts.codes == 0
    for row in failed_rows:
        if alive[row]:
            detail.nominees.append(detail.nodes[row])


def _rotated(framework: Framework, search: Search) -> list[int]:
    order: list[int] = framework.handle.cluster.order.tolist()
    if search.pre_filter.rows is not None:
        order = [row for row in order if row in search.pre_filter.rows]
    shift = search.start % len(order) if order else 0
    return order[shift:] + order[:shift]


def _fill_scores(framework: Framework, attempt: Attempt, detail: AttemptDetail) -> None:
    scoring = attempt.scoring
    if scoring is None:
        return
    names = detail.feasible
    for layer in scoring.layers:
        raw = dict(zip(names, layer.raw.tolist(), strict=True))
        normalized = dict(zip(names, layer.normalized.tolist(), strict=True))
        detail.scores.append(ScoreColumn(layer.plugin, layer.weight, raw, normalized))
    detail.skipped_scores = [p.name for p, _ in framework.score if p.name in attempt.state.skip_score]
    detail.outside = {url: dict(scores) for url, scores in scoring.outside.items()}
    detail.totals = dict(zip(names, scoring.totals.tolist(), strict=True))
    if attempt.best is not None:
        detail.best = node_names(framework, attempt.best)


def rejection(detail: AttemptDetail, node: str) -> Status:
    """The status that counts for a node, success where it fits."""
    return detail.rejections.get(node, Status())
