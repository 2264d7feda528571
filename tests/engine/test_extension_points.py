"""Extension points with plugins made for the purpose: every way an answer can go, in kube's words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from simulator.engine.cluster.rows import Rows
from simulator.engine.framework.facts import Formula
from simulator.engine.framework.plugin import (
    BindPlugin,
    CycleState,
    FilterPlugin,
    PermitPlugin,
    PermitResult,
    Plugin,
    PostBindPlugin,
    PreBindPlugin,
    PreFilterPlugin,
    PreFilterResult,
    PreScorePlugin,
    ReservePlugin,
    ScorePlugin,
)
from simulator.engine.framework.registry import REGISTRY
from simulator.engine.framework.status import SUCCESS, Code, Reason, Scores, Status, Verdicts
from simulator.engine.objects.pod import Pod
from simulator.engine.objects.times import SECOND
from simulator.engine.world.setup import Setup
from simulator.engine.world.simulation import Simulation
from tests.engine.build import cycles, node_manifest, pod_manifest

KIND = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
Run = Callable[..., Simulation]


def told(code: Code, text: str) -> Status:
    return Status(code, (Reason.of("extender.failed", message=text),))


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Simulate two nodes and a Pod with more plugins; one turn."""

    def simulate(*plugins: type[Plugin], nodes: int = 2, turns: int = 1) -> Simulation:
        registry = {**REGISTRY, **{plugin.name: plugin for plugin in plugins}}
        monkeypatch.setattr(Setup, "registry", lambda _self: registry)
        enabled = [{"name": plugin.name} for plugin in plugins]
        config = {**KIND, "profiles": [{"plugins": {"multiPoint": {"enabled": enabled}}}]}
        made = Simulation(Setup(config))
        manifests = [node_manifest(f"n{index}") for index in range(1, nodes + 1)]
        made.apply({"type": "apply", "objects": [*manifests, pod_manifest("p")]})
        for _ in range(turns):
            made.step()
        return made

    return simulate


def message(made: Simulation) -> str:
    return cycles(made)[-1].failures[0].message


def narrowing(own: str, *nodes: str) -> type[Plugin]:
    class Narrows(PreFilterPlugin):
        name = own

        def pre_filter(self, state: CycleState, pod: Pod) -> PreFilterResult:
            return PreFilterResult(nodes=frozenset(nodes))

    return Narrows


def rejecting(own: str, status: Status) -> type[Plugin]:
    class Rejects(PreFilterPlugin):
        name = own

        def pre_filter(self, state: CycleState, pod: Pod) -> PreFilterResult:
            return PreFilterResult(status)

    return Rejects


# PreFilter


def test_two_plugins_that_leave_no_node_together(run: Run) -> None:
    made = run(narrowing("B", "n1"), narrowing("A", "n2"))
    assert message(made).startswith(
        "0/2 nodes are available: node(s) didn't satisfy plugin(s) [A B] simultaneously. no new claims to deallocate, "
        "preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling."
    )


def test_one_plugin_that_leaves_no_node(run: Run) -> None:
    assert message(run(narrowing("A"))).startswith("0/2 nodes are available: node(s) didn't satisfy plugin A.")


def test_nodes_outside_the_intersection_name_all_who_narrowed(run: Run) -> None:
    made = run(narrowing("A", "n1", "n2"), narrowing("B", "n2", "gone"), nodes=3)
    assert cycles(made)[0].node == "n2"


def test_the_last_soft_rejection_counts_and_the_others_still_run(run: Run) -> None:
    first = rejecting("A", told(Code.UNSCHEDULABLE, "first"))
    last = rejecting("B", told(Code.UNSCHEDULABLE, "last"))
    made = run(first, last)
    assert message(made).startswith("0/2 nodes are available: last. no new claims to deallocate")
    assert cycles(made)[0].failures[0].rejectors == ("B",)


