"""A small HTTP server for extenders: POST paths that take and give JSON, GET paths that give JSON.

It uses nothing but the standard library, so that it can be read as an example of what an extender needs.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from simulator.extenders.client import BOUND_HEADER, CLUSTER_HEADER, MAX_REQUEST

logger = logging.getLogger(__name__)

IDLE: Final = 120.0
"""Seconds after which a connection that says nothing is closed."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request: its JSON body (or query), whose cluster it is about, and the Pods bound there as the lab tells."""

    body: Any
    cluster: str
    bound: list[Any] | None


class BadRequest(ValueError):
    """A request that cannot be answered: HTTP 400 with this text."""


Answer = Callable[[Asked], Any]


@dataclass(frozen=True, slots=True)
class Routes:
    """What is answered where, by path."""

    post: Mapping[str, Answer] = field(default_factory=dict)
    get: Mapping[str, Answer] = field(default_factory=dict)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = IDLE
    disable_nagle_algorithm = True
    wbufsize = -1
    server: Server

    def do_POST(self) -> None:
        size = self.headers.get("Content-Length", "")
        if not (size.isascii() and size.isdigit() and len(size) < 10) or int(size) > MAX_REQUEST:
            self.close_connection = True
            self._send(413, {"Error": f"send at most {MAX_REQUEST} bytes, with Content-Length"})
            return
        received = self.rfile.read(int(size))
        self._answer(self.server.routes.post, received, time.perf_counter())

    def do_GET(self) -> None:
        query = {key: values[-1] for key, values in parse_qs(urlsplit(self.path).query).items()}
        self._answer(self.server.routes.get, json.dumps(query).encode(), time.perf_counter())

    def _answer(self, routes: Mapping[str, Answer], received: bytes, began: float) -> None:
        answer = routes.get(urlsplit(self.path).path)
        if answer is None:
            self._send(404, {"Error": f"nothing at {self.path[:200]}"})
            return
        try:
            bound = self.headers.get(BOUND_HEADER)
            asked = Asked(
                json.loads(received), self.headers.get(CLUSTER_HEADER, ""), None if bound is None else json.loads(bound)
            )
            self._send(200, answer(asked), began)
        except (ValueError, RecursionError) as problem:
            self._send(400, {"Error": str(problem)[:500]})
        except Exception:
            logger.exception("%s failed", self.path)
            self._send(500, {"Error": "see the extender's log"})

    def _send(self, status: int, reply: Any, began: float = 0.0) -> None:
        data = json.dumps(reply, separators=(",", ":"), ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        if began:
            self.send_header("Server-Timing", f"work;dur={(time.perf_counter() - began) * 1000:.3f}")
        self.end_headers()
        self.wfile.write(data)
        self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (the standard library's name)
        logger.info("%s %s", self.address_string(), format % args)


class Server(ThreadingHTTPServer):
    """`routes` are answered on (host, port), each connection in a thread of its own."""

    daemon_threads = True

    def __init__(self, address: tuple[str, int], routes: Routes) -> None:
        self.routes = routes
        super().__init__(address, Handler)
