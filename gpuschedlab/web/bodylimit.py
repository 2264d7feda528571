"""A limit on request bodies, held while they arrive: nothing longer is ever kept in memory or on disk.

The rest of a longer body is read and dropped (up to a second limit), because a browser shows no answer while it is
still sending; BodyLimitMiddleware then answers with 413.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asgiref.typing import ASGI3Application, ASGIReceiveCallable, ASGIReceiveEvent, ASGISendCallable, Scope

TOO_LARGE = "gpuschedlab.body_too_large"
DROPPED_AT_MOST = 64 * 1024 * 1024  # bytes


class BodyLimit:
    """ASGI middleware: cuts off HTTP request bodies longer than `max_bytes` and marks their scope."""

    def __init__(self, app: ASGI3Application, max_bytes: int) -> None:
        self.app = app
        self.max_bytes = max_bytes

    async def __call__(self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        received = 0

        async def limited() -> ASGIReceiveEvent:
            nonlocal received
            message = await receive()
            if message["type"] != "http.request":
                return message
            received += len(message["body"])
            if received <= self.max_bytes:
                return message
            scope[TOO_LARGE] = True  # type: ignore[literal-required]
            more = message["more_body"]
            while more and received <= DROPPED_AT_MOST:
                dropped = await receive()
                if dropped["type"] != "http.request":
                    return dropped
                received += len(dropped["body"])
                more = dropped["more_body"]
            return {"type": "http.request", "body": b"", "more_body": False}

        await self.app(scope, limited, send)
