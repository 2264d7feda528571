"""The Predictions tab: whether one is asked, and what became of what one said in this lab."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from simulator.presenters.predictions.record import lines_of
from simulator.presenters.tabs.tab import Tab, TabRequest
from simulator.selectors.predictions import tally_of


def _context(asked: TabRequest) -> Mapping[str, Any]:
    moment = asked.moment
    right, told = tally_of(moment.asked.made)
    return {
        "is_on": moment.asked.is_on,
        "forced": moment.asked.forced,
        "lines": lines_of(moment.asked.made, moment.lab),
        "right": right,
        "told": told,
    }


PREDICTIONS = Tab("predictions", _("Predictions"), "simulator/tabs/predictions.html", _context)
