"""Choices and names that models, services and pages share."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Level(models.TextChoices):
    BEGINNER = "beginner", _("Beginner")
    INTERMEDIATE = "intermediate", _("Intermediate")
    ADVANCED = "advanced", _("Advanced")


class StepUnit(models.TextChoices):
    """By how much a step goes on or back. A step by anything but a record ends where its unit ends."""

    RECORD = "record", _("record")
    PLUGIN = "plugin", _("plugin")
    POINT = "point", _("extension point")
    CYCLE = "cycle", _("cycle")
    EVENT = "event", _("event")


class Direction(models.TextChoices):
    FORWARD = "forward", _("forward")
    BACK = "back", _("back")
    START = "start", _("start")
    HEAD = "head", _("end")
    EVENT = "event", _("next event")
