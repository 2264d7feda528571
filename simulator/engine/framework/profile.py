"""Which plugins run where: the default profile merged with what a user configured.

Source: kube-scheduler 1.36 `apis/config/v1/default_plugins.go` mergePlugins, `framework/runtime` getScoreWeights and
expandMultiPointPlugins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from simulator.engine.framework.config import EnabledPlugin, PluginSet, ProfileConfig
from simulator.engine.framework.plugin import Plugin, Point
from simulator.engine.framework.shape_check import ConfigError, Problem

DEFAULT_PLUGINS: tuple[EnabledPlugin, ...] = (
    EnabledPlugin("SchedulingGates"),
    EnabledPlugin("PrioritySort"),
    EnabledPlugin("NodeUnschedulable"),
    EnabledPlugin("NodeName"),
    EnabledPlugin("TaintToleration", 3),
    EnabledPlugin("NodeAffinity", 2),
    EnabledPlugin("NodePorts"),
    EnabledPlugin("NodeResourcesFit", 1),
    EnabledPlugin("VolumeRestrictions"),
    EnabledPlugin("NodeVolumeLimits"),
    EnabledPlugin("VolumeBinding"),
    EnabledPlugin("VolumeZone"),
    EnabledPlugin("PodTopologySpread", 2),
    EnabledPlugin("InterPodAffinity", 2),
    EnabledPlugin("DynamicResources", 2),
    EnabledPlugin("DefaultPreemption"),
    EnabledPlugin("NodeResourcesBalancedAllocation", 1),
    EnabledPlugin("ImageLocality", 1),
    EnabledPlugin("DefaultBinder"),
    EnabledPlugin("NodeDeclaredFeatures"),
)
GATED_PLUGINS: tuple[tuple[str, EnabledPlugin], ...] = (
    ("GangScheduling", EnabledPlugin("GangScheduling")),
    ("TopologyAwareWorkloadScheduling", EnabledPlugin("TopologyPlacementGenerator")),
    ("TopologyAwareWorkloadScheduling", EnabledPlugin("PodGroupPodsCount", 1)),
)
MULTI_POINT = "multiPoint"
BUILD_ORDER = (
    Point.PRE_FILTER, Point.FILTER, Point.POST_FILTER, Point.RESERVE, Point.PRE_SCORE, Point.SCORE, Point.PRE_BIND,
    Point.BIND, Point.POST_BIND, Point.PERMIT, Point.PRE_ENQUEUE, Point.QUEUE_SORT, Point.PLACEMENT_GENERATE,
    Point.PLACEMENT_SCORE,
)  # fmt: skip
"""In which order the real scheduler fills its extension points: the first problem found is told."""
MAX_WEIGHT_SUM = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class ResolvedProfile:
    """Plugin names per extension point in the order in which they run; weights of Score and PlacementScore plugins."""

    config: ProfileConfig
    points: Mapping[Point, tuple[str, ...]]
    weights: Mapping[str, int]
    placement_weights: Mapping[str, int]


def default_plugins(gates: Mapping[str, bool]) -> tuple[EnabledPlugin, ...]:
    return DEFAULT_PLUGINS + tuple(plugin for gate, plugin in GATED_PLUGINS if gates.get(gate))


def resolve(
    config: ProfileConfig, registry: Mapping[str, type[Plugin]], gates: Mapping[str, bool], *, complete: bool = True
) -> ResolvedProfile:
    """Merge `config` with the defaults. Raises `ConfigError` with kube's text. `complete`: it must be able to run."""
    merged = {MULTI_POINT: _merge(default_plugins(gates), config.plugins.get(MULTI_POINT, PluginSet()))}
    for point in Point:
        merged[point.key] = config.plugins.get(point.key, PluginSet()).enabled
    for point in BUILD_ORDER:
        _check_explicit(point, [plugin.name for plugin in merged[point.key]], registry)
    points = {point: _expand(point, merged, config, registry) for point in BUILD_ORDER}
    weights = _weights(Point.SCORE, points, merged, config)
    placement_weights = _weights(Point.PLACEMENT_SCORE, points, merged, config)
    if complete:
        _check(points, config.scheduler_name)
    return ResolvedProfile(config, points, weights, placement_weights)