def test_a_hard_rejection_stops_at_once(run: Run) -> None:
    hard = rejecting("A", told(Code.UNRESOLVABLE, "hopeless"))
    made = run(hard, rejecting("B", told(Code.UNSCHEDULABLE, "later")))
    assert message(made).startswith("0/2 nodes are available: hopeless.")
    assert cycles(made)[0].failures[0].rejectors == ("A",)


def test_an_error_in_pre_filter_is_wrapped(run: Run) -> None:
    made = run(rejecting("A", told(Code.ERROR, "broken")))
    assert message(made) == 'running PreFilter plugin "A": broken'
    assert (cycles(made)[0].result, cycles(made)[0].failures[0].code) == ("error", "Error")


# Filter and Score


class Breaks(FilterPlugin):
    name = "Breaks"
    may_fail = True

    def filter(self, state: CycleState, pod: Pod, rows: Rows) -> Verdicts:
        return Verdicts.where(rows.ids == 1, Code.ERROR, Reason.of("extender.failed", message="broken"))


def test_an_error_in_filter_ends_the_attempt_even_where_a_node_fits(run: Run) -> None:
    assert message(run(Breaks)) == 'running "Breaks" filter plugin: broken'


class Unready(PreScorePlugin):
    name = "Unready"

    def pre_score(self, state: CycleState, pod: Pod, rows: Rows) -> Status:
        return told(Code.ERROR, "not ready")


def test_an_error_in_pre_score_is_wrapped(run: Run) -> None:
    assert message(run(Unready)) == 'running PreScore plugin "Unready": not ready'


class Boasts(ScorePlugin):
    name = "Boasts"

    def score(self, state: CycleState, pod: Pod, rows: Rows) -> Scores:
        return np.full(len(rows), 101, dtype=np.int64)

    def score_facts(self, state: CycleState, pod: Pod, rows: Rows, position: int) -> Formula:
        return Formula.of("normalize.none", 101)


def test_a_score_out_of_range_is_an_error_and_a_single_node_is_not_scored(run: Run) -> None:
    assert message(run(Boasts)) == (
        'applying score defaultWeights on Score plugins: plugin "Boasts" returns an invalid score 101, it should in '
        "the range of [0, 100] after normalizing"
    )
    assert cycles(run(Boasts, nodes=1))[0].node == "n1"


# Reserve, Permit, PreBind, Bind

LOG: list[str] = []


def reserving(own: str, status: Status = SUCCESS) -> type[Plugin]:
    class Reserves(ReservePlugin):
        name = own

        def reserve(self, state: CycleState, pod: Pod, node: str) -> Status:
            LOG.append(f"{own} reserves")
            return status

        def unreserve(self, state: CycleState, pod: Pod, node: str) -> None:
            LOG.append(f"{own} gives back")

    return Reserves


def test_a_failed_reserve_gives_everything_back_in_reverse(run: Run) -> None:
    LOG.clear()
    made = run(reserving("A"), reserving("B", told(Code.UNSCHEDULABLE, "taken")), reserving("C"))
    assert LOG == ["A reserves", "B reserves", "C gives back", "B gives back", "A gives back"]
    assert message(made) == "0/1 nodes are available: 1 taken."
    assert cycles(made)[0].failures[0].rejectors == ("B",)
    assert made.scheduler.cluster.placed("default/p") is None


def test_an_error_in_reserve_is_wrapped(run: Run) -> None:
    made = run(reserving("A", told(Code.ERROR, "broken")))
    assert message(made) == 'running Reserve plugin "A": broken'
    assert [info.key for info in made.scheduler.queue.error_backoff] == ["default/p"]


def permitting(own: str, status: Status, seconds: int = 0) -> type[Plugin]:
    class Permits(PermitPlugin):
        name = own

        def permit(self, state: CycleState, pod: Pod, node: str) -> PermitResult:
            return PermitResult(status, seconds * SECOND)

    return Permits


def test_a_rejected_permit_is_a_fit_error_of_one_node(run: Run) -> None:
    LOG.clear()
    made = run(reserving("A"), permitting("B", told(Code.UNSCHEDULABLE, "not today")))
    assert LOG == ["A reserves", "A gives back"]
    assert message(made) == "0/1 nodes are available: 1 not today."


