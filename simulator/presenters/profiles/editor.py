"""The profile editor: every extension point with its plugins, every argument, what is wrong, what changes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from simulator.engine.framework.plugin import Point
from simulator.engine.framework.registry import REGISTRY
from simulator.engine.framework.shape_check import Problem
from simulator.engine.world.commands import CommandProblem
from simulator.forms.profiles import SETTINGS, TEXT, Posted
from simulator.manifests.writer import write
from simulator.presenters.profiles.fields import ArgsView, Input, args_view, setting_input, weight_input
from simulator.presenters.profiles.outcome import PreviewView, change_text, preview_view
from simulator.presenters.profiles.problems import ProblemRow, problem_rows
from simulator.selectors.profiles.arguments import ARGUMENTS
from simulator.selectors.profiles.changes import changes
from simulator.selectors.profiles.model import WEIGHED, EditedProfile, Parts, profile_count
from simulator.selectors.profiles.presets import PRESETS, Preset
from simulator.selectors.profiles.preview import Preview

FIRST: Final = (Point.FILTER, Point.SCORE)
"""Extension points that are open from the start; every other one is a click away."""


@dataclass(frozen=True, slots=True)
class PluginRow:
    name: str
    on: bool
    weight: Input | None
    first: bool
    last: bool
    own: bool


@dataclass(frozen=True, slots=True)
class PointView:
    key: str
    title: str
    rows: tuple[PluginRow, ...]
    running: int
    is_open: bool
    changed: bool
    problem: str


@dataclass(frozen=True, slots=True)
class EditorView:
    base: str
    number: int
    name: Input
    profiles: tuple[tuple[int, str, bool], ...]
    settings: tuple[Input, ...]
    presets: tuple[Preset, ...]
    points: tuple[PointView, ...]
    args: tuple[ArgsView, ...]
    whole: tuple[tuple[str, bool], ...]
    problems: tuple[ProblemRow, ...]
    yaml: str
    yaml_problem: str
    changes: tuple[str, ...]
    against: str
    preview: PreviewView | None
    pods: tuple[tuple[str, str, bool], ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """What the editor is about: what was posted, and what it is compared with, None for the default."""

    posted: Posted
    parts: Parts
    in_force: EditedProfile | None = None
    problems: Sequence[Problem | CommandProblem] = ()
    preview: Preview | None = None
    pods: Sequence[str] = ()
    pod: str = ""


def present_editor(asked: Asked) -> EditorView:
    posted, profile = asked.posted, asked.posted.profile
    yaml = write([ordered(posted.config)], sort_keys=False)
    problems = problem_rows(asked.problems, asked.posted, yaml)
    wrong = {row.field: row.text for row in problems if row.field}
    default = asked.parts.default()
    against = default if asked.in_force is None else asked.in_force
    return EditorView(
        base=json.dumps(posted.config, ensure_ascii=False),
        number=posted.number,
        name=Input("name", "profile-name", "text", _("Name"), profile.scheduler_name, problem=wrong.get("name", "")),
        profiles=tuple(
            (number, (item or {}).get("schedulerName") or "default-scheduler", number == posted.number)
            for number, item in enumerate(posted.config.get("profiles") or [None])
        ) if profile_count(posted.config) > 1 else (),
        settings=tuple(setting_input(name, posted.config, wrong) for name in SETTINGS),
        presets=PRESETS,
        points=tuple(_point(point, asked, default, wrong) for point in Point),
        args=tuple(args_view(name, profile, posted, wrong) for name in ARGUMENTS if name in asked.parts.registry),
        whole=tuple((name, profile.runs(name)) for name in asked.parts.registry),
        problems=problems,
        yaml=posted.typed.get(TEXT, yaml),
        yaml_problem=wrong.get(TEXT, ""),
        changes=tuple(change_text(change) for change in changes(against, profile)),
        against=_("the default") if asked.in_force is None else _("what is in force"),
        preview=None if asked.preview is None else preview_view(asked.preview),
        pods=tuple((key, key.removeprefix("default/"), key == asked.pod) for key in asked.pods),
    )  # fmt: skip


def ordered(config: Mapping[str, Any]) -> dict[str, Any]:
    """The configuration with its keys as one writes them by hand."""
    first = ("apiVersion", "kind", *SETTINGS, "profiles")
    profiles = [_ordered_profile(item) for item in config.get("profiles") or []]
    made = {key: config[key] for key in first if key in config}
    made |= {key: value for key, value in config.items() if key not in made}
    return {**made, "profiles": profiles} if profiles else made


def _ordered_profile(item: Mapping[str, Any]) -> dict[str, Any]:
    keys = ("schedulerName", "percentageOfNodesToScore", "plugins", "pluginConfig")
    return {key: item[key] for key in keys if key in item} | {k: v for k, v in item.items() if k not in keys}


def _point(point: Point, asked: Asked, default: EditedProfile, wrong: Mapping[str, str]) -> PointView:
    posted = asked.posted
    running = posted.profile.points.get(point, ())
    weighed = running if point in WEIGHED else ()
    idle = [name for name in asked.parts.able(point) if name not in running]
    rows = tuple(
        PluginRow(
            name,
            name in running,
            weight_input(point, name, posted, wrong) if name in weighed else None,
            first=index == 0,
            last=index == len(running) - 1,
            own=name not in REGISTRY,
        )
        for index, name in enumerate([*running, *idle])
    )
    problem = next((text for field, text in wrong.items() if field == f"p.{point.key}"), "")
    changed = running != default.points.get(point, ())
    is_open = point in FIRST or bool(problem) or changed
    return PointView(point.key, point.go_name.removesuffix("Plugin"), rows, len(running), is_open, changed, problem)
