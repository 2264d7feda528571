"""One HTTP connection to a checked address, with a deadline over everything and a limit on what comes back."""

from __future__ import annotations

import http.client
import re
import socket
import ssl
import time
from collections.abc import Mapping
from typing import Any, Final

from simulator.extenders.addresses import Target

CHUNK: Final = 64 * 1024
HEADERS: Final = {"Content-Type": "application/json", "User-Agent": "kube-scheduler/v1.36"}


class TooMuch(Exception):
    """More came back than is read."""


class Deadline:
    """A moment by which all of a request must be over, however slowly its bytes come."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds left. Raises TimeoutError when there are none."""
        found = self._end - time.monotonic()
        if found <= 0:
            raise TimeoutError
        return found


class _Hurried(socket.socket):
    """A socket whose every read and write ends at the deadline of the current request."""

    deadline: Deadline | None = None

    def _hurry(self) -> None:
        if self.deadline is not None:
            self.settimeout(self.deadline.left())

    def recv_into(self, *args: Any, **kwargs: Any) -> int:
        self._hurry()
        return super().recv_into(*args, **kwargs)

    def sendall(self, data: Any, flags: int = 0) -> None:
        view = memoryview(data)
        while view:
            self._hurry()
            view = view[self.send(view[:CHUNK], flags) :]


class _HurriedTls(_Hurried, ssl.SSLSocket):
    """The same over TLS."""


class Connection(http.client.HTTPConnection):
    """Keeps its connection for further requests, as kube-scheduler's client does.

    `worked`: how long the other side says it worked on the last one, in seconds.
    """

    def __init__(self, target: Target) -> None:
        super().__init__(target.host, target.port)
        self.target = target
        self.deadline = Deadline(0)
        self.worked = 0.0
        self._hurried: _Hurried | _HurriedTls | None = None

    def connect(self) -> None:
        """To the address that was checked, never to one looked up again."""
        family = socket.AF_INET6 if ":" in self.target.address else socket.AF_INET
        plain = _Hurried(family, socket.SOCK_STREAM)
        try:
            plain.settimeout(self.deadline.left())
            plain.connect((self.target.address, self.target.port))
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._hurried = self._secured(plain) if self.target.https else plain
        except BaseException:
            plain.close()
            raise
        self.sock = self._hurried

    def _secured(self, plain: _Hurried) -> _HurriedTls:
        context = ssl.create_default_context()
        context.sslsocket_class = _HurriedTls
        wrapped = context.wrap_socket(plain, server_hostname=self.target.host)
        assert isinstance(wrapped, _HurriedTls)
        return wrapped

    @property
    def is_open(self) -> bool:
        return self.sock is not None

    def post(
        self, path: str, headers: Mapping[str, str], body: bytes, deadline: Deadline, limit: int
    ) -> tuple[int, bytes]:
        """(status, body of the answer), redirects not followed. Raises OSError, HTTPException or `TooMuch`."""
        self.deadline = deadline
        if self._hurried is not None:
            self._hurried.deadline = deadline
        elif self.sock is None:
            self.connect()
            assert self._hurried is not None
            self._hurried.deadline = deadline
        self.request("POST", path, body, {**HEADERS, **headers})
        answer = self.getresponse()
        self.worked = _work(answer.getheader("Server-Timing", ""))
        try:
            return answer.status, _read(answer, limit)
        finally:
            if answer.will_close:
                self.close()

    def close(self) -> None:
        super().close()
        self._hurried = None


def _work(timing: str) -> float:
    """Seconds that the other side says it worked (`work;dur=` of Server-Timing), 0 where it says nothing."""
    found = re.search(r"\bwork;dur=(\d{1,9}(?:\.\d{1,6})?)", timing)
    return float(found[1]) / 1000 if found else 0.0


def _read(answer: http.client.HTTPResponse, limit: int) -> bytes:
    announced = answer.length
    if announced is not None and announced > limit:
        raise TooMuch
    parts: list[bytes] = []
    size = 0
    while part := answer.read(CHUNK):
        size += len(part)
        if size > limit:
            raise TooMuch
        parts.append(part)
    if announced is not None and size < announced:
        raise http.client.IncompleteRead(b"", announced - size)
    return b"".join(parts)
