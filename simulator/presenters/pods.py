"""Pods as pages name and colour them."""

from __future__ import annotations

import re
import zlib

from simulator.engine.objects.pod import Pod

HUES = 8
_OUR_UID = re.compile(r"([0-9a-f]{8})-0000-4000-8000-")


def short_name(key: str) -> str:
    """A Pod's key without the namespace everybody is in."""
    return key.removeprefix("default/")


def owner_of(pod: Pod) -> tuple[str, str]:
    """(name, uid) of whom a Pod's GPUs belong to: its controller, else itself."""
    for reference in pod.rest.get("ownerReferences") or ():
        if reference.get("controller"):
            return str(reference.get("name", "")), str(reference.get("uid", ""))
    return pod.name, pod.uid


def hue_of(pod: Pod) -> int:
    """The owner's colour, 1 to 8. It stays the same however many others come and go."""
    name, uid = owner_of(pod)
    ours = _OUR_UID.match(uid)
    number = int(ours[1], 16) if ours else zlib.crc32(f"{pod.namespace}/{name}".encode())
    return number % HUES + 1
