"""A browser tab's socket for tests, without a server."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from asgiref.testing import ApplicationCommunicator

from gpuschedlab.accounts.cookies import COOKIE
from gpuschedlab.accounts.models import Participant
from gpuschedlab.asgi import application
from tests.factories.accounts import participant_cookie

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine


def run_scenario(scenario: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a scenario in a loop and thread of its own: after browser tests this thread has a running loop already."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, scenario()).result()


class Tab:
    """One socket; `ask` sends a message and returns the next one that comes back."""

    def __init__(self, participant: Participant | None = None, origin: str = "http://localhost") -> None:
        headers = [(b"origin", origin.encode()), (b"host", b"localhost")]
        if participant:
            headers.append((b"cookie", f"{COOKIE}={participant_cookie(participant)}".encode()))
        scope = {"type": "websocket", "path": "/ws/", "query_string": b"", "headers": headers, "subprotocols": []}
        self._socket = ApplicationCommunicator(application, scope)

    async def open(self) -> bool:
        """Whether the socket was accepted."""
        await self._socket.send_input({"type": "websocket.connect"})
        answer = await self._socket.receive_output(3)
        return bool(answer["type"] == "websocket.accept")

    async def tell(self, text: str) -> None:
        await self._socket.send_input({"type": "websocket.receive", "text": text})

    async def hear(self) -> Any:
        message = await self._socket.receive_output(3)
        assert message["type"] == "websocket.send", message
        return json.loads(message["text"])

    async def ask(self, **message: Any) -> Any:
        await self.tell(json.dumps(message))
        return await self.hear()

    async def hears_nothing(self) -> bool:
        return bool(await self._socket.receive_nothing(0.1))

    async def closed_with(self) -> int:
        message = await self._socket.receive_output(3)
        assert message["type"] == "websocket.close", message
        return int(message["code"])

    async def leave(self) -> None:
        await self._socket.send_input({"type": "websocket.disconnect", "code": 1001})
        await self._socket.wait(3)


async def opened(participant: Participant | None = None) -> Tab:
    tab = Tab(participant)
    assert await tab.open()
    return tab
