"""Many machines and the network between them: hosts, NVLink domains that span hosts, leaf and spine switches."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from simulator.engine.fabric.shape import HostShape


@dataclass(frozen=True, slots=True)
class NetworkSwitch:
    """A switch of the network: tier 1 is the leaf that cards are plugged into.

    `oversubscription` is bandwidth towards the hosts divided by bandwidth towards `parent` (1 = non-blocking).
    """

    name: str
    tier: int
    parent: str | None = None
    oversubscription: float = 1.0


@dataclass(frozen=True)
class Host:
    """One Kubernetes node's machine.

    `leaves` are the leaf switches of its cards: one for all cards, or one per card in the order of `shape.nics`
    (rails); empty when unknown. `nvlink_domain` names the rack-wide NVLink domain, None if NVLink ends at the box.
    `failed` are GPUs that the device plugin reports unhealthy.
    """

    name: str
    shape: HostShape
    leaves: tuple[str, ...] = ()
    nvlink_domain: str | None = None
    failed: tuple[int, ...] = ()

    @property
    def healthy_gpus(self) -> tuple[int, ...]:
        return tuple(gpu.index for gpu in self.shape.gpus if gpu.index not in self.failed)

    def leaf_of(self, nic: int) -> str | None:
        """The leaf switch of a card by its position in `shape.nics`."""
        if not self.leaves:
            return None
        return self.leaves[nic] if nic < len(self.leaves) and len(self.leaves) > 1 else self.leaves[0]


@dataclass(frozen=True)
class Fabric:
    """Hosts in cluster order and the switches between them; a value, changes give a new one."""

    hosts: tuple[Host, ...] = ()
    switches: tuple[NetworkSwitch, ...] = ()

    @cached_property
    def host_by_name(self) -> dict[str, Host]:
        return {host.name: host for host in self.hosts}

    @cached_property
    def switch_by_name(self) -> dict[str, NetworkSwitch]:
        return {switch.name: switch for switch in self.switches}

    def host(self, name: str) -> Host:
        """The host of a node; raises KeyError."""
        return self.host_by_name[name]

    def with_host(self, host: Host) -> Fabric:
        """With this host in place of the one of its name, or added behind the others."""
        if host.name not in self.host_by_name:
            return replace(self, hosts=(*self.hosts, host))
        return replace(self, hosts=tuple(host if old.name == host.name else old for old in self.hosts))

    def without_host(self, name: str) -> Fabric:
        """Without the host of this name."""
        return replace(self, hosts=tuple(host for host in self.hosts if host.name != name))

    def switch_chain(self, leaf: str | None) -> list[NetworkSwitch]:
        """Switches from a leaf upwards; [] for an unknown one. A parent that is missing or repeats ends the chain."""
        chain: list[NetworkSwitch] = []
        current = self.switch_by_name.get(leaf or "")
        while current is not None and current not in chain:
            chain.append(current)
            current = self.switch_by_name.get(current.parent or "")
        return chain

    def units(self) -> dict[str, list[str]]:
        """Host names by NVLink unit: a rack-wide domain, or the host itself."""
        found: dict[str, list[str]] = {}
        for host in self.hosts:
            found.setdefault(unit_of(host), []).append(host.name)
        return found


def unit_of(host: Host) -> str:
    """The NVLink unit of a host: its rack-wide domain (if its GPUs are on a switch at all), or the host alone."""
    return f"domain:{host.nvlink_domain}" if host.nvlink_domain and host.shape.switched else f"host:{host.name}"
