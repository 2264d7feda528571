"""The type of a request as the site's views get it, after the middleware."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpRequest

if TYPE_CHECKING:
    from django_htmx.middleware import HtmxDetails

    from gpuschedlab.accounts.models import Participant


class LabRequest(HttpRequest):
    """HttpRequest with whose it is (`participant`), what htmx says of itself (`htmx`) and the page's CSP nonce."""

    participant: Participant
    htmx: HtmxDetails
    csp_nonce: str


def client_address(request: HttpRequest) -> str:
    """The address a request came from, as the server (or a trusted proxy) tells it."""
    return str(request.META.get("REMOTE_ADDR") or "unknown")
