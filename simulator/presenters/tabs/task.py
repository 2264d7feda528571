"""The Task tab: what the scenario asks for, how far one is, hints one by one, and how it can be done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from simulator.models.scenario import localized
from simulator.presenters.credits import credit_of
from simulator.presenters.goals import goals_of
from simulator.presenters.markdown import markdown
from simulator.presenters.tabs.tab import Tab, TabRequest


def _context(asked: TabRequest) -> Mapping[str, Any]:
    revision = asked.moment.lab.revision
    hints = revision.spec.get("hints") or ()
    shown = min(_number(asked.params.get("hints", "")), len(hints))
    return {
        "text": markdown(revision.text),
        "goals": goals_of(asked.moment),
        "hints": [localized(hint) for hint in hints[:shown]],
        "hints_left": len(hints) - shown,
        "next_hint": shown + 1,
        "credit": credit_of(revision.scenario),
        "has_solution": bool(revision.spec.get("solution")) and asked.can_change,
    }


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 3 else 0


TASK = Tab("task", _("Task"), "simulator/tabs/task.html", _context)
