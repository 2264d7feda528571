"""How parameters are shown in sentences: `{name:format}`.

amount      an amount of the resource named by the parameter `resource`, with its unit (`number`: without the noun)
bytes       a number of bytes
clock       a moment of the virtual clock; `duration` a span of it; `seconds` a span given in seconds
list        names, `a, b and 3 more` where the parameter `count` is larger than the list
signed      a number with its sign; `decimal` with two places, `fine` with four
|Pod|Pods   a number with its noun, singular and plural; ?is|are one of two words, by whether the parameter is true
reason      a `Reason` as a clause; `reasons` several of them
event, queue, requirement, selector, labels, wanted   the engine's names, selectors and types in words
name        a resource without an amount

Without a format a name, a number or a text is shown as it is; Pods of the namespace `default` without it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simulator.engine.framework import messages
from simulator.engine.framework.status import Reason
from simulator.engine.objects.times import SECOND
from simulator.presenters.clock import clock_text
from simulator.presenters.pods import short_name
from simulator.presenters.sentences import units
from simulator.presenters.sentences.both import EN, Both
from simulator.presenters.sentences.tables.events import EVENTS, OTHER_KIND
from simulator.presenters.sentences.tables.goals import WANTED
from simulator.presenters.sentences.tables.queues import QUEUES
from simulator.presenters.sentences.tables.reasons import REASONS

NODE, POD, GROUP, PLUGIN, NUMBER, TIME, KUBE = "node", "pod", "group", "plugin", "number", "time", "kube"

KINDS: Mapping[str, str] = {
    "node": NODE, "chosen": NODE, "nominated": NODE, "wanted_node": NODE,
    "pod": POD, "victim": POD, "preemptor": POD,
    "group": GROUP, "plugin": PLUGIN, "message": KUBE,
}  # fmt: skip
"""What a parameter of this name stands for."""


@dataclass(frozen=True, slots=True)
class Context:
    """`params` of the sentence, the virtual clock's zero, the language; `tell` says a piece within it."""

    params: Mapping[str, Any]
    start: int
    language: str
    tell: Callable[[Both, Mapping[str, Any], Context], str]

    @property
    def chinese(self) -> bool:
        return self.language != EN


MISSING = "□"
"""Stands for a parameter that the code came without, so that a page shows something."""

Shown = tuple[str, str, str]
"""Text, kind and reference of a part."""


def shown(name: str, spec: str, context: Context) -> Shown:
    """How parameter `name` is shown in the format `spec`."""
    if name not in context.params:
        return MISSING, "", ""
    value = context.params[name]
    if not spec:
        return plain(name, value, context)
    if spec.startswith("?"):
        so, otherwise = spec[1:].split("|")
        return (so if value else otherwise), "", ""
    if spec.startswith("|"):
        one, many = spec[1:].split("|")
        return f"{value} {one if value == 1 else many}", NUMBER, ""
    return FORMATS[spec](value, context)


def plain(name: str, value: Any, context: Context) -> Shown:
    kind = KINDS.get(name, "")
    if kind in (POD, GROUP):
        return short_name(str(value)), kind, str(value)
    if isinstance(value, bool):
        return (("是", "否") if context.chinese else ("yes", "no"))[not value], "", ""
    if isinstance(value, int | float) and not kind:
        return str(value), NUMBER, ""
    if isinstance(value, list | tuple | set | frozenset):
        return names(value, context)
    return str(value), kind, str(value) if kind else ""


def names(value: Sequence[Any] | set[Any] | frozenset[Any], context: Context) -> Shown:
    """`a, b and c`; the parameter `count` may be larger than what is listed."""
    listed = [short_name(str(item)) for item in value]
    count = context.params.get("count")
    more = count - len(listed) if isinstance(count, int) and count > len(listed) else 0
    if not listed:
        return ("无" if context.chinese else "none"), "", ""
    if context.chinese:
        return "、".join(listed) + (f" 等 {count} 个" if more else ""), "", ""
    if more:
        return f"{', '.join(listed)} and {more} more", "", ""
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} and {listed[-1]}", "", ""


