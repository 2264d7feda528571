"""Label selectors and node selector terms, matched against plain label maps.

Source: kube-scheduler 1.36, apimachinery `labels.Selector` and component-helpers `nodeaffinity`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from simulator.engine.objects.names import label_key_problems, label_value_problems

Labels = Mapping[str, str]

_GO_INT64 = re.compile(r"[+-]?[0-9]+\Z")


def parse_int64(text: str) -> int | None:
    """The value Go's `strconv.ParseInt(text, 10, 64)` gives, None where it errors."""
    if not _GO_INT64.match(text):
        return None
    value = int(text) if len(text) <= 20 else 1 << 64
    return value if -(1 << 63) <= value < 1 << 63 else None


def _compares(operator: str, have: str | None, want: str) -> bool:
    if have is None:
        return False
    left, right = parse_int64(have), parse_int64(want)
    if left is None or right is None:
        return False
    return left > right if operator == "Gt" else left < right


@dataclass(frozen=True, slots=True)
class Requirement:
    """One condition `key operator values`; operators In, NotIn, Exists, DoesNotExist, Gt, Lt."""

    key: str
    operator: str
    values: tuple[str, ...] = ()

    def matches(self, labels: Labels) -> bool:
        have = labels.get(self.key)
        match self.operator:
            case "In":
                return have in self.values if have is not None else False
            case "NotIn":
                return have is None or have not in self.values
            case "Exists":
                return have is not None
            case "DoesNotExist":
                return have is None
            case _:
                return _compares(self.operator, have, self.values[0])


@dataclass(frozen=True, slots=True)
class LabelSelector:
    """A `metav1.LabelSelector`. `nothing` is the absent selector, which matches no object; `{}` matches every
    object."""

    requirements: tuple[Requirement, ...] = ()
    nothing: bool = False

    @staticmethod
    def parse(selector: Mapping[str, Any] | None) -> LabelSelector:
        if selector is None:
            return NOTHING
        pairs = (selector.get("matchLabels") or {}).items()
        requirements = [Requirement(key, "In", (value,)) for key, value in sorted(pairs)]
        requirements += [
            Requirement(item["key"], item["operator"], tuple(item.get("values") or ()))
            for item in selector.get("matchExpressions") or ()
        ]
        return LabelSelector(tuple(requirements))

    @staticmethod
    def of(labels: Labels) -> LabelSelector:
        """The selector that asks for each of `labels` (`labels.SelectorFromSet`)."""
        return LabelSelector(tuple(Requirement(key, "In", (value,)) for key, value in sorted(labels.items())))

    @property
    def is_empty(self) -> bool:
        """True where the selector has no requirement (also the selector that matches nothing)."""
        return not self.requirements

    def matches(self, labels: Labels) -> bool:
        return not self.nothing and all(requirement.matches(labels) for requirement in self.requirements)

    def joined(self, other: LabelSelector) -> LabelSelector:
        """Both selectors at once."""
        return LabelSelector(self.requirements + other.requirements, self.nothing or other.nothing)


NOTHING = LabelSelector(nothing=True)
EVERYTHING = LabelSelector()


@dataclass(frozen=True, slots=True)
class NodeSelectorTerm:
    """One term of a node selector: all `expressions` (labels) and all `fields` (metadata.name) must hold.

    `error` is the text of the parse error; such a term matches nothing, as does one without any condition. `names`
    are the only node names that its In conditions on metadata.name leave (None: it has no such condition), read even
    from a wrong term.
    """

    expressions: tuple[Requirement, ...]
    fields: tuple[Requirement, ...]
    error: str | None = None
    names: frozenset[str] | None = None

    @property
    def is_empty(self) -> bool:
        return not self.expressions and not self.fields and self.error is None

    def matches(self, name: str, labels: Labels) -> bool:
        if self.error is not None or (not self.expressions and not self.fields):
            return False
        return all(r.matches(labels) for r in self.expressions) and all(_field_matches(f, name) for f in self.fields)


def _field_matches(field: Requirement, name: str) -> bool:
    return (name == field.values[0]) == (field.operator == "In")


def parse_node_selector_term(term: Mapping[str, Any], path: str) -> NodeSelectorTerm:
    """A term as `nodeaffinity.newNodeSelectorTerm` reads it. `path` stands in front of error texts (`[0]`)."""
    expressions, problems = _parse_all(term.get("matchExpressions") or (), f"{path}.matchExpressions", _expression)
    fields, field_problems = _parse_all(term.get("matchFields") or (), f"{path}.matchFields", _field)
    error = _aggregate([*problems, *field_problems])
    return NodeSelectorTerm(tuple(expressions), tuple(fields), error, _names(term.get("matchFields") or ()))


