"""GPU fabric: choosing GPUs of a node, scoring a large fabric, reading matrices."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import combinations
from random import Random
from time import perf_counter

from simulator.engine.fabric import best_partition as partition_module
from simulator.engine.fabric.best_partition import best_partition
from simulator.engine.fabric.fabric import Fabric
from simulator.engine.fabric.network import leaf_spine
from simulator.engine.fabric.presets import preset_host
from simulator.engine.fabric.scoring import FabricIndex, GroupPod, score_placements
from simulator.engine.fabric.widest_ring import widest_ring
from simulator.manifests.topology import read_topology
from simulator.manifests.topology.writer import write_topology

GPUS = 16
HOSTS = 1000
GROUP = 64
CHOICE_LIMIT_MS = 10
SCORE_LIMIT_MS = 200


def measure() -> Iterator[str]:
    """Lines with what was measured and the limit it must keep."""
    table = _random_table(Random(1))
    yield _worst("best set of k of 16 GPUs, whole-partition score", lambda k: best_partition(table, range(GPUS), k))
    yield _worst("best set of k of 16 GPUs, widest ring", lambda k: widest_ring(table, range(GPUS), k))
    partition_module._layers.cache_clear()
    yield f"the same for k = 6 with empty tables: {_milliseconds(lambda: best_partition(table, range(GPUS), 6)):.1f} ms"
    yield from _scoring()
    text = _matrix_text()
    yield f"reading a matrix of 8 GPUs and 8 NICs: {_milliseconds(lambda: read_topology(text)):.1f} ms"


def _worst(what: str, choose: Callable[[int], object]) -> str:
    times = {}
    for size in range(1, GPUS + 1):
        choose(size)
        times[size] = min(_milliseconds(lambda size=size: choose(size)) for _ in range(3))
    slowest = max(times, key=lambda size: times[size])
    return f"{what}: at most {times[slowest]:.1f} ms (k = {slowest}; limit {CHOICE_LIMIT_MS} ms)"


def _scoring() -> Iterator[str]:
    hosts = [preset_host("hgx-h100-8", f"n{index}") for index in range(HOSTS)]
    fabric = leaf_spine(hosts, 16, oversubscription=2)
    names = [host.name for host in hosts]
    yield f"index of {HOSTS} hosts: {_milliseconds(lambda: FabricIndex(fabric)):.1f} ms"
    random = Random(2)
    placed = {f"n{index}": (random.randrange(8),) for index in range(0, 630, 10)}
    free = {name: _free(random, placed.get(name, ())) for name in names}
    pod = GroupPod(1, GROUP)
    cold = _milliseconds(lambda: score_placements(FabricIndex(fabric), names, free, placed, pod))
    index = FabricIndex(fabric)
    score_placements(index, names, free, placed, pod)
    warm = _milliseconds(lambda: score_placements(index, names, free, placed, pod))
    what = f"{HOSTS} hosts scored for the last of {GROUP} GPUs, all differently occupied"
    yield f"{what}: {cold:.1f} ms, again {warm:.1f} ms (limit {SCORE_LIMIT_MS} ms)"
    yield f"a group of {GROUP} placed Pod by Pod on {HOSTS} empty hosts: {_milliseconds(lambda: _place(fabric)):.1f} ms"


def _place(fabric: Fabric) -> None:
    index = FabricIndex(fabric)
    names = [host.name for host in fabric.hosts]
    free = {name: tuple(range(8)) for name in names}
    placed: dict[str, tuple[int, ...]] = {}
    for _ in range(GROUP):
        scores = score_placements(index, names, free, placed, GroupPod(1, GROUP))
        best = scores.bandwidth_order[0]
        chosen = scores.gpus[best] or ()
        placed[names[best]] = (*placed.get(names[best], ()), *chosen)
        free[names[best]] = tuple(gpu for gpu in free[names[best]] if gpu not in chosen)


def _free(random: Random, held: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(gpu for gpu in random.sample(range(8), random.randint(0, 8)) if gpu not in held))


def _random_table(random: Random) -> list[list[int]]:
    table = [[0] * GPUS for _ in range(GPUS)]
    for first, second in combinations(range(GPUS), 2):
        table[first][second] = table[second][first] = random.choice([10, 20, 30, 40, 50, 410, 1210])
    return table


def _matrix_text() -> str:
    names = [f"GPU{index}" for index in range(8)] + [f"NIC{index}" for index in range(8)]
    cells = [
        ["X" if row == column else "NV18" if row < 8 > column else "NODE" for column in range(16)] for row in range(16)
    ]
    return write_topology(names, cells, {f"GPU{index}": ("0-31", "0", None) for index in range(8)})


def _milliseconds(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return (perf_counter() - start) * 1000


if __name__ == "__main__":
    for line in measure():
        sys.stdout.write(line + "\n")
