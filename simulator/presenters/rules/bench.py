"""The rule workbench: an editor, what the rule says of every node, and how it failed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from simulator.engine.cel.errors import Problem as Flaw
from simulator.engine.framework.shape_check import Problem
from simulator.engine.user_rules.rule import FILTER, NORMALIZATIONS, SCORE, flaw_problem
from simulator.presenters.rules.library import EXAMPLES, LIBRARY, Group, completions
from simulator.presenters.sentences.problems import present_problem
from simulator.selectors.rule_trials import FAILS, PASSES, Trial, TrialRow

POINTS: Final = (FILTER, SCORE)


@dataclass(frozen=True, slots=True)
class FlawView:
    """What is wrong with an expression; `point` is which of them."""

    point: str
    text: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class RowView:
    row: TrialRow
    cells: tuple[str, ...]
    state: str
    flaw: str

    @property
    def passes(self) -> bool:
        return self.row.verdict in ("", PASSES)


@dataclass(frozen=True, slots=True)
class TrialView:
    """`state` is empty, wrong (it cannot be used) or tried; `dearest` the most steps that a node took."""

    state: str
    pod: str = ""
    flaws: tuple[FlawView, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[RowView, ...] = ()
    about_pod: tuple[tuple[str, str], ...] = ()
    has_filter: bool = False
    has_score: bool = False
    normalizes: bool = False
    outside: bool = False
    dearest: int = 0
    limit: int = 0
    more: int = 0


def present_trial(trial: Trial, fields: Mapping[str, str]) -> TrialView:
    if trial.flaws:
        return TrialView("wrong", trial.pod, tuple(flaw_view(point, flaw) for point, flaw in trial.flaws.items()))
    if not trial.rows:
        return TrialView("empty", trial.pod)
    return TrialView(
        state="tried",
        pod=trial.pod,
        columns=trial.inputs,
        rows=tuple(_row(row) for row in trial.rows),
        about_pod=tuple((name, shown(value)) for name, value in trial.about_pod),
        has_filter=bool(fields.get(FILTER, "").strip()),
        has_score=bool(fields.get(SCORE, "").strip()),
        normalizes=fields.get("normalize", "none") not in ("", "none"),
        outside=trial.outside,
        dearest=max(row.cost for row in trial.rows),
        limit=trial.limit,
        more=trial.more,
    )


def _row(row: TrialRow) -> RowView:
    state = "failed" if row.flaw else {PASSES: "passed", "": "passed", FAILS: "failed"}.get(row.verdict, "rejected")
    flaw = _clause(flaw_problem(("rule", 0, FILTER), row.flaw)) if row.flaw else ""
    return RowView(row, tuple(shown(value) for value in row.inputs), state, flaw)


def flaw_view(point: str, flaw: Flaw) -> FlawView:
    return FlawView(point, _clause(flaw_problem(("rule", 0, point), flaw)), flaw.line, flaw.column)


def _clause(problem: Problem) -> str:
    """What is wrong and where, without the rule's place in a configuration; with what was perhaps meant."""
    line, column = problem.params["line"], problem.params["column"]
    plain = Problem((), problem.text, problem.code, {k: v for k, v in problem.params.items() if k != "column"})
    text = _("Line %(line)s, column %(column)s: %(what)s") % {
        "line": line, "column": column, "what": present_problem(plain).text,
    }  # fmt: skip
    near = _near(str(problem.params.get("name", "")), problem.params.get("known") or [])
    return _("%(text)s. Perhaps %(near)s is meant.") % {"text": text, "near": near} if near else f"{text}"


def _near(name: str, known: Sequence[str]) -> str:
    """The known name that is most like `name`, "" where none is."""
    return next(iter(get_close_matches(name, [one for one in known if "(" not in one], 1, 0.6)), "")


def shown(value: Any) -> str:
    """A value as a rule would write it, cut to a line."""
    if value is None:
        return _("none")
    if isinstance(value, str):
        return f'"{value}"' if len(value) <= 60 else f'"{value[:59]}…"'
    if isinstance(value, Mapping):
        return _shown_map(value)
    if isinstance(value, list | tuple):
        return "[" + _cut([shown(item) for item in value]) + "]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _shown_map(value: Mapping[str, Any]) -> str:
    if set(value) == {"name", "nodes", "gpus", "freeGpus"}:
        return f"{value['name'] or '–'} {value['freeGpus']}/{value['gpus']}"
    return "{" + _cut([f"{key}: {shown(item)}" for key, item in value.items()]) + "}"


def _cut(parts: Sequence[str]) -> str:
    return ", ".join(parts[:3]) + (", …" if len(parts) > 3 else "")


@dataclass(frozen=True, slots=True)
class Choice:
    value: str
    label: Any
    current: bool


@dataclass(frozen=True, slots=True)
class BenchView:
    """`points` are what is edited; `examples` links that fill the editor, in a page of its own."""

    fields: Mapping[str, str]
    points: tuple[str, ...]
    trial: TrialView
    pods: tuple[Choice, ...]
    normalizations: tuple[Choice, ...]
    library: tuple[Group, ...]
    completions: list[dict[str, Any]]
    examples: tuple[tuple[str, Any], ...] = ()
    take_home: str = ""


def present_bench(
    fields: Mapping[str, str],
    trial: Trial,
    pods: Sequence[str],
    *,
    points: tuple[str, ...] = POINTS,
    examples: bool = False,
) -> BenchView:
    view = present_trial(trial, fields)
    kept = {name: fields[name] for name in ("name", FILTER, SCORE, "normalize") if fields.get(name)}
    base = reverse("simulator:rule_bench")
    return BenchView(
        fields=fields,
        points=points,
        trial=view,
        pods=tuple(Choice(key, key.removeprefix("default/"), key == trial.pod) for key in pods),
        normalizations=tuple(
            Choice(value, label, value == (fields.get("normalize") or "none"))
            for value, label in zip(NORMALIZATIONS, normalization_labels(), strict=True)
        ),
        library=LIBRARY,
        completions=completions(),
        examples=tuple((f"{base}?example={one.slug}", one.title) for one in EXAMPLES) if examples else (),
        take_home=f"{reverse('simulator:take_home')}?{urlencode(kept)}" if view.state == "tried" and examples else "",
    )


def normalization_labels() -> tuple[str, ...]:
    return (
        _("none: scores are 0 to 100 as they are"),
        _("the largest becomes 100"),
        _("the largest becomes 0"),
        _("smallest to 0, largest to 100"),
    )
