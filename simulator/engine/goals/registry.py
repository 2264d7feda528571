"""All kinds of goals by name, and how goals are read from mappings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from simulator.engine.framework.shape_check import Path
from simulator.engine.goals.all_bound import AllBound
from simulator.engine.goals.bandwidth import Bandwidth
from simulator.engine.goals.binpacked import Binpacked
from simulator.engine.goals.bound_to_node import BoundToNode
from simulator.engine.goals.bound_to_node_with import BoundToNodeWith
from simulator.engine.goals.event_seen import EventSeen
from simulator.engine.goals.evicted import Evicted
from simulator.engine.goals.fields import GoalError, Problems
from simulator.engine.goals.finished import Finished
from simulator.engine.goals.gang_complete import GangComplete
from simulator.engine.goals.gang_deadlock import GangDeadlock
from simulator.engine.goals.goal import Goal, attribute
from simulator.engine.goals.gpu_nodes_kept_from_cpu_pods import GpuNodesKeptFromCpuPods
from simulator.engine.goals.max_per_domain import MaxPerDomain
from simulator.engine.goals.node_count import NodeCount
from simulator.engine.goals.node_empty import NodeEmpty
from simulator.engine.goals.node_tainted import NodeTainted
from simulator.engine.goals.none_evicted import NoneEvicted
from simulator.engine.goals.not_bound import NotBound
from simulator.engine.goals.pod_count import PodCount
from simulator.engine.goals.preempted_for import PreemptedFor
from simulator.engine.goals.same_domain import SameDomain
from simulator.engine.goals.total_score import TotalScore
from simulator.engine.goals.used_profile import UsedProfile
from simulator.engine.goals.whole_gpus_free import WholeGpusFree
from simulator.engine.goals.whole_nodes_free import WholeNodesFree
from simulator.engine.goals.winner import Winner
from simulator.engine.goals.within_time import WithinTime

KINDS: tuple[type[Goal], ...] = (
    AllBound,
    BoundToNode,
    BoundToNodeWith,
    NotBound,
    Finished,
    PodCount,
    SameDomain,
    MaxPerDomain,
    Binpacked,
    GangComplete,
    GangDeadlock,
    NoneEvicted,
    Evicted,
    PreemptedFor,
    GpuNodesKeptFromCpuPods,
    WholeGpusFree,
    WholeNodesFree,
    NodeEmpty,
    NodeCount,
    NodeTainted,
    Winner,
    TotalScore,
    EventSeen,
    UsedProfile,
    WithinTime,
    Bandwidth,
)

GOALS: Mapping[str, type[Goal]] = {kind.kind: kind for kind in KINDS}

_NOT_FIELDS = ("kind", "title")


def read_goal(mapping: Any, path: Path = ()) -> Goal:
    """A goal from `{kind, ...}`; a `title` beside it is somebody else's. Raises `GoalError`."""
    problems = Problems()
    goal = _read(mapping, path, problems)
    if problems.found or goal is None:
        raise GoalError(problems.found)
    return goal


def read_goals(mappings: Iterable[Any], path: Path = ()) -> list[Goal]:
    """Several goals. Raises `GoalError` with the problems of all of them."""
    problems = Problems()
    goals = [_read(mapping, (*path, index), problems) for index, mapping in enumerate(mappings)]
    if problems.found:
        raise GoalError(problems.found)
    return [goal for goal in goals if goal is not None]


def _read(mapping: Any, path: Path, problems: Problems) -> Goal | None:
    if not isinstance(mapping, Mapping):
        problems.add(path, "goal.type", "must be a mapping", wanted="mapping")
        return None
    kind = GOALS.get(mapping["kind"]) if isinstance(mapping.get("kind"), str) else None
    if kind is None:
        known = ", ".join(GOALS)
        problems.add((*path, "kind"), "goal.unknown_kind", f"must be one of {known}", kinds=known)
        return None
    before = len(problems.found)
    values = _values(kind, mapping, path, problems)
    if len(problems.found) > before:
        return None
    goal = kind(**values)
    goal.validate(path, problems)
    return goal


def _values(kind: type[Goal], mapping: Mapping[str, Any], path: Path, problems: Problems) -> dict[str, Any]:
    for name in mapping:
        if name not in kind.fields and name not in _NOT_FIELDS:
            problems.add((*path, str(name)), "goal.unknown_field", "unknown field", field=str(name))
    values = {}
    for name, field in kind.fields.items():
        if mapping.get(name) is not None:
            values[attribute(name)] = field.read(mapping[name], (*path, name), problems)
        elif field.required:
            problems.add((*path, name), "goal.missing_field", "is needed", field=name)
        else:
            values[attribute(name)] = field.default
    return values