def test_an_error_in_permit_is_wrapped(run: Run) -> None:
    assert message(run(permitting("A", told(Code.ERROR, "broken")))) == 'running Permit plugin "A": broken'


WAIT = Status(Code.WAIT)


def test_a_waiting_pod_shows_its_node_and_is_turned_away_at_the_first_deadline(run: Run) -> None:
    made = run(permitting("Slow", WAIT, 90), permitting("Quick", WAIT, 5))
    assert cycles(made)[0].result == "waiting"
    pod = made.world.pod("default/p")
    assert (pod.node_name, pod.nominated_node_name) == ("", "n1")
    assert (
        made.scheduler.waiting.get("default/p").deadline == made.scheduler.waiting.get("default/p").since + 5 * SECOND
    )
    made.apply({"type": "advance", "seconds": 5})
    record = next(cycle for cycle in cycles(made) if cycle.kind == "permitTimeout")
    text = "0/1 nodes are available: 1 rejected due to timeout after waiting 5s at plugin Quick."
    assert record.failures[0].message == text
    assert record.failures[0].rejectors == ("Quick",)
    assert made.world.pod("default/p").nominated_node_name == ""


def test_no_permit_waits_longer_than_fifteen_minutes(run: Run) -> None:
    made = run(permitting("A", WAIT, 10_000))
    made.apply({"type": "advance", "seconds": 900})
    record = next(cycle for cycle in cycles(made) if cycle.kind == "permitTimeout")
    assert record.failures[0].message.endswith("after waiting 15m0s at plugin A.")


def test_a_waiting_pod_goes_on_when_everybody_allows_it(run: Run) -> None:
    made = run(permitting("A", WAIT, 60), permitting("B", WAIT, 60))
    scheduler = made.scheduler
    scheduler.allow("default/p", "A")
    assert scheduler.released == []
    scheduler.allow("default/p", "B")
    assert [waiting.pod.key for waiting in scheduler.released] == ["default/p"]


def test_deleting_a_waiting_pod_frees_its_node(run: Run) -> None:
    made = run(permitting("A", WAIT, 60))
    made.apply({"type": "delete", "kind": "Pod", "name": "p"})
    assert made.scheduler.waiting.all() == []
    assert made.scheduler.cluster.placed("default/p") is None
    assert made.scheduler.assumed == {}


class Prebinds(PreBindPlugin):
    name = "Prebinds"

    def pre_bind(self, state: CycleState, pod: Pod, node: str) -> Status:
        return told(Code.ERROR, "no disk")


class Binds(BindPlugin):
    """In the place of the default one, which would bind first."""

    name = "DefaultBinder"

    def bind(self, state: CycleState, pod: Pod, node: str) -> Status:
        return told(Code.ERROR, "conflict")


class Notes(PostBindPlugin):
    name = "Notes"

    def post_bind(self, state: CycleState, pod: Pod, node: str) -> None:
        LOG.append(f"{pod.name} on {node}")


@pytest.mark.parametrize(
    ("plugin", "text"),
    [
        (Prebinds, 'running PreBind plugin "Prebinds": no disk'),
        (Binds, 'running Bind plugin "DefaultBinder": conflict'),
    ],
)
def test_a_failed_binding_gives_back_and_tells(run: Run, plugin: Any, text: str) -> None:
    LOG.clear()
    made = run(reserving("A"), plugin)
    [cycle] = cycles(made)
    assert [(item.bound, item.message) for item in cycle.bindings] == [(False, text)]
    assert cycle.failures[0].message == text
    assert made.world.pod("default/p").node_name == ""
    assert made.scheduler.cluster.placed("default/p") is None
    assert LOG[-1] == "A gives back"


def test_post_bind_comes_after_the_binding(run: Run) -> None:
    LOG.clear()
    run(Notes)
    assert LOG == ["p on n1"]
