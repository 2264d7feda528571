"""What is wrong with what somebody wrote, as sentences: where, what, and what to do; kube's own text beside.

One presenter for the API server's errors, commands, configurations, goals, and texts that cannot be read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from simulator.engine.framework.shape_check import Path, Problem, dotted
from simulator.engine.objects.errors import FieldError
from simulator.engine.world.commands import CommandProblem
from simulator.manifests.remarks import Remark
from simulator.presenters.sentences.both import Both, unknown
from simulator.presenters.sentences.say import Sentence, joined, say
from simulator.presenters.sentences.tables.api_objects import OBJECTS
from simulator.presenters.sentences.tables.api_others import OTHERS
from simulator.presenters.sentences.tables.api_pods import PODS
from simulator.presenters.sentences.tables.goals import PROBLEMS as GOAL_PROBLEMS
from simulator.presenters.sentences.tables.rules import RULES
from simulator.presenters.sentences.tables.settings import SETTINGS
from simulator.presenters.sentences.tables.texts import ASSUMPTIONS, TEXT_ERRORS, TEXT_WARNINGS

SENTENCES: Mapping[str, Both] = {
    **OBJECTS,
    **PODS,
    **OTHERS,
    **SETTINGS,
    **RULES,
    **GOAL_PROBLEMS,
    **TEXT_ERRORS,
    **TEXT_WARNINGS,
    **ASSUMPTIONS,
}
"""Every code of a problem with its clause."""

_AT = Both("{place}：", "{place}: ")
_AT_LINE = Both("第 {line} 行，第 {column} 列：", "Line {line}, column {column}: ")
_AT_IN = Both("{place} 第 {line} 行第 {column} 列：", "{place}, line {line}, column {column}: ")
_AT_OBJECT = Both("{object} 的 {place}：", "{place} of {object}: ")
_ABOUT = Both("{object}：", "{object}: ")


class Located(Protocol):
    """A problem with a place in what was written."""

    @property
    def code(self) -> str: ...

    @property
    def params(self) -> Mapping[str, Any]: ...


def present_problem(problem: Problem | CommandProblem) -> Sentence:
    """A problem of a command, a scheduler configuration, a setup or a goal, with its place."""
    params, place = problem.params, dotted(problem.path)
    if params.get("object_kind"):
        opening: Sentence | None = _object_place(params, problem.path)
    elif "column" in params:
        opening = say(_AT_IN, {"place": place, "line": params["line"], "column": params["column"]})
    else:
        opening = say(_AT, {"place": place}) if place else None
    return _clause(problem, opening, kube=problem.text)


def present_field_error(error: FieldError) -> Sentence:
    """One error of an object that the API server refuses."""
    place = say(_AT, {"place": error.field}) if error.field else None
    return _clause(error, place, kube=error.text)


def present_remark(remark: Remark) -> Sentence:
    """What a reader says about a pasted text: an error, a warning or an assumption, with its line."""
    place = say(_AT_LINE, {"line": remark.line, "column": remark.column}) if remark.line else None
    return _clause(remark, place)


def _object_place(params: Mapping[str, Any], path: Path) -> Sentence:
    """`spec.nodeName of Pod train`; the first two keys lead to the object within its command."""
    name = " ".join(text for text in (params["object_kind"], params["object_name"]) if text)
    within = dotted(path[2:])
    return say(_AT_OBJECT if within else _ABOUT, {"object": name, "place": within})


def _clause(problem: Located, opening: Sentence | None, *, kube: str = "") -> Sentence:
    both = SENTENCES.get(problem.code) or unknown(problem.code)
    return joined([say(both, problem.params)], opening=opening, kube=kube)
