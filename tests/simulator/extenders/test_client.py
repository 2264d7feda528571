"""The client against servers that behave and servers that do not."""

from __future__ import annotations

import json
import socket
import threading
import time
from typing import Any

import pytest

from simulator.engine.framework.extenders import Bound, Reply, Request
from simulator.extenders import client as client_module
from simulator.extenders.addresses import Addresses, read_entries
from simulator.extenders.client import HttpExtenders, Timing
from simulator.extenders.server import Asked, Routes
from tests.simulator.extenders.servers import LOOPBACK, answer, client, drip, read_request, request, serving, speaking


def test_body_arrives_as_it_is_and_the_answer_comes_back() -> None:
    seen: list[Any] = []

    def filter_(asked: Asked) -> Any:
        seen.append(asked)
        return {"NodeNames": ["n1"], "Error": ""}

    body = {"Pod": {"metadata": {"name": "训练"}}, "Nodes": None, "NodeNames": ["n1", "n2"]}
    with serving(Routes({"/gpu/filter": filter_})) as url:
        reply = client().call(request(f"{url}/gpu/filter", body))
    assert reply == Reply(body={"NodeNames": ["n1"], "Error": ""})
    assert seen[0].body == body
    assert (seen[0].cluster, seen[0].bound) == ("", None)


def test_request_on_the_wire_is_what_kube_sends() -> None:
    got: list[bytes] = []
    listener = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{listener.getsockname()[1]}/e0/bind"

    def work() -> None:
        peer, _ = listener.accept()
        with peer:
            got.append(read_request(peer))
            answer(b"{}")(peer)

    thread = threading.Thread(target=work)
    thread.start()
    body = {"PodName": "p", "PodNamespace": "ns", "PodUID": "u", "Node": "n"}
    client().call(request(url, body, verb="bind"))
    thread.join(5)
    listener.close()
    head, _, sent = got[0].partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    assert lines[0] == "POST /e0/bind HTTP/1.1"
    assert "Content-Type: application/json" in lines
    assert f"Host: 127.0.0.1:{url.rpartition(':')[2].partition('/')[0]}" in lines
    assert sent == b'{"PodName":"p","PodNamespace":"ns","PodUID":"u","Node":"n"}'


def test_lab_tells_its_name_and_what_is_bound() -> None:
    seen: list[Asked] = []
    with serving(Routes({"/filter": lambda asked: seen.append(asked) or {}})) as url:
        one = HttpExtenders(Addresses(read_entries(LOOPBACK)), "lab-7")
        one.call(Request(0, "filter", f"{url}/filter", 10**6, {}, (Bound("u1", "n1", {"a/b": 2}),)))
        one.call(Request(0, "filter", f"{url}/filter", 10**6, {}, ()))
        one.call(Request(0, "filter", f"{url}/filter", 10**6, {}, (Bound("x" * 50_000, "n1", {}),)))
    assert [(asked.cluster, asked.bound) for asked in seen] == [
        ("lab-7", [["u1", "n1", {"a/b": 2}]]),
        ("lab-7", []),
        ("lab-7", None),
    ]


def test_status_other_than_200_is_told_without_the_body() -> None:
    with speaking(answer(b"secret", status="500 Internal Server Error")) as url:
        assert client().call(request(url)) == Reply(status=500)


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"])
def test_redirect_is_not_followed(status: str) -> None:
    reached: list[Asked] = []
    with (
        serving(Routes({"/inner": lambda asked: reached.append(asked) or {}})) as inner,
        speaking(answer(b"", status=status, head=f"Location: {inner}/inner\r\n")) as url,
    ):
        assert client().call(request(url)) == Reply(status=int(status[:3]))
    assert reached == []


def test_address_that_is_not_allowed_is_never_connected_to() -> None:
    with speaking(answer(b"{}")) as url:
        reply = client("10.0.0.0/8").call(request(url))
    assert "is not among the addresses that extenders may have here" in reply.error


def test_connection_goes_to_the_checked_address_and_not_to_a_second_look_up() -> None:
    """The first answer of the resolver is loopback; every later one would be another host."""
    answers = iter(["127.0.0.1", "10.255.255.1", "10.255.255.1"])
    with serving(Routes({"/filter": lambda _asked: {"Error": "here"}})) as url:
        port = url.rpartition(":")[2]
        allowed = Addresses(read_entries([f"extender:{port}"]), resolve=lambda _host, _port: [next(answers)])
        reply = HttpExtenders(allowed).call(request(f"http://extender:{port}/filter"))
    assert reply.body == {"Error": "here"}


@pytest.mark.parametrize(
    "data",
    [
        b"HTTP/1.1 200 OK\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
    ],
    ids=["head", "body", "chunks"],
)
def test_slow_answer_ends_at_the_time_limit_however_it_drips(data: bytes) -> None:
    filler = b"X-A: b\r\n" * 50 if data.endswith(b"OK\r\n") else b" " * 90
    with speaking(drip(data + filler, 0.02)) as url:
        reply = client().call(request(url, seconds=0.4))
    assert reply.error == client_module.TIMEOUT


def test_silence_ends_at_the_time_limit() -> None:
    with speaking(lambda _peer: time.sleep(1)) as url:
        assert client().call(request(url, seconds=0.2)).error == client_module.TIMEOUT


