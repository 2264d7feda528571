"""One profile of a KubeSchedulerConfiguration as it can be edited, read from the configuration and written back.

What runs where is edited as it ends up (every extension point with its plugins in order), and written as briefly as
kube-scheduler allows: `multiPoint` where that says it, an extension point's own list where only that does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any, Final

from simulator.engine.framework.config import (
    API_VERSION,
    KIND,
    EnabledPlugin,
    PluginSet,
    ProfileConfig,
    read_config,
)
from simulator.engine.framework.plugin import Plugin, Point
from simulator.engine.framework.profile import ResolvedProfile, resolve
from simulator.engine.framework.shape_check import ConfigError

Registry = Mapping[str, type[Plugin]]
Config = Mapping[str, Any]
WEIGHED: Final = (Point.SCORE, Point.PLACEMENT_SCORE)


@dataclass(frozen=True, slots=True)
class Parts:
    """What plugins there are to choose from: the registry (with the lab's own rules), and the feature gates."""

    registry: Registry
    gates: Mapping[str, bool]

    def able(self, point: Point) -> tuple[str, ...]:
        return tuple(name for name, plugin in self.registry.items() if issubclass(plugin, point.interface))

    def default(self) -> EditedProfile:
        return self.of(ProfileConfig())

    def of(self, config: ProfileConfig) -> EditedProfile:
        """Raises `ConfigError` for plugins that are not there."""
        return _edited(resolve(config, self.registry, self.gates, complete=False))


@dataclass(frozen=True, slots=True)
class EditedProfile:
    """`points` are the plugins of every extension point in order, `weights` by point and plugin, `args` as written."""

    scheduler_name: str
    points: Mapping[Point, tuple[str, ...]]
    weights: Mapping[Point, Mapping[str, int]]
    args: Mapping[str, Mapping[str, Any]]

    def runs(self, plugin: str) -> bool:
        return any(plugin in names for names in self.points.values())


def _edited(found: ResolvedProfile) -> EditedProfile:
    weights = {Point.SCORE: dict(found.weights), Point.PLACEMENT_SCORE: dict(found.placement_weights)}
    return EditedProfile(found.config.scheduler_name, dict(found.points), weights, dict(found.config.args))


def blank_config() -> dict[str, Any]:
    return {"apiVersion": API_VERSION, "kind": KIND, "profiles": [{"schedulerName": "default-scheduler"}]}


def profile_count(config: Config) -> int:
    return len(config.get("profiles") or [None])


def read_profile(config: Config, number: int, parts: Parts) -> EditedProfile:
    """Profile `number` of `config`, whatever is wrong beside it. Raises `ConfigError`."""
    entry = (config.get("profiles") or [{}])[number]
    alone = {**blank_config(), "profiles": [{**entry, "schedulerName": entry.get("schedulerName") or "-"}]}
    found = parts.of(read_config(alone).profiles[0])
    return replace(found, scheduler_name=entry.get("schedulerName") or _unnamed(config))


def _unnamed(config: Config) -> str:
    return "default-scheduler" if profile_count(config) == 1 else ""


def write_profile(config: Config, number: int, wanted: EditedProfile, parts: Parts) -> dict[str, Any]:
    """`config` with that profile in the place of its profile `number`, as short as it can be written.

    Nothing is changed where the profile is the one that is there already.
    """
    made = deepcopy(dict(config))
    if not made.get("profiles"):
        made["profiles"] = [{"schedulerName": "default-scheduler"}]
    if _reads_as(made, number, wanted, parts):
        return made
    entry = {key: value for key, value in made["profiles"][number].items() if key not in ("plugins", "pluginConfig")}
    entry["schedulerName"] = wanted.scheduler_name
    plugins = _plugins(wanted, parts)
    if plugins:
        entry["plugins"] = plugins
    args = [{"name": name, "args": value} for name, value in wanted.args.items() if value]
    if args:
        entry["pluginConfig"] = args
    made["profiles"][number] = entry
    return made


def _reads_as(config: Config, number: int, wanted: EditedProfile, parts: Parts) -> bool:
    try:
        return read_profile(config, number, parts) == wanted
    except (ConfigError, TypeError, ValueError):
        return False


def _plugins(wanted: EditedProfile, parts: Parts) -> dict[str, Any]:
    """The `plugins` of a profile that has exactly what is wanted."""
    multi = _multi_point(wanted, parts)
    section: dict[str, Any] = {"multiPoint": multi} if multi else {}
    base = parts.of(ProfileConfig(plugins=_read_sets(section)))
    for point in Point:
        own = _own_list(wanted, base, point)
        if own:
            section[point.key] = own
    return section


def _multi_point(wanted: EditedProfile, parts: Parts) -> dict[str, Any]:
    default = parts.default()
    off = [name for name in parts.registry if default.runs(name) and not wanted.runs(name)]
    on: list[dict[str, Any]] = []
    for name, plugin in parts.registry.items():
        able = [point for point in Point if issubclass(plugin, point.interface)]
        if default.runs(name):
            weight = wanted.weights[Point.SCORE].get(name)
            if weight is not None and weight != default.weights[Point.SCORE].get(name):
                on.append({"name": name, "weight": weight})
        elif able and all(name in wanted.points.get(point, ()) for point in able):
            weight = wanted.weights[Point.SCORE].get(name, 1)
            on.append({"name": name, "weight": weight} if weight != 1 else {"name": name})
    lists = {"disabled": [{"name": name} for name in off], "enabled": on}
    return {key: value for key, value in lists.items() if value}


def _own_list(wanted: EditedProfile, base: EditedProfile, point: Point) -> dict[str, Any]:
    """What an extension point has to say for itself beside `multiPoint`; {} for nothing."""
    here, there = wanted.points.get(point, ()), base.points.get(point, ())
    weights = wanted.weights.get(point, {})
    same_weights = all(
        weights.get(name, 1) == base.weights.get(point, {}).get(name, 1) for name in here if name in there
    )
    if here == there and same_weights:
        return {}
    gone = [name for name in there if name not in here]
    new = [name for name in here if name not in there]
    if same_weights and here == (*(name for name in there if name in here), *new):
        lists = {"disabled": [{"name": name} for name in gone], "enabled": _entries(new, point, weights)}
        return {key: value for key, value in lists.items() if value}
    return {"disabled": [{"name": "*"}], "enabled": _entries(here, point, weights)}


def _entries(names: Sequence[str], point: Point, weights: Mapping[str, int]) -> list[dict[str, Any]]:
    if point not in WEIGHED:
        return [{"name": name} for name in names]
    return [{"name": name, "weight": weights.get(name, 1)} for name in names]


def _read_sets(section: Mapping[str, Any]) -> dict[str, PluginSet]:
    return {
        key: PluginSet(
            tuple(EnabledPlugin(item["name"], item.get("weight", 0)) for item in value.get("enabled", ())),
            tuple(item["name"] for item in value.get("disabled", ())),
        )
        for key, value in section.items()
    }
