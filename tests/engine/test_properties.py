"""What must hold for any cluster: random ones from a seed that Hypothesis chooses."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.engine.actors.kube_scheduler import binding
from simulator.engine.actors.kube_scheduler.binding import Placed
from simulator.engine.cluster.cluster import Cluster
from simulator.engine.cluster.rows import Delta
from simulator.engine.conformance.tries import Tries
from simulator.engine.framework.attempt import Attempt, attempt
from simulator.engine.framework.build import build_frameworks
from simulator.engine.framework.filtering import evaluate, run_pre_filter
from simulator.engine.framework.plugin import CycleState, Handle
from simulator.engine.framework.registry import REGISTRY
from simulator.engine.framework.runtime import Framework
from simulator.engine.objects.pod import Pod
from simulator.engine.world import snapshot
from simulator.engine.world.commands import CommandError
from simulator.engine.world.history import History
from simulator.engine.world.setup import Setup
from simulator.engine.world.simulation import Simulation
from tests.engine.build import cycles, node_manifest, pod_manifest, settle, simulation
from tests.engine.oracle.compare import by_engine
from tests.engine.oracle.generator import Generator

pytestmark = pytest.mark.slow

COMPARED = ("outcome", "filter", "feasible", "raw", "total", "message")
seeds = st.integers(0, 2**32)
often = settings(max_examples=40)
seldom = settings(max_examples=12)


def lively(seed: int, *, config: bool = True) -> Simulation:
    """A simulation with the objects of a random scenario that the API server takes."""
    scenario = Generator(seed).scenario()
    made = Simulation(Setup(scenario.get("config") if config else None))
    for item in scenario["objects"]:
        try:
            made.apply({"type": "apply", "objects": [item]})
        except CommandError:
            continue
    return made


def random_command(random: Random, made: Simulation) -> dict[str, Any]:
    """One change of the cluster."""
    nodes, pods = made.world.list("Node"), made.world.list("Pod")
    node = random.choice(nodes).name if nodes else "n0"
    pod = random.choice(pods).key.split("/") if pods else ["default", "p0"]
    new = Generator(random.randrange(10**6))
    return random.choice(
        (
            {"type": "apply", "objects": [new.pod(f"x{random.randrange(10**6)}")]},
            {
                "type": "apply",
                "objects": [{**new.node(0), "metadata": {"name": f"m{random.randrange(9)}", "labels": {}}}],
            },
            {
                "type": "label",
                "name": node,
                "labels": {random.choice(("rack", "gpus")): random.choice(("r1", "8", None))},
            },
            {"type": "taint", "name": node, "add": [new.taint()]},
            {"type": "cordon", "name": node, "on": random.random() < 0.5},
            {"type": "delete", "kind": "Pod", "namespace": pod[0], "name": pod[1]},
            {"type": "delete", "kind": "Node", "name": node},
            {"type": "label", "kind": "Pod", "namespace": pod[0], "name": pod[1], "labels": {"app": "db"}},
            {"type": "advance", "seconds": random.choice((1, 40))},
            {"type": "run", "turns": 3},
        )
    )


def change(made: Simulation | History, random: Random) -> None:
    command = random_command(random, made.head if isinstance(made, History) else made)
    try:
        made.apply(command)
    except CommandError:
        return


# decisions


@often
@given(seeds)
def test_the_scheduler_never_gives_a_node_more_than_it_has(seed: int) -> None:
    made, random = lively(seed, config=False), Random(seed)
    for _ in range(60):
        if random.random() < 0.2:
            change(made, random)
        before = len(made.actions)
        made.step()
        for cycle in (action.record for action in made.actions[before:] if hasattr(action.record, "bindings")):
            for bound in cycle.bindings:
                check_room(made.scheduler.cluster, made.world.pod(bound.pod))


def check_room(cluster: Cluster, pod: Pod | None) -> None:
    if pod is None or not pod.node_name:
        return
    row = cluster.rows([cluster.nodes.row_of[pod.node_name]])
    assert int(row.pod_count[0]) <= int(row.pod_slots[0])
    for name, amount in pod.shape.requests.incoming.items():
        if amount > 0 and name != "pods":
            assert int(row.requested(name)[0]) <= int(row.allocatable(name)[0])


@often
@given(seeds, st.integers(1, 6), st.integers(1, 6), st.integers(1, 5))
def test_gangs_start_with_min_count_or_not_at_all(seed: int, size: int, count: int, nodes: int) -> None:
    random = Random(seed)
    policy = {"schedulingPolicy": {"gang": {"minCount": count}}}
    kind = {"apiVersion": "scheduling.k8s.io/v1alpha2", "kind": "PodGroup", "metadata": {"name": "g"}}
    members = [
        pod_manifest(f"g{i}", requests={"cpu": random.choice(("1", "2"))}, schedulingGroup={"podGroupName": "g"})
        for i in range(size)
    ]
    made = simulation(
        *(node_manifest(f"n{i}", cpu=random.choice(("1", "2", "4"))) for i in range(nodes)),
        *(pod_manifest(f"o{i}", requests={"cpu": "1"}) for i in range(random.randint(0, 3))),
        {**kind, "spec": policy}, *members,
        gates={"GenericWorkload": True, "GangScheduling": True},
    )  # fmt: skip
    for _ in range(40):
        made.step()
        bound = sum(bool(pod.node_name) for pod in made.world.list("Pod") if pod.shape.pod_group)
        assert bound == 0 or bound >= min(count, size)


@often
@given(seeds)
def test_the_order_of_pods_and_other_objects_does_not_matter(seed: int) -> None:
    """For verdicts and scores of the first Pod; nodes keep their order, which is the visiting order."""
    scenario = Generator(seed).scenario()
    nodes = [item for item in scenario["objects"] if item["kind"] == "Node"]
    pending = [item for item in scenario["objects"] if item["kind"] == "Pod" and "nodeName" not in item["spec"]]
    others = [item for item in scenario["objects"] if item not in nodes and item not in pending]
    shuffled = Random(seed).sample(others, len(others))
    metadata = pending[0]["metadata"]
    first = {**scenario, "schedule": [f"{metadata['namespace']}/{metadata['name']}"]}
    told = [
        [{name: result[name] for name in COMPARED} for result in by_engine({**first, "objects": objects})[:1]]
        for objects in ([*others, *nodes, *pending], [*nodes, *shuffled, *pending])
    ]
    assert told[0] == told[1]


# hypothetical rows


@often
@given(seeds)
def test_a_row_view_is_the_cluster_rebuilt(seed: int) -> None:
    """Filter of every plugin on nodes with Pods added and taken away in thought, and in fact."""
    scenario, random = Generator(seed).scenario(), Random(seed)
    base = Tries(scenario)
    for pod in base.pending.values():
        framework = base.frameworks.get(pod.shape.scheduler_name)
        if framework is None or _bends_counts(base, pod):
            continue
        state = CycleState()
        if not run_pre_filter(framework, state, pod).status.is_success:
            continue
        for row, node in enumerate(base.cluster.nodes.objects):
            gone, come = _random_change(base, random, row, node.name)
            view = base.cluster.rows([row])
            numbers = [(0, base.cluster.pods.number_of[other.key], -1) for other in gone]
            numbers += [(0, base.cluster.loose_number(other), 1) for other in come]
            seen = evaluate(framework, state, pod, view.with_delta(Delta.of(numbers)))
            rebuilt = Tries(scenario)
            for other in gone:
                rebuilt.cluster.remove_pod(other.key)
            for other in come:
                rebuilt.cluster.add_pod(replace(other, node_name=node.name))
            real = rebuilt.frameworks[pod.shape.scheduler_name]
            again = CycleState()
            run_pre_filter(real, again, rebuilt.pending[pod.key])
            if again.skip_filter != state.skip_filter:
                continue
            found = evaluate(real, again, rebuilt.pending[pod.key], rebuilt.cluster.rows([row]))
            assert (seen.status(0).code, seen.status(0).reasons) == (found.status(0).code, found.status(0).reasons)


def _bends_counts(tries: Tries, pod: Pod) -> bool:
    """Where kube itself counts hypothetical Pods otherwise than real ones: terminating Pods, empty selectors."""
    terminating = any(
        tries.cluster.pods.pod(number).terminating for numbers in tries.cluster.pods.on_node for number in numbers
    )
    return terminating or any(c.selector.is_empty for c in pod.shape.spread)


def _random_change(tries: Tries, random: Random, row: int, node: str) -> tuple[list[Pod], list[Pod]]:
    table = tries.cluster.pods
    present = [table.pod(number) for number in table.on_node[row]]
    everybody = [table.pod(number) for numbers in table.on_node for number in numbers]
    gone = [pod for pod in present if random.random() < 0.4]
    copies = [
        replace(pod, name=f"copy-{pod.name}-{node}", uid=f"copy-{pod.uid}-{node}", node_name="") for pod in everybody
    ]
    left = {port for pod in present if pod not in gone for port in pod.shape.host_ports}
    come = [pod for pod in copies if random.random() < 0.2 and not left & set(pod.shape.host_ports)]
    shared = [port for pod in (*gone, *come) for port in pod.shape.host_ports]
    return gone, come if len(shared) == len(set(shared)) else []


@often
@given(seeds)
def test_kept_answers_are_fresh_answers(seed: int) -> None:
    """After any changes a framework that remembers decides exactly as one that was just made."""
    made, random = lively(seed), Random(seed)
    for _ in range(12):
        change(made, random)
        scheduler = made.scheduler
        fresh = build_frameworks(scheduler.config, REGISTRY, scheduler.gates, lambda: _handle(made))
        for pod in list(scheduler.pending.values()):
            old = scheduler.frameworks[pod.shape.scheduler_name]
            assert _told(old, pod, detail=False) == _told(fresh[pod.shape.scheduler_name], pod, detail=True)


def _handle(made: Simulation) -> Handle:
    scheduler = made.scheduler
    return Handle(
        scheduler.cluster, scheduler.objects, scheduler.queue.nominator, scheduler.gates, scheduler.rules,
        lambda: 0, scheduler.groups, scheduler,
    )  # fmt: skip


def _told(framework: Framework, pod: Pod, *, detail: bool) -> tuple[Any, ...]:
    tried: Attempt = attempt(framework, pod, 0, detail=detail)
    if tried.search is None or tried.error is not None:
        return (tried.message,)
    totals = None if tried.scoring is None else tried.scoring.totals.tolist()
    message = "" if len(tried.search.feasible) else tried.message
    return tried.node, tried.search.feasible.tolist(), totals, message, tried.search.next_start


# giving back


@seldom
@given(seeds)
def test_unreserving_twice_is_unreserving_once(seed: int) -> None:
    made = lively(seed, config=False)
    scheduler = made.scheduler
    for pod in list(scheduler.pending.values()):
        framework = scheduler.frameworks[pod.shape.scheduler_name]
        tried = attempt(framework, pod, 0)
        if not tried.found:
            continue
        before = _memory(made)
        placed = Placed(scheduler.queue.find(pod.key), scheduler.assume(pod, tried.node), tried.node, tried.state)  # type: ignore[arg-type]
        framework.run_reserve(placed.state, placed.pod, placed.node)
        binding.undo(scheduler, framework, placed)
        once = _memory(made)
        binding.undo(scheduler, framework, placed)
        assert _memory(made) == once
        assert {key: value for key, value in once.items() if key != "images"} == {
            key: value for key, value in before.items() if key != "images"
        }


def _memory(made: Simulation) -> dict[str, Any]:
    cluster = made.scheduler.cluster
    return cluster.save() | {
        "requested": cluster.nodes.requested.data.tolist(),
        "nonzero": cluster.nodes.nonzero.data.tolist(),
        "count": cluster.nodes.pod_count.data.tolist(),
        "indexes": [index.counts.tolist() for _, index in cluster.indexes.owned() if index.counts.any()],
    }


# time travel


def eventful(seed: int) -> tuple[History, list[str]]:
    """A history of random commands, and the digest after every action."""
    random = Random(seed)
    scenario = Generator(seed).scenario()
    history = History.begin(Setup(scenario.get("config")))
    digests = [history.head.digest]
    for item in scenario["objects"]:
        try:
            history.apply({"type": "apply", "objects": [item]})
        except CommandError:
            continue
        digests.append(history.head.digest)
    for _ in range(25):
        if random.random() < 0.4:
            change(history, random)
        else:
            history.apply({"type": "run", "turns": 1})
        digests += [""] * (history.count - len(digests) + 1)
        digests[-1] = history.head.digest
    return history, digests


@seldom
@given(seeds)
def test_every_moment_can_be_visited_and_gone_on_from(seed: int) -> None:
    history, digests = eventful(seed)
    random = Random(seed)
    for count in sorted({0, history.count, *(random.randrange(history.count + 1) for _ in range(5))}):
        then = history.at(count)
        assert then.count == count
        assert not digests[count] or then.digest == digests[count]
        assert history.fork(count).head.digest == then.digest
    replay = History.begin(history.setup)
    for applied in history.applied:
        replay.apply(applied.command)
    assert replay.head.digest == history.head.digest
    assert _state(replay.head) == _state(history.head)


def _state(made: Simulation) -> str:
    saved = snapshot.save(made)
    return json.dumps(saved, sort_keys=True)


@seldom
@given(seeds)
def test_a_snapshot_has_the_same_future(seed: int) -> None:
    history, _ = eventful(seed)
    loaded = snapshot.load(json.loads(json.dumps(snapshot.save(history.head))))
    assert _state(loaded) == _state(history.head)
    first, second = Random(seed), Random(seed)
    for _ in range(10):
        change(history.head, first)
        change(loaded, second)
        assert loaded.digest == history.head.digest


def fingerprint() -> str:
    told = hashlib.sha256()
    for seed in range(12):
        told.update(eventful(seed)[0].head.digest.encode())
    return told.hexdigest()


def test_the_same_commands_give_the_same_digest_whatever_the_hash_seed() -> None:
    seen = set()
    for seed in ("7", "1234"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", "from tests.engine.test_properties import fingerprint as f; print(f())"]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True, timeout=180)
        seen.add(done.stdout.strip())
    assert len(seen) == 1


def test_columns_kept_up_pod_by_pod_are_those_counted_anew() -> None:
    for seed in range(20):
        made, random = lively(seed), Random(seed)
        for _ in range(15):
            change(made, random)
            made.step()
        settle(made, 30)
        assert cycles(made) is not None
        cluster = made.scheduler.cluster
        for row, numbers in enumerate(cluster.pods.on_node):
            shapes = [cluster.pods.pod(number).shape.requests for number in numbers]
            for name, index in ((n, cluster.nodes.resources.id_of(n)) for n in cluster.nodes.resources.names):
                assert int(cluster.nodes.requested.data[index, row]) == sum(s.on_node.get(name, 0) for s in shapes)
            assert cluster.nodes.nonzero.data[:, row].tolist() == [sum(s.nonzero[i] for s in shapes) for i in (0, 1)]
        for _, index in cluster.indexes.owned():
            counts = index.counts.copy()
            index.fill(cluster.pods, len(cluster))
            assert np.array_equal(counts, index.counts)


def test_a_fork_leaves_out_commands_that_did_nothing_later() -> None:
    history = History.begin(Setup())
    for name in ("a", "b"):
        history.apply({"type": "apply", "objects": [node_manifest(name)]})
        history.apply({"type": "run", "turns": 1})
    assert [history.fork(count).head.digest for count in range(3)] == [history.at(count).digest for count in range(3)]
