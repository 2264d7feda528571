"""Opaque option tokens: what a page may carry instead of an option's id.

A token says nothing about the option (ids may be telling: "right", "nvlink"), differs between attempts and between the
questions of one attempt, and cannot be made without the attempt's secret, which never leaves the server.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from typing import Final

MIN_SECRET: Final = 16
TOKEN_LENGTH: Final = 24


class Tokens:
    """The tokens of one question in one attempt.

    ``secret``: at least 16 random bytes, kept with the attempt. ``scope``: what tells the questions of the attempt
    apart, such as the slot's number.
    """

    def __init__(self, secret: bytes, scope: str) -> None:
        if len(secret) < MIN_SECRET:
            msg = f"the secret has {len(secret)} bytes, it needs at least {MIN_SECRET}"
            raise ValueError(msg)
        self._secret = secret
        self._scope = scope

    def of(self, kind: str, name: str) -> str:
        """The token of the thing called ``name`` among the things of this ``kind``: 24 hexadecimal digits (96 bits)."""
        message = "\x1f".join((self._scope, kind, name)).encode("utf-8", "surrogatepass")
        return hmac.new(self._secret, message, hashlib.sha256).hexdigest()[:TOKEN_LENGTH]

    def find(self, kind: str, names: Iterable[str], token: str) -> str | None:
        """The name among ``names`` whose token this is, or None."""
        given = token.encode("utf-8", "surrogatepass")
        return next((name for name in names if hmac.compare_digest(self.of(kind, name).encode(), given)), None)
