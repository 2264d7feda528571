"""KubeSchedulerConfiguration v1: read, defaulted and validated, with kube's error texts.

Source: kube-scheduler 1.36 `apis/config/v1/defaults.go`, `apis/config/validation`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from simulator.engine.framework.shape_check import Checker, ConfigError, Problem
from simulator.engine.objects.names import label_key_problems
from simulator.engine.objects.requests import is_extended_resource

API_VERSION = "kubescheduler.config.k8s.io/v1"
KIND = "KubeSchedulerConfiguration"
POINTS = (
    "preEnqueue", "queueSort", "preFilter", "filter", "postFilter", "preScore", "score", "reserve", "permit",
    "preBind", "bind", "postBind", "placementGenerate", "placementScore", "multiPoint",
)  # fmt: skip
REMOVED_PLUGINS = ("AzureDiskLimits", "CinderLimits", "EBSLimits", "GCEPDLimits")

__all__ = ["ConfigError", "ExtenderConfig", "PluginSet", "Problem", "ProfileConfig", "SchedulerConfig", "read_config"]


@dataclass(frozen=True, slots=True)
class EnabledPlugin:
    """`weight` 0 means that none was given."""

    name: str
    weight: int = 0


@dataclass(frozen=True, slots=True)
class PluginSet:
    enabled: tuple[EnabledPlugin, ...] = ()
    disabled: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ProfileConfig:
    """One profile as the user wrote it. `plugins` is by extension point, `args` by plugin name."""

    scheduler_name: str = "default-scheduler"
    percentage_of_nodes_to_score: int | None = None
    plugins: Mapping[str, PluginSet] = field(default_factory=dict)
    args: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ManagedResource:
    name: str
    ignored_by_scheduler: bool = False


@dataclass(frozen=True, slots=True)
class ExtenderConfig:
    """One entry of `extenders`. `timeout` is in microseconds."""

    url_prefix: str
    filter_verb: str = ""
    preempt_verb: str = ""
    prioritize_verb: str = ""
    bind_verb: str = ""
    weight: int = 0
    enable_https: bool = False
    timeout: int = 5_000_000
    node_cache_capable: bool = False
    ignorable: bool = False
    managed_resources: tuple[ManagedResource, ...] = ()


@dataclass(frozen=True, slots=True)
class SchedulerConfig:
    """The whole configuration. Backoffs are in whole seconds, as the API has them."""

    profiles: tuple[ProfileConfig, ...] = (ProfileConfig(),)
    percentage_of_nodes_to_score: int = 0
    pod_initial_backoff_seconds: int = 1
    pod_max_backoff_seconds: int = 10
    parallelism: int = 16
    extenders: tuple[ExtenderConfig, ...] = ()


_FIELDS = {
    "apiVersion": str, "kind": str, "parallelism": int, "leaderElection": dict, "clientConnection": dict,
    "enableProfiling": bool, "enableContentionProfiling": bool, "percentageOfNodesToScore": int,
    "podInitialBackoffSeconds": int, "podMaxBackoffSeconds": int, "profiles": list, "extenders": list,
    "delayCacheUntilActive": bool,
}  # fmt: skip
_PROFILE_FIELDS = {"schedulerName": str, "percentageOfNodesToScore": int, "plugins": dict, "pluginConfig": list}
_EXTENDER_FIELDS = {
    "urlPrefix": str, "filterVerb": str, "preemptVerb": str, "prioritizeVerb": str, "weight": int, "bindVerb": str,
    "enableHTTPS": bool, "tlsConfig": dict, "httpTimeout": str, "nodeCacheCapable": bool, "managedResources": list,
    "ignorable": bool,
}  # fmt: skip


def read_config(manifest: Mapping[str, Any]) -> SchedulerConfig:
    """The configuration in `manifest`. Raises `ConfigError` with everything that is wrong with it."""
    check = Checker()
    check.mapping((), manifest, _FIELDS)
    check.raise_problems()
    _check_type(check, manifest)
    config = SchedulerConfig(
        profiles=_profiles(check, manifest.get("profiles")),
        percentage_of_nodes_to_score=_percentage(check, ("percentageOfNodesToScore",), manifest) or 0,
        pod_initial_backoff_seconds=_or(manifest, "podInitialBackoffSeconds", 1),
        pod_max_backoff_seconds=_or(manifest, "podMaxBackoffSeconds", 10),
        parallelism=_or(manifest, "parallelism", 16),
        extenders=tuple(
            _extender(check, ("extenders", index), item) for index, item in enumerate(manifest.get("extenders") or ())
        ),
    )
    _validate(check, config, manifest)
    check.raise_problems()
    return config


def read_extenders(items: Sequence[Any]) -> tuple[ExtenderConfig, ...]:
    """Only the shape of `extenders` is checked, not the rules between them. Raises `ConfigError`."""
    check = Checker()
    extenders = tuple(_extender(check, ("extenders", index), item) for index, item in enumerate(items))
    check.raise_problems()
    return extenders


def _or(manifest: Mapping[str, Any], name: str, default: int) -> int:
    value = manifest.get(name)
    return default if value is None else int(value)


def _check_type(check: Checker, manifest: Mapping[str, Any]) -> None:
    version, kind = manifest.get("apiVersion"), manifest.get("kind")
    if version != API_VERSION or kind != KIND:
        text = f'no kind "{kind}" is registered for version "{version}"'
        check.problem(("apiVersion",), text, "config.kind", kind=kind, version=version)


def _profiles(check: Checker, items: Sequence[Any] | None) -> tuple[ProfileConfig, ...]:
    if items is None:
        return (ProfileConfig(),)
    return tuple(_profile(check, ("profiles", index), item, len(items)) for index, item in enumerate(items))


def _profile(check: Checker, path: tuple[Any, ...], item: Any, count: int) -> ProfileConfig:
    if not check.mapping(path, item, _PROFILE_FIELDS):
        return ProfileConfig()
    name = item.get("schedulerName") or ("default-scheduler" if count == 1 else "")
    plugins = {}
    for point, value in (item.get("plugins") or {}).items():
        if point not in POINTS:
            check.unknown((*path, "plugins", point))
            continue
        plugins[point] = _plugin_set(check, (*path, "plugins", point), value)
    return ProfileConfig(
        name,
        _percentage(check, (*path, "percentageOfNodesToScore"), item),
        plugins,
        _plugin_args(check, (*path, "pluginConfig"), item.get("pluginConfig") or ()),
    )


def _plugin_set(check: Checker, path: tuple[Any, ...], value: Any) -> PluginSet:
    if not check.mapping(path, value or {}, {"enabled": list, "disabled": list}):
        return PluginSet()
    enabled, disabled = [], []
    for index, item in enumerate((value or {}).get("enabled") or ()):
        here = (*path, "enabled", index)
        if check.mapping(here, item, {"name": str, "weight": int}):
            enabled.append(EnabledPlugin(item.get("name") or "", item.get("weight") or 0))
            if path[-1] != "multiPoint":
                _check_removed(check, here, item.get("name"))
    for index, item in enumerate((value or {}).get("disabled") or ()):
        if check.mapping((*path, "disabled", index), item, {"name": str, "weight": int}):
            disabled.append(item.get("name") or "")
    return PluginSet(tuple(enabled), tuple(disabled))


def _check_removed(check: Checker, path: tuple[Any, ...], name: str | None) -> None:
    if name in REMOVED_PLUGINS:
        text = f'was invalid in version "{API_VERSION}" (KubeSchedulerConfiguration is version "{API_VERSION}")'
        check.invalid(path, name, text, "config.removed_plugin", plugin=name)


def _plugin_args(check: Checker, path: tuple[Any, ...], items: Sequence[Any]) -> dict[str, Mapping[str, Any]]:
    found: dict[str, Mapping[str, Any]] = {}
    for index, item in enumerate(items):
        here = (*path, index)
        if not check.mapping(here, item, {"name": str, "args": dict}):
            continue
        name, args = item.get("name") or "", dict(item.get("args") or {})
        if name in found:
            check.problem(here, f"repeated config for plugin {name}", "config.repeated_args", plugin=name)
        kind = args.pop("kind", None)
        args.pop("apiVersion", None)
        if kind is not None and kind != f"{name}Args":
            group = API_VERSION.partition("/")[0]
            text = f"args for plugin {name} were not of type {name}Args.{group}, got {kind}.{group}"
            text = f"decoding .profiles[{path[1]}].pluginConfig[{index}]: {text}"
            check.problem((*here, "args", "kind"), text, "config.args_kind", kind=kind, plugin=name)
        _check_removed(check, here, name)
        found[name] = args
    return found


def _percentage(check: Checker, path: tuple[Any, ...], manifest: Mapping[str, Any]) -> int | None:
    value = manifest.get("percentageOfNodesToScore")
    if value is not None and not 0 <= value <= 100:
        check.invalid(path, value, "not in valid range [0-100]", "config.percentage")
    return value


def _extender(check: Checker, path: tuple[Any, ...], item: Any) -> ExtenderConfig:
    if not check.mapping(path, item, _EXTENDER_FIELDS):
        return ExtenderConfig("")
    managed = []
    for index, resource in enumerate(item.get("managedResources") or ()):
        if check.mapping((*path, "managedResources", index), resource, {"name": str, "ignoredByScheduler": bool}):
            managed.append(ManagedResource(resource.get("name") or "", bool(resource.get("ignoredByScheduler"))))
    timeout = check.duration((*path, "httpTimeout"), item.get("httpTimeout"))
    return ExtenderConfig(
        item.get("urlPrefix") or "", item.get("filterVerb") or "", item.get("preemptVerb") or "",
        item.get("prioritizeVerb") or "", item.get("bindVerb") or "", item.get("weight") or 0,
        bool(item.get("enableHTTPS")), timeout or 5_000_000, bool(item.get("nodeCacheCapable")),
        bool(item.get("ignorable")), tuple(managed),
    )  # fmt: skip


def _validate(check: Checker, config: SchedulerConfig, manifest: Mapping[str, Any]) -> None:
    if config.parallelism <= 0:
        text = "should be an integer value greater than zero"
        check.invalid(("parallelism",), config.parallelism, text, "config.parallelism")
    initial, longest = config.pod_initial_backoff_seconds, config.pod_max_backoff_seconds
    if initial <= 0:
        check.invalid(("podInitialBackoffSeconds",), initial, "must be greater than 0", "config.initial_backoff")
    if longest < initial:
        text = "must be greater than or equal to PodInitialBackoffSeconds"
        check.invalid(("podMaxBackoffSeconds",), longest, text, "config.max_backoff")
    lock = (manifest.get("leaderElection") or {}).get("resourceLock")
    if lock is not None and lock != "leases":
        text = 'resourceLock value must be "leases"'
        check.invalid(("leaderElection", "resourceLock"), lock, text, "config.resource_lock")
    if not config.profiles:
        check.required(("profiles",))
    _validate_names(check, config.profiles)
    _validate_queue_sort(check, config.profiles)
    _validate_extenders(check, config.extenders)


def _validate_names(check: Checker, profiles: Sequence[ProfileConfig]) -> None:
    seen: set[str] = set()
    for index, profile in enumerate(profiles):
        path = ("profiles", index, "schedulerName")
        if not profile.scheduler_name:
            check.required(path)
        elif profile.scheduler_name in seen:
            check.duplicate(path, profile.scheduler_name)
        seen.add(profile.scheduler_name)


def _validate_queue_sort(check: Checker, profiles: Sequence[ProfileConfig]) -> None:
    for index, profile in enumerate(profiles[1:], start=1):
        if profile.plugins.get("queueSort") != profiles[0].plugins.get("queueSort"):
            path = ("profiles", index, "plugins", "queueSort")
            sorters = [plugin.name for plugin in profile.plugins.get("queueSort", PluginSet()).enabled]
            check.invalid(path, sorters, "must be the same for all profiles", "config.queue_sort")


def _validate_extenders(check: Checker, extenders: Sequence[ExtenderConfig]) -> None:
    binders = 0
    names: set[str] = set()
    for index, extender in enumerate(extenders):
        path = ("extenders", index)
        if extender.prioritize_verb and extender.weight <= 0:
            text = "must have a positive weight applied to it"
            check.invalid((*path, "weight"), extender.weight, text, "config.extender_weight")
        binders += bool(extender.bind_verb)
        for position, resource in enumerate(extender.managed_resources):
            here = (*path, "managedResources", position, "name")
            _check_managed(check, here, resource.name)
            if resource.name in names:
                check.invalid(
                    here, resource.name, "duplicate extender managed resource name", "config.extender_duplicate"
                )
            names.add(resource.name)
    if binders > 1:
        found = f"found {binders} extenders implementing bind"
        check.invalid(("extenders",), found, "only one extender can implement bind", "config.extender_binders")


def _check_managed(check: Checker, path: tuple[Any, ...], name: str) -> None:
    problems = label_key_problems(name)
    for problem in problems:
        check.invalid(path, name, problem.text, "config.extender_resource")
    if not problems and not is_extended_resource(name):
        check.invalid(path, name, "is an invalid extended resource name", "config.extender_resource")
