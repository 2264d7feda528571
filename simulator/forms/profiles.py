"""The profile editor's form: its many fields to one profile and back into the configuration it came from.

Fields by name: `base` (the configuration as JSON), `number` (which profile), `name`, `g.<setting>`, `order.<point>` and
`on.<point>` (plugins, repeated), `w.<point>.<plugin>`, `a.<plugin>.<field>` and, in tables, `a.<plugin>.<field>.<row>.
<column>`; `do` is what a button changes, with `do=yaml` to what
`text` says. Nothing is refused here but what no page of ours sends: what is wrong with a
value the engine says, at its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _

from gpuschedlab.web.errors import BadInput
from gpuschedlab.web.jsontext import read_json
from simulator.engine.framework.plugin import Point
from simulator.engine.framework.shape_check import ConfigError, Problem
from simulator.manifests.applying import draft
from simulator.manifests.documents import parse
from simulator.manifests.limits import Limits
from simulator.presenters.sentences.problems import present_problem, present_remark
from simulator.selectors.profiles.arguments import ARGUMENTS, FLAG, NAMES, NUMBER, TABLE, YAML, Column, Field
from simulator.selectors.profiles.model import (
    WEIGHED,
    EditedProfile,
    Parts,
    profile_count,
    read_profile,
    write_profile,
)
from simulator.selectors.profiles.presets import preset_named

if TYPE_CHECKING:
    from django.http import QueryDict

KIND: Final = "KubeSchedulerConfiguration"
MAX_BASE: Final = 60_000
MAX_ROWS: Final = 40
MAX_VALUE: Final = 8_000
MAX_NAME: Final = 253
MAX_DIGITS: Final = 9
SETTINGS: Final = ("percentageOfNodesToScore", "podInitialBackoffSeconds", "podMaxBackoffSeconds")
_WHOLE = re.compile(r"-?\d{1,18}")
TEXT: Final = "text"
_TEXT_LIMITS = Limits(
    max_bytes=MAX_BASE, max_documents=1, max_nodes=10_000, max_depth=30, max_seconds=1.0, max_remarks=1
)
_LIMITS = Limits(max_bytes=MAX_VALUE, max_documents=1, max_nodes=2_000, max_depth=20, max_seconds=1.0, max_remarks=1)


@dataclass(frozen=True, slots=True)
class Posted:
    """What was sent, with `profile` as it is then.

    unread     fields whose text could not even be read, by name, with what is wrong; `typed` is what stood there
    blank_row  which table has one more row to fill in, by field name
    """

    config: dict[str, Any]
    number: int
    profile: EditedProfile
    unread: Mapping[str, str] = field(default_factory=dict)
    typed: Mapping[str, str] = field(default_factory=dict)
    blank_row: str = ""


def read_posted(post: QueryDict, parts: Parts) -> Posted:
    """Raises `BadInput` for what no form of ours sends, `ConfigError` where the configuration itself is broken."""
    base, number = _base(post)
    verb, _colon, what = post.get("do", "").partition(":")
    if verb == "preset":
        return begin_editing(_with_preset(base, number, what), number, parts)
    if verb == "yaml":
        return _from_text(post.get(TEXT, ""), begin_editing(base, number, parts), parts)
    reader = _Reader(post, parts, dropped=what if verb == "drop" else "")
    before = read_profile(base, number, parts)
    profile = _changed(reader.profile(before), verb, what, parts)
    config = write_profile(reader.settings(base), number, profile, parts)
    if verb == "show" and what.isdecimal() and len(what) < MAX_DIGITS and int(what) < profile_count(config):
        number, profile = int(what), read_profile(config, int(what), parts)
    return Posted(config, number, profile, reader.unread, reader.typed, what if verb == "row" else "")


def begin_editing(config: dict[str, Any], number: int, parts: Parts) -> Posted:
    """A profile before anything is changed. Raises `ConfigError`."""
    return Posted(config, number, read_profile(config, number, parts))


def _from_text(text: str, before: Posted, parts: Parts) -> Posted:
    """The configuration that a text says; one that cannot be read leaves the form as it was."""
    parsed = parse(text, _TEXT_LIMITS)
    wrong = str(present_remark(parsed.errors[0])) if parsed.errors else ""
    config = parsed.documents[0].value if parsed.documents else None
    if not wrong and not (isinstance(config, dict) and config.get("kind") == KIND and _is_sound(config, 0)):
        wrong = _("Write one KubeSchedulerConfiguration, with a list of profiles or without.")
    if not wrong and isinstance(config, dict):
        try:
            return begin_editing(config, min(before.number, profile_count(config) - 1), parts)
        except ConfigError as error:
            wrong = _refused(text, error.problems[0])
    return replace(before, unread={TEXT: wrong}, typed={TEXT: text})


def _refused(text: str, problem: Problem) -> str:
    line = draft(text).place_of(tuple(problem.path)).line
    said = str(present_problem(problem))
    return _("Line %(line)s: %(text)s") % {"line": line, "text": said} if line else said


def _base(post: QueryDict) -> tuple[dict[str, Any], int]:
    text = post.get("base", "")
    try:
        base = read_json(text) if len(text) <= MAX_BASE else None
        number = int(post.get("number") or 0)
    except ValueError:
        base, number = None, 0
    if not isinstance(base, dict) or not _is_sound(base, number):
        raise BadInput(_("The form has lost its configuration. Load the page again."))
    return base, number


def _is_sound(base: Mapping[str, Any], number: int) -> bool:
    profiles = base.get("profiles")
    listed = profiles is None or (isinstance(profiles, list) and all(isinstance(item, dict) for item in profiles))
    return listed and 0 <= number < profile_count(base)


def _with_preset(base: dict[str, Any], number: int, name: str) -> dict[str, Any]:
    preset = preset_named(name)
    if preset is None:
        raise BadInput(_("The form has lost its configuration. Load the page again."))
    profiles = [*(base.get("profiles") or [{"schedulerName": "default-scheduler"}])]
    kept = {key: value for key, value in profiles[number].items() if key not in ("plugins", "pluginConfig")}
    profiles[number] = {**kept, **preset.profile()}
    return {**base, "profiles": profiles}


class _Reader:
    """The form's fields. What cannot be read is remembered in `unread`, and what stood there in `typed`."""

    def __init__(self, post: QueryDict, parts: Parts, *, dropped: str) -> None:
        self.post = post
        self.parts = parts
        self.dropped = dropped
        self.unread: dict[str, str] = {}
        self.typed: dict[str, str] = {}

    def settings(self, base: Mapping[str, Any]) -> dict[str, Any]:
        made = dict(base)
        for name in SETTINGS:
            if f"g.{name}" in self.post:
                value = _number(self.post.get(f"g.{name}", ""))
                made.pop(name, None)
                if value is not None:
                    made[name] = value
        return made

    def profile(self, before: EditedProfile) -> EditedProfile:
        points = {point: self._plugins(point, before) for point in Point}
        weights = {point: {name: self._weight(point, name, before) for name in points[point]} for point in WEIGHED}
        if not points[Point.PLACEMENT_GENERATE]:
            shared = weights[Point.SCORE]
            weights[Point.PLACEMENT_SCORE] = {
                name: shared.get(name, weight) for name, weight in weights[Point.PLACEMENT_SCORE].items()
            }
        sent = set(self.post.getlist("args"))
        args = {name: self._args(name, before.args.get(name) or {}) for name in ARGUMENTS if name in sent}
        kept = {name: value for name, value in before.args.items() if name not in args}
        order = [*before.args, *(name for name in args if name not in before.args)]
        merged = {name: args.get(name, kept.get(name, {})) for name in order}
        scheduler = self.post.get("name", before.scheduler_name).strip()[:MAX_NAME]
        return EditedProfile(
            scheduler, points, weights, {name: value for name, value in merged.items() if value or name in before.args}
        )

    def _plugins(self, point: Point, before: EditedProfile) -> tuple[str, ...]:
        if f"order.{point.key}" not in self.post:
            return before.points.get(point, ())
        able, on = self.parts.able(point), set(self.post.getlist(f"on.{point.key}"))
        order = dict.fromkeys(self.post.getlist(f"order.{point.key}"))
        return tuple(name for name in order if name in able and name in on)

    def _weight(self, point: Point, plugin: str, before: EditedProfile) -> int:
        name = f"w.{point.key}.{plugin}"
        was = before.weights.get(point, {}).get(plugin, 1)
        if name not in self.post:
            return was
        value = _number(self.post.get(name, ""))
        if isinstance(value, str):
            self.unread[name] = _("This is no whole number.")
            self.typed[name] = value
            return was
        return value or 1

    def _args(self, plugin: str, before: Mapping[str, Any]) -> dict[str, Any]:
        made: dict[str, Any] = deepcopy(dict(before))
        for item in ARGUMENTS[plugin]:
            name = f"a.{plugin}.{item.name}"
            was = _take(made, item.path)
            value = self._field(name, item, was)
            if value is not None:
                _put(made, item.path, value)
        return made

    def _field(self, name: str, item: Field, was: Any) -> Any:
        """The value of one field, None for nothing."""
        if item.kind == TABLE:
            return list(self._rows(name, item.columns)) or None
        text = self.post.get(name, "")[:MAX_VALUE].strip()
        if item.kind == FLAG:
            return True if text else (was if was is False else None)
        if item.kind == NAMES:
            return re.split(r"[\s,]+", text) if text else None
        if item.kind == YAML:
            return self._yaml(name, text, was)
        return _number(text) if item.kind == NUMBER else text or None

    def _yaml(self, name: str, text: str, was: Any) -> Any:
        parsed = parse(text, _LIMITS)
        if parsed.errors:
            self.unread[name] = str(present_remark(parsed.errors[0]))
            self.typed[name] = text
            return was
        return parsed.documents[0].value if parsed.documents else None

    def _rows(self, name: str, columns: tuple[Column, ...]) -> Iterator[dict[str, Any]]:
        for row in range(MAX_ROWS):
            if f"{name}.{row}" == f"a.{self.dropped}":
                continue
            cells = {column.name: self.post.get(f"{name}.{row}.{column.name}", "").strip() for column in columns}
            made = {
                column.name: _number(cells[column.name]) if column.kind == NUMBER else cells[column.name]
                for column in columns
                if cells[column.name]
            }
            if made and not (len(made) == 1 and any(column.choices and column.name in made for column in columns)):
                yield made


