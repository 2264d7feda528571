"""For administrators: who teaches here, invitations, and the audit log. And the page an invitation leads to."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, TypeVar, cast

from django.contrib.auth import login
from django.core.paginator import Paginator
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from gpuschedlab.accounts.forms import AuditFilterForm, InviteForm, RoleForm, SignUpForm
from gpuschedlab.accounts.invitations import (
    USED_UP,
    invitation_accept,
    invitation_find,
    invitation_make,
    invitation_revoke,
    invitations_open,
    staff_list,
    user_set_role,
)
from gpuschedlab.accounts.middleware import switch_participant
from gpuschedlab.accounts.models import Role, User
from gpuschedlab.accounts.rules import is_administrator, is_instructor
from gpuschedlab.accounts.services import participant_ensure, user_sign_up
from gpuschedlab.web.audit import audit_action_labels, audit_sentence
from gpuschedlab.web.errors import BadInput
from gpuschedlab.web.htmx import render_page
from gpuschedlab.web.limits import Rate, limit_rate
from gpuschedlab.web.models import AuditEntry

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpResponse

    from gpuschedlab.web.http import LabRequest

View = TypeVar("View", bound="Callable[..., HttpResponse]")
INVITATIONS = limit_rate("accounts.invitation", participant=Rate(20), address=Rate(100))
ROWS = 50


def for_administrators(view: View) -> View:
    """A page that nobody else knows of."""

    @functools.wraps(view)
    def guarded(request: LabRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not is_administrator(request.participant):
            raise Http404
        return view(request, *args, **kwargs)

    return cast("View", guarded)


@require_safe
@for_administrators
def people(request: LabRequest) -> HttpResponse:
    return _people(request)


def _people(request: LabRequest, **more: Any) -> HttpResponse:
    context = {
        "staff": staff_list(),
        "invitations": invitations_open().select_related("invited_by"),
        "form": InviteForm(),
        "roles": Role.choices,
        **more,
    }
    return render_page(request, "accounts/people.html", context)


@require_POST
@for_administrators
def invite(request: LabRequest) -> HttpResponse:
    """Make a link; this page is the only one that ever shows it."""
    form = InviteForm(request.POST)
    if not form.is_valid():
        return _people(request, form=form)
    data = form.cleaned_data
    invitation, token = invitation_make(actor=request.participant, note=data["note"], days=data["days"])
    link = request.build_absolute_uri(reverse("accounts:invitation", args=[token]))
    return _people(request, link=link, made=invitation)


@require_POST
@for_administrators
def uninvite(request: LabRequest, invitation_id: int) -> HttpResponse:
    invitation_revoke(actor=request.participant, invitation_id=invitation_id)
    return redirect("accounts:people")


@require_POST
@for_administrators
def set_role(request: LabRequest, user_id: int) -> HttpResponse:
    form = RoleForm(request.POST).cleaned_or_raise()
    user = get_object_or_404(User, pk=user_id)
    user_set_role(actor=request.participant, user=user, role=Role(str(form["role"])))
    return redirect("accounts:people")


@sensitive_post_parameters("password1", "password2")
@require_http_methods(["GET", "POST"])
@INVITATIONS
def invitation(request: LabRequest, token: str) -> HttpResponse:
    """Follow an invitation: with the account one is logged in with, or with a new one."""
    if invitation_find(token) is None:
        return render_page(request, "accounts/invitation_over.html", {"why": USED_UP}, status=410)
    if request.user.is_authenticated:
        if request.method == "POST":
            participant = participant_ensure(request.participant)
            invitation_accept(actor=participant, token=token)
            return redirect("home")
        return render_page(request, "accounts/invitation.html", {})
    form = SignUpForm(request.POST or None)
    if not form.is_valid():
        return render_page(request, "accounts/invitation.html", {"form": form})
    participant = user_sign_up(actor=request.participant, user=form.save(commit=False))
    invitation_accept(actor=participant, token=token)
    login(request, participant.user)
    switch_participant(request, participant)
    return redirect("home")


@require_safe
def audit(request: LabRequest) -> HttpResponse:
    """What was done with what others see, newest first. Instructors see what they did, administrators everything."""
    viewer = request.participant
    if not is_instructor(viewer):
        raise Http404
    form = AuditFilterForm(request.GET)
    if not form.is_valid():
        raise BadInput(_("There is nothing of that kind in the log."))
    entries = AuditEntry.objects.all() if is_administrator(viewer) else AuditEntry.objects.filter(actor=viewer.pk)
    if form.cleaned_data["action"]:
        entries = entries.filter(action=form.cleaned_data["action"])
    if form.cleaned_data["who"]:
        entries = entries.filter(actor_name__icontains=form.cleaned_data["who"])
    page = Paginator(entries, ROWS).get_page(request.GET.get("page", ""))
    context = {
        "page": page,
        "lines": [(entry, audit_sentence(entry)) for entry in page.object_list],
        "actions": audit_action_labels(),
        "chosen": form.cleaned_data,
        "sees_all": is_administrator(viewer),
    }
    return render_page(request, "accounts/audit.html", context, partial="audit-lines")
