"""Properties: a row with Pods taken away or added in thought answers like a cluster rebuilt that way; all nodes at once
choose volumes as one node after the other does.
"""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.engine.cluster.rows import Delta
from simulator.engine.objects.pod import Pod
from simulator.engine.plugins.volume_matching import NO_VOLUME, Affinities, VolumeSet

from .volume_world import (
    Manifest,
    World,
    claim,
    claim_volume,
    csi,
    csi_node,
    node,
    storage_class,
    volume,
)

PLUGINS = ("VolumeRestrictions", "NodeVolumeLimits", "VolumeBinding", "VolumeZone")
NODES = ("n0", "n1", "n2")
EBS = "ebs.csi.aws.com"
ZONE = "topology.kubernetes.io/zone"

EXCLUSIVE = ("x0", "x1")
"""ReadWriteOncePod claims. At most one placed Pod uses each: kube counts more users of one claim as one."""

SHARED = ("s0", "s1", "s2", "s3")
WAITING = ("w0", "w1")
DISKS = ("d0", "d1")


def fill(world: World) -> None:
    """Claims bound to volumes in different places, others that wait, and limits of 1, 2 and none."""
    for index, name in enumerate((*EXCLUSIVE, *SHARED)):
        modes = ["ReadWriteOncePod"] if name in EXCLUSIVE else ["ReadWriteMany"]
        fields: Manifest = {"labels": {ZONE: "z0__z1"}} if name == "s3" else {}
        world.store.put(
            claim(name, "now", volume=f"pv-{name}", modes=modes),
            volume(f"pv-{name}", "now", phase="Bound", csi=csi(EBS, f"h{index // 2}"), **fields),
        )
    world.store.put(storage_class(), *(claim(name) for name in WAITING), volume("free", on=["n0", "n1"]))
    world.store.put(csi_node("n0", ebs_csi_aws_com=1), csi_node("n1", ebs_csi_aws_com=2), csi_node("n2"))


def new_world() -> World:
    world = World(*(node(name, zone=f"z{index}") for index, name in enumerate(NODES)))
    fill(world)
    return world


@dataclass(frozen=True)
class PodPlan:
    """A Pod by its claims and disks; `on` is a node's index."""

    claims: tuple[str, ...]
    disks: tuple[tuple[str, bool], ...]
    on: int

    def make(self, world: World, name: str, *, placed: bool) -> Pod:
        volumes = [claim_volume(each) for each in self.claims]
        volumes += [{"gcePersistentDisk": {"pdName": disk, "readOnly": read_only}} for disk, read_only in self.disks]
        return world.pod(name, *volumes, on=NODES[self.on] if placed else "", priority=0)


def pod_plans(claims: tuple[str, ...]) -> st.SearchStrategy[PodPlan]:
    return st.builds(
        PodPlan,
        st.lists(st.sampled_from(claims), max_size=2, unique=True).map(tuple),
        st.lists(st.tuples(st.sampled_from(DISKS), st.booleans()), max_size=1).map(tuple),
        st.integers(0, len(NODES) - 1),
    )


@st.composite
def placed_plans(draw: st.DrawFn) -> list[PodPlan]:
    plans = draw(st.lists(pod_plans(SHARED), max_size=5))
    for name in EXCLUSIVE:
        user = draw(st.integers(-1, len(plans) - 1))
        if user >= 0:
            old = plans[user]
            plans[user] = PodPlan((*old.claims, name), old.disks, old.on)
    return plans


