"""Real servers on loopback ports for tests of the client: proper ones, and raw ones that misbehave."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from simulator.engine.framework.extenders import Body, Request
from simulator.extenders.addresses import Addresses, read_entries
from simulator.extenders.client import HttpExtenders
from simulator.extenders.server import Routes, Server

LOOPBACK = ("127.0.0.0/8", "::1")


@contextmanager
def serving(routes: Routes) -> Iterator[str]:
    """The base URL of a server with these routes."""
    server = Server(("127.0.0.1", 0), routes)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join(5)
        server.server_close()


@contextmanager
def speaking(talk: Callable[[socket.socket], None], connections: int = 1) -> Iterator[str]:
    """The base URL of a raw socket: each connection's request is read, then `talk` says what it likes."""
    listener = socket.create_server(("127.0.0.1", 0))
    ended = threading.Event()

    def work() -> None:
        for _ in range(connections):
            try:
                peer, _address = listener.accept()
            except OSError:
                return
            with peer:
                peer.settimeout(5)
                try:
                    read_request(peer)
                    talk(peer)
                except OSError:
                    continue
        ended.set()

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        listener.shutdown(socket.SHUT_RDWR)  # wakes who waits in accept
        listener.close()
        thread.join(5)


def read_request(peer: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        data += _received(peer)
    head, _, body = data.partition(b"\r\n\r\n")
    size = next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length"))
    while len(body) < size:
        body += _received(peer)
    return head + b"\r\n\r\n" + body


def _received(peer: socket.socket) -> bytes:
    data = peer.recv(65536)
    if not data:
        raise ConnectionError("the client has gone")
    return data


def answer(body: bytes, *, status: str = "200 OK", head: str = "") -> Callable[[socket.socket], None]:
    """Say one proper HTTP answer."""

    def talk(peer: socket.socket) -> None:
        peer.sendall(f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n{head}\r\n".encode() + body)

    return talk


def drip(data: bytes, pause: float) -> Callable[[socket.socket], None]:
    """Say a byte at a time."""

    def talk(peer: socket.socket) -> None:
        for index in range(len(data)):
            peer.sendall(data[index : index + 1])
            time.sleep(pause)

    return talk


def client(*entries: str) -> HttpExtenders:
    return HttpExtenders(Addresses(read_entries(entries or LOOPBACK)))


def request(url: str, body: Body | None = None, *, verb: str = "filter", seconds: float = 2.0) -> Request:
    return Request(0, verb, url, int(seconds * 1_000_000), {} if body is None else body)