def _resource(context: Context) -> str:
    return str(context.params["resource"])


def _amount(value: Any, context: Context) -> Shown:
    return units.amount(_resource(context), value, chinese=context.chinese), NUMBER, ""


def _number(value: Any, context: Context) -> Shown:
    return units.number(_resource(context), value), NUMBER, ""


def _name(value: Any, context: Context) -> Shown:
    return units.resource_name(str(value), chinese=context.chinese), "", str(value)


def _bytes(value: Any, _context: Context) -> Shown:
    return units.size(value), NUMBER, ""


def _clock(value: Any, context: Context) -> Shown:
    return clock_text(value - context.start), TIME, ""


def _duration(value: Any, context: Context) -> Shown:
    return units.duration(value, chinese=context.chinese), TIME, ""


def _seconds(value: Any, context: Context) -> Shown:
    return _duration(value * SECOND, context)


def _signed(value: Any, _context: Context) -> Shown:
    return f"{value:+d}".replace("-", "\u2212"), NUMBER, ""


def _decimal(value: Any, _context: Context) -> Shown:
    return units.decimal(value), NUMBER, ""


def _fine(value: Any, _context: Context) -> Shown:
    return units.decimal(value, 4), NUMBER, ""


def _requirement(value: Any, _context: Context) -> Shown:
    return requirement_text(value), "", ""


def requirement_text(item: Mapping[str, Any]) -> str:
    """A requirement in the manner of kubectl: `zone in (a,b)`, `!spot`, `gpu-count>4`."""
    key, values = item["key"], ",".join(item["values"])
    texts: dict[str, str] = {
        "In": f"{key}={values}" if len(item["values"]) == 1 else f"{key} in ({values})",
        "NotIn": f"{key}!={values}" if len(item["values"]) == 1 else f"{key} notin ({values})",
        "Exists": key,
        "DoesNotExist": f"!{key}",
        "Gt": f"{key}>{values}",
        "Lt": f"{key}<{values}",
    }
    return texts[item["operator"]]


def labels_text(labels: Mapping[str, str]) -> str:
    """Labels as a selector: `app=web,tier=front`."""
    return ",".join(f"{key}={value}" for key, value in labels.items())


def _labels(value: Any, _context: Context) -> Shown:
    return labels_text(value), "", ""


def _reason(value: Reason, context: Context) -> Shown:
    return reason_text(value, context), "", ""


def reason_text(reason: Reason, context: Context) -> str:
    """A reason as a clause; kube's own words where the code is not known here."""
    known = REASONS.get(reason.code)
    return messages.text(reason) if known is None else context.tell(known, reason.values, context)


def _reasons(value: Sequence[Reason], context: Context) -> Shown:
    clauses = dict.fromkeys(reason_text(reason, context) for reason in value)
    return ("；" if context.chinese else "; ").join(clauses), "", ""


def _event(value: str, context: Context) -> Shown:
    if value in EVENTS:
        return context.tell(EVENTS[value], {}, context), "", value
    for action, both in OTHER_KIND.items():
        if value.endswith(action):
            return context.tell(both, {"kind": value.removesuffix(action)}, context), "", value
    return value, "", value


def _queue(value: str, context: Context) -> Shown:
    return context.tell(QUEUES[value], {}, context), "", value


def _wanted(value: str, context: Context) -> Shown:
    return (context.tell(WANTED[value], {}, context) if value in WANTED else value), "", ""


def _selector(value: str, context: Context) -> Shown:
    return (value or ("任意标签" if context.chinese else "any labels")), "", ""


FORMATS: Mapping[str, Callable[[Any, Context], Shown]] = {
    "amount": _amount,
    "number": _number,
    "name": _name,
    "bytes": _bytes,
    "clock": _clock,
    "duration": _duration,
    "seconds": _seconds,
    "list": names,
    "signed": _signed,
    "decimal": _decimal,
    "fine": _fine,
    "requirement": _requirement,
    "labels": _labels,
    "selector": _selector,
    "reason": _reason,
    "reasons": _reasons,
    "event": _event,
    "queue": _queue,
    "wanted": _wanted,
}