@settings(max_examples=150, deadline=None)
@given(
    placed_plans(),
    st.lists(pod_plans((*SHARED, *EXCLUSIVE)), max_size=3),
    pod_plans((*SHARED, *EXCLUSIVE, *WAITING)),
    st.data(),
)
def test_rows_with_pods_changed_in_thought_are_like_a_rebuilt_cluster(
    placed: list[PodPlan], loose: list[PodPlan], incoming: PodPlan, data: st.DataObject
) -> None:
    world = new_world()
    there = [plan.make(world, f"there-{index}", placed=True) for index, plan in enumerate(placed)]
    extra = [plan.make(world, f"extra-{index}", placed=False) for index, plan in enumerate(loose)]
    pod = incoming.make(world, "new", placed=False)
    gone = [index for index in range(len(placed)) if data.draw(st.booleans(), label=f"remove {index}")]
    entries = [(placed[index].on, world.cluster.pods.number_of[there[index].key], -1) for index in gone]
    entries += [(loose[i].on, world.cluster.loose_number(other), 1) for i, other in enumerate(extra)]
    rows = world.cluster.all_rows().with_delta(Delta.of(entries))
    for name in PLUGINS:
        state, said = world.pre_filter(name, pod)
        if said != "Success":
            continue
        verdicts = world.plugin(name).filter(state, pod, rows)
        for position, node_name in enumerate(NODES):
            rebuilt = new_world()
            for index, plan in enumerate(placed):
                if index not in gone or plan.on != position:
                    plan.make(rebuilt, f"there-{index}", placed=True)
            for index, plan in enumerate(loose):
                if plan.on == position:
                    plan.make(rebuilt, f"extra-{index}", placed=True)
            expected = rebuilt.filter(name, incoming.make(rebuilt, "new", placed=False))
            assert (verdicts.codes[position] != 0) == (node_name in expected), name
            alone = world.plugin(name).filter(state, pod, rows.subset(rows.ids[position : position + 1]))
            assert alone.status(0) == verdicts.status(position)


def first_match(wanted: Manifest, volumes: list[Manifest], host: str, taken: set[str]) -> str | None:
    """One node's choice, volume by volume as the Kubernetes documentation tells it; sizes in Gi, all of one class."""
    best: Manifest | None = None
    for each in volumes:
        spec = each["spec"]
        reference = spec.get("claimRef")
        if each["metadata"]["name"] in taken or gi(spec["capacity"]["storage"]) < gi(size_of(wanted)):
            continue
        if reference is not None and reference["name"] != wanted["metadata"]["name"]:
            continue
        in_reach = host in hosts_of(each)
        if reference is not None:
            return each["metadata"]["name"] if in_reach else None
        modes = set(wanted["spec"]["accessModes"]) <= set(spec["accessModes"])
        if not in_reach or not modes or each["status"]["phase"] != "Available":
            continue
        if best is None or gi(spec["capacity"]["storage"]) < gi(best["spec"]["capacity"]["storage"]):
            best = each
    return None if best is None else best["metadata"]["name"]


def gi(text: str) -> int:
    return int(text.removesuffix("Gi"))


def size_of(wanted: Manifest) -> str:
    return str(wanted["spec"]["resources"]["requests"]["storage"])


def hosts_of(manifest: Manifest) -> list[str]:
    limits = manifest["spec"].get("nodeAffinity")
    if limits is None:
        return list(NODES)
    return list(limits["required"]["nodeSelectorTerms"][0]["matchExpressions"][0]["values"])


modes = st.sampled_from([("ReadWriteOnce",), ("ReadOnlyMany",), ("ReadWriteOnce", "ReadOnlyMany")])


@st.composite
def some_volumes(draw: st.DrawFn) -> list[Manifest]:
    found = []
    for index in range(draw(st.integers(0, 6))):
        hosts = draw(st.none() | st.lists(st.sampled_from(NODES), min_size=1, max_size=2, unique=True))
        reserved = draw(st.sampled_from(["", "", "", "c0", "c1", "other"]))
        fields = {"claimRef": {"namespace": "default", "name": reserved}} if reserved else {}
        size = draw(st.integers(1, 4))
        phase = draw(st.sampled_from(["Available", "Available", "Released"]))
        found.append(volume(f"pv{index}", size=f"{size}Gi", on=hosts, phase=phase, modes=draw(modes), **fields))
    return found


@settings(max_examples=400, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["c0", "c1", "c2"]), st.integers(1, 3), modes), min_size=1, max_size=3),
    some_volumes(),
)
def test_all_nodes_at_once_choose_as_one_after_the_other(
    wishes: list[tuple[str, int, tuple[str, ...]]], volumes: list[Manifest]
) -> None:
    claims = [claim(name, size=f"{size}Gi", modes=wish) for name, size, wish in wishes]
    rows = World(*NODES).cluster.all_rows()
    choices = VolumeSet(volumes, Affinities()).choose(claims, rows)
    for position, host in enumerate(NODES):
        taken: set[str] = set()
        by_size = sorted(claims, key=lambda each: gi(size_of(each)))
        for wanted, choice in zip(by_size, choices, strict=True):
            index = int(choice.volumes[position])
            name = None if index == NO_VOLUME else volumes[index]["metadata"]["name"]
            assert choice.claim is wanted
            assert name == first_match(wanted, volumes, host, taken)
            if name is not None:
                taken.add(name)
