"""What runs in the web process from its start to its end, beside the requests."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, Scope


class Lifespan:
    """The ASGI lifespan application: starts each endless coroutine at startup and cancels it at shutdown."""

    def __init__(self, work: Sequence[Callable[[], Coroutine[Any, Any, None]]]) -> None:
        self._work = work

    async def __call__(self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        await receive()
        tasks = [asyncio.create_task(start(), name=start.__name__) for start in self._work]
        await send({"type": "lifespan.startup.complete"})
        await receive()
        for task in tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        await send({"type": "lifespan.shutdown.complete"})
