"""Labs: one person's run of a scenario, as a log of commands that only grows."""

from __future__ import annotations

import uuid
from typing import Any

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


def shared_topic(token: str) -> str:
    """What who reads a lab behind a link listens to."""
    return f"shared-lab:{token}"


class Lab(models.Model):
    """One run. The row is born with its first command; until then a lab is only an address.

    revision      what it started from, pinned
    head_seq      number of the newest command; head_digest is the engine's fingerprint of everything up to it
    engine        the engine's version that computed all of it
    share_token   the secret of its read-only link, None while it is not shared
    positions     where things are drawn: name to [x, y]
    parent        the lab this one branched off, after `parent_actions` of its actions
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey("accounts.Participant", on_delete=models.CASCADE, related_name="labs")
    revision = models.ForeignKey("simulator.ScenarioRevision", on_delete=models.PROTECT, related_name="labs")
    name = models.CharField(_("name"), max_length=80, blank=True)
    head_seq = models.PositiveIntegerField(default=0)
    head_digest = models.CharField(max_length=64, blank=True)
    engine = models.CharField(max_length=32)
    share_token = models.CharField(max_length=43, null=True, unique=True)  # noqa: DJ001 (unique only where there is one)
    positions = models.JSONField(default=dict)
    parent = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="branches")
    parent_actions = models.PositiveIntegerField(null=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    changed_at = models.DateTimeField(_("changed"), default=timezone.now)

    class Meta:
        verbose_name = _("lab")
        verbose_name_plural = _("labs")
        indexes = (models.Index(fields=["owner", "-changed_at"], name="lab_owner_changed"),)

    def __str__(self) -> str:
        return self.name or str(self.id)[:8]

    @property
    def is_unborn(self) -> bool:
        """Whether no command was given yet, so that nothing is stored."""
        return self._state.adding

    @property
    def topic(self) -> str:
        return f"lab:{self.id}"


class LabCommand(models.Model):
    """One command of a lab's log; what is told of it never changes.

    replies   outside replies (extenders) that it brought in, as stored input of every replay
    first     number of the first action that came of it; `last` is the number after its last
    digest    the engine's fingerprint after it
    record    its actions as they were decided, for pages that cannot compute them (another engine version)
    undoes    seq of the command this one takes back; `redoes` seq of the one it brings again
    """

    lab = models.ForeignKey(Lab, on_delete=models.CASCADE, related_name="commands")
    seq = models.PositiveIntegerField()
    client_token = models.UUIDField()
    command = models.JSONField()
    replies = models.JSONField(default=list)
    first = models.PositiveIntegerField()
    last = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)
    record = models.JSONField(default=list)
    undoes = models.PositiveIntegerField(null=True)
    redoes = models.PositiveIntegerField(null=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("lab command")
        verbose_name_plural = _("lab commands")
        constraints = (
            models.UniqueConstraint(fields=["lab", "seq"], name="lab_command_seq"),
            models.UniqueConstraint(fields=["lab", "client_token"], name="lab_command_token"),
        )

    def __str__(self) -> str:
        return f"{self.lab_id} {self.seq} {self.type}"

    @property
    def type(self) -> str:
        command: dict[str, Any] = self.command
        return str(command.get("type", ""))


class LabSnapshot(models.Model):
    """The state after a command, in the engine's own format, so that a long log need not be replayed as a whole.

    data   zlib-compressed JSON
    """

    lab = models.ForeignKey(Lab, on_delete=models.CASCADE, related_name="snapshots")
    seq = models.PositiveIntegerField()
    engine = models.CharField(max_length=32)
    data = models.BinaryField()

    class Meta:
        verbose_name = _("lab snapshot")
        verbose_name_plural = _("lab snapshots")
        constraints = (models.UniqueConstraint(fields=["lab", "seq"], name="lab_snapshot_seq"),)

    def __str__(self) -> str:
        return f"{self.lab_id} {self.seq}"
