"""The participant behind a socket."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from channels.db import database_sync_to_async

from gpuschedlab.accounts.cookies import read_participant_cookie
from gpuschedlab.accounts.middleware import participant_for

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


class ParticipantSocketMiddleware:
    """Puts the browser's participant into the socket's scope, by the same rule as for requests."""

    def __init__(self, app: Callable[..., Awaitable[None]]) -> None:
        self.app = app

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        cookie_id = read_participant_cookie(scope["cookies"])
        find = database_sync_to_async(lambda: participant_for(scope["user"], cookie_id))
        await self.app({**scope, "participant": await find()}, receive, send)
