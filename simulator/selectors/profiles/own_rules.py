"""A configuration with a rule of one's own in its first profile, and without it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

from simulator.engine.framework.plugin import Point
from simulator.engine.user_rules.plugin import plugin_of
from simulator.engine.user_rules.rule import read_rules
from simulator.selectors.profiles.model import EditedProfile, Parts, profile_count, read_profile, write_profile

Rules = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Made:
    config: dict[str, Any]
    rules: tuple[Mapping[str, Any], ...]


def with_rule(config: Mapping[str, Any], rules: Rules, rule: Mapping[str, Any], weight: int, parts: Parts) -> Made:
    """`rule` in the place of the one of its name, running at the points it has. Raises `ConfigError`."""
    others = [other for other in rules if other.get("name") != rule.get("name")]
    after = (*others, rule)
    read = read_rules(after)
    known = {one.name: plugin_of(one) for one in read}
    wider = Parts({**parts.registry, **known}, parts.gates)
    name = read[-1].name
    bare = without_rule(config, (), name, parts).config
    profile = read_profile(bare, 0, wider)
    points, weights = dict(profile.points), {point: dict(found) for point, found in profile.weights.items()}
    for point in Point:
        if name in wider.able(point):
            points[point] = (*points.get(point, ()), name)
            if point in weights:
                weights[point][name] = weight
    return Made(write_profile(bare, 0, replace(profile, points=points, weights=weights), wider), after)


def without_rule(config: Mapping[str, Any], rules: Rules, name: str, parts: Parts) -> Made:
    """No profile runs the rule, and it is not there any more. Raises `ConfigError`."""
    made: dict[str, Any] = deepcopy(dict(config))
    for number in range(profile_count(made)):
        if name in parts.registry:
            made = write_profile(made, number, _without(read_profile(made, number, parts), name), parts)
    return Made(made, tuple(rule for rule in rules if rule.get("name") != name))


def _without(profile: EditedProfile, name: str) -> EditedProfile:
    points = {point: tuple(one for one in names if one != name) for point, names in profile.points.items()}
    weights = {point: {k: v for k, v in found.items() if k != name} for point, found in profile.weights.items()}
    args = {plugin: value for plugin, value in profile.args.items() if plugin != name}
    return replace(profile, points=points, weights=weights, args=args)
