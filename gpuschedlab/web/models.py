"""What the web kit stores: runs of jobs, client tokens already used, what of the catalogue is loaded, the audit log."""

from __future__ import annotations

import uuid
from typing import Any, NoReturn

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class RunState(models.TextChoices):
    QUEUED = "queued", _("waiting to start")
    RUNNING = "running", _("running")
    SUCCEEDED = "succeeded", _("done")
    FAILED = "failed", _("failed")
    CANCELLED = "cancelled", _("cancelled")


ACTIVE = (RunState.QUEUED, RunState.RUNNING)


class Run(models.Model):
    """One run of a job. This row is the truth about it; queues and sockets only hurry things along."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=64)
    owner = models.ForeignKey("accounts.Participant", null=True, on_delete=models.CASCADE, related_name="runs")
    params = models.JSONField(default=dict)
    topic = models.CharField(max_length=80, blank=True, help_text="A further socket topic that is told of changes.")
    state = models.CharField(max_length=16, choices=RunState.choices, default=RunState.QUEUED)
    version = models.PositiveIntegerField(default=1, help_text="Grows by one with every change a page should show.")
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(null=True)
    message_code = models.CharField(max_length=64, blank=True)
    message_params = models.JSONField(default=dict)
    result = models.JSONField(null=True)
    error_code = models.CharField(max_length=64, blank=True)
    error_params = models.JSONField(default=dict)
    cancel_requested_at = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    worker = models.CharField(max_length=64, blank=True, help_text="Who holds the lease.")
    lease_until = models.DateTimeField(null=True, help_text="Kept ahead of now by the worker's heartbeat.")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    changed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("run")
        verbose_name_plural = _("runs")
        indexes = (
            models.Index(fields=["changed_at"], name="run_changed"),
            models.Index(fields=["state", "lease_until"], name="run_state_lease"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {str(self.id)[:8]} {self.state}"

    @property
    def is_active(self) -> bool:
        return self.state in ACTIVE


class ClientToken(models.Model):
    """A form's token that was used: the same token again gives the first answer again."""

    scope = models.CharField(max_length=64)
    participant_id = models.UUIDField()
    token = models.UUIDField()
    outcome = models.CharField(max_length=200, blank=True, help_text="What the first use made: an id or an address.")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("client token")
        verbose_name_plural = _("client tokens")
        constraints = (models.UniqueConstraint(fields=["scope", "participant_id", "token"], name="client_token_once"),)

    def __str__(self) -> str:
        return f"{self.scope} {self.token}"


class CatalogueLoad(models.Model):
    """What a catalogue loader has loaded: the digest of its files, so that unchanged files are not read again."""

    loader = models.CharField(max_length=64, primary_key=True)
    digest = models.CharField(max_length=64)
    loaded_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("catalogue load")
        verbose_name_plural = _("catalogue loads")

    def __str__(self) -> str:
        return self.loader


class _Appended(models.QuerySet["AuditEntry"]):
    """Rows that are only ever added."""

    def update(self, **_values: Any) -> NoReturn:
        raise TypeError("the audit log only grows")

    def delete(self) -> NoReturn:
        raise TypeError("the audit log only grows")

    def bulk_update(self, *_args: Any, **_values: Any) -> NoReturn:
        raise TypeError("the audit log only grows")


class AuditEntry(models.Model):
    """Who did what with what others see. Nothing in it points at rows that may go: it outlives them.

    actor, actor_name   the participant, and its name at that time
    action              a code with a sentence (gpuschedlab.web.audit), past tense: `scenario.published`
    subject             what it was done with: a name, a link's purpose, an account
    params              what the sentence needs besides
    """

    at = models.DateTimeField(_("time"), default=timezone.now, editable=False)
    actor = models.UUIDField(null=True)
    actor_name = models.CharField(_("who"), max_length=160, blank=True)
    action = models.CharField(_("what"), max_length=64)
    subject = models.CharField(_("with what"), max_length=200)
    params = models.JSONField(default=dict)

    objects = _Appended.as_manager()

    class Meta:
        verbose_name = _("entry of the audit log")
        verbose_name_plural = _("audit log")
        ordering = ("-pk",)
        indexes = (models.Index(fields=["action"], name="audit_action"),)

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.action} {self.subject}"

    def save(self, **options: Any) -> None:
        if not self._state.adding:
            raise TypeError("the audit log only grows")
        super().save(**{**options, "force_insert": True})

    def delete(self, *_args: Any, **_options: Any) -> NoReturn:
        raise TypeError("the audit log only grows")
