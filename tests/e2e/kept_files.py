"""Static files as the site answered them the first time: each test's browser asks for all of them anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping

    Message = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]


class KeptFiles:
    """An ASGI application whose static files are made once in this process."""

    def __init__(self, application: Any) -> None:
        self._application = application
        self._kept: dict[tuple[str, bytes], list[Message]] = {}

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET" or not scope["path"].startswith("/static/"):
            await self._application(scope, receive, send)
            return
        key = (scope["path"], dict(scope["headers"]).get(b"accept-encoding", b""))
        for message in self._kept.get(key) or await self._made(key, scope, receive):
            await send(message)

    async def _made(self, key: tuple[str, bytes], scope: Message, receive: Receive) -> list[Message]:
        messages: list[Message] = []

        async def note(message: Message) -> None:
            messages.append(message)

        await self._application(scope, receive, note)
        # To a browser that has gone, the site says no more than it had begun to say: that is not kept.
        if _is_whole(messages) and messages[0]["status"] == 200:
            self._kept[key] = messages
        return messages


def _is_whole(messages: list[Message]) -> bool:
    return bool(messages) and messages[-1]["type"] == "http.response.body" and not messages[-1].get("more_body", False)
