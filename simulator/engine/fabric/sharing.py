"""Sharing single GPUs: compute in thousandths and memory in MiB per device, and which device a request gets.

Device identity matters: free halves of two GPUs are no free GPU. Memory is never oversold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

WHOLE: Final = 1000
"""Thousandths of an idle GPU."""

BINPACK: Final = "binpack"
SPREAD: Final = "spread"
CARD_POLICIES: Final = (BINPACK, SPREAD)


@dataclass(frozen=True, slots=True)
class ShareRequest:
    """`count` devices with `milli` thousandths and `memory` MiB each. More than one device must be whole ones."""

    milli: int
    memory: int = 0
    count: int = 1

    def __post_init__(self) -> None:
        if not 0 <= self.milli <= WHOLE or self.count < 1 or self.memory < 0:
            raise ValueError(f"not a request for GPU shares: {self}")
        if self.count > 1 and self.milli != WHOLE:
            raise ValueError("several devices must be whole ones")


@dataclass(frozen=True, slots=True)
class SharedGpus:
    """What is free on each device of a node: thousandths (1000 = idle, 0 = full) and MiB."""

    milli: tuple[int, ...]
    memory: tuple[int, ...]

    @classmethod
    def idle(cls, devices: int, memory: int) -> SharedGpus:
        """All devices empty, with `memory` MiB each."""
        return cls((WHOLE,) * devices, (memory,) * devices)

    @property
    def idle_devices(self) -> int:
        """Devices that nobody uses."""
        return sum(milli == WHOLE for milli in self.milli)

    def fitting(self, request: ShareRequest) -> tuple[int, ...]:
        """Devices with room for one share of the request."""
        return tuple(
            device
            for device, (milli, memory) in enumerate(zip(self.milli, self.memory, strict=True))
            if milli >= request.milli and memory >= request.memory
        )

    def taken(self, devices: Sequence[int], request: ShareRequest) -> SharedGpus:
        """With the request on these devices. Raises ValueError if it does not fit there."""
        if any(device not in self.fitting(request) for device in devices):
            raise ValueError("the request does not fit on these devices")
        return self._changed(devices, -request.milli, -request.memory)

    def given_back(self, devices: Sequence[int], request: ShareRequest) -> SharedGpus:
        """With the request gone from these devices."""
        return self._changed(devices, request.milli, request.memory)

    def _changed(self, devices: Sequence[int], milli: int, memory: int) -> SharedGpus:
        return replace(
            self,
            milli=tuple(value + milli * (device in devices) for device, value in enumerate(self.milli)),
            memory=tuple(value + memory * (device in devices) for device, value in enumerate(self.memory)),
        )


def choose_devices(gpus: SharedGpus, request: ShareRequest, policy: str = BINPACK) -> tuple[int, ...] | None:
    """Devices for a request: the fullest that fit (binpack) or the emptiest (spread), lowest numbers of equals.

    None if it does not fit; raises ValueError for an unknown policy.
    """
    if policy not in CARD_POLICIES:
        raise ValueError(f"unknown card policy: {policy}")
    fitting = gpus.fitting(request)
    if len(fitting) < request.count:
        return None
    sign = 1 if policy == BINPACK else -1
    ordered = sorted(fitting, key=lambda device: (sign * gpus.milli[device], sign * gpus.memory[device], device))
    return tuple(sorted(ordered[: request.count]))
