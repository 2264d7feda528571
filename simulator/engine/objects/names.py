"""Names, labels, ports, percentages, addresses: kube's checks. Each returns the reasons why a text is none.

Source: apimachinery `pkg/util/validation`, `pkg/api/validation` as of Kubernetes 1.36.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from simulator.engine.objects.texts import Message

Messages = tuple[Message, ...]
NameCheck = Callable[[str], Messages]

_LABEL: Final = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")
_SUBDOMAIN: Final = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_SUBDOMAIN_UNDERSCORE: Final = re.compile(r"[a-z0-9_]([-a-z0-9_]*[a-z0-9_])?(\.[a-z0-9_]([-a-z0-9_]*[a-z0-9_])?)*")
_QUALIFIED: Final = re.compile(r"([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]")
_PORT_LETTERS: Final = re.compile(r"[-a-z0-9]+")
_PERCENT: Final = re.compile(r"[0-9]+%")
_CONFIG_KEY: Final = re.compile(r"[-._a-zA-Z0-9]+")
_ENV: Final = re.compile(r"[ -<>-~]+")
_HEADER: Final = re.compile(r"[-A-Za-z0-9]+")
_LEADING_ZERO: Final = re.compile(r"(^|[.:])0[0-9]+")

_LABEL_MAX: Final = 63
_SUBDOMAIN_MAX: Final = 253
_PORT_NAME_MAX: Final = 15
_ID_MAX: Final = 2**31 - 1

# What the name generator of the API server uses: no vowels, no letters that look alike.
_SUFFIX_LETTERS: Final = "bcdfghjklmnpqrstvwxz2456789"
_SUFFIX_LENGTH: Final = 5
_BASE_MAX: Final = _LABEL_MAX - _SUFFIX_LENGTH


_REMEMBERED: Final = 320
"""Longer texts are checked anew each time: a cache must not keep megabytes."""


def _remember(check: NameCheck) -> NameCheck:
    cached = lru_cache(maxsize=16384)(check)
    return lambda text: cached(text) if len(text) <= _REMEMBERED else check(text)


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


@_remember
def dns_label_problems(text: str) -> Messages:
    """RFC 1123 label: namespaces, containers, volumes, Services."""
    return _lowercase(text, _LABEL, _LABEL_MAX, "name.label")


@_remember
def dns_subdomain_problems(text: str) -> Messages:
    """RFC 1123 subdomain: the names of most kinds."""
    return _lowercase(text, _SUBDOMAIN, _SUBDOMAIN_MAX, "name.subdomain")


def dns_search_problems(text: str) -> Messages:
    """Subdomain with underscores: DNS search paths."""
    return _lowercase(text, _SUBDOMAIN_UNDERSCORE, _SUBDOMAIN_MAX, "name.subdomain_underscore")


def _lowercase(text: str, pattern: re.Pattern[str], maximum: int, code: str) -> Messages:
    found = []
    if _size(text) > maximum:
        found.append(Message("name.chars", {"max": maximum}))
    if not pattern.fullmatch(text):
        found.append(Message(code))
    return tuple(found)


def with_suffix(check: NameCheck, text: str) -> Messages:
    """Check a generateName: it may end in a hyphen, because more letters follow."""
    return check(text[:-2] + "a" if len(text) > 1 and text.endswith("-") else text)


@_remember
def label_key_problems(text: str) -> Messages:
    """Label keys, annotation keys, resource names, finalizers, gates: `[prefix/]name`."""
    parts = text.split("/")
    if len(parts) > 2:
        return (Message("name.label_key"),)
    found = list(_prefix(parts[0])) if len(parts) == 2 else []
    name = parts[-1]
    if not name:
        found.append(Message("name.part_empty"))
    elif _size(name) > _LABEL_MAX:
        found.append(Message("name.part_bytes", {"max": _LABEL_MAX}))
    if not _QUALIFIED.fullmatch(name):
        found.append(Message("name.part"))
    return tuple(found)


def _prefix(prefix: str) -> Messages:
    if not prefix:
        return (Message("name.prefix_empty"),)
    found = []
    if _size(prefix) > _SUBDOMAIN_MAX:
        found.append(Message("name.prefix_chars", {"max": _SUBDOMAIN_MAX}))
    if not _SUBDOMAIN.fullmatch(prefix):
        found.append(Message("name.prefix"))
    return tuple(found)


@_remember
def label_value_problems(text: str) -> Messages:
    found = []
    if _size(text) > _LABEL_MAX:
        found.append(Message("name.bytes", {"max": _LABEL_MAX}))
    if text and not _QUALIFIED.fullmatch(text):
        found.append(Message("name.label_value"))
    return tuple(found)


def joined(messages: Messages) -> Messages:
    """Make one message of several, as kube does for taint and toleration values."""
    if len(messages) < 2:
        return messages
    codes = ";".join(message.code for message in messages)
    return (Message("api.several", {"text": ";".join(message.text for message in messages), "codes": codes}),)


def port_name_problems(text: str) -> Messages:
    found = []
    if _size(text) > _PORT_NAME_MAX:
        found.append(Message("name.chars", {"max": _PORT_NAME_MAX}))
    if not _PORT_LETTERS.fullmatch(text):
        found.append(Message("name.port_chars"))
    if not any("a" <= letter <= "z" for letter in text):
        found.append(Message("name.port_letter"))
    if "--" in text:
        found.append(Message("name.port_hyphens"))
    if text.startswith("-") or text.endswith("-"):
        found.append(Message("name.port_ends"))
    return tuple(found)


def port_number_problems(number: int) -> Messages:
    return range_problems(number, 1, 65535)


def user_id_problems(number: int) -> Messages:
    """User and group ids."""
    return range_problems(number, 0, _ID_MAX)


def range_problems(number: int, minimum: int, maximum: int) -> Messages:
    if minimum <= number <= maximum:
        return ()
    return (Message("api.range", {"min": minimum, "max": maximum}),)


def percent_problems(text: str) -> Messages:
    return () if _PERCENT.fullmatch(text) else (Message("name.percent"),)


def config_key_problems(text: str) -> Messages:
    """Keys of ConfigMaps and Secrets."""
    found = []
    if _size(text) > _SUBDOMAIN_MAX:
        found.append(Message("name.chars", {"max": _SUBDOMAIN_MAX}))
    if not _CONFIG_KEY.fullmatch(text):
        found.append(Message("name.config_key"))
    if text in (".", ".."):
        found.append(Message("name.dot", {"value": text}))
    elif text.startswith(".."):
        found.append(Message("name.dots"))
    return tuple(found)


def env_name_problems(text: str) -> Messages:
    """Name of an environment variable, by the relaxed rule of today."""
    return () if _ENV.fullmatch(text) else (Message("name.env"),)


def header_name_problems(text: str) -> Messages:
    return () if _HEADER.fullmatch(text) else (Message("name.header"),)


def ip_problems(text: str) -> Messages:
    return _address(text, "name.ip")


def cidr_problems(text: str) -> Messages:
    address, slash, length = text.partition("/")
    found = _address(address, "name.cidr")
    if found:
        return found
    bits = 128 if ":" in address else 32
    if not slash or not (length.isascii() and length.isdigit() and len(length) <= 3 and int(length) <= bits):
        return (Message("name.cidr"),)
    return ()


def _address(text: str, code: str) -> Messages:
    dotted = text.rpartition(":")[2]
    if "." in dotted and _LEADING_ZERO.search(dotted) and _parses(_without_zeros(text)):
        return (Message("name.ip_zeros"),)
    if not _parses(text):
        return (Message(code),)
    if ":" in text and ipaddress.IPv6Address(text).ipv4_mapped is not None:
        return (Message("name.ip_mapped"),)
    return ()


def _parses(text: str) -> bool:
    if len(text) > 64 or "%" in text:
        return False
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def _without_zeros(text: str) -> str:
    return re.sub(r"(?<![0-9a-fA-F])0+([0-9]+)", r"\1", text)


def generated_name(base: str, number: int) -> str:
    """Return `base` with five letters as the API server's name generator adds them.

    The same number gives the same letters; consecutive numbers look unrelated; they repeat after 27^5 numbers.
    """
    letters = len(_SUFFIX_LETTERS)
    space = letters**_SUFFIX_LENGTH
    scrambled = (number * 8_893_657 + 4_142_135) % space
    suffix = ""
    for _ in range(_SUFFIX_LENGTH):
        scrambled, digit = divmod(scrambled, letters)
        suffix += _SUFFIX_LETTERS[digit]
    return base[:_BASE_MAX] + suffix
