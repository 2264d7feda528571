"""Why a Pod is or is not on a node, at moments of small runs whose outcome can be worked out by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from simulator.engine.framework.plugin import PermitResult
from simulator.engine.framework.status import Code, Reason, Status
from simulator.engine.plugins.gang_scheduling import PERMIT_TIMEOUT, GangScheduling
from simulator.engine.trace.explain import CHOSEN, PASSED, REJECTED
from simulator.engine.trace.why import Why, why, why_now
from simulator.engine.world.history import History
from simulator.engine.world.setup import Setup
from tests.engine.trace import labs
from tests.engine.trace.labs import apply, lab, node, pod, run


def failing(answer: Why) -> dict[str, object]:
    """Code and parameters of the first fact that does not hold."""
    assert answer.last is not None
    check = answer.last.explanation.decisive
    assert check is not None
    fact = next(fact for fact in check.facts if not fact.holds)
    return {"code": fact.code, **fact.params}


@pytest.mark.parametrize(
    ("name", "plugin", "expected"),
    [
        ("small", "NodeResourcesFit", {"requested": 4, "used": 0, "allocatable": 2, "hopeless": True}),
        ("tainted", "TaintToleration", {"taint": "nvidia.com/gpu=present:NoSchedule", "near": []}),
        ("cordoned", "NodeUnschedulable", {"cordoned": True, "tolerated": False}),
        ("other-zone", "NodeAffinity", {"key": "zone", "values": ["a"], "have": "b"}),
    ],
)
def test_pending_pod_was_rejected_by_every_node_for_a_reason_of_its_own(
    name: str, plugin: str, expected: dict[str, object]
) -> None:
    answer = why(labs.unschedulable(), "default/train", name)
    assert (answer.code, answer.params["plugin"]) == ("why.rejected", plugin)
    assert answer.state is not None
    assert answer.state.code == "pod.unschedulable"
    assert expected.items() <= failing(answer).items()
    assert answer.now is not None
    assert answer.now.explanation.outcome == REJECTED


def test_bound_pod_scored_less_elsewhere() -> None:
    taint = {"key": "spot", "effect": "PreferNoSchedule"}
    history = lab(apply(node("a", taints=[taint]), node("b")), apply(pod("p")), run())
    answer = why(history, "default/p", "a")
    assert (answer.code, answer.params["chosen"], answer.params["plugin"]) == ("why.less", "b", "TaintToleration")
    assert answer.params["points"] == 300
    assert answer.last is not None
    assert answer.last.explanation.outcome == PASSED
    assert sum(item.points for item in answer.last.differences) == 300
    assert answer.params["chosen_total"] - answer.params["total"] == 300
    assert why(history, "default/p", "b").code == "why.here_best"


def test_equal_totals_are_told_as_a_tie() -> None:
    history = lab(apply(node("a"), node("b")), apply(pod("p")), run())
    assert why(history, "default/p", "b").code == "why.tie"
    assert why(history, "default/p", "a").code == "why.here_tie"


def test_pod_that_was_never_tried_is_looked_at_now() -> None:
    history = lab(apply(node("a", gpus=4), node("b")), apply(pod("p", gpus=1)))
    answer = why(history, "default/p", "a")
    assert (answer.code, answer.params["ahead"], answer.last) == ("why.not_tried", 0, None)
    assert answer.now is not None
    assert (answer.now.explanation.outcome, answer.now.how) == (CHOSEN, "only")


def test_preemption_is_told_moment_by_moment() -> None:
    history = labs.preempted()
    nominated = next(a.index for a in history.actions if getattr(a.record, "result", "") == "nominated")
    before, after = nominated, nominated + 1
    assert why(history, "default/train", "h100-1", at=before).code == "why.not_tried"
    assert why(history, "default/train", "h100-1", at=after).code == "why.nominated_here"
    answer = why(history, "default/train", "h100-2", at=after)
    assert answer.code == "why.rejected"
    assert failing(answer)["users"] == [("default/low-1", 4), ("default/low-3", 4)]
    assert why(history, "default/train", "h100-1").code == "why.here_nominated"
    assert why(history, "default/train", "h100-2").code == "why.nominated_first"
    assert why(history, "default/low-0", "h100-1").code == "why.gone"


def test_nominated_pod_keeps_others_off_its_node() -> None:
    history = labs.preempted()
    nominated = next(a.index for a in history.actions if getattr(a.record, "result", "") == "nominated")
    fork = history.fork(nominated + 1)
    fork.apply(apply(pod("late", cpu="62")))
    fork.apply(run(1))
    answer = why(fork, "default/late", "h100-1")
    assert answer.code == "why.rejected"
    assert answer.params["nominees"] == ("default/train",)


def test_gang_member_fits_but_its_group_does_not() -> None:
    history = labs.gang(size=2, members=2, nodes=1)
    fits = why(history, "default/w-0", "h100-1")
    assert (fits.code, fits.group) == ("why.undone", "train")
    assert "pod group is unschedulable" in fits.params["message"]
    other = why(history, "default/w-1", "h100-1")
    assert failing(other)["users"] == [("default/w-0", 8)]


@pytest.mark.parametrize(
    ("history", "pod_key", "name", "code"),
    [
        (labs.gated, "default/held", "h100-1", "why.gated"),
        (labs.placed, "default/nobody", "h100-1", "why.no_pod"),
        (labs.placed, "default/a", "nowhere", "why.no_node"),
    ],
)
def test_states_without_an_attempt(history: Callable[[], History], pod_key: str, name: str, code: str) -> None:
    assert why(history(), pod_key, name).code == code


def test_pod_with_a_node_from_the_start_and_pod_of_another_scheduler() -> None:
    fixed, foreign = pod("fixed", nodeName="a"), pod("foreign", schedulerName="volcano")
    history = lab(apply(node("a"), node("b")), apply(fixed, foreign), run())
    assert why(history, "default/fixed", "a").code == "why.here_by_manifest"
    assert why(history, "default/fixed", "b").code == "why.by_manifest"
    answer = why(history, "default/foreign", "a")
    assert (answer.code, answer.params["scheduler"], answer.now) == ("why.foreign", "volcano", None)


def test_node_that_came_later_was_not_there() -> None:
    history = lab(apply(node("a")), apply(pod("p")), run(), apply(node("late")))
    answer = why(history, "default/p", "late")
    assert answer.code == "why.not_there"
    assert answer.now is not None
    assert answer.now.explanation.outcome in (PASSED, CHOSEN)


def test_search_that_ended_early_did_not_look_at_every_node() -> None:
    config = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [{"plugins": {"score": {"disabled": [{"name": "*"}]}}}],
    }
    nodes = [node(f"n{index}") for index in range(3)]
    history = lab(apply(*nodes), apply(pod("p")), run(), setup=Setup(config=config))
    answer = why(history, "default/p", "n2")
    assert (answer.code, answer.params["looked_at"], answer.params["nodes"]) == ("why.not_looked_at", 1, 3)


def test_waiting_at_permit_is_told_with_its_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    def wait(plugin: GangScheduling, state: object, waiting: object, chosen: str) -> PermitResult:
        return PermitResult(Status(Code.WAIT, (Reason("gang_scheduling.waiting"),)), PERMIT_TIMEOUT)

    monkeypatch.setattr(GangScheduling, "permit", wait)
    nodes = [node("a"), node("b", cpu=1)]
    history = lab(apply(*nodes), apply(pod("p", cpu="2")), run(1), setup=Setup(gates=labs.GANG_GATES))
    answer = why(history, "default/p", "a")
    assert answer.code == "why.waiting_here"
    assert answer.params["until"] - answer.params["since"] == 300 * 1_000_000
    assert why(history, "default/p", "b").code == "why.rejected"
    assert answer.state is not None
    assert (answer.state.code, list(answer.state.params["deadlines"])) == ("pod.waiting", ["GangScheduling"])


def test_what_would_happen_now_uses_a_simulation_of_its_own() -> None:
    history = labs.placed()
    digest = history.head.digest
    found = why_now(history.at(history.count), "default/b", "h100-1")
    assert found is not None
    assert found.explanation.outcome == REJECTED
    assert history.head.digest == digest
