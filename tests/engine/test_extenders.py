"""Extenders whose answers are wrong, late or hostile: kube's words, never a crash."""

# ruff: noqa: E501 - the texts of kube stand on one line each
from __future__ import annotations

from typing import Any

import pytest

from simulator.engine.framework.extenders import BIND, FILTER, PREEMPT, PRIORITIZE, Reply, Request
from simulator.engine.world.setup import Setup
from simulator.engine.world.simulation import Simulation
from tests.engine.build import cycles, node_manifest, pod_manifest

KIND = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
NAMES = ["n1", "n2", "n3"]


class Port:
    """Answers every verb with the reply prepared for it; filters let everything pass where none is."""

    def __init__(self, **replies: Any) -> None:
        self.replies = replies
        self.calls: list[str] = []

    def call(self, request: Request) -> Reply:
        self.calls.append(request.verb)
        reply = self.replies.get(request.verb, {"NodeNames": list(request.body.get("NodeNames") or ())})
        return reply if isinstance(reply, Reply) else Reply(body=reply)


def run(port: Port, *, ignorable: bool = False, **verbs: str) -> Simulation:
    extender = {"urlPrefix": "http://x", "nodeCacheCapable": True, "ignorable": ignorable, "weight": 1, **verbs}
    config = {**KIND, "extenders": [extender]}
    made = Simulation(Setup(config), port=port)
    nodes = [node_manifest(name) for name in NAMES]
    made.apply({"type": "apply", "objects": [*nodes, pod_manifest("p", requests={"cpu": "1"})]})
    made.step()
    return made


def message(made: Simulation) -> str:
    return cycles(made)[0].failures[0].message


GO = "json: cannot unmarshal"
WRONG = [
    ([1], f"{GO} array into Go value of type v1.ExtenderFilterResult"),
    ("yes", f"{GO} string into Go value of type v1.ExtenderFilterResult"),
    ({"NodeNames": "n1"}, f"{GO} string into Go struct field ExtenderFilterResult.NodeNames of type []string"),
    ({"NodeNames": [1]}, f"{GO} number 1 into Go struct field ExtenderFilterResult.NodeNames of type string"),
    ({"Nodes": []}, f"{GO} array into Go struct field ExtenderFilterResult.Nodes of type v1.NodeList"),
    ({"FailedNodes": ["n1"]}, f"{GO} array into Go struct field ExtenderFilterResult.FailedNodes of type map[string]string"),
    ({"failednodes": {"n1": 5}}, f"{GO} number 5 into Go struct field ExtenderFilterResult.FailedNodes of type string"),
    ({"Error": "no licence"}, "no licence"),
    ({"NodeNames": ["n9"]}, 'extender "http://x" claims a filtered node "n9" which is not found in the input node list'),
    (Reply(status=503), "failed f with extender at URL http://x/f, code 503"),
    (Reply(error="dial tcp: refused"), 'Post "http://x/f": dial tcp: refused'),
]  # fmt: skip


@pytest.mark.parametrize(("reply", "text"), WRONG, ids=[text[-40:] for _, text in WRONG])
def test_a_filter_that_fails_ends_the_attempt_unless_it_may_be_ignored(reply: Any, text: str) -> None:
    made = run(Port(filter=reply), filterVerb="f")
    assert cycles(made)[0].result == "error"
    assert message(made) == text
    ignored = run(Port(filter=reply), ignorable=True, filterVerb="f")
    assert cycles(ignored)[0].result == "scheduled"


def test_rejected_nodes_are_in_the_message_and_may_be_hopeless() -> None:
    reply = {
        "NodeNames": [],
        "FailedNodes": {"n1": "cold", "n2": "cold"},
        "FailedAndUnresolvableNodes": {"n2": "broken"},
    }
    made = run(Port(filter=reply), filterVerb="f")
    assert message(made).startswith("0/3 nodes are available: 1 broken, 1 cold.")
    assert cycles(made)[0].failures[0].rejectors == ("Extender",)


@pytest.mark.parametrize(
    "reply", [{}, "x", [1], [{"Host": 1}], [{"Host": "n1", "Score": 1.5}], [{"Host": "n1", "Score": 2**70}], Reply(status=500)]
)  # fmt: skip
def test_a_prioritizer_that_fails_gives_nothing(reply: Any) -> None:
    made = run(Port(prioritize=reply), prioritizeVerb="p")
    assert cycles(made)[0].result == "scheduled"
    assert cycles(made)[0].tries[0].n_best == 3


