"""The site's one socket: /ws/. A tab opens it once and joins the topics its page shows.

From the page:   {"type": "topic.join", "topic": "run:…"} · {"type": "topic.leave", "topic": "run:…"}
To the page:     {"type": "topic.joined", "topic": …, "seq": newest} · {"type": "topic.refused", "topic": …}
                 and every Event of a joined topic, as it is.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer

from gpuschedlab.web.jsontext import read_json
from gpuschedlab.web.limits import network_of
from gpuschedlab.web.sockets.hub import get_hub
from gpuschedlab.web.sockets.topics import topic_head

if TYPE_CHECKING:
    from uuid import UUID

    from gpuschedlab.web.sockets.events import Event

MAX_SOCKETS = 30  # of one participant in this process: a browser full of tabs
MAX_OF_ADDRESS = 1000  # sockets: a class behind one router; who brings no cookie is a new participant each time
MAX_TOPICS = 20
MAX_MESSAGE = 1024  # characters
MAX_WAITING = 200  # events not yet sent to a slow tab; beyond that it has to come back and catch up
MESSAGES_PER_MINUTE = 120

CLOSE_BAD_MESSAGE = 4400
CLOSE_TOO_MANY = 4429
CLOSE_TOO_SLOW = 4408

_open_sockets: Counter[UUID | str] = Counter()


class SiteConsumer(AsyncWebsocketConsumer):
    """One tab's socket."""

    channel_layer_alias = ""  # the hub listens for all sockets of the process; none has a channel of its own

    async def connect(self) -> None:
        self.topics: set[str] = set()
        self.waiting: asyncio.Queue[Event] = asyncio.Queue(MAX_WAITING)
        self.used = 0
        self.window = 0
        self.too_slow = False
        self.sender: asyncio.Task[None] | None = None
        participant_id: UUID = self.scope["participant"].pk
        address = network_of((self.scope.get("client") or ("unknown",))[0])
        self.counted: tuple[UUID | str, ...] = (participant_id, address)
        _open_sockets.update(self.counted)
        await self.accept()
        if _open_sockets[participant_id] > MAX_SOCKETS or _open_sockets[address] > MAX_OF_ADDRESS:
            await self.close(CLOSE_TOO_MANY)
            return
        self.sender = asyncio.create_task(self._send_events(), name="socket sender")

    async def disconnect(self, code: int) -> None:
        _open_sockets.subtract(self.counted)
        for key in self.counted:
            if not _open_sockets[key]:
                del _open_sockets[key]
        if self.sender is not None:
            self.sender.cancel()
        for topic in tuple(self.topics):
            await get_hub().leave(topic, self)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        window = int(time.monotonic() // 60)
        self.used = self.used + 1 if window == self.window else 1
        self.window = window
        if self.used > MESSAGES_PER_MINUTE:
            await self.close(CLOSE_TOO_MANY)
            return
        message = _parse(text_data)
        if message is None:
            await self.close(CLOSE_BAD_MESSAGE)
        elif message["type"] == "topic.join":
            await self._join(message["topic"])
        else:
            await self._leave(message["topic"])

    def hear(self, event: Event) -> None:
        try:
            self.waiting.put_nowait(event)
        except asyncio.QueueFull:
            self.too_slow = True
            if self.sender is not None:
                self.sender.cancel()

    async def _join(self, topic: str) -> None:
        if topic not in self.topics and len(self.topics) >= MAX_TOPICS:
            await self._refuse(topic)
            return
        head = database_sync_to_async(topic_head)
        if await head(self.scope["participant"], topic) is None:  # nobody hears a word of what is not theirs
            await self._refuse(topic)
            return
        await get_hub().join(topic, self)
        self.topics.add(topic)
        seq = await head(self.scope["participant"], topic)  # the one before is older than the joining
        if seq is None:
            await self._leave(topic)
            await self._refuse(topic)
            return
        await self.send(json.dumps({"type": "topic.joined", "topic": topic, "seq": seq}))

    async def _leave(self, topic: str) -> None:
        self.topics.discard(topic)
        await get_hub().leave(topic, self)

    async def _refuse(self, topic: str) -> None:
        await self.send(json.dumps({"type": "topic.refused", "topic": topic}))

    async def _send_events(self) -> None:
        try:
            while True:
                await self.send(json.dumps(await self.waiting.get()))
        except asyncio.CancelledError:
            if self.too_slow:
                await self.close(CLOSE_TOO_SLOW)
            raise


def _parse(text: str | None) -> dict[str, Any] | None:
    """A message of the two kinds a page may send, or None."""
    if text is None or len(text) > MAX_MESSAGE:
        return None
    try:
        message = read_json(text)
    except ValueError:
        return None
    if not isinstance(message, dict) or message.get("type") not in {"topic.join", "topic.leave"}:
        return None
    return message if isinstance(message.get("topic"), str) else None
