"""Where extenders may be: what tricks an address can play, one by one."""

from __future__ import annotations

import pytest

from simulator.extenders.addresses import Addresses, Refused, read_entries

HTTP, HTTPS = "http:/" + "/", "https:/" + "/"

LOOPBACK = ("127.0.0.0/8", "::1")


def addresses(*entries: str, **names: list[str]) -> Addresses:
    known = {name.replace("__", "."): found for name, found in names.items()}

    def resolve(host: str, port: int) -> list[str]:
        if host not in known:
            raise OSError("no such host")
        return known[host]

    return Addresses(read_entries(entries), resolve=resolve)


@pytest.mark.parametrize(
    ("url", "address", "port"),
    [
        (HTTP + "127.0.0.1:8888/gpushare", "127.0.0.1", 8888),
        (HTTP + "127.0.0.1", "127.0.0.1", 80),
        (HTTPS + "127.0.0.1/x", "127.0.0.1", 443),
        (HTTP + "127.9.9.9:1/", "127.9.9.9", 1),
        (HTTP + "[::1]:8888/", "::1", 8888),
        (HTTP + "[::ffff:127.0.0.1]:8888/", "127.0.0.1", 8888),
        (HTTP + "LOCALHOST:8888/", "127.0.0.1", 8888),
    ],
)
def test_loopback_may_be_called_where_it_is_listed(url: str, address: str, port: int) -> None:
    target = addresses(*LOOPBACK, localhost=["127.0.0.1"]).target(url)
    assert (target.address, target.port) == (address, port)


TRICKS = [
    HTTP + "10.0.0.1/",
    HTTP + "192.168.1.1:8080/",
    HTTP + "8.8.8.8/",
    HTTP + "169.254.169.254/latest/meta-data/",
    HTTP + "[fd00:ec2::254]/",
    HTTP + "100.100.100.200/",
    HTTP + "[fe80::1]/",
    HTTP + "0.0.0.0:8888/",
    HTTP + "[::]:8888/",
    HTTP + "0:8888/",
    HTTP + "2130706433/",
    HTTP + "0x7f000001/",
    HTTP + "0x7f.1/",
    HTTP + "0177.0.0.1/",
    HTTP + "127.1/",
    HTTP + "127.0.0.1.nip.io/",
    HTTP + "127.0.0.1.:8888/",
    HTTP + "[::ffff:10.0.0.1]/",
    HTTP + "[::ffff:169.254.169.254]/",
    HTTP + "[64:ff9b::7f00:1]/",
    HTTP + "[2002:7f00:1::]/",
    HTTP + "[::127.0.0.1]/",
    HTTP + "[::1%25eth0]/",
    HTTP + "[::1%eth0]/",
    HTTP + "user@127.0.0.1/",
    HTTP + "user:password@127.0.0.1/",
    HTTP + "127.0.0.1@10.0.0.1/",
    HTTP + "10.0.0.1#@127.0.0.1/",
    HTTP + "10.0.0.1\\@127.0.0.1/",
    HTTP + "127.0.0.1\\.evil.example/",
    HTTP + "127.0.0.1%2f@10.0.0.1/",
    HTTP + "127.0.0.1%00.evil.example/",
    HTTP + "127.0.0.1/?x=1",
    HTTP + "127.0.0.1/#x",
    HTTP + "127.0.0.1/a b",
    HTTP + "127.0.0.1/\r\nHost: x",
    HTTP + "127.0.0.1:0/",
    HTTP + "127.0.0.1:99999/",
    HTTP + "127.0.0.1:x/",
    HTTP + "/filter",
    HTTP + "",
    "//127.0.0.1/",
    "127.0.0.1:8888",
    "file:///etc/passwd",
    "gopher://127.0.0.1:70/",
    "ftp://127.0.0.1/",
    "unix:///run/x.sock",
    "http+unix://127.0.0.1/",
    "javascript:alert(1)",
    HTTP + "ⓛocalhost/",
    HTTP + "１２７.0.0.1/",
    HTTP + "evil.example/",
    HTTP + "" + "a" * 400 + "/",
    "",
]


