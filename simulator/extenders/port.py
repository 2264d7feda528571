"""The way from labs to extenders: who may be called is the settings' decision (LAB_EXTENDERS)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from simulator.extenders.addresses import Addresses, read_entries
from simulator.extenders.client import HttpExtenders

if TYPE_CHECKING:
    from simulator.models import Lab


def allowed_addresses() -> Addresses:
    """Raises ImproperlyConfigured where an entry of the list cannot be read."""
    try:
        return Addresses(read_entries(settings.EXTENDER_ADDRESSES))
    except ValueError as error:
        raise ImproperlyConfigured(f"LAB_EXTENDERS: {error}.") from error


def lab_port(lab: Lab) -> HttpExtenders | None:
    """The way out of one lab; None where nothing may be called."""
    if not settings.EXTENDER_ADDRESSES:
        return None
    return HttpExtenders(allowed_addresses(), str(lab.pk))
