"""How often one participant, and one address, may do a thing: fixed windows counted in Django's cache."""

from __future__ import annotations

import functools
import hashlib
import ipaddress
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, cast

from django.core.cache import cache

from gpuschedlab.web.errors import TooManyRequests
from gpuschedlab.web.http import LabRequest, client_address

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

SHARE = 0.5
"""Of a processor: who asks for what takes long may ask less often, so that no participant has more than this of it."""

View = TypeVar("View", bound="Callable[..., HttpResponse]")


@dataclass(frozen=True, slots=True)
class Rate:
    """At most `count` times in each window of `seconds`."""

    count: int
    seconds: int = 60


def take(scope: str, key: str, rate: Rate) -> None:
    """Count one use of `scope` by `key`; TooManyRequests when the window's uses are up."""
    now = time.time()
    if _count(scope, key, rate, 1, now) > rate.count:
        raise TooManyRequests(retry_after=max(1, int(rate.seconds - now % rate.seconds)))


def take_work(scope: str, key: str, rate: Rate, seconds: float) -> None:
    """Count what a use took beyond its share as further uses."""
    uses = int(seconds * rate.count / (rate.seconds * SHARE))
    if uses:
        _count(scope, key, rate, uses, time.time())


def _count(scope: str, key: str, rate: Rate, uses: int, now: float) -> int:
    """Add to the uses in the window; how many they are now."""
    entry = f"rate:{scope}:{key}:{int(now // rate.seconds)}"
    cache.add(entry, 0, timeout=rate.seconds * 2)
    try:
        return cache.incr(entry, uses)
    except ValueError:  # the entry was dropped between the two calls: the window begins anew
        return 0


def limit_rate(scope: str, *, participant: Rate, address: Rate) -> Callable[[View], View]:
    """Decorate a view: each request is one use, by its participant and by its address; one that takes long is several
    of the participant's.

    The address's rate is the wider one: a class behind one router shares it.
    """

    def decorate(view: View) -> View:
        @functools.wraps(view)
        def limited(request: LabRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            take(f"{scope}:address", network_of(client_address(request)), address)
            whose = str(request.participant.pk)
            take(f"{scope}:participant", whose, participant)
            began = time.thread_time()
            try:
                return view(request, *args, **kwargs)
            finally:
                take_work(f"{scope}:participant", whose, participant, time.thread_time() - began)

        return cast("View", limited)

    return decorate


def take_for(scope: str, request: HttpRequest, what: str, rate: Rate) -> None:
    """Count one use of `scope` for one thing (an account's name, say) by an address: nobody shuts others out of it."""
    digest = hashlib.sha256(what.strip().casefold().encode("utf-8", "replace")).hexdigest()
    take(scope, f"{network_of(client_address(request))}:{digest}", rate)


def network_of(address: str) -> str:
    """What one connection owns: an IPv4 address, or an IPv6 /64."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if parsed.version == 6:
        return str(ipaddress.ip_network((parsed, 64), strict=False).network_address)
    return address
