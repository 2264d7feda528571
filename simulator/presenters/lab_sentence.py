"""The one sentence of a moment, with kube's own words where it has any."""

from __future__ import annotations

from django.utils.translation import ngettext

from simulator.presenters.sentences.happenings import present_action
from simulator.presenters.sentences.say import Sentence
from simulator.presenters.sentences.story import present_record
from simulator.selectors.moments import Moment


def sentence_of(moment: Moment) -> Sentence:
    """What happens here, in the page's language."""
    if moment.is_start:
        return Sentence(_start(moment))
    if moment.record is None:
        return present_action(moment.action, start=moment.clock_start).headline
    return present_record(moment.record, check=moment.check, detail=moment.attempt, start=moment.clock_start)


def _start(moment: Moment) -> str:
    nodes, pods = len(moment.frame.nodes), moment.frame.queues.size
    if not pods:
        text = ngettext(
            "The cluster has %(nodes)d node; no Pod waits.", "The cluster has %(nodes)d nodes; no Pod waits.", nodes
        )
        return text % {"nodes": nodes}
    waiting = ngettext("%(pods)d Pod waits", "%(pods)d Pods wait", pods) % {"pods": pods}
    text = ngettext(
        "The cluster has %(nodes)d node; %(waiting)s. Take the first step.",
        "The cluster has %(nodes)d nodes; %(waiting)s. Take the first step.",
        nodes,
    )
    return text % {"nodes": nodes, "waiting": waiting}
