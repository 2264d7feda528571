"""The shipped extender inside the lab's own process: it answers where nobody listens at its address.

So a scenario that calls `http://gpushare:8888` works before `manage.py gpushare_extender` runs, and lessons and
questions about it need no server. It is the same code and the same JSON, without the wire; such a reply is marked
`local`.
"""

from __future__ import annotations

import json
from typing import Final
from urllib.parse import urlsplit

from simulator.engine.framework.extenders import Reply, Request
from simulator.extenders.client import HttpExtenders
from simulator.extenders.gpushare.service import shipped
from simulator.extenders.server import Asked

HOST: Final = "gpushare"
"""The shipped extender's name in scenarios: a service of the compose file, this machine in embedded mode."""

PORT: Final = 8888


class StandIn:
    """An `ExtenderPort` that leads to the shipped extender alone, in this process."""

    def __init__(self, cluster: str) -> None:
        self._cluster = cluster
        self._routes = shipped()

    def call(self, request: Request) -> Reply:
        answer = self._routes.post.get(urlsplit(request.url).path) if is_shipped(request.url) else None
        if answer is None:
            return Reply(error="no extender can be called here")
        bound = None if request.bound is None else [[pod.uid, pod.node, pod.requests] for pod in request.bound]
        try:
            body = answer(Asked(json.loads(json.dumps(request.body)), self._cluster, bound))
        except ValueError:  # what the server answers with
            return Reply(status=400, local=True)
        return Reply(body=body, local=True)


class Reached:
    """An `ExtenderPort`: over HTTP, and by the stand-in where the shipped extender cannot be reached."""

    def __init__(self, http: HttpExtenders | None, stand_in: StandIn) -> None:
        self._http = http
        self._stand_in = stand_in

    def call(self, request: Request) -> Reply:
        reply = Reply(error="no extender can be called here") if self._http is None else self._http.call(request)
        if not (reply.error and is_shipped(request.url)):
            return reply
        own = self._stand_in.call(request)
        return reply if own.error else own


def is_shipped(url: str) -> bool:
    parts = urlsplit(url)
    return parts.hostname == HOST and parts.port == PORT
