"""A new password by e-mail, with Django's own views: link, form, done."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from django.contrib.auth import views as auth_views
from django.urls import reverse_lazy

from gpuschedlab.web.limits import Rate, limit_rate

if TYPE_CHECKING:
    from django.http import HttpResponse

    from gpuschedlab.web.http import LabRequest

RESETS = limit_rate("accounts.reset", participant=Rate(5), address=Rate(50))

_ask = auth_views.PasswordResetView.as_view(
    template_name="accounts/password_reset.html",
    email_template_name="accounts/password_reset_email.txt",
    subject_template_name="accounts/password_reset_subject.txt",
    success_url=reverse_lazy("accounts:password_reset_sent"),
)


@RESETS
def password_reset(request: LabRequest) -> HttpResponse:
    """The form that sends the link."""
    return cast("HttpResponse", _ask(request))


password_reset_sent = auth_views.PasswordResetDoneView.as_view(template_name="accounts/password_reset_sent.html")
password_reset_confirm = auth_views.PasswordResetConfirmView.as_view(
    template_name="accounts/password_reset_new.html", success_url=reverse_lazy("accounts:password_reset_done")
)
password_reset_done = auth_views.PasswordResetCompleteView.as_view(template_name="accounts/password_reset_done.html")
