"""The Why? tab: why is this Pod (not) on that node, at this moment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from simulator.presenters.pods import short_name
from simulator.presenters.sentences.whys import present_why
from simulator.presenters.tabs.tab import Tab, TabRequest
from simulator.selectors.moments import why_at

MOST = 500


def _context(asked: TabRequest) -> Mapping[str, Any]:
    moment = asked.moment
    pods = [pod.key for pod in moment.frame.pods][-MOST:]
    nodes = [node.name for node in moment.frame.nodes][:MOST]
    pod = asked.params.get("pod", "") or (moment.record.pod if moment.record else "") or (pods[-1] if pods else "")
    node = asked.params.get("node", "")
    found = why_at(moment, pod, node) if pod in pods and node in nodes and moment.is_over else None
    answer = present_why(found, start=moment.clock_start) if found is not None else None
    return {
        "pods": [(key, short_name(key), key == pod) for key in pods],
        "nodes": [(name, name == node) for name in nodes],
        "answer": answer,
        "asked": bool(node),
        "is_over": moment.is_over,
    }


WHY = Tab("why", _("Why?"), "simulator/tabs/why.html", _context)