def _names(fields: Sequence[Mapping[str, Any]]) -> frozenset[str] | None:
    lists = [
        frozenset(field.get("values") or ())
        for field in fields
        if field.get("key") == "metadata.name" and field.get("operator") == "In"
    ]
    return frozenset.intersection(*lists) if lists else None


_Parsed = tuple[Requirement | None, list[str]]


def _parse_all(
    items: Sequence[Mapping[str, Any]], path: str, parse: Callable[[Mapping[str, Any], str], _Parsed]
) -> tuple[list[Requirement], list[str]]:
    found, problems = [], []
    for index, item in enumerate(items):
        requirement, errors = parse(item, f"{path}[{index}]")
        problems.extend(errors)
        if requirement is not None:
            found.append(requirement)
    return found, problems


def _aggregate(problems: list[str]) -> str | None:
    """Texts as Go's aggregate error prints them: one bare, several unique ones in brackets."""
    unique = list(dict.fromkeys(problems))
    if not unique:
        return None
    return unique[0] if len(unique) == 1 else f"[{', '.join(unique)}]"


def _quoted(values: Sequence[str]) -> str:
    return "[" + ",".join(f'"{value}"' for value in values) + "]"


def _expression(item: Mapping[str, Any], path: str) -> _Parsed:
    key, operator, values = item.get("key", ""), item.get("operator", ""), tuple(item.get("values") or ())
    problems = _operator_problems(operator, values, path)
    if problems is None:
        return None, [f'{path}.operator: Unsupported value: "{operator}": not a valid selector operator']
    problems += [f'{path}.key: Invalid value: "{key}": {message.text}' for message in label_key_problems(key)]
    for index, value in enumerate(values):
        problems += [
            f'{path}.values[{index}][{key}]: Invalid value: "{value}": {message.text}'
            for message in label_value_problems(value)
        ]
    return (None, problems) if problems else (Requirement(key, operator, values), [])


def _operator_problems(operator: str, values: tuple[str, ...], path: str) -> list[str] | None:
    """Problems of the values for this operator, None where the operator is unknown."""
    match operator:
        case "In" | "NotIn":
            wrong = not values
            text = "for 'in', 'notin' operators, values set can't be empty"
        case "Exists" | "DoesNotExist":
            wrong = bool(values)
            text = "values set must be empty for exists and does not exist"
        case "Gt" | "Lt":
            if len(values) != 1:
                text = "for 'Gt', 'Lt' operators, exactly one value is required"
                return [f"{path}.values: Invalid value: {_quoted(values)}: {text}"]
            if parse_int64(values[0]) is not None:
                return []
            text = "for 'Gt', 'Lt' operators, the value must be an integer"
            return [f'{path}.values[0]: Invalid value: "{values[0]}": {text}']
        case _:
            return None
    return [f"{path}.values: Invalid value: {_quoted(values)}: {text}"] if wrong else []


def _field(item: Mapping[str, Any], path: str) -> _Parsed:
    key, operator, values = item.get("key", ""), item.get("operator", ""), tuple(item.get("values") or ())
    if operator not in ("In", "NotIn"):
        return None, [f'{path}.operator: Unsupported value: "{operator}": not a valid selector operator']
    if len(values) != 1:
        return None, [f"{path}.values: Invalid value: {_quoted(values)}: must have one element"]
    return Requirement(key, operator, values), []


@dataclass(frozen=True, slots=True)
class NodeSelector:
    """Terms of which one must match (`nodeSelectorTerms`)."""

    terms: tuple[NodeSelectorTerm, ...]

    def matches(self, name: str, labels: Labels) -> bool:
        return any(term.matches(name, labels) for term in self.terms)


def parse_node_selector(selector: Mapping[str, Any]) -> NodeSelector:
    """A `v1.NodeSelector`."""
    terms = selector.get("nodeSelectorTerms") or ()
    return NodeSelector(tuple(parse_node_selector_term(term, f"[{index}]") for index, term in enumerate(terms)))


@lru_cache(maxsize=4096)
def selector_text(selector: LabelSelector) -> str:
    """The selector as `kubectl` prints it (`app=web,tier in (a,b)`)."""
    if selector.nothing:
        return "<none>"
    return ",".join(_requirement_text(requirement) for requirement in selector.requirements)


def _requirement_text(requirement: Requirement) -> str:
    key, values = requirement.key, ",".join(requirement.values)
    match requirement.operator:
        case "In":
            return f"{key}={values}" if len(requirement.values) == 1 else f"{key} in ({values})"
        case "NotIn":
            return f"{key}!={values}" if len(requirement.values) == 1 else f"{key} notin ({values})"
        case "Exists":
            return key
        case "DoesNotExist":
            return f"!{key}"
        case "Gt":
            return f"{key}>{values}"
        case _:
            return f"{key}<{values}"