@pytest.mark.parametrize("url", TRICKS)
def test_trick_leads_nowhere(url: str) -> None:
    names = {"evil__example": ["127.0.0.1"], "localhost": ["127.0.0.1"], "127__0__0__1__nip__io": ["127.0.0.1"]}
    with pytest.raises(Refused):
        addresses(*LOOPBACK, **names).target(url)


@pytest.mark.parametrize("url", [HTTP + "127.0.0.1:8888/", HTTP + "localhost/", HTTP + "[::1]/", HTTP + "extender/"])
def test_nothing_may_be_called_with_an_empty_list(url: str) -> None:
    with pytest.raises(Refused):
        addresses(localhost=["127.0.0.1"], extender=["10.0.0.9"]).target(url)


def test_localhost_that_is_somewhere_else_is_refused() -> None:
    with pytest.raises(Refused):
        addresses(*LOOPBACK, "10.0.0.0/8", localhost=["10.0.0.1"]).target(HTTP + "localhost/")


def test_listed_name_is_resolved_once_and_its_address_is_the_target() -> None:
    answers = iter([["10.2.3.4"], ["169.254.169.254"]])
    asked = []

    def resolve(host: str, port: int) -> list[str]:
        asked.append(host)
        return next(answers)

    allowed = Addresses(read_entries(["extender:8888"]), resolve=resolve)
    assert allowed.target(HTTP + "extender:8888/").address == "10.2.3.4"
    assert asked == ["extender"]
    with pytest.raises(Refused):
        allowed.target(HTTP + "extender:8888/")


def test_listed_name_on_another_port_is_refused() -> None:
    with pytest.raises(Refused):
        addresses("extender:8888", extender=["10.2.3.4"]).target(HTTP + "extender:22/")


@pytest.mark.parametrize("entry", ["169.254.0.0/16", "0.0.0.0/0", "::/0"])
def test_metadata_addresses_are_never_open(entry: str) -> None:
    allowed = addresses(entry)
    for url in (
        HTTP + "169.254.169.254/",
        HTTP + "[fe80::1]/",
        HTTP + "[fd00:ec2::254]/",
        HTTP + "0.0.0.0/",
        HTTP + "[::]/",
        HTTP + "[ff02::1]/",
        HTTP + "224.0.0.1/",
        HTTP + "255.255.255.255/",
    ):
        with pytest.raises(Refused):
            allowed.target(url)


def test_network_and_port_of_an_entry_both_count() -> None:
    allowed = addresses("10.1.0.0/16:8888", "[fd12::1]:9000")
    assert allowed.target(HTTP + "10.1.2.3:8888/").address == "10.1.2.3"
    assert allowed.target(HTTP + "[fd12::1]:9000/").address == "fd12::1"
    for url in (HTTP + "10.1.2.3:80/", HTTP + "10.2.2.3:8888/", HTTP + "[fd12::1]:80/"):
        with pytest.raises(Refused):
            allowed.target(url)


@pytest.mark.parametrize("text", ["", "10.0.0.0/99", "a b", "host:x", "host:0", HTTP + "x", "*", "a/b"])
def test_bad_entry_of_the_list_is_told(text: str) -> None:
    with pytest.raises(ValueError, match=r"number|neither"):
        read_entries([text])


def test_name_of_the_hosts_table_means_its_address() -> None:
    allowed = Addresses(read_entries(["127.0.0.0/8"]), {"gpushare": "127.0.0.1", "inside": "10.1.2.3"})
    target = allowed.target("http://gpushare:8888/filter")
    assert (target.host, target.address, target.port) == ("gpushare", "127.0.0.1", 8888)
    for url in ("http://inside:8888/filter", "http://elsewhere:8888/filter"):
        with pytest.raises(Refused):
            allowed.target(url)


def test_hosts_table_opens_nothing_that_is_never_open() -> None:
    allowed = Addresses(read_entries(["0.0.0.0/0"]), {"gpushare": "169.254.169.254"})
    with pytest.raises(Refused):
        allowed.target("http://gpushare/filter")
