"""The Scheduler tab: the profile in force, rules of one's own, extenders and what went to them over the wire."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from simulator.manifests.writer import write
from simulator.presenters.extender_calls import present_calls
from simulator.presenters.profiles.editor import ordered
from simulator.presenters.profiles.outcome import change_text
from simulator.presenters.tabs.tab import Tab, TabRequest
from simulator.rules import allows_command
from simulator.selectors.scheduler_of import scheduler_of


@dataclass(frozen=True, slots=True)
class ProfileRow:
    """`weights` are Score plugins with their weights, in the order in which they run."""

    name: str
    changes: tuple[str, ...]
    weights: tuple[tuple[str, int], ...]


def _context(asked: TabRequest) -> Mapping[str, Any]:
    found = scheduler_of(asked.moment)
    return {
        "profiles": [
            ProfileRow(one.name, tuple(change_text(change) for change in one.changes), tuple(one.weights.items()))
            for one in found.profiles
        ],
        "rules": found.rules,
        "extenders": found.extenders,
        "calls": present_calls(found.calls),
        "yaml": write([ordered(found.config)], sort_keys=False),
        "can_configure": asked.can_change and allows_command(asked.moment.lab, "configure"),
    }


SCHEDULER = Tab("scheduler", _("Scheduler"), "simulator/tabs/scheduler.html", _context)
