"""Telling a topic's listeners that it has something newer."""

from __future__ import annotations

import logging
import re
from functools import partial
from typing import TYPE_CHECKING, Any, TypedDict

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction

if TYPE_CHECKING:
    from collections.abc import Mapping

logger = logging.getLogger(__name__)


class Event(TypedDict):
    """What a listener gets: the topic, what happened (past tense, `lab.stepped`), its seq, and small plain data."""

    topic: str
    type: str
    seq: int
    data: Mapping[str, Any]


def group_of(topic: str) -> str:
    """The channel layer's name for a topic."""
    return "topic." + re.sub(r"[^A-Za-z0-9_-]", ".", topic)


def publish(topic: str, event_type: str, seq: int, data: Mapping[str, Any] | None = None) -> None:
    """Tell the listeners of `topic`, once the current transaction is committed.

    Never fails: a listener who hears nothing catches up by seq. In the embedded mode only the web process reaches the
    listeners; what a worker changes arrives through its Run (jobs/relay.py).
    """
    event: Event = {"topic": topic, "type": event_type, "seq": seq, "data": data or {}}
    transaction.on_commit(partial(_send, event))


def _send(event: Event) -> None:
    layer = get_channel_layer()
    if layer is None:
        return
    try:
        async_to_sync(layer.group_send)(group_of(event["topic"]), {"type": "topic.event", "event": event})
    except Exception:
        logger.warning("could not tell the listeners of %s", event["topic"], exc_info=True)
