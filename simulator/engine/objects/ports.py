"""Host ports a Pod wants.

Source: kube-scheduler 1.36 `HostPortInfo` and `util.GetHostPorts`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

ANY_ADDRESS = "0.0.0.0"  # noqa: S104 - the address a manifest means by leaving hostIP out, never bound here


@dataclass(frozen=True, slots=True)
class HostPort:
    address: str
    protocol: str
    port: int

    def conflicts(self, other: HostPort) -> bool:
        return (self.protocol, self.port) == (other.protocol, other.port) and (
            self.address == other.address or ANY_ADDRESS in (self.address, other.address)
        )

    def __str__(self) -> str:
        return f"{self.address}:{self.port}/{self.protocol}"

    @staticmethod
    def parse(text: str) -> HostPort:
        """What `str` gave."""
        place, _, protocol = text.rpartition("/")
        address, _, port = place.rpartition(":")
        return HostPort(address, protocol, int(port))


def host_ports(spec: Mapping[str, Any]) -> tuple[HostPort, ...]:
    """Host ports of the containers and of sidecars (restartable init containers), each once, in manifest order."""
    sidecars = (c for c in spec.get("initContainers") or () if c.get("restartPolicy") == "Always")
    found: dict[HostPort, None] = {}
    for container in [*sidecars, *(spec.get("containers") or ())]:
        for port in container.get("ports") or ():
            if (port.get("hostPort") or 0) > 0:
                found[HostPort(port.get("hostIP") or ANY_ADDRESS, port.get("protocol") or "TCP", port["hostPort"])] = (
                    None
                )
    return tuple(found)
