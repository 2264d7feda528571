"""Signing up, logging in and out, merging two participants, preferences."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from django.conf import settings
from django.contrib.auth import login, logout
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from gpuschedlab.accounts.forms import LogInForm, PreferencesForm, SignUpForm
from gpuschedlab.accounts.merging import belongings_count
from gpuschedlab.accounts.middleware import switch_participant
from gpuschedlab.accounts.models import Participant
from gpuschedlab.accounts.selectors import participant_find, participant_of_user
from gpuschedlab.accounts.services import participant_ensure, participant_merge, participant_prefer, user_sign_up
from gpuschedlab.web.context import THEME_COOKIE
from gpuschedlab.web.htmx import render_page
from gpuschedlab.web.limits import Rate, limit_rate, take_for

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from gpuschedlab.web.http import LabRequest

A_YEAR = 31_536_000  # seconds
MERGE_OFFER = "merge-offer"  # session key: the id of the participant the browser was before logging in
ATTEMPTS = limit_rate("accounts.attempt", participant=Rate(20), address=Rate(200))
OF_NAME = Rate(20, seconds=600)  # passwords tried for one account from one address


@sensitive_post_parameters("password1", "password2")
@require_http_methods(["GET", "POST"])
@ATTEMPTS
def sign_up(request: LabRequest) -> HttpResponse:
    form = SignUpForm(request.POST or None)
    if not form.is_valid():
        return render_page(request, "accounts/sign_up.html", {"form": form, "next": request.GET.get("next", "")})
    participant = user_sign_up(actor=request.participant, user=form.save(commit=False))
    login(request, participant.user)
    switch_participant(request, participant)
    return redirect(_next_address(request))


@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
@ATTEMPTS
def log_in(request: LabRequest) -> HttpResponse:
    form = LogInForm(request, request.POST or None)
    if request.method == "POST":
        take_for("accounts.name", request, request.POST.get("username", ""), OF_NAME)
    if not form.is_valid():
        return render_page(request, "accounts/log_in.html", {"form": form, "next": request.GET.get("next", "")})
    before = request.participant
    login(request, form.get_user())
    participant = participant_ensure(participant_of_user(form.get_user()))
    switch_participant(request, participant)
    response = redirect(_next_address(request))
    if not before.is_new and before.user_id is None and belongings_count(before):
        request.session[MERGE_OFFER] = str(before.pk)
        response = redirect("accounts:merge")
    if participant.language:
        _keep(response, settings.LANGUAGE_COOKIE_NAME, participant.language)
    return response


@require_POST
def log_out(request: LabRequest) -> HttpResponse:
    logout(request)
    switch_participant(request, Participant())
    return redirect(settings.LOGOUT_REDIRECT_URL)


@require_http_methods(["GET", "POST"])
def merge(request: LabRequest) -> HttpResponse:
    """Offer what the browser's participant owned before logging in; the person decides."""
    offered = request.session.get(MERGE_OFFER)
    source = participant_find(UUID(offered)) if offered else None
    if source is None or source.user_id is not None or not request.user.is_authenticated:
        return redirect(settings.LOGIN_REDIRECT_URL)
    if request.method == "GET":
        return render_page(request, "accounts/merge.html", {"belongings": belongings_count(source)})
    del request.session[MERGE_OFFER]
    if request.POST.get("decision") == "bring":
        participant_merge(source=source, target=request.participant)
    return redirect(settings.LOGIN_REDIRECT_URL)


@require_POST
def preferences(request: LabRequest) -> HttpResponse:
    """Language and theme, kept in cookies and, for a stored participant, in its row."""
    chosen = PreferencesForm(request.POST).cleaned_or_raise()
    response = redirect(_next_address(request))
    if chosen["language"]:
        language = str(chosen["language"])
        participant_prefer(actor=request.participant, language=language)
        _keep(response, settings.LANGUAGE_COOKIE_NAME, language)
    if chosen["theme"]:
        _keep(response, THEME_COOKIE, str(chosen["theme"]))
    return response


def _keep(response: HttpResponse, name: str, value: str) -> None:
    response.set_cookie(name, value, max_age=A_YEAR, secure=settings.SESSION_COOKIE_SECURE, samesite="Lax")


def _next_address(request: HttpRequest) -> str:
    """Where to go on: the form's `next` when it is an address of this site, else home."""
    wanted = request.POST.get("next", "")
    allowed = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return wanted if allowed else settings.LOGIN_REDIRECT_URL
