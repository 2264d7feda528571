"""What a rule says of every node about one Pod, without putting it in force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from simulator.engine.cel.errors import CelError
from simulator.engine.cel.errors import Problem as Flaw
from simulator.engine.cluster.cluster import Cluster
from simulator.engine.objects.pod import Pod
from simulator.engine.user_rules import gpus
from simulator.engine.user_rules.plugin import Evaluator, steps_for
from simulator.engine.user_rules.rule import FILTER, LARGEST, RANGE, REVERSED, SCORE, compile_rule
from simulator.engine.user_rules.scores import normalized_scores

MOST_ROWS: Final = 200
PASSES, REJECTS, FAILS = "passes", "rejects", "fails"


@dataclass(frozen=True, slots=True)
class TrialRow:
    """One node. `verdict` is "" without a filter; `score` None without one, or where the filter keeps the node out;
    `flaw` is why the rule failed here. `inputs` are what was read of the node, in the order of `Trial.inputs`."""

    node: str
    model: str
    gpus: int
    free: int
    verdict: str
    reason: str
    score: int | None
    normalized: int | None
    flaw: Flaw | None
    inputs: tuple[Any, ...]
    cost: int


@dataclass(frozen=True, slots=True)
class Trial:
    """`flaws` by point where the rule cannot be used at all. `outside`: a score is not within 0..100 though nothing
    normalizes it. `limit` is how many steps a node may cost."""

    pod: str
    rows: tuple[TrialRow, ...] = ()
    inputs: tuple[str, ...] = ()
    about_pod: tuple[tuple[str, Any], ...] = ()
    flaws: Mapping[str, Flaw] | None = None
    outside: bool = False
    limit: int = 0
    more: int = 0


def try_rule(fields: Mapping[str, str], cluster: Cluster, pod: Pod) -> Trial:
    """`fields` are `filter`, `score` and `normalize`, as in a rule."""
    flaws: dict[str, Flaw] = {}
    evaluators: dict[str, Evaluator] = {}
    for point in (FILTER, SCORE):
        source = fields.get(point) or ""
        if source.strip():
            try:
                evaluators[point] = Evaluator(compile_rule(source, point))
            except CelError as error:
                flaws[point] = error.problem
    if flaws or not evaluators or not len(cluster):
        return Trial(pod.key, flaws=flaws)
    return _tried(evaluators, fields.get("normalize") or "", cluster, pod)


def _tried(evaluators: Mapping[str, Evaluator], normalize: str, cluster: Cluster, pod: Pod) -> Trial:
    shown = cluster.rows(np.arange(min(len(cluster), MOST_ROWS)))
    results = {point: evaluator.results(pod, shown) for point, evaluator in evaluators.items()}
    told = [_inputs(evaluators, pod, shown, index) for index in range(len(shown))]
    counts, used = gpus.gpu_counts(shown).tolist(), gpus.used_gpus(shown).tolist()
    rows = []
    for index, node in enumerate(shown.nodes):
        filtered = results[FILTER][index] if FILTER in results else None
        scored = results[SCORE][index] if SCORE in results else None
        verdict = "" if filtered is None else FAILS if filtered.problem else PASSES
        reason = ""
        if filtered is not None and not filtered.problem and filtered.value not in (True, ""):
            verdict, reason = REJECTS, "" if filtered.value is False else str(filtered.value)
        counts_here = scored is not None and verdict in ("", PASSES)
        score = scored.value if scored is not None and counts_here and not scored.problem else None
        flaw = (filtered.problem if filtered else None) or (scored.problem if scored and counts_here else None)
        cost = max(result.cost for result in (filtered, scored) if result is not None)
        rows.append(
            TrialRow(
                node.name, gpus.gpu_model(node), counts[index], counts[index] - used[index], verdict, reason, score,
                None, flaw, tuple(value for _, value in told[index]), cost,
            )
        )  # fmt: skip
    names = tuple(name for name, _ in told[0])
    about_pod = tuple(
        (str(item), value)
        for evaluator in evaluators.values()
        for item, value in zip(evaluator.pod_inputs, evaluator.pod_values(pod), strict=True)
    )
    rows, outside = _normalize(rows, normalize)
    return Trial(
        pod.key, tuple(rows), names, tuple(dict(about_pod).items()), {}, outside, steps_for(len(cluster)),
        len(cluster) - len(rows),
    )  # fmt: skip


def _inputs(evaluators: Mapping[str, Evaluator], pod: Pod, rows: Any, index: int) -> list[tuple[str, Any]]:
    """What the rule reads of one node, each once."""
    found: dict[str, Any] = {}
    for evaluator in evaluators.values():
        found |= {name: value for name, value in evaluator.told(pod, rows, index) if evaluator.is_of_node(name)}
    return list(found.items())


def _normalize(rows: list[TrialRow], how: str) -> tuple[list[TrialRow], bool]:
    """(rows with their normalized scores, whether some score is outside of 0..100)."""
    scored = [index for index, row in enumerate(rows) if row.score is not None]
    if not scored:
        return rows, False
    raw = np.array([rows[index].score for index in scored], dtype=np.int64)
    values = normalized_scores(raw, how) if how in (LARGEST, REVERSED, RANGE) else raw
    made = list(rows)
    for index, value in zip(scored, values.tolist(), strict=True):
        row = rows[index]
        made[index] = TrialRow(
            row.node, row.model, row.gpus, row.free, row.verdict, row.reason, row.score, value, row.flaw, row.inputs,
            row.cost,
        )  # fmt: skip
    return made, bool(((values < 0) | (values > 100)).any())
