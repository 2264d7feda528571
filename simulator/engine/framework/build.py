"""Profiles from a configuration: plugins made with their arguments, errors wrapped as the real scheduler wraps them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from simulator.engine.framework.config import SchedulerConfig
from simulator.engine.framework.plugin import Handle, Plugin
from simulator.engine.framework.profile import ResolvedProfile, resolve
from simulator.engine.framework.runtime import Framework
from simulator.engine.framework.shape_check import ConfigError


def build_frameworks(
    config: SchedulerConfig,
    registry: Mapping[str, type[Plugin]],
    gates: Mapping[str, bool],
    new_handle: Callable[[], Handle],
) -> dict[str, Framework]:
    """Scheduler name -> framework, in the order of the profiles. Raises `ConfigError`."""
    frameworks: dict[str, Framework] = {}
    for profile in config.profiles:
        try:
            resolved = resolve(profile, registry, gates)
            args = _read_args(resolved, registry, config)
        except ConfigError as failure:
            raise ConfigError([_wrapped(profile.scheduler_name, problem) for problem in failure.problems]) from failure
        frameworks[profile.scheduler_name] = Framework(
            resolved, registry, new_handle(), args, config.percentage_of_nodes_to_score
        )
    return frameworks


def _wrapped(scheduler_name: str, problem):  # type: ignore[no-untyped-def]
    text = f"initializing profiles: creating profile for scheduler name {scheduler_name}: {problem.text}"
    return replace(problem, text=text)


def _read_args(
    resolved: ResolvedProfile, registry: Mapping[str, type[Plugin]], config: SchedulerConfig
) -> dict[str, object]:
    own = resolved.config.args
    names = dict.fromkeys(name for names in resolved.points.values() for name in names)
    ignored = [r.name for e in config.extenders for r in e.managed_resources if r.ignored_by_scheduler]
    found = {}
    for name in names:
        args = dict(own.get(name) or {})
        if name == "NodeResourcesFit" and ignored:
            args["ignoredResources"] = ignored
        found[name] = registry[name].read_args(args)
    return found
