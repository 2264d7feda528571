"""A new password: by e-mail with Django's own views (link, form, done), or instead of the one somebody has."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from django.contrib.auth import update_session_auth_hash
from django.contrib.auth import views as auth_views
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm
from django.shortcuts import redirect
from django.urls import reverse_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from gpuschedlab.accounts.models import User
from gpuschedlab.accounts.services import password_chosen
from gpuschedlab.web.htmx import render_page
from gpuschedlab.web.limits import Rate, limit_rate, take_for

if TYPE_CHECKING:
    from django.http import HttpResponse

    from gpuschedlab.web.http import LabRequest

RESETS = limit_rate("accounts.reset", participant=Rate(5), address=Rate(50))
OF_MAIL = Rate(5, seconds=3600)  # links to one address of mail, asked for from one network
RESETS_OWN = limit_rate("accounts.password", participant=Rate(20), address=Rate(200))

_ask = auth_views.PasswordResetView.as_view(
    template_name="accounts/password_reset.html",
    email_template_name="accounts/password_reset_email.txt",
    subject_template_name="accounts/password_reset_subject.txt",
    success_url=reverse_lazy("accounts:password_reset_sent"),
)


@RESETS
def password_reset(request: LabRequest) -> HttpResponse:
    """The form that sends the link. Whether there is such an account makes no difference to the limit."""
    if request.method == "POST":
        take_for("accounts.mail", request, request.POST.get("email", ""), OF_MAIL)
    return cast("HttpResponse", _ask(request))


@sensitive_post_parameters("old_password", "new_password1", "new_password2")
@require_http_methods(["GET", "POST"])
@login_required
@RESETS_OWN
def password_change(request: LabRequest) -> HttpResponse:
    """Choose a password of one's own. Whoever has to is led here and asked for nothing else."""
    user = cast("User", request.user)
    form_class = SetPasswordForm if user.must_change_password else PasswordChangeForm
    form = form_class(user, request.POST or None)
    if not form.is_valid():
        return render_page(request, "accounts/password_change.html", {"form": form, "must": user.must_change_password})
    form.save()
    password_chosen(user=user)
    update_session_auth_hash(request, user)
    return redirect("home")


password_reset_sent = auth_views.PasswordResetDoneView.as_view(template_name="accounts/password_reset_sent.html")
password_reset_confirm = auth_views.PasswordResetConfirmView.as_view(
    template_name="accounts/password_reset_new.html", success_url=reverse_lazy("accounts:password_reset_done")
)
password_reset_done = auth_views.PasswordResetCompleteView.as_view(template_name="accounts/password_reset_done.html")
