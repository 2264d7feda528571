"""Labs that came to what their scenario asks for."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class LabOutcome(models.Model):
    """The first time all goals of a lab's scenario were met at once; a lab without such a row was not there yet.

    commands   how many commands it took, `actions` how many steps of the run
    """

    lab = models.OneToOneField("simulator.Lab", primary_key=True, on_delete=models.CASCADE, related_name="outcome")
    commands = models.PositiveIntegerField()
    actions = models.PositiveIntegerField()
    reached_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("outcome of a lab")
        verbose_name_plural = _("outcomes of labs")

    def __str__(self) -> str:
        return f"{self.lab_id} {self.commands}"