def test_httptimeout_is_limited_whatever_the_configuration_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "LONGEST", 0.2)
    with speaking(lambda _peer: time.sleep(1)) as url:
        assert client().call(request(url, seconds=3600)).error == client_module.TIMEOUT


def test_peer_that_does_not_read_ends_at_the_time_limit() -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
    reply = client().call(request(url, {"Pod": "x" * 20_000_000}, seconds=0.3))
    listener.close()
    assert reply.error == client_module.TIMEOUT


@pytest.mark.parametrize("announced", [True, False])
def test_huge_answer_is_cut_off(announced: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "MAX_REPLY", 100_000)

    def talk(peer: socket.socket) -> None:
        if announced:
            peer.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n")
        else:
            peer.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            for _ in range(1000):
                peer.sendall(b"x" * 10_000)

    with speaking(talk) as url:
        assert "is larger than" in client().call(request(url)).error


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"garbage\r\n\r\n",
        b"HTTP/1.1 abc\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 2000 + b"\r\n{}",
        b"HTTP/1.1 200 OK\r\nX: " + b"y" * 100_000 + b"\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}",
        b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
    ],
)
def test_broken_answer_is_an_error_and_nothing_worse(data: bytes) -> None:
    with speaking(lambda peer: peer.sendall(data)) as url:
        reply = client().call(request(url))
    assert reply.error or reply.garbled
    assert reply.body is None


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"<html>secret</html>", "invalid character '<' looking for beginning of value"),
        (b"", "EOF"),
        (b'{"Error": "x', "unexpected EOF"),
        (b'{"NodeNames": [1,]}', "invalid character ']' looking for beginning of value"),
        (b"[" * 100_000, "exceeded max depth"),
        (b"[" * 70 + b"]" * 70, "exceeded max depth"),
        (b'{"a":' * 70 + b"1" + b"}" * 70, "exceeded max depth"),
        (b"NaN", "NaN"),
        (b"[1e999]", "1e999"),
        (b"[" + b"9" * 5000 + b"]", "invalid character in the answer"),
        (b"\xff\xfe\x00", "invalid character in the answer"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_answer_that_is_no_json_is_told_in_gos_words(body: bytes, words: str) -> None:
    with speaking(answer(body, head="Content-Type: text/html\r\n")) as url:
        reply = client().call(request(url))
    assert words in reply.garbled
    assert reply.body is None
    assert "secret" not in reply.garbled


def test_texts_are_cleaned_of_what_no_database_keeps() -> None:
    with speaking(answer(b'{"Error": "a\\ud800b\\u0000c\\u4e2d\\ud83d\\ude00"}')) as url:
        assert client().call(request(url)).body == {"Error": "a\ufffdb\ufffdc中😀"}


def test_nobody_there() -> None:
    free = socket.create_server(("127.0.0.1", 0))
    port = free.getsockname()[1]
    free.close()
    assert (
        client().call(request(f"http://127.0.0.1:{port}/")).error
        == f"dial tcp 127.0.0.1:{port}: connect: connection refused"
    )


def test_tls_to_a_plain_server_is_an_error() -> None:
    with speaking(answer(b"{}")) as url:
        assert client().call(request(url.replace("http:", "https:"), seconds=0.5)).error


def test_connection_is_kept_and_made_anew_when_the_server_closed_it() -> None:
    with speaking(answer(b"{}"), connections=3) as url:
        one = client()
        for _ in range(3):
            assert one.call(request(url)) == Reply(body={})
        one.close()


def test_connection_is_used_again() -> None:
    ports: set[int] = set()

    def talk(peer: socket.socket) -> None:
        ports.add(peer.getpeername()[1])
        answer(b"{}")(peer)
        read_request(peer)
        ports.add(peer.getpeername()[1])
        answer(b"{}")(peer)

    with speaking(talk) as url:
        one = client()
        assert one.call(request(url)) == one.call(request(url)) == Reply(body={})
    assert len(ports) == 1


def test_patience_ends_with_slow_answers_and_grows_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "PATIENCE", 0.3)
    monkeypatch.setattr(client_module, "GROWS", 0.0)
    one = client()
    one._patience = 0.3
    with speaking(lambda _peer: time.sleep(0.3), connections=5) as url:
        errors = [one.call(request(url, seconds=0.25)).error for _ in range(4)]
    assert errors[:2] == [client_module.TIMEOUT] * 2
    assert errors[-1] == client_module.IMPATIENT
    monkeypatch.setattr(client_module, "GROWS", 1000.0)
    with speaking(answer(b"{}")) as url:
        assert one.call(request(url)) == Reply(body={})


def test_quick_answers_never_use_up_the_patience() -> None:
    one = client()
    with serving(Routes({"/f": lambda _asked: {}})) as url:
        for _ in range(50):
            assert one.call(request(f"{url}/f")).error == ""
    assert one._patience == pytest.approx(client_module.PATIENCE, abs=0.5)


def test_measured_call_tells_where_the_time_went() -> None:
    told: list[Timing] = []
    with serving(Routes({"/f": lambda _asked: time.sleep(0.05) or {"a": "b"}})) as url:
        HttpExtenders(Addresses(read_entries(LOOPBACK)), measured=told.append).call(request(f"{url}/f", {"x": 1}))
    (timing,) = told
    assert timing.exchange > 0.05 > timing.encode + timing.decode
    assert (timing.sent, timing.received) == (len(b'{"x":1}'), len(json.dumps({"a": "b"}, separators=(",", ":"))))
