"""What actors do to the API, as values: the world carries them out after the actor's turn and tells everybody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from simulator.engine.objects.pod import Condition


@dataclass(frozen=True, slots=True)
class Bind:
    """POST binding: the Pod gets its node."""

    pod: str
    uid: str
    node: str


@dataclass(frozen=True, slots=True)
class PatchPodStatus:
    """Set a condition and/or the nominated node (None leaves it, "" clears it)."""

    pod: str
    uid: str
    condition: Condition | None = None
    nominated: str | None = None


@dataclass(frozen=True, slots=True)
class DeletePod:
    """Delete a Pod with its grace period. `condition` is set first (DisruptionTarget of a preemption)."""

    pod: str
    uid: str
    condition: Condition | None = None


@dataclass(frozen=True, slots=True)
class FinishPod:
    """A Pod's containers ended or never started: it gets a terminal phase, with reason and message in its status."""

    pod: str
    uid: str
    phase: str
    reason: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class AnnotatePod:
    """Set annotations of a Pod; None takes one away."""

    pod: str
    uid: str
    annotations: tuple[tuple[str, str | None], ...]


@dataclass(frozen=True, slots=True)
class RemovePod:
    """A deleted Pod's grace period is over: it is gone."""

    pod: str
    uid: str


@dataclass(frozen=True, slots=True)
class Announce:
    """Write an Event object about `kind` `key`."""

    kind: str
    key: str
    type: str
    reason: str
    message: str
    action: str = ""


@dataclass(frozen=True, slots=True)
class Create:
    manifest: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Put:
    """Store a whole new version of an object."""

    manifest: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Patch:
    """JSON merge patch of any object."""

    kind: str
    namespace: str
    name: str
    patch: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Delete:
    kind: str
    namespace: str
    name: str


Decision = (
    Bind | PatchPodStatus | DeletePod | FinishPod | AnnotatePod | RemovePod | Announce | Create | Put | Patch | Delete
)
