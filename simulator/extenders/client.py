"""The engine's way out to real extenders: JSON over HTTP, only to allowed addresses, within limits.

Texts of errors are those of Go's HTTP client where it has one. Source: kube-scheduler 1.36 `extender.go` send.
"""

from __future__ import annotations

import http.client
import json
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from simulator.engine.framework.extenders import Reply, Request
from simulator.extenders.addresses import Addresses, Refused, Target
from simulator.extenders.connection import Connection, Deadline, TooMuch
from simulator.extenders.decoding import Garbled, decoded

MAX_REQUEST: Final = 64 * 1024 * 1024
MAX_REPLY: Final = 32 * 1024 * 1024
LONGEST: Final = 30.0
"""Seconds that one request may take, whatever httpTimeout says."""

FREE: Final = 0.1
"""Seconds of every call that do not count against the patience."""

PATIENCE: Final = 10.0
"""Seconds of slow calls in a row, after which calls fail at once until it has grown again."""

GROWS: Final = 0.2
"""Seconds of patience that come back in a second."""

CLUSTER_HEADER: Final = "X-Lab-Cluster"
BOUND_HEADER: Final = "X-Lab-Bound"
"""What a real extender learns from the API server: which cluster calls, and which Pods with its managed resources are
bound there, as JSON: [uid, node, {resource: amount}] each."""

MAX_BOUND: Final = 48 * 1024
"""A longer list is left out: servers do not take longer headers. The extender then has its own memory alone."""

TIMEOUT = "context deadline exceeded (Client.Timeout exceeded while awaiting headers)"
IMPATIENT = "slow answers have used up the time for extenders; wait a minute, or make the extender faster"


@dataclass(frozen=True, slots=True)
class Timing:
    """Where one call's time went, in seconds, and its sizes in bytes. `work` is the part of `exchange` in which the
    other side was at work, as far as it tells."""

    verb: str
    encode: float
    exchange: float
    decode: float
    work: float
    sent: int
    received: int


class HttpExtenders:
    """An `ExtenderPort`. Not for several threads at once.

    `cluster` tells extenders whose cluster it is; `measured` is told of every call that was answered.
    """

    def __init__(
        self, addresses: Addresses, cluster: str = "", measured: Callable[[Timing], None] | None = None
    ) -> None:
        self._addresses = addresses
        self._cluster = cluster
        self._measured = measured
        self._connections: dict[tuple[bool, str, int], Connection] = {}
        self._patience = PATIENCE
        self._seen_at = time.monotonic()

    def call(self, request: Request) -> Reply:
        """Send the request and wait for the answer; what goes wrong is the reply's `error`."""
        began = time.monotonic()
        self._patience = min(PATIENCE, self._patience + GROWS * (began - self._seen_at))
        self._seen_at = began
        if self._patience <= 0:
            return Reply(error=IMPATIENT)
        try:
            return self._exchange(request)
        except Refused as refusal:
            return Reply(error=str(refusal))
        finally:
            self._patience -= max(0.0, time.monotonic() - began - FREE)

    def close(self) -> None:
        for connection in self._connections.values():
            connection.close()
        self._connections.clear()

    def __del__(self) -> None:
        self.close()

    def _exchange(self, request: Request) -> Reply:
        target = self._addresses.target(request.url)
        started = time.perf_counter()
        body = json.dumps(request.body, separators=(",", ":"), ensure_ascii=False).encode()
        if len(body) > MAX_REQUEST:
            return Reply(error=f"the request is larger than {MAX_REQUEST} bytes")
        encoded = time.perf_counter()
        deadline = Deadline(min(request.timeout / 1_000_000, LONGEST))
        answered = self._send(target, self._headers(request), body, deadline)
        if isinstance(answered, Reply):
            return answered
        status, received = answered
        exchanged = time.perf_counter()
        if status != 200:
            return Reply(status=status)
        try:
            reply = Reply(body=decoded(received))
        except Garbled as problem:
            return Reply(garbled=str(problem))
        if self._measured is not None:
            taken = (encoded - started, exchanged - encoded, time.perf_counter() - exchanged)
            worked = self._connections[target.https, target.address, target.port].worked
            self._measured(Timing(request.verb, *taken, worked, len(body), len(received)))
        return reply

    def _headers(self, request: Request) -> dict[str, str]:
        headers = {CLUSTER_HEADER: self._cluster} if self._cluster else {}
        if request.bound is not None:
            bound = json.dumps([[pod.uid, pod.node, pod.requests] for pod in request.bound], separators=(",", ":"))
            if len(bound) <= MAX_BOUND:
                headers[BOUND_HEADER] = bound
        return headers

    def _send(
        self, target: Target, headers: dict[str, str], body: bytes, deadline: Deadline
    ) -> tuple[int, bytes] | Reply:
        """Over a kept connection; once more over a new one where the other side had closed it meanwhile."""
        key = (target.https, target.address, target.port)
        kept = self._connections.pop(key, None)
        if kept is not None and kept.is_open and kept.target.host == target.host:
            try:
                return self._post(key, kept, target, headers, body, deadline)
            except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
                kept.close()
            except _FAILURES as error:
                kept.close()
                return Reply(error=_words(error, target))
        fresh = Connection(target)
        try:
            return self._post(key, fresh, target, headers, body, deadline)
        except _FAILURES as error:
            fresh.close()
            return Reply(error=_words(error, target))

    def _post(
        self,
        key: tuple[bool, str, int],
        connection: Connection,
        target: Target,
        headers: dict[str, str],
        body: bytes,
        deadline: Deadline,
    ) -> tuple[int, bytes]:
        answered = connection.post(target.path or "/", headers, body, deadline, MAX_REPLY)
        self._connections[key] = connection
        return answered


_FAILURES = (OSError, http.client.HTTPException, TooMuch, ValueError)


def _words(error: Exception, target: Target) -> str:
    """The error in the words of Go's HTTP client."""
    for kind, words in _KNOWN_FAILURES:
        if isinstance(error, kind):
            return words
    dial = f"dial tcp {_shown(target)}"
    if isinstance(error, ConnectionRefusedError):
        return f"{dial}: connect: connection refused"
    if isinstance(error, ssl.SSLError):
        return f"tls: {error.reason or 'handshake failure'}"
    if isinstance(error, OSError):
        return f"{dial}: {(error.strerror or 'connection failed').lower()}"
    return "net/http: HTTP/1.x transport connection broken: malformed HTTP response"


_KNOWN_FAILURES: Final[tuple[tuple[type[Exception], str], ...]] = (
    (TimeoutError, TIMEOUT),
    (TooMuch, f"the answer is larger than {MAX_REPLY} bytes"),
    (http.client.IncompleteRead, "unexpected EOF"),
    (ConnectionResetError, "EOF"),
    (BrokenPipeError, "EOF"),
)


def _shown(target: Target) -> str:
    return f"[{target.address}]:{target.port}" if ":" in target.address else f"{target.address}:{target.port}"
