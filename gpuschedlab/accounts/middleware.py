"""request.participant, lazily; one-time passwords; the time zone of the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject, empty

from gpuschedlab.accounts.cookies import read_participant_cookie, write_participant_cookie
from gpuschedlab.accounts.models import Participant, User, time_zone_named
from gpuschedlab.accounts.selectors import participant_find, participant_of_user

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    from django.http import HttpRequest

ALLOWED_MEANWHILE = frozenset(
    {"accounts:password_change", "accounts:log_out", "accounts:preferences", "js_catalogue", "health"}
)
TIME_ZONE_COOKIE = "time-zone"  # written by static/js/lib/page.js from the browser's own zone


def participant_for(user: User | AnonymousUser, cookie_id: UUID | None) -> Participant:
    """The participant behind a user and a cookie, not stored yet when there is none.

    A participant attached to a user answers only to that user: a cookie left behind by an ended session is worth
    nothing.
    """
    if isinstance(user, User):
        return participant_of_user(user)
    found = participant_find(cookie_id) if cookie_id else None
    if found is None:
        return Participant(id=cookie_id) if cookie_id else Participant()
    return found if found.user_id is None else Participant()


def switch_participant(request: HttpRequest, participant: Participant) -> None:
    """Make the browser somebody else from this request on (log-in, log-out, merge)."""
    request.participant = participant  # type: ignore[attr-defined]


class ParticipantMiddleware:
    """Give every request its participant; nothing is read before something asks, nothing is written at all."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        cookie_id = read_participant_cookie(request.COOKIES)
        lazy = SimpleLazyObject(lambda: participant_for(request.user, cookie_id))
        request.participant = lazy  # type: ignore[attr-defined]
        response = self.get_response(request)
        current = request.participant  # type: ignore[attr-defined]
        untouched = current is lazy and lazy._wrapped is empty  # noqa: SLF001 (asking must not be a use)
        if not untouched and current.pk != cookie_id:
            write_participant_cookie(response, current.pk)
        return response


class OneTimePasswordMiddleware:
    """Whoever logged in with a one-time password chooses one of their own before anything else."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.SESSION_COOKIE_NAME in request.COOKIES and self._has_to_choose(request):
            address = reverse("accounts:password_change")
            if "HX-Request" in request.headers:
                return HttpResponse(status=204, headers={"HX-Redirect": address})
            return redirect(address)
        return self.get_response(request)

    @staticmethod
    def _has_to_choose(request: HttpRequest) -> bool:
        user = request.user
        if not isinstance(user, User) or not user.must_change_password:
            return False
        return _name_of(request.path_info) not in ALLOWED_MEANWHILE


def _name_of(path: str) -> str:
    """The name of the address, "" where there is none."""
    try:
        return resolve(path).view_name
    except Resolver404:
        return ""


class TimeZoneMiddleware:
    """Times on pages are in the browser's zone (a cookie), else UTC."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        zone = time_zone_named(request.COOKIES.get(TIME_ZONE_COOKIE, ""))
        with timezone.override(zone):
            return self.get_response(request)
