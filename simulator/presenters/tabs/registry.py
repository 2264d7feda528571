"""Every tab, in the order in which they stand."""

from __future__ import annotations

from simulator.presenters.tabs.events import EVENTS
from simulator.presenters.tabs.fabric import FABRIC
from simulator.presenters.tabs.metrics import METRICS
from simulator.presenters.tabs.objects import OBJECTS
from simulator.presenters.tabs.predictions import PREDICTIONS
from simulator.presenters.tabs.queue import QUEUE
from simulator.presenters.tabs.scheduler import SCHEDULER
from simulator.presenters.tabs.tab import Tab
from simulator.presenters.tabs.task import TASK
from simulator.presenters.tabs.why import WHY

TABS: tuple[Tab, ...] = (TASK, QUEUE, OBJECTS, SCHEDULER, FABRIC, EVENTS, METRICS, WHY, PREDICTIONS)


def tab_named(name: str) -> Tab:
    """The tab of that name, the first one for any other."""
    return next((tab for tab in TABS if tab.name == name), TABS[0])
