"""The Events tab: as kubectl would print them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from simulator.presenters.kubectl import events_table, pods_table, watch_table
from simulator.presenters.tabs.tab import Tab, TabRequest
from simulator.selectors.moments import Moment, log_of

MOST = 200
VIEWS = ("events", "pods", "watch")
COMMANDS = {"events": "kubectl get events", "pods": "kubectl get pods -o wide", "watch": "kubectl get pods -w"}


def _context(asked: TabRequest) -> Mapping[str, Any]:
    frame = asked.moment.frame
    view = asked.params.get("show", "")
    view = view if view in VIEWS else VIEWS[0]
    if view == "events":
        text = events_table(frame.events[-MOST:], frame.now) if frame.events else ""
    elif view == "pods":
        text = pods_table(frame.pods[-MOST:], frame.now) if frame.pods else ""
    else:
        text = watch_table(log_of(asked.moment)[-MOST:])
    return {"views": [(name, COMMANDS[name], name == view) for name in VIEWS], "command": COMMANDS[view], "text": text}


def _count(moment: Moment) -> int:
    return len(moment.frame.events)


EVENTS = Tab("events", _("Events"), "simulator/tabs/events.html", _context, _count)
