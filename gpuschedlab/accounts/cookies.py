"""The participant's own signed cookie."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from django.conf import settings
from django.core import signing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpResponseBase

COOKIE = "participant"
COOKIE_AGE = 31_536_000  # seconds
_signer = signing.TimestampSigner(salt="gpuschedlab.accounts.participant")


def read_participant_cookie(cookies: Mapping[str, str]) -> UUID | None:
    """The participant id a browser carries, or None when it has none, an old one, or one that was tampered with."""
    try:
        return UUID(_signer.unsign(cookies.get(COOKIE, ""), max_age=COOKIE_AGE))
    except (signing.BadSignature, ValueError):
        return None


def write_participant_cookie(response: HttpResponseBase, participant_id: UUID) -> None:
    response.set_cookie(
        COOKIE,
        _signer.sign(str(participant_id)),
        max_age=COOKIE_AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
