"""Every tab, in the order in which they stand."""

from __future__ import annotations

from simulator.presenters.tabs.queue import QUEUE
from simulator.presenters.tabs.tab import Tab

TABS: tuple[Tab, ...] = (QUEUE,)


def tab_named(name: str) -> Tab:
    """The tab of that name, the first one for any other."""
    return next((tab for tab in TABS if tab.name == name), TABS[0])
