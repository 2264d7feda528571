"""What the simulator puts on the frame's pages, how labs reach extenders, what moves when participants become one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from gpuschedlab.accounts.merging import Belongings, register_belongings
from gpuschedlab.web.home import (
    HomeAction,
    HomeSection,
    NavEntry,
    register_home_action,
    register_home_section,
    register_nav,
)
from simulator.extenders.port import allowed_addresses, lab_port
from simulator.presenters.scenarios import present_scenarios
from simulator.rules import is_staff
from simulator.selectors.labs import lab_list
from simulator.selectors.predictions import predictions_export, predictions_of
from simulator.selectors.replaying import register_port
from simulator.selectors.scenarios import scenario_list
from simulator.services.lab_care import labs_export, labs_move

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gpuschedlab.accounts.models import Participant

SHOWN = 3


def _scenarios(participant: Participant) -> Mapping[str, Any]:
    """The first scenarios, with a way back into those begun."""
    found = list(scenario_list()[: SHOWN + 1])
    if not found:
        return {}
    labs = [] if participant.is_new else lab_list(viewer=participant)[:20]
    return {"cards": present_scenarios(found, labs, topic="", level="").cards[1 : SHOWN + 1]}


def _labs(participant: Participant) -> Mapping[str, Any]:
    """The labs used last."""
    labs = [] if participant.is_new else list(lab_list(viewer=participant)[:SHOWN])
    return {"labs": labs} if labs else {}


register_nav(NavEntry(_("Scenarios"), "simulator:scenarios", order=20))
register_nav(NavEntry(_("Plugins"), "simulator:plugins", order=25))
register_nav(NavEntry(_("Comparison"), "simulator:conform", order=90, visible_to=is_staff))
register_home_action(HomeAction(_("Open the free lab"), "simulator:free_lab", order=10))
register_home_action(HomeAction(_("Choose a scenario"), "simulator:scenarios", order=20))
register_home_section(HomeSection("simulator/home_labs.html", _labs, order=5))
register_home_section(
    HomeSection("simulator/home_scenarios.html", _scenarios, order=20, style="css/pages/scenarios.css")
)
register_belongings(
    Belongings(
        name=_("labs"),
        count=lambda participant: lab_list(viewer=participant).count(),
        move=labs_move,
        key="labs",
        export=labs_export,
    )
)
register_belongings(
    Belongings(
        name=_("predictions"),
        count=lambda participant: predictions_of(participant).count(),
        move=lambda _source, _target: None,  # they go with their labs
        key="predictions",
        export=predictions_export,
    )
)
allowed_addresses()  # a list that cannot be read ends the start, not a lab's run
register_port(lab_port)