def _number(text: str) -> int | str | None:
    """A whole number; a text that is none is left as it is for the engine to refuse."""
    text = text.strip()[:MAX_VALUE]
    return int(text) if _WHOLE.fullmatch(text) else text or None


def _take(made: dict[str, Any], path: tuple[str, ...]) -> Any:
    """Remove and return what is at `path`, with containers that are empty then."""
    here = made.get(path[0])
    if len(path) == 1:
        return made.pop(path[0], None)
    if not isinstance(here, dict):
        return None
    found = _take(here, path[1:])
    if not here:
        del made[path[0]]
    return found


def _put(made: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    for part in path[:-1]:
        made = made.setdefault(part, {})
    made[path[-1]] = value


def _changed(profile: EditedProfile, verb: str, what: str, parts: Parts) -> EditedProfile:
    """The profile after a button."""
    if verb in ("up", "down"):
        key, _colon, plugin = what.partition(":")
        point = next((point for point in Point if point.key == key), None)
        names = [*profile.points.get(point, ())] if point else []
        if point and plugin in names:
            return replace(profile, points={**profile.points, point: _moved(names, plugin, -1 if verb == "up" else 1)})
    if verb == "off":
        return replace(profile, points={point: _without(names, what) for point, names in profile.points.items()})
    if verb == "on" and what in parts.registry:
        return _with_plugin(profile, what, parts)
    return profile


def _moved(names: list[str], plugin: str, by: int) -> tuple[str, ...]:
    at = names.index(plugin)
    to = at + by
    if 0 <= to < len(names):
        names[at], names[to] = names[to], names[at]
    return tuple(names)


def _without(names: tuple[str, ...], plugin: str) -> tuple[str, ...]:
    return tuple(name for name in names if name != plugin)


def _with_plugin(profile: EditedProfile, plugin: str, parts: Parts) -> EditedProfile:
    """`plugin` at every point where it can run, where the default profile has it if it does."""
    default = parts.default()
    points = dict(profile.points)
    weights = {point: dict(found) for point, found in profile.weights.items()}
    for point in Point:
        if plugin not in parts.able(point) or plugin in points.get(point, ()):
            continue
        usual = default.points.get(point, ())
        ahead = usual[: usual.index(plugin)] if plugin in usual else points.get(point, ())
        names = [*points.get(point, ())]
        at = max((names.index(name) + 1 for name in ahead if name in names), default=0)
        points[point] = (*names[:at], plugin, *names[at:])
        if point in weights:
            weights[point][plugin] = default.weights.get(point, {}).get(plugin, 1)
    return replace(profile, points=points, weights=weights)
