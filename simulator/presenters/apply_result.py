"""What came of a text somebody applied: problems with their lines, else what was assumed on the way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from simulator.engine.framework.shape_check import ConfigError, Problem
from simulator.engine.world.commands import CommandError, CommandProblem
from simulator.manifests.applying import Draft
from simulator.manifests.reading import TextKind
from simulator.manifests.remarks import Remark
from simulator.presenters.sentences.problems import present_problem, present_remark

MOST = 50


@dataclass(frozen=True, slots=True)
class ProblemView:
    """`line` and `column` count from 1, 0 for no particular place; `kube` is the API server's wording."""

    text: str
    line: int = 0
    column: int = 0
    kube: str = ""


@dataclass(frozen=True, slots=True)
class ApplyResult:
    """`problems` where nothing was applied. `notices` are what was read otherwise than one may think, or assumed."""

    problems: tuple[ProblemView, ...] = ()
    notices: tuple[ProblemView, ...] = ()


def unreadable(draft: Draft) -> ApplyResult | None:
    """Why a text cannot be applied; None where it can be tried."""
    if draft.reading.kind is TextKind.TOPOLOGY:
        return ApplyResult((ProblemView(_("This is a topology matrix, not manifests: it has no objects to apply.")),))
    if draft.reading.errors:
        return ApplyResult(tuple(remark_view(error) for error in draft.reading.errors[:MOST]))
    return None


def notices_of(draft: Draft) -> tuple[ProblemView, ...]:
    reading = draft.reading
    return tuple(remark_view(notice) for notice in [*reading.warnings, *reading.assumptions][:MOST])


def refused(draft: Draft, error: CommandError) -> ApplyResult:
    """What the API server has against the objects, each at its line."""
    return ApplyResult(tuple(_refusal(draft, problem) for problem in error.problems[:MOST]), notices_of(draft))


def configuration_refused(draft: Draft, error: ConfigError) -> ApplyResult:
    """What is wrong with a scheduler configuration, each at its line."""
    return ApplyResult(tuple(_refusal(draft, problem) for problem in error.problems[:MOST]))


def _refusal(draft: Draft, problem: CommandProblem | Problem) -> ProblemView:
    sentence = present_problem(problem)
    place = draft.place_of(problem.path)
    text = sentence.text
    if place.line:
        text = _("Line %(line)s: %(text)s") % {"line": place.line, "text": text}
    return ProblemView(text, place.line, place.column, sentence.kube)


def remark_view(remark: Remark) -> ProblemView:
    """What a reader says, with its place."""
    return ProblemView(present_remark(remark).text, remark.line, remark.column)


def problems_text(problems: Iterable[CommandProblem | Problem]) -> str:
    """Why a command was refused, in one piece."""
    return " ".join(_("%(sentence)s.") % {"sentence": present_problem(problem)} for problem in problems)
