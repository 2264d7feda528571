"""A lab's scheduler at one of its moments: its configuration, the rules in it, and the extenders it has called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from simulator.engine.actors.kube_scheduler.cycle import Cycle
from simulator.engine.framework.config import ExtenderConfig, read_config
from simulator.engine.framework.extenders import Call
from simulator.selectors.histories import open_history
from simulator.selectors.moments import Moment
from simulator.selectors.profiles.changes import Change, changes
from simulator.selectors.profiles.model import Parts, blank_config, profile_count, read_profile


@dataclass(frozen=True, slots=True)
class ProfileInForce:
    name: str
    changes: tuple[Change, ...]
    weights: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class SchedulerInForce:
    """`calls` are those of the turn the moment is in, without it of none. `config` is as it was given."""

    config: Mapping[str, Any]
    profiles: tuple[ProfileInForce, ...]
    rules: tuple[Mapping[str, Any], ...]
    extenders: tuple[ExtenderConfig, ...]
    calls: tuple[Call, ...]


def scheduler_of(moment: Moment) -> SchedulerInForce:
    """The newest configuration; calls only of a turn that may be told to its end."""
    with open_history(moment.lab) as history:
        setup = history.history.head.setup
        config = dict(setup.config or blank_config())
        parts = Parts(setup.registry(), setup.read_gates())
        calls: tuple[Call, ...] = ()
        extenders = read_config(config).extenders
        if extenders and not moment.cut and isinstance(moment.action.record, Cycle):
            calls = _calls(moment, history.history.at(moment.at.action + 1).actions[-1].record)
    default = parts.default()
    profiles = []
    for number in range(profile_count(config)):
        own = read_profile(config, number, parts)
        weights = next(iter(own.weights.values()), {})
        profiles.append(ProfileInForce(own.scheduler_name, tuple(changes(default, own)), weights))
    return SchedulerInForce(config, tuple(profiles), tuple(setup.plugins), extenders, calls)


def _calls(moment: Moment, replayed: Any) -> tuple[Call, ...]:
    """Stored turns have no calls with them; replayed ones do."""
    own = moment.action.record.calls
    return tuple(own or (replayed.calls if isinstance(replayed, Cycle) else ()))
