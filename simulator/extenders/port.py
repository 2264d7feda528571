"""The way from labs to extenders: who may be called is the settings' decision (LAB_EXTENDERS)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from simulator.extenders.addresses import Addresses, read_entries
from simulator.extenders.client import HttpExtenders
from simulator.extenders.stand_in import Reached, StandIn

if TYPE_CHECKING:
    from simulator.engine.framework.extenders import ExtenderPort
    from simulator.models import Lab


def allowed_addresses() -> Addresses:
    """Raises ImproperlyConfigured where an entry of the list cannot be read."""
    try:
        return Addresses(read_entries(settings.EXTENDER_ADDRESSES), settings.EXTENDER_HOSTS)
    except ValueError as error:
        raise ImproperlyConfigured(f"LAB_EXTENDERS: {error}.") from error


def lab_port(lab: Lab | None) -> ExtenderPort:
    """The way out of one lab; of no lab (a scenario that is tried out) it leads to the shipped extender alone."""
    if lab is None:
        return StandIn("")
    http = HttpExtenders(allowed_addresses(), str(lab.pk)) if settings.EXTENDER_ADDRESSES else None
    return Reached(http, StandIn(str(lab.pk)))
