"""Profiles from a configuration: plugins made with their arguments, errors worded as the real scheduler words them.

Source: kube-scheduler 1.36 `apis/config/validation` (arguments checked with the configuration), `scheduler.go` New and
`framework/runtime` NewFramework (everything else, wrapped).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from simulator.engine.framework.config import SchedulerConfig
from simulator.engine.framework.plugin import Handle, Plugin
from simulator.engine.framework.profile import ResolvedProfile, resolve
from simulator.engine.framework.runtime import Framework
from simulator.engine.framework.shape_check import ConfigError, Path, Problem

Registry = Mapping[str, type[Plugin]]

CHECKED_WHEN_MADE = frozenset({"NodeResourcesFit", "DynamicResources"})
"""Plugins whose arguments are only looked at when the plugin is made; those of all others with the configuration."""


def build_frameworks(
    config: SchedulerConfig, registry: Registry, gates: Mapping[str, bool], new_handle: Callable[[], Handle]
) -> dict[str, Framework]:
    """Scheduler name -> framework, in the order of the profiles. Raises `ConfigError`."""
    _check_args(config, registry)
    frameworks: dict[str, Framework] = {}
    for index, profile in enumerate(config.profiles):
        try:
            resolved = resolve(profile, registry, gates)
            args = _read_args(resolved, registry, config)
            made = Framework(resolved, registry, new_handle(), args, config.percentage_of_nodes_to_score)
        except ConfigError as failure:
            raise ConfigError([_wrapped(profile.scheduler_name, index, item) for item in failure.problems]) from failure
        frameworks[profile.scheduler_name] = made
    return frameworks


def _check_args(config: SchedulerConfig, registry: Registry) -> None:
    """What is wrong with the arguments that are checked with the configuration, in all profiles at once."""
    problems: list[Problem] = []
    for index, profile in enumerate(config.profiles):
        for position, (name, args) in enumerate(profile.args.items()):
            if name not in registry or name in CHECKED_WHEN_MADE:
                continue
            try:
                registry[name].read_args(args, _root(index, position))
            except ConfigError as failure:
                problems.extend(failure.problems)
    if problems:
        raise ConfigError(problems)


def _root(profile: int, position: int) -> Path:
    return ("profiles", profile, "pluginConfig", position, "args")


def _wrapped(scheduler_name: str, index: int, problem: Problem) -> Problem:
    text = f"initializing profiles: creating profile for scheduler name {scheduler_name}: {problem.text}"
    place = problem.path if problem.path[:1] == ("profiles",) else ("profiles", index, *problem.path)
    return replace(problem, text=text, path=place)


def _read_args(resolved: ResolvedProfile, registry: Registry, config: SchedulerConfig) -> dict[str, object]:
    own = resolved.config.args
    names = dict.fromkeys(name for names in resolved.points.values() for name in names)
    ignored = [r.name for e in config.extenders for r in e.managed_resources if r.ignored_by_scheduler]
    found = {}
    for name in names:
        args = dict(own.get(name) or {})
        if name == "NodeResourcesFit" and ignored:
            args["ignoredResources"] = ignored
        try:
            found[name] = registry[name].read_args(args)
        except ConfigError as failure:
            root = _root(config.profiles.index(resolved.config), list(own).index(name))
            raise ConfigError([_when_made(name, root, problem) for problem in failure.problems]) from failure
    return found


def _when_made(plugin: str, root: Path, problem: Problem) -> Problem:
    return replace(problem, path=(*root, *problem.path), text=f'initializing plugin "{plugin}": {problem.text}')