def test_scores_are_weighted_and_run_over_like_integers_of_64_bits() -> None:
    made = run(Port(prioritize=[{"Host": "n2", "Score": 7}, {"Host": "unknown", "Score": 9}]), prioritizeVerb="p")
    assert cycles(made)[0].node == "n2"
    plain = run(Port(prioritize=[]), prioritizeVerb="p")
    assert cycles(made)[0].tries[0].top_total == (cycles(plain)[0].tries[0].top_total or 0) + 70
    over = run(Port(prioritize=[{"Host": "n2", "Score": 2**63 - 1}]), prioritizeVerb="p")
    assert cycles(over)[0].node == "n1"


def test_without_score_plugins_extenders_alone_decide() -> None:
    off = {"plugins": {"score": {"disabled": [{"name": "*"}]}}}
    extender = {"urlPrefix": "http://x", "nodeCacheCapable": True, "weight": 2, "prioritizeVerb": "p"}
    made = Simulation(
        Setup({**KIND, "profiles": [off], "extenders": [extender]}), port=Port(prioritize=[{"Host": "n3", "Score": 5}])
    )
    made.apply({"type": "apply", "objects": [*(node_manifest(name) for name in NAMES), pod_manifest("p")]})
    made.step()
    assert (cycles(made)[0].node, cycles(made)[0].tries[0].top_total) == ("n3", 100)


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ({"Error": "no"}, "no"),
        ([], f"{GO} array into Go value of type v1.ExtenderBindingResult"),
        (Reply(status=404), "failed b with extender at URL http://x/b, code 404"),
    ],
)
def test_a_binder_that_fails_sends_the_pod_back(reply: Any, text: str) -> None:
    made = run(Port(bind=reply), bindVerb="b")
    [cycle] = cycles(made)
    assert [(item.bound, item.message) for item in cycle.bindings] == [(False, text)]
    assert made.world.pod("default/p").node_name == ""
    assert made.scheduler.assumed == {}


def test_a_pod_that_asks_for_nothing_managed_is_not_sent() -> None:
    port = Port()
    managed = [{"name": "example.com/fpga"}]
    extender = {"urlPrefix": "http://x", "nodeCacheCapable": True, "filterVerb": "f", "managedResources": managed}
    made = Simulation(Setup({**KIND, "extenders": [extender]}), port=port)
    made.apply({"type": "apply", "objects": [node_manifest("n1"), pod_manifest("p")]})
    made.step()
    assert port.calls == []
    assert cycles(made)[0].node == "n1"


VICTIM = pod_manifest("v", on="n1", requests={"cpu": "4"})
HIGH = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "high"}, "value": 10}


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ({"NodeNameToMetaVictims": []}, f"{GO} array into Go struct field ExtenderPreemptionResult.NodeNameToMetaVictims of type map[string]*v1.MetaVictims"),
        ({"NodeNameToMetaVictims": {"n1": {"Pods": [{"UID": "x"}]}}}, "extender: http://x claims to preempt pod (UID: x) on node: n1, but the pod is not found on that node"),
        ({"NodeNameToMetaVictims": {"n1": {"Pods": []}}}, 'expected at least one victim pod on node "n1"'),
        ({"NodeNameToMetaVictims": {}}, "no candidate node for preemption"),
    ],
)  # fmt: skip
def test_a_preempter_may_refuse_or_answer_nonsense(reply: Any, text: str) -> None:
    extender = {"urlPrefix": "http://x", "nodeCacheCapable": True, "preemptVerb": "e"}
    made = Simulation(Setup({**KIND, "extenders": [extender]}), port=Port(preempt=reply))
    high = pod_manifest("p", requests={"cpu": "4"}, priorityClassName="high")
    made.apply({"type": "apply", "objects": [HIGH, node_manifest("n1"), VICTIM, high]})
    made.step()
    assert message(made).endswith(f"preemption: {text}")
    assert made.world.pod("default/v").terminating is False


def test_replies_are_kept_and_used_again() -> None:
    port = Port()
    made = run(port, filterVerb="f", prioritizeVerb="p", bindVerb="b")
    assert port.calls == [FILTER, PRIORITIZE, BIND]
    again = Simulation(made.setup, known=made.outside.replies)
    nodes = [node_manifest(name) for name in NAMES]
    again.apply({"type": "apply", "objects": [*nodes, pod_manifest("p", requests={"cpu": "1"})]})
    again.step()
    assert again.digest == made.digest
    assert PREEMPT not in port.calls
