"""Which addresses extenders may have: a list from the settings, and what no list can open.

An address is checked after it was resolved, and the connection goes to exactly that address; names are only resolved
where the list names them. So neither a name that changes its address nor an odd spelling leads anywhere else.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Resolve = Callable[[str, int], list[str]]

LOCALHOST = "localhost"
MAX_URL = 300
METADATA = tuple(map(ipaddress.ip_network, ("169.254.0.0/16", "fe80::/10", "fd00:ec2::254/128", "100.100.100.200/32")))
"""Link-local addresses and where clouds keep a machine's credentials."""


class Refused(ValueError):
    """An address that extenders may not have; the text says why."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the list: a network or a host name, and a port (None for all)."""

    host: Network | str
    port: int | None


@dataclass(frozen=True, slots=True)
class Target:
    """Where to connect: `address` is the checked one; `host` and `port` are those of the URL."""

    https: bool
    host: str
    port: int
    address: str
    path: str


def read_entries(texts: Sequence[str]) -> tuple[Entry, ...]:
    """Entries such as `127.0.0.0/8`, `::1`, `[::1]:8888`, `10.1.2.3:8888`, `extender:8888`. Raises ValueError."""
    return tuple(_entry(text) for text in texts)


def _entry(text: str) -> Entry:
    host, port = text, None
    if text.startswith("["):
        host, _, rest = text[1:].partition("]")
        port = rest.removeprefix(":") or None
    elif text.count(":") == 1:
        host, _, port = text.partition(":")
    if port is not None and not (port.isdigit() and 0 < int(port) < 65536):
        raise ValueError(f"{text!r}: the port must be a number")
    number = None if port is None else int(port)
    try:
        return Entry(ipaddress.ip_network(host, strict=False), number)
    except ValueError:
        if not host or not all(part.isidentifier() or part.replace("-", "").isalnum() for part in host.split(".")):
            raise ValueError(f"{text!r} is neither a network nor a host name") from None
        return Entry(host.lower(), number)


class Addresses:
    """The addresses that may be called. `hosts`: names that mean an address here, as in a hosts file."""

    def __init__(
        self, entries: Sequence[Entry], hosts: Mapping[str, str] | None = None, resolve: Resolve | None = None
    ) -> None:
        self._entries = tuple(entries)
        self._hosts = dict(hosts or {})
        self._resolve = resolve or _resolve

    def target(self, url: str) -> Target:
        """Where `url` leads. Raises `Refused`."""
        parts = _split(url)
        host, port = (parts.hostname or "").lower(), _port(parts)
        address = next((found for found in self._candidates(self._hosts.get(host, host), port)), None)
        if address is None:
            raise Refused(f"{host}:{port} is not among the addresses that extenders may have here")
        return Target(parts.scheme == "https", host, port, str(address), parts.path)

    def _candidates(self, host: str, port: int) -> list[Address]:
        """Addresses of `host` that are allowed, in the order found."""
        try:
            literal = _plain(ipaddress.ip_address(host))
        except ValueError:
            return self._named(host, port)
        return [literal] if self._is_listed(literal, port) else []

    def _named(self, host: str, port: int) -> list[Address]:
        listed = any(entry.host == host and entry.port in (None, port) for entry in self._entries)
        if host != LOCALHOST and not listed:
            return []
        try:
            found = [_plain(ipaddress.ip_address(text.partition("%")[0])) for text in self._resolve(host, port)]
        except OSError as error:
            raise Refused(f"lookup {host}: {error.strerror or 'no such host'}") from error
        if listed:
            return [address for address in found if not _is_never_open(address)]
        return [address for address in found if address.is_loopback and self._is_listed(address, port)]

    def _is_listed(self, address: Address, port: int) -> bool:
        if _is_never_open(address):
            return False
        return any(
            not isinstance(entry.host, str)
            and entry.host.version == address.version
            and address in entry.host
            and entry.port in (None, port)
            for entry in self._entries
        )


def _split(url: str) -> SplitResult:
    if len(url) > MAX_URL or not url.isascii() or any(sign <= " " or sign in "\\\x7f" for sign in url):
        raise Refused("the address is too long or has characters that do not belong into one")
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise Refused(f"the address cannot be read: {error}") from None
    if parts.scheme not in ("http", "https"):
        raise Refused("the address must begin with http:// or https://")
    if parts.username is not None or parts.password is not None or "@" in parts.netloc:
        raise Refused("the address must not hold a user name")
    if parts.query or parts.fragment or not parts.hostname or "%" in parts.netloc:
        raise Refused("the address must be scheme, host, port and path alone")
    return parts


def _port(parts: SplitResult) -> int:
    port = parts.port
    if port is None:
        return 443 if parts.scheme == "https" else 80
    if port == 0:
        raise Refused("port 0 is nowhere")
    return port


def _plain(address: Address) -> Address:
    """An IPv4 address that is written as an IPv6 one, as what it is."""
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return address if mapped is None else mapped


def _is_never_open(address: Address) -> bool:
    return (
        address.is_unspecified
        or address.is_multicast
        or any(net.version == address.version and address in net for net in METADATA)
        or str(address) == "255.255.255.255"
    )


def _resolve(host: str, port: int) -> list[str]:
    return [str(found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
