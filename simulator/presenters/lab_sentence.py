"""The one sentence of a moment."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from simulator.engine.framework.messages import status_text
from simulator.engine.trace import records
from simulator.engine.trace.records import Record
from simulator.presenters.pipeline import preemption
from simulator.presenters.pods import short_name
from simulator.presenters.timeline import told_text
from simulator.selectors.moments import Moment


def sentence_of(moment: Moment) -> str:
    """What happens here, in the page's language."""
    if moment.is_start:
        return _start(moment)
    record = moment.record
    if record is None:
        return _("%(what)s.") % {"what": told_text(moment.outline)}
    return record_sentence(record)


def _start(moment: Moment) -> str:
    nodes, pods = len(moment.frame.nodes), moment.frame.queues.size
    waiting = ngettext("%(pods)d Pod waits", "%(pods)d Pods wait", pods) % {"pods": pods}
    text = ngettext(
        "The cluster has %(nodes)d node; %(waiting)s. Take the first step.",
        "The cluster has %(nodes)d nodes; %(waiting)s. Take the first step.",
        nodes,
    )
    return text % {"nodes": nodes, "waiting": waiting}


def record_sentence(record: Record) -> str:
    """What a record says."""
    if record.point == records.POST_FILTER:
        return preemption.sentence(record)
    params: dict[str, Any] = {**record.params, "pod": short_name(record.pod)}
    params |= {"node": record.node, "plugin": record.plugin, "why": status_text(record.status)}
    return _text(record) % params


def _text(record: Record) -> str:
    success = record.status.is_success
    texts = {
        "queue.popped": _("%(pod)s leaves the queue: priority %(priority)s, attempt %(attempts)s."),
        "queue.skipped": _("%(pod)s is skipped."),
        "pre_filter.result": _("PreFilter: %(plugin)s has prepared its check.")
        if success
        else _("PreFilter: %(plugin)s has nothing to check for this Pod."),
        "pre_filter.rejected": _("PreFilter: %(plugin)s rejects %(pod)s: %(why)s."),
        "pre_filter.narrowed": _("PreFilter leaves only some nodes to look at."),
        "filter.verdict": _("%(node)s passes %(plugin)s.")
        if success
        else _("%(node)s is out: %(plugin)s says “%(why)s”."),
        "filter.nominees": _("%(node)s is out because of Pods nominated to it: %(why)s."),
        "filter.plugin": _("%(plugin)s rejects %(rejected)s of %(before)s nodes."),
        "filter.summary": _("Filter is over: %(feasible)s of %(looked_at)s nodes are left."),
        "filter.nominated_fits": _("%(pod)s still fits on the node it was nominated for, %(node)s."),
        "filter.no_nodes": _("The cluster has no nodes."),
        "pre_score.result": _("PreScore: %(plugin)s has prepared its scores.")
        if success
        else _("PreScore: %(plugin)s has no scores for this Pod."),
        "score.raw": _("Score: %(plugin)s gives its points."),
        "score.normalized": _("NormalizeScore: the points of %(plugin)s are brought to 0–100, times %(weight)s."),
        "select.only": _("Only %(node)s is left: nothing has to be scored."),
        "select.best": _("%(node)s has the highest total, %(total)s."),
        "reserve.assumed": _("%(node)s is held for %(pod)s."),
        "reserve.undone": _("What was held on %(node)s is given back."),
        "permit.waits": _("%(pod)s holds its place on %(node)s and waits at Permit."),
        "permit.released": _("%(pod)s may go on to %(node)s."),
        "permit.timed_out": _("%(pod)s waited at Permit for too long."),
        "permit.result": _("Permit: %(plugin)s lets %(pod)s go on.") if success else _("Permit: %(plugin)s: %(why)s."),
        "bind.done": _("%(pod)s is bound to %(node)s."),
        "bind.failed": _("Binding %(pod)s to %(node)s failed."),
        "requeue.failed": _("%(pod)s goes back to the queue: %(message)s"),
    }
    return texts.get(record.code, record.code.replace("%", "%%"))
