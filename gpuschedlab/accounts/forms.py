"""Signing up, logging in, preferences, and what administrators fill in."""

from __future__ import annotations

from django import forms
from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm, UserCreationForm, UsernameField
from django.utils.translation import gettext_lazy as _

from gpuschedlab.accounts.models import Role, User
from gpuschedlab.web.audit import audit_actions
from gpuschedlab.web.context import THEMES
from gpuschedlab.web.forms import CleanForm


class SignUpForm(UserCreationForm):
    class Meta(UserCreationForm.Meta):
        model = User
        fields = ("username", "email")

    email = forms.EmailField(
        label=_("E-mail address"),
        required=False,
        help_text=_("Not needed. Only for a new password, and for your instructor to reach you."),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    username = UsernameField(label=_("User name"), max_length=60)


class LogInForm(AuthenticationForm):
    """Django's own; here so that the site's pages name one module."""


class DeleteForm(forms.Form):
    """The box to tick before everything is deleted."""

    sure = forms.BooleanField()


class PreferencesForm(CleanForm):
    """One preference, or both, chosen in the header; `next` is the page to come back to."""

    language = forms.ChoiceField(choices=settings.LANGUAGES, required=False)
    theme = forms.ChoiceField(choices=[(theme, theme) for theme in THEMES], required=False)
    next = forms.CharField(max_length=2000, required=False)


class InviteForm(forms.Form):
    """A new invitation."""

    note = forms.CharField(
        label=_("For whom"),
        max_length=80,
        help_text=_("A name, so that you know the link again. Only administrators see it."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    days = forms.TypedChoiceField(
        label=_("Valid for"),
        coerce=int,
        initial=7,
        choices=[(1, _("1 day")), (7, _("7 days")), (30, _("30 days"))],
    )


class RoleForm(CleanForm):
    role = forms.ChoiceField(label=_("role"), choices=Role.choices)


class AuditFilterForm(forms.Form):
    """Which part of the audit log is shown."""

    action = forms.ChoiceField(required=False, choices=lambda: [(code, code) for code in audit_actions()])
    who = forms.CharField(required=False, max_length=60)
