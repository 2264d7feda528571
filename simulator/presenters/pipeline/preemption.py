"""Preemption as a story: who may, which nodes, who would have to go, who may stay after all, what decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from simulator.engine.framework.messages import status_text
from simulator.engine.trace import records
from simulator.engine.trace.records import Record
from simulator.presenters.pods import short_name


@dataclass(frozen=True, slots=True)
class Beat:
    """One step of the story: an icon's name, a sentence, kube's own words if there are any, how deep it is nested."""

    icon: str
    sentence: str
    message: str
    deep: bool
    current: bool


def story_of(told: Sequence[Record]) -> tuple[Beat, ...]:
    """The story as far as the records `told` tell it."""
    return tuple(
        Beat(
            _ICONS.get(record.code, "dot"),
            sentence(record),
            status_text(record.status),
            record.code in _DEEP,
            record is told[-1],
        )
        for record in told
        if record.point == records.POST_FILTER
    )


_DEEP = frozenset({"preemption.reprieved", "preemption.victim"})
_ICONS = {
    "preemption.refused": "fail",
    "preemption.no_candidate": "fail",
    "preemption.removed": "looking",
    "preemption.reprieved": "pass",
    "preemption.victim": "victim",
    "preemption.candidate": "looking",
    "preemption.chosen": "nominated",
    "preemption.evicted": "victim",
}


def sentence(record: Record) -> str:
    """What a record of PostFilter says."""
    params: dict[str, Any] = dict(record.params)
    params |= {"node": record.node, "plugin": record.plugin}
    if "victim" in params:
        params["victim"] = short_name(str(params["victim"]))
    names = params.get("pods") or params.get("victims") or params.get("nodes") or params.get("left") or ()
    params["names"] = ", ".join(short_name(str(name)) for name in names)
    params["count"] = len(names)
    return _text(record) % params


def _text(record: Record) -> str:
    success = record.status.is_success
    count = len(record.params.get("nodes") or ())
    texts = {
        "post_filter.result": _("%(plugin)s found a way.") if success else _("%(plugin)s found no way."),
        "preemption.refused": _("The Pod may not preempt anybody."),
        "preemption.potential": ngettext(
            "Evicting others could help on %(count)d node: %(names)s.",
            "Evicting others could help on %(count)d nodes: %(names)s.",
            count,
        ),
        "preemption.removed": _("%(node)s: take all Pods of lower priority away for a moment: %(names)s."),
        "preemption.reprieved": _("%(victim)s (priority %(priority)s) may stay."),
        "preemption.victim": _("%(victim)s (priority %(priority)s) has to go."),
        "preemption.no_candidate": _("%(node)s: even with them gone the Pod would not fit."),
        "preemption.candidate": _("%(node)s is a candidate; victims: %(names)s."),
        "preemption.criterion": _("Compared by %(name)s, left are: %(names)s."),
        "preemption.chosen": _("%(node)s is chosen and nominated."),
        "preemption.evicted": _("%(victim)s on %(node)s is told to go."),
    }
    return texts.get(record.code, record.code)