def _merge(defaults: tuple[EnabledPlugin, ...], custom: PluginSet) -> tuple[EnabledPlugin, ...]:
    """Defaults without the disabled ones, replaced in place by entries of the same name, then the other entries."""
    if "*" in custom.disabled:
        return custom.enabled
    own = {plugin.name: plugin for plugin in custom.enabled}
    kept = [own.get(plugin.name, plugin) for plugin in defaults if plugin.name not in custom.disabled]
    replaced = {plugin.name for plugin in kept}
    return (*kept, *(plugin for plugin in custom.enabled if plugin.name not in replaced))


def _expand(
    point: Point,
    merged: Mapping[str, tuple[EnabledPlugin, ...]],
    config: ProfileConfig,
    registry: Mapping[str, type[Plugin]],
) -> tuple[str, ...]:
    explicit = [plugin.name for plugin in merged[point.key]]
    disabled = config.plugins.get(point.key, PluginSet()).disabled
    if "*" in disabled:
        return tuple(explicit)
    general: list[str] = []
    overrides: set[str] = set()
    seen: set[str] = set()
    for plugin in merged[MULTI_POINT]:
        implementation = registry.get(plugin.name)
        if implementation is None:
            text = f'{point.go_name} "{plugin.name}" does not exist'
            raise _problem(text, "config.no_plugin", plugin.name, "plugins", MULTI_POINT)
        if not issubclass(implementation, point.interface) or plugin.name in disabled:
            continue
        if plugin.name in explicit:
            overrides.add(plugin.name)
        elif plugin.name in seen:
            text = f'plugin "{plugin.name}" already registered as "{point.go_name}"'
            raise _problem(text, "config.registered_twice", plugin.name, "plugins", MULTI_POINT)
        else:
            general.append(plugin.name)
        seen.add(plugin.name)
    first = [name for name in explicit if name in overrides]
    return (*first, *general, *(name for name in explicit if name not in overrides))


def _check_explicit(point: Point, names: list[str], registry: Mapping[str, type[Plugin]]) -> None:
    here = ("plugins", point.key)
    for index, name in enumerate(names):
        if name not in registry:
            raise _problem(f'{point.go_name} "{name}" does not exist', "config.no_plugin", name, *here)
        if not issubclass(registry[name], point.interface):
            text = f'plugin "{name}" does not extend {point.go_name} plugin'
            raise _problem(text, "config.wrong_point", name, *here)
        if name in names[:index]:
            text = f'plugin "{name}" already registered as "{point.go_name}"'
            raise _problem(text, "config.registered_twice", name, *here)


def _weights(
    point: Point,
    points: Mapping[Point, tuple[str, ...]],
    merged: Mapping[str, tuple[EnabledPlugin, ...]],
    config: ProfileConfig,
) -> dict[str, int]:
    weights = {plugin.name: plugin.weight for plugin in merged[MULTI_POINT]}
    weights |= {plugin.name: plugin.weight for plugin in merged[point.key]}
    found = {name: weights.get(name) or 1 for name in points[point]}
    if sum(weight * 100 for weight in found.values()) > MAX_WEIGHT_SUM:
        raise _problem("total score of Score plugins could overflow", "config.overflow", config.scheduler_name)
    return found


def _check(points: Mapping[Point, tuple[str, ...]], scheduler: str) -> None:
    sorters = points[Point.QUEUE_SORT]
    if len(sorters) != 1:
        text = (
            f'only one queue sort plugin required for profile with scheduler name "{scheduler}", but got {len(sorters)}'
        )
        raise _problem(text, "config.queue_sort_count", scheduler)
    if not points[Point.BIND]:
        text = f'at least one bind plugin is needed for profile with scheduler name "{scheduler}"'
        raise _problem(text, "config.no_bind", scheduler)
    if len(points[Point.PLACEMENT_GENERATE]) > 1:
        text = f'at most one placement generate plugin is allowed for profile with scheduler name "{scheduler}"'
        raise _problem(text, "config.placement_generators", scheduler)


def _problem(text: str, code: str, name: str, *path: str) -> ConfigError:
    return ConfigError([Problem(path, text, code, {"name": name})])
