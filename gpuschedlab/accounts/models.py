"""Users and participants.

A participant is whoever uses the site from one browser; it owns labs, attempts and runs. A user is somebody who
signed up; signing up attaches the participant, so that work begun without an account is kept.
"""

from __future__ import annotations

import uuid
import zoneinfo

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Role(models.TextChoices):
    LEARNER = "learner", _("Learner")
    INSTRUCTOR = "instructor", _("Instructor")
    ADMINISTRATOR = "administrator", _("Administrator")


class User(AbstractUser):
    """Somebody with a password. The e-mail address is optional: nothing on the site needs one.

    must_change_password   the password was made for them and is good for one thing only: choosing their own
    """

    role = models.CharField(_("role"), max_length=16, choices=Role.choices, default=Role.LEARNER)
    must_change_password = models.BooleanField(_("has to choose a password"), default=False)

    class Meta:
        verbose_name = _("user")
        verbose_name_plural = _("users")


def time_zone_named(name: str) -> zoneinfo.ZoneInfo | None:
    """The IANA time zone of that name, or None when there is none (whatever the text is)."""
    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return None


def validate_time_zone(name: str) -> None:
    if time_zone_named(name) is None:
        raise ValidationError(_("“%(name)s” is not a time zone."), params={"name": name})


class Participant(models.Model):
    """One person at one browser; the row is born at the first write, its id lives in a signed cookie from the start."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.OneToOneField(
        User, verbose_name=_("user"), null=True, blank=True, on_delete=models.CASCADE, related_name="participant"
    )
    name = models.CharField(_("name shown to others"), max_length=60, blank=True)
    language = models.CharField(_("language"), max_length=16, blank=True)
    time_zone = models.CharField(_("time zone"), max_length=64, blank=True, validators=[validate_time_zone])
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    seen_at = models.DateTimeField(_("last seen"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("participant")
        verbose_name_plural = _("participants")

    def __str__(self) -> str:
        return self.name or (self.user.get_username() if self.user else str(self.id)[:8])

    @property
    def is_new(self) -> bool:
        """Whether nothing of this participant is stored yet."""
        return self._state.adding


class Invitation(models.Model):
    """A link that makes one person an instructor, once. Only the digest of its secret is stored.

    note   whom it is meant for, as the administrator wrote it
    """

    digest = models.CharField(max_length=64, unique=True)
    role = models.CharField(_("role"), max_length=16, choices=Role.choices, default=Role.INSTRUCTOR)
    note = models.CharField(_("for whom"), max_length=80, blank=True)
    invited_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    expires_at = models.DateTimeField(_("valid until"))
    used_at = models.DateTimeField(_("used"), null=True)
    used_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    revoked_at = models.DateTimeField(_("taken back"), null=True)

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        ordering = ("-pk",)

    def __str__(self) -> str:
        return self.note or f"{self.created_at:%Y-%m-%d %H:%M}"

    @property
    def is_open(self) -> bool:
        """Whether somebody can still follow it."""
        return self.used_at is None and self.revoked_at is None and timezone.now() < self.expires_at
