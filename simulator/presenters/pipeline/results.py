"""What came of an extension point, in one line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from simulator.engine.framework.status import Code
from simulator.engine.trace import records
from simulator.engine.trace.records import AttemptDetail, Record
from simulator.presenters.pods import short_name

Told = Sequence[Record]


def result_of(detail: AttemptDetail | None, point: str, told: Told) -> str:
    """The line for a point of which the records `told` (at least one) are told."""
    make = _LINES.get(point)
    return make(detail, told) if make is not None else ""


def _queue(_detail: AttemptDetail | None, told: Told) -> str:
    params = told[-1].params
    if told[-1].code == "queue.skipped":
        return _("skipped: being deleted") if params.get("terminating") else _("skipped: placed already")
    first = told[0].params
    return _("popped; priority %(priority)s, attempt %(attempts)s") % first


def _group(_detail: AttemptDetail | None, told: Told) -> str:
    if told[-1].code == "group.result":
        return _("placed") if told[-1].params.get("success") else _("not placed")
    members = next((len(record.params["members"]) for record in told if record.code == "group.collected"), 0)
    return ngettext("%(count)d member", "%(count)d members", members) % {"count": members}


def _pre_filter(_detail: AttemptDetail | None, told: Told) -> str:
    last = told[-1]
    if last.code == "pre_filter.rejected":
        return _("%(plugin)s rejects the Pod") % {"plugin": last.plugin}
    if last.code == "pre_filter.narrowed":
        count = len(last.params["nodes"])
        return ngettext("only %(count)d node can fit", "only %(count)d nodes can fit", count) % {"count": count}
    skipped = sum(record.status.code == Code.SKIP for record in told)
    answers = ngettext("%(count)d plugin", "%(count)d plugins", len(told)) % {"count": len(told)}
    return _("%(answers)s, %(skipped)d skip Filter") % {"answers": answers, "skipped": skipped}


def _filter(detail: AttemptDetail | None, told: Told) -> str:
    last = told[-1]
    if last.code == "filter.no_nodes":
        return _("the cluster has no nodes")
    if last.code == "filter.nominated_fits":
        return _("the nominated node %(node)s fits") % {"node": last.node}
    if last.code == "filter.summary":
        return f"{last.params['looked_at']} → {last.params['feasible']}"
    if detail is None or not last.node:
        return _("plugin by plugin")
    position = detail.visited.index(last.node) + 1 if last.node in detail.visited else 0
    return f"{position} / {len(detail.visited)}"


def _post_filter(_detail: AttemptDetail | None, told: Told) -> str:
    chosen = next((record for record in reversed(told) if record.code == "preemption.chosen"), None)
    if chosen is not None:
        count = len(chosen.params["victims"])
        text = ngettext("%(node)s, %(count)d victim", "%(node)s, %(count)d victims", count)
        return text % {"node": chosen.node, "count": count}
    if any(record.code == "preemption.refused" for record in told):
        return _("may not preempt")
    potential = next((record for record in told if record.code == "preemption.potential"), None)
    if potential is not None:
        count = len(potential.params["nodes"])
        return ngettext("%(count)d node to try", "%(count)d nodes to try", count) % {"count": count}
    return _("no way found") if not told[-1].status.is_success else ""


def _pre_score(_detail: AttemptDetail | None, told: Told) -> str:
    skipped = sum(record.status.code == Code.SKIP for record in told)
    answers = ngettext("%(count)d plugin", "%(count)d plugins", len(told)) % {"count": len(told)}
    return _("%(answers)s, %(skipped)d skip Score") % {"answers": answers, "skipped": skipped}


def _scored(detail: AttemptDetail | None, told: Told) -> str:
    if told[-1].code == "attempt.error":
        return str(told[-1].params.get("message", ""))
    return f"{len(told)} / {len(detail.scores)}" if detail else ""


def _select(_detail: AttemptDetail | None, told: Told) -> str:
    last = told[-1]
    if last.code == "select.only":
        return _("%(node)s, the only one left") % {"node": last.node}
    ties = len(last.params["best"])
    if ties > 1:
        return _("%(node)s with %(total)s; %(ties)d nodes are equally good") % {
            "node": last.node,
            "total": last.params["total"],
            "ties": ties,
        }
    return _("%(node)s with %(total)s") % {"node": last.node, "total": last.params["total"]}


def _reserve(_detail: AttemptDetail | None, told: Told) -> str:
    last = told[-1]
    if last.code == "reserve.undone":
        return _("given back")
    return _("held on %(node)s") % {"node": last.node} if last.status.is_success else last.plugin


def _permit(_detail: AttemptDetail | None, told: Told) -> str:
    last = told[-1]
    texts = {
        "permit.waits": _("waits, holding its place"),
        "permit.released": _("may go on"),
        "permit.timed_out": _("waited too long"),
    }
    if last.code in texts:
        return texts[last.code]
    return _("allowed") if last.status.is_success else f"{last.plugin}: {last.status.code}"


def _bind(_detail: AttemptDetail | None, told: Told) -> str:
    last = told[-1]
    if last.code == "bind.failed":
        return _("failed")
    return _("bound to %(node)s") % {"node": last.node}


def _requeue(_detail: AttemptDetail | None, told: Told) -> str:
    names = {
        "active": _("back to the active queue"),
        "backoff": _("backs off"),
        "unschedulable": _("unschedulable; waits for an event"),
        "": _("is gone"),
    }
    last = told[-1]
    text = names.get(str(last.params.get("queue", "")), str(last.params.get("queue", "")))
    return f"{short_name(last.pod)}: {text}"


_LINES: Mapping[str, Callable[[AttemptDetail | None, Any], str]] = {
    records.QUEUE: _queue,
    records.GROUP: _group,
    records.PRE_FILTER: _pre_filter,
    records.FILTER: _filter,
    records.POST_FILTER: _post_filter,
    records.PRE_SCORE: _pre_score,
    records.SCORE: _scored,
    records.NORMALIZE: _scored,
    records.SELECT: _select,
    records.RESERVE: _reserve,
    records.PERMIT: _permit,
    records.BIND: _bind,
    records.REQUEUE: _requeue,
}
