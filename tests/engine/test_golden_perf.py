"""The first Pods of the recorded large workloads get the same node, feasible count, ties and total as from the real
scheduler. `python -m tests.benchmarks engine` compares all that was recorded."""

from __future__ import annotations

import pytest

from tests.benchmarks.engine import REAL, enqueue, new_scheduler, read_inputs, run
from tests.golden.recorded import GOLDEN, read_lines

PODS = 60


@pytest.mark.parametrize(("kind", "nodes"), list(REAL))
def test_large_workload_is_decided_as_recorded(kind: str, nodes: int) -> None:
    node_manifests, pod_manifests = read_inputs(kind, nodes, PODS)
    scheduler = new_scheduler(node_manifests)
    enqueue(scheduler, pod_manifests)
    _, cycles = run(scheduler, PODS)
    recorded = list(read_lines(next((GOLDEN / "perf").glob(f"decisions-{kind}-{nodes}-*.jsonl.gz"))))[:PODS]
    assert len(recorded) == PODS
    got = [(c.pod, c.node, c.tries[0].feasible, c.tries[0].n_best, c.tries[0].top_total) for c in cycles]
    wanted = [(r["pod"], r["selected"], r["nFeasible"], r.get("nBest"), r.get("topTotal")) for r in recorded]
    assert got == wanted
