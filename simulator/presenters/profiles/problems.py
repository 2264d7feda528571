"""What the engine has against a profile, each at the field and at the line it is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from simulator.engine.framework.shape_check import Problem
from simulator.engine.world.commands import CommandProblem
from simulator.forms.profiles import SETTINGS, Posted
from simulator.manifests.applying import draft
from simulator.presenters.sentences.problems import present_problem
from simulator.selectors.profiles.arguments import ARGUMENTS, TABLE


@dataclass(frozen=True, slots=True)
class ProblemRow:
    """`field` is the name of the field it is about, "" for none that is shown."""

    field: str
    text: str
    kube: str
    line: int


def problem_rows(problems: Sequence[Problem | CommandProblem], posted: Posted, yaml: str) -> tuple[ProblemRow, ...]:
    text = draft(yaml)
    rows = [ProblemRow(name, said, "", 0) for name, said in posted.unread.items()]
    for problem in problems:
        sentence = present_problem(problem)
        line = text.place_of(tuple(problem.path)).line
        rows.append(ProblemRow(_field_of(problem.path, posted), str(sentence), sentence.kube, line))
    return tuple(rows)


def _field_of(path: Sequence[str | int], posted: Posted) -> str:
    """The name of the field that a place in the configuration belongs to."""
    parts = [part for part in path if part != "config"]
    if parts[:1] and parts[0] in SETTINGS:
        return f"g.{parts[0]}"
    if parts[:2] != ["profiles", posted.number] or len(parts) < 3:
        return ""
    if parts[2] == "schedulerName":
        return "name"
    if parts[2] == "plugins" and len(parts) > 3:
        return f"p.{parts[3]}"
    if parts[2] == "pluginConfig" and len(parts) > 4:
        entry = posted.config["profiles"][posted.number]["pluginConfig"][parts[3]]
        return _argument(entry["name"], [str(part) for part in parts[5:]])
    return ""


def _argument(plugin: str, path: list[str]) -> str:
    """The field at or above `path`: a cell of a table, the field, or the first one within."""
    dotted = ".".join(path)
    for item in ARGUMENTS.get(plugin, ()):
        own = item.name
        if dotted == own or own.startswith(f"{dotted}.") or not dotted:
            return f"a.{plugin}.{own}"
        if dotted.startswith(f"{own}."):
            rest = dotted.removeprefix(f"{own}.").split(".")
            is_cell = item.kind == TABLE and len(rest) == 2 and any(column.name == rest[1] for column in item.columns)
            return f"a.{plugin}.{dotted}" if is_cell else f"a.{plugin}.{own}"
    return ""
