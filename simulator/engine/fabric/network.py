"""Leaf and spine networks for a set of hosts, plain or rail-aligned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from simulator.engine.fabric.fabric import Fabric, Host, NetworkSwitch


def leaf_spine(
    hosts: Sequence[Host], hosts_per_leaf: int, *, oversubscription: float = 1.0, spine: str = "spine"
) -> Fabric:
    """Hosts in their order, that many per leaf; every leaf has one way up to the spine."""
    switches = [NetworkSwitch(spine, 2)]
    connected: list[Host] = []
    for index, host in enumerate(hosts):
        leaf = f"leaf-{index // hosts_per_leaf}"
        if index % hosts_per_leaf == 0:
            switches.append(NetworkSwitch(leaf, 1, spine, oversubscription))
        connected.append(replace(host, leaves=(leaf,)))
    return Fabric(tuple(connected), tuple(switches))


def rail_aligned(
    hosts: Sequence[Host], hosts_per_pod: int, *, oversubscription: float = 1.0, spine: str = "spine"
) -> Fabric:
    """Card r of every host of a pod goes to the pod's leaf of rail r, so that equal ranks meet after one hop."""
    switches = [NetworkSwitch(spine, 2)]
    connected: list[Host] = []
    for index, host in enumerate(hosts):
        pod = index // hosts_per_pod
        leaves = tuple(f"pod-{pod}-rail-{nic.index}" for nic in host.shape.nics)
        known = {switch.name for switch in switches}
        switches += [NetworkSwitch(leaf, 1, spine, oversubscription) for leaf in leaves if leaf not in known]
        connected.append(replace(host, leaves=leaves))
    return Fabric(tuple(connected), tuple(switches))
