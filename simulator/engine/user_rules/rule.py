"""Rules as they are stored, read and checked.

A rule is a mapping `{name, filter, score, normalize}`: the plugin's name, a CEL expression for Filter (a bool, or the
reason as text, "" passes), one for Score (an int), and how scores are brought to 0..100.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from simulator.engine.cel.compiler import compile_source
from simulator.engine.cel.errors import CelError
from simulator.engine.cel.errors import Problem as Flaw
from simulator.engine.cel.program import Program
from simulator.engine.cel.values import BOOL, INT, STRING, Type
from simulator.engine.framework.registry import REGISTRY
from simulator.engine.framework.shape_check import Checker, Path, Problem
from simulator.engine.user_rules.declarations import DECLARATIONS

MAX_RULES: Final = 10
NONE, LARGEST, REVERSED, RANGE = "none", "largest", "reversed", "range"
NORMALIZATIONS: Final = (NONE, LARGEST, REVERSED, RANGE)
"""none      scores must be 0..100 as they are
largest      kube's DefaultNormalizeScore: the largest becomes 100
reversed     the same, turned round: the largest becomes 0
range        the smallest becomes 0, the largest 100; all equal: 0
"""

_FIELDS: Final[Mapping[str, type]] = {"name": str, "filter": str, "score": str, "normalize": str}
_NAME: Final = re.compile(r"[A-Z][A-Za-z0-9]{0,49}")
FILTER, SCORE = "filter", "score"
_RESULTS: Final[Mapping[str, tuple[Type, ...]]] = {FILTER: (BOOL, STRING), SCORE: (INT,)}


@dataclass(frozen=True)
class Rule:
    """One checked rule. `filter` and `score` are None where the rule leaves that extension point alone."""

    name: str
    filter: Program | None
    score: Program | None
    normalize: str = NONE

    def to_mapping(self) -> dict[str, str]:
        mapping = {"name": self.name}
        for key, program in ((FILTER, self.filter), (SCORE, self.score)):
            if program is not None:
                mapping[key] = program.source
        if self.score is not None and self.normalize != NONE:
            mapping["normalize"] = self.normalize
        return mapping


def compile_rule(source: str, point: str) -> Program:
    """The expression of one extension point. Raises `CelError`."""
    found = _compile(source, point)
    if isinstance(found, CelError):
        raise CelError(found.problem)
    return found


@lru_cache(maxsize=512)
def _compile(source: str, point: str) -> Program | CelError:
    try:
        program = compile_source(source, DECLARATIONS)
    except CelError as error:
        return error
    if program.type not in _RESULTS[point]:
        wanted = " or ".join(map(str, _RESULTS[point]))
        return CelError(Flaw("cel.wrong_type", {"wanted": wanted, "found": program.type}))
    return program


def read_rules(items: Any) -> tuple[Rule, ...]:
    """The rules in `items`, a list of mappings. Raises `ConfigError` with everything that is wrong."""
    check = Checker()
    if not isinstance(items, list | tuple):
        check.problem(("plugins",), "plugins: must be of type array", "config.type", wanted="array")
        check.raise_problems()
    if len(items) > MAX_RULES:
        text = f"plugins: Too many: {len(items)}: must have at most {MAX_RULES} items"
        check.problem(("plugins",), text, "user_rule.too_many", limit=MAX_RULES)
        check.raise_problems()
    rules = [_rule(check, ("plugins", index), item) for index, item in enumerate(items)]
    _check_names(check, rules)
    check.raise_problems()
    return tuple(rule for rule in rules if rule is not None)


def _check_names(check: Checker, rules: Sequence[Rule | None]) -> None:
    seen: set[str] = set(REGISTRY)
    for index, rule in enumerate(rules):
        if rule is None:
            continue
        if rule.name in seen:
            text = f"a plugin named {rule.name} already exists"
            check.problem(("plugins", index, "name"), text, "user_rule.name_taken", name=rule.name)
        seen.add(rule.name)


def _rule(check: Checker, path: Path, item: Any) -> Rule | None:
    before = len(check.problems)
    if not check.mapping(path, item, _FIELDS) or len(check.problems) > before:
        return None
    name = item.get("name") or ""
    if not _NAME.fullmatch(name):
        text = f'plugins[{path[1]}].name: Invalid value: "{name[:60]}": a capital letter, then letters and digits'
        check.problem((*path, "name"), text, "user_rule.name", name=name[:60])
    normalize = item.get("normalize") or NONE
    if normalize not in NORMALIZATIONS:
        text = f'plugins[{path[1]}].normalize: Unsupported value: "{normalize[:60]}"'
        check.problem((*path, "normalize"), text, "user_rule.normalize", known=list(NORMALIZATIONS))
    programs = {point: _program(check, path, item, point) for point in (FILTER, SCORE)}
    if not item.get(FILTER) and not item.get(SCORE):
        check.problem(path, f"plugins[{path[1]}]: a filter or a score is needed", "user_rule.empty")
    if len(check.problems) > before:
        return None
    return Rule(name, programs[FILTER], programs[SCORE], normalize)


def _program(check: Checker, path: Path, item: Mapping[str, Any], point: str) -> Program | None:
    source = item.get(point)
    if not source:
        return None
    try:
        return compile_rule(source, point)
    except CelError as error:
        check.problems.append(flaw_problem((*path, point), error.problem))
        return None


def flaw_problem(path: Path, flaw: Flaw) -> Problem:
    """A flaw of an expression as a problem of the configuration; line and column are among its parameters."""
    params = {**{key: _told(value) for key, value in flaw.params.items()}, "line": flaw.line, "column": flaw.column}
    return Problem(path, f"plugins[{path[1]}].{path[-1]}: {flaw.text}", flaw.code, params)


def _told(value: Any) -> Any:
    return str(value) if isinstance(value, Type) else value
