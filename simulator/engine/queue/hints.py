"""Queueing hints: which event makes which waiting Pod worth another try.

Source: kube-scheduler 1.36 `scheduler.go` buildQueueingHintMap, `scheduling_queue.go` isPodWorthRequeuing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from simulator.engine.framework.events import NODE, Action, ClusterEvent
from simulator.engine.framework.plugin import EventInterest, Hint, Plugin
from simulator.engine.objects.pod import Pod
from simulator.engine.queue.info import QueuedPod


class Strategy(IntEnum):
    """What to do with a waiting Pod, stronger answers last."""

    SKIP = 0
    AFTER_BACKOFF = 1
    IMMEDIATELY = 2


@dataclass(frozen=True, slots=True)
class Registration:
    plugin: str
    interest: EventInterest


@dataclass(frozen=True, slots=True)
class Answer:
    """A strategy and the plugin whose hint gave it ("" where no hint was asked)."""

    strategy: Strategy
    plugin: str = ""


def registrations(plugins: Sequence[Plugin]) -> list[Registration]:
    """Everything the plugins of a profile registered for.

    A plugin that waits for added nodes but not for taint changes also gets every taint change, since a node can become
    schedulable by losing a taint after it was added.
    """
    found: list[Registration] = []
    for plugin in plugins:
        interests = list(plugin.events())
        adds = any(i.event.resource == NODE and Action.ADD in i.event.actions for i in interests)
        taints = any(i.event.resource == NODE and Action.UPDATE_NODE_TAINT in i.event.actions for i in interests)
        if adds and not taints:
            interests.append(EventInterest(ClusterEvent(NODE, Action.UPDATE_NODE_TAINT)))
        found.extend(Registration(plugin.name, interest) for interest in interests)
    return found


class HintMap:
    """Registrations by scheduler name."""

    def __init__(self, by_profile: Mapping[str, Sequence[Registration]]) -> None:
        self._by_profile = by_profile
        self._known: dict[ClusterEvent, bool] = {}

    def interests_anybody(self, event: ClusterEvent) -> bool:
        if event.is_wildcard:
            return True
        if event not in self._known:
            everything = (r for registered in self._by_profile.values() for r in registered)
            self._known[event] = any(r.interest.event.covers(event) for r in everything)
        return self._known[event]

    def interests(self, scheduler_name: str, plugin: str, event: ClusterEvent) -> bool:
        registered = self._by_profile.get(scheduler_name, ())
        return any(r.plugin == plugin and r.interest.event.covers(event) for r in registered)

    def registered(self, info: QueuedPod) -> list[tuple[str, str]]:
        """(event label, plugin) of everything that the plugins which rejected the Pod wait for."""
        rejectors = info.rejectors | info.pending
        known = self._by_profile.get(info.pod.shape.scheduler_name, ())
        wanted = (r for r in known if r.plugin in rejectors)
        return list(dict.fromkeys((label, r.plugin) for r in wanted for label in r.interest.event.labels))

    def ask(self, info: QueuedPod, event: ClusterEvent, old: Any, new: Any) -> Answer:
        """Whether `event` makes the Pod worth another try."""
        rejectors = info.rejectors | info.pending
        if not rejectors:
            return Answer(Strategy.AFTER_BACKOFF)
        if event.is_wildcard:
            foreign = isinstance(new, Pod) and new.uid != info.pod.uid
            return Answer(Strategy.SKIP if foreign else Strategy.AFTER_BACKOFF)
        best = Answer(Strategy.SKIP)
        for registration in self._by_profile.get(info.pod.shape.scheduler_name, ()):
            if registration.plugin not in rejectors or not registration.interest.event.covers(event):
                continue
            hint = registration.interest.hint
            if hint is not None and hint(info.pod, old, new) == Hint.SKIP:
                continue
            if registration.plugin in info.pending:
                return Answer(Strategy.IMMEDIATELY, registration.plugin)
            if best.strategy == Strategy.SKIP:
                best = Answer(Strategy.AFTER_BACKOFF, registration.plugin)
        return best
