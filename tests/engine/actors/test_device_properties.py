"""Whatever happens to a cluster: no device is given twice, and every way to a moment leads to the same moment."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.engine.fabric.devices import devices_of, shared_gpus, shares_gpus
from simulator.engine.objects.pod_devices import devices_held
from simulator.engine.world import snapshot
from simulator.engine.world.commands import CommandError
from simulator.engine.world.history import History
from simulator.engine.world.simulation import Simulation
from tests.engine.actors.machines import Lab, machine, pod

MILLI = "alibabacloud.com/gpu-milli"
NUMA = {"topologyManager": {"policy": "single-numa-node", "scope": "pod"}}
NODES = {
    "plain": machine("plain", preset="a100-pcie-4"),
    "numa": machine("numa", **NUMA),
    "mig": machine("mig", mig={"strategy": "mixed", "instances": [{"gpu": 0, "profiles": ["3g.40gb", "3g.40gb"]}]}),
    "sliced": machine("sliced", preset="t4-2", sharing={"strategy": "time-slicing", "replicas": 3}),
    "shares": machine("shares", preset="t4-2", sharing={"strategy": "shares"}),
}
REQUESTS = [
    {"gpus": 1},
    {"gpus": 2},
    {"gpus": 3},
    {"gpus": 4},
    {"resources": {MILLI: "600"}},
    {"resources": {MILLI: "2000"}},
]
REQUESTS.append({"resources": {"nvidia.com/mig-3g.40gb": "1"}})

numbers = st.integers(0, 9)
commands = st.one_of(
    st.tuples(st.just("create"), numbers, st.sampled_from(REQUESTS)),
    st.tuples(st.just("delete"), numbers),
    st.tuples(st.just("fail"), st.sampled_from(sorted(NODES)), st.integers(0, 7)),
    st.tuples(st.just("repair"), st.sampled_from(sorted(NODES)), st.integers(0, 7)),
    st.tuples(st.just("undo")),
    st.tuples(st.just("turns"), st.integers(1, 6)),
    st.tuples(st.just("advance"), st.sampled_from([1, 40])),
)


def give(lab: Lab, step: tuple[Any, ...]) -> None:
    match step:
        case ("create", number, request):
            lab.do("apply", objects=[pod(f"p{number}", **request)])
        case ("delete", number):
            lab.do("delete", kind="Pod", name=f"p{number}")
        case ("fail", node, gpu):
            lab.do("failGpu", name=node, gpu=gpu)
        case ("repair", node, gpu):
            lab.do("repairGpu", name=node, gpu=gpu)
        case ("undo",):
            inverse = lab.history.applied[-1].effect.inverse
            if inverse is not None:
                lab.history.apply(inverse)
        case ("turns", count):
            lab.do("run", turns=count)
        case ("advance", seconds):
            lab.do("advance", seconds=seconds)


def check_devices(simulation: Simulation) -> None:
    for node in NODES:
        found = simulation.devices.machine(node)
        assert found is not None
        holders = [item for item in simulation.world.list("Pod") if item.node_name == node and not item.terminal]
        held = [device for item in holders for device in devices_held(item)]
        if shares_gpus(found):
            used = [0] * len(found.whole.gpus)
            for item in holders:
                for device in devices_held(item):
                    used[int(device)] += min(1000, item.shape.requests.on_node[MILLI])
            assert all(amount <= 1000 for amount in used)
            state = shared_gpus(found, [(devices_held(item), item.shape.requests.on_node) for item in holders])
            healthy = found.host.healthy_gpus
            assert [state.milli[gpu] for gpu in healthy] == [1000 - used[gpu] for gpu in healthy]
        else:
            assert len(held) == len(set(held)), held
            known = [device.id for devices in devices_of(found).values() for device in devices]
            assert set(held) <= set(known)
            for item in holders:
                wanted = sum(item.shape.requests.on_node.get(name, 0) for name in devices_of(found))
                assert len(devices_held(item)) in (0, wanted)


@settings(max_examples=25, deadline=None)
@given(st.lists(commands, min_size=4, max_size=20))
def test_no_device_twice_and_all_ways_lead_to_the_same_moment(steps: list[tuple[Any, ...]]) -> None:
    lab = Lab(*[item for objects in NODES.values() for item in objects])
    for step in steps:
        try:
            give(lab, step)
        except CommandError:
            continue
        check_devices(lab.history.head)
        saved = json.loads(json.dumps(snapshot.save(lab.history.head)))
        assert snapshot.save(snapshot.load(saved)) == saved
    check_ways(lab.history)


def check_ways(history: History) -> None:
    again = History.begin(history.setup)
    for applied in history.applied:
        again.apply(applied.command)
    assert again.head.digest == history.head.digest
    assert snapshot.save(again.head) == snapshot.save(history.head)
    for moment in range(0, history.count, max(1, history.count // 5)):
        from_there = snapshot.load(json.loads(json.dumps(snapshot.save(history.at(moment)))))
        while from_there.count < history.count:
            applied = next(item for item in history.applied if item.first <= from_there.count < item.last)
            if applied.command["type"] in ("run", "advance"):
                break
            from_there.apply(applied.command)
        assert from_there.digest == history.at(from_there.count).digest
