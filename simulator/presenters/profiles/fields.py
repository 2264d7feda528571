"""What is typed into: settings, weights, and the arguments of every plugin."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _

from simulator.engine.framework.plugin import Point
from simulator.forms.profiles import Posted
from simulator.manifests.writer import write
from simulator.selectors.profiles.arguments import ARGUMENTS, FLAG, NAMES, TABLE, YAML, Column, Field
from simulator.selectors.profiles.model import EditedProfile

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

SETTING_DEFAULTS: Final = {
    "percentageOfNodesToScore": "0",
    "podInitialBackoffSeconds": "1",
    "podMaxBackoffSeconds": "10",
}
Wrong = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Input:
    """A field to type into. `rows` are a table's cells."""

    name: str
    id: str
    kind: str
    label: StrOrPromise
    value: str = ""
    default: str = ""
    choices: tuple[str, ...] = ()
    about: StrOrPromise = ""
    problem: str = ""
    columns: tuple[Column, ...] = ()
    rows: tuple[tuple[Input, ...], ...] = ()

    @property
    def path(self) -> str:
        """The field below its plugin's arguments."""
        return self.name.split(".", 2)[2]


@dataclass(frozen=True, slots=True)
class ArgsView:
    plugin: str
    runs: bool
    fields: tuple[Input, ...]
    is_open: bool


def _id(name: str) -> str:
    return "field-" + name.replace("/", "-").replace(".", "-")


def setting_input(name: str, config: Mapping[str, Any], wrong: Wrong) -> Input:
    labels = {
        "percentageOfNodesToScore": _("Nodes to look at, % (0: by the size of the cluster)"),
        "podInitialBackoffSeconds": _("First backoff, seconds"),
        "podMaxBackoffSeconds": _("Longest backoff, seconds"),
    }
    key = f"g.{name}"
    value = _text(config.get(name))
    return Input(key, _id(key), "number", labels[name], value, SETTING_DEFAULTS[name], problem=wrong.get(key, ""))


def weight_input(point: Point, name: str, posted: Posted, wrong: Wrong) -> Input | None:
    if point is Point.PLACEMENT_SCORE and not posted.profile.points.get(Point.PLACEMENT_GENERATE):
        return None
    key = f"w.{point.key}.{name}"
    value = posted.typed.get(key) or str(posted.profile.weights.get(point, {}).get(name, 1))
    label = _("weight of %(plugin)s") % {"plugin": name}
    return Input(key, _id(key), "number", label, value, problem=wrong.get(key, ""))


def args_view(plugin: str, profile: EditedProfile, posted: Posted, wrong: Wrong) -> ArgsView:
    given = profile.args.get(plugin) or {}
    fields = tuple(_field(plugin, item, given, posted, wrong) for item in ARGUMENTS[plugin])
    bad = any(field.startswith(f"a.{plugin}.") for field in wrong)
    asked_for = posted.blank_row.startswith(f"{plugin}.")
    return ArgsView(plugin, profile.runs(plugin), fields, bool(given) or bad or asked_for)


def _field(plugin: str, item: Field, given: Mapping[str, Any], posted: Posted, wrong: Wrong) -> Input:
    name, value = f"a.{plugin}.{item.name}", _at(given, item.path)
    made = Input(
        name, _id(name), item.kind, item.label, "", item.default, item.choices, item.about, wrong.get(name, ""),
        item.columns,
    )  # fmt: skip
    if item.kind != TABLE:
        return replace(made, value=posted.typed.get(name, _shown(item.kind, value)))
    rows = [*(value if isinstance(value, list) else [])]
    if posted.blank_row == f"{plugin}.{item.name}" or not rows:
        rows.append({})
    return replace(made, rows=tuple(_cells(name, index, item.columns, row, wrong) for index, row in enumerate(rows)))


def _cells(name: str, index: int, columns: Iterable[Column], row: Any, wrong: Wrong) -> tuple[Input, ...]:
    found = []
    for column in columns:
        key = f"{name}.{index}.{column.name}"
        value = _text(row.get(column.name)) if isinstance(row, Mapping) else ""
        label = f"{column.label} {index + 1}"
        problem = wrong.get(key, "")
        found.append(Input(key, _id(key), column.kind, label, value, choices=column.choices, problem=problem))
    return tuple(found)


def _at(given: Mapping[str, Any], path: Sequence[str]) -> Any:
    found: Any = given
    for part in path:
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _shown(kind: str, value: Any) -> str:
    if value is None:
        return ""
    if kind == YAML:
        return write([value], sort_keys=False) if isinstance(value, Mapping) else str(value)
    if kind == NAMES:
        return " ".join(map(str, value)) if isinstance(value, list) else str(value)
    return ("1" if value else "") if kind == FLAG else str(value)
