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


class PredictMode(models.TextChoices):
    """Whether a lab asks for predictions, as a scenario writes it (docs/bundle.md)."""

    NONE = "none", _("off")
    OPTIONAL = "optional", _("offered")
    REQUIRED = "required", _("asked for")


class PredictKind(models.TextChoices):
    """What can be predicted."""

    FEASIBLE_NODES = "feasibleNodes", _("which nodes pass Filter")
    WINNER = "winner", _("which node wins")
    VICTIMS = "victims", _("who is evicted")
    NEXT_POD = "nextPod", _("which Pod is next")


class PredictionOutcome(models.TextChoices):
    """What became of a prediction. It waits until its answer has been shown; one about a cluster that was changed
    before anything came of it is withdrawn."""

    WAITING = "waiting", _("not told yet")
    RIGHT = "right", _("as predicted")
    WRONG = "wrong", _("otherwise")
    WITHDRAWN = "withdrawn", _("the cluster was changed first")
