"""What one profile does otherwise than another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from simulator.engine.framework.plugin import Point
from simulator.selectors.profiles.model import WEIGHED, EditedProfile

ON, OFF, WEIGHT, ORDER, ARGS = "on", "off", "weight", "order", "args"
WHOLE: Final = ""


@dataclass(frozen=True, slots=True)
class Change:
    """`point` is the extension point by its key, "" for everywhere; `params` what else there is to say."""

    kind: str
    plugin: str = ""
    point: str = WHOLE
    params: dict[str, Any] = field(default_factory=dict)


def changes(before: EditedProfile, after: EditedProfile) -> list[Change]:
    """Plugins that came and went, then weights, order and arguments."""
    lists = [names for profile in (before, after) for names in profile.points.values()]
    plugins = list(dict.fromkeys(name for names in lists for name in names))
    presences = [change for name in plugins for change in _presence(name, before, after)]
    return [*presences, *_weights(before, after), *_orders(before, after), *_args(before, after)]


def _presence(name: str, before: EditedProfile, after: EditedProfile) -> Iterator[Change]:
    if before.runs(name) != after.runs(name):
        yield Change(ON if after.runs(name) else OFF, name)
        return
    for point in Point:
        was, is_now = name in before.points.get(point, ()), name in after.points.get(point, ())
        if was != is_now:
            yield Change(ON if is_now else OFF, name, point.key)


def _weights(before: EditedProfile, after: EditedProfile) -> Iterator[Change]:
    told: set[tuple[str, int | None, int]] = set()
    for point in WEIGHED:
        old, new = before.weights.get(point, {}), after.weights.get(point, {})
        for name, weight in new.items():
            was = old.get(name)
            newcomer = was is None and weight != 1 and point is Point.SCORE
            change = (name, was, weight)
            if (newcomer or (was is not None and was != weight)) and change not in told:
                told.add(change)
                yield Change(WEIGHT, name, point.key, {"before": was, "after": weight})


def _orders(before: EditedProfile, after: EditedProfile) -> Iterator[Change]:
    for point in Point:
        old, new = before.points.get(point, ()), after.points.get(point, ())
        both = [name for name in old if name in new]
        now = [name for name in new if name in old]
        if both != now:
            yield Change(ORDER, "", point.key, {"order": list(new)})


def _args(before: EditedProfile, after: EditedProfile) -> Iterator[Change]:
    for name in dict.fromkeys([*before.args, *after.args]):
        old, new = before.args.get(name) or {}, after.args.get(name) or {}
        if old != new:
            yield Change(ARGS, name, "", {"after": new})
