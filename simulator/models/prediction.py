"""Predictions: what somebody said would happen, before it was shown."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from simulator.enums import PredictionOutcome, PredictKind, PredictMode


class LabPredicting(models.Model):
    """How a lab deals with predictions; a lab without such a row has its scenario's way and has shown nothing.

    mode          what its owner chose, "" for the scenario's own mode
    seen_action   the furthest place its owner has been shown, while predictions were on; `seen_record` within it
    """

    lab = models.OneToOneField("simulator.Lab", primary_key=True, on_delete=models.CASCADE, related_name="predicting")
    mode = models.CharField(max_length=8, choices=PredictMode.choices, blank=True)
    seen_action = models.PositiveIntegerField(default=0)
    seen_record = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("predicting in a lab")
        verbose_name_plural = _("predicting in labs")

    def __str__(self) -> str:
        return f"{self.lab_id} {self.mode} {self.seen_action}.{self.seen_record}"


class Prediction(models.Model):
    """One answer to one question of a lab. Question: `kind`, `pod` and `attempt`.

    pod         the Pod it is about (namespace/name), "" for which Pod is next
    attempt     that Pod's attempt in the lab, from 1; for which Pod is next the scheduling cycle's number, from 1
    answer      names of nodes or keys of Pods, sorted; none where it says that there are none
    horizon     the furthest place that had been shown when it was made, as addresses write it
    key         what it was, filled in when that is shown; None until then
    taken_over  it came along into a branch: it counts where it was made
    """

    lab = models.ForeignKey("simulator.Lab", on_delete=models.CASCADE, related_name="predictions")
    kind = models.CharField(_("kind"), max_length=16, choices=PredictKind.choices)
    pod = models.CharField(max_length=512, blank=True)
    attempt = models.PositiveIntegerField()
    answer = models.JSONField()
    horizon = models.CharField(max_length=24)
    key = models.JSONField(null=True)
    outcome = models.CharField(max_length=12, choices=PredictionOutcome.choices, default=PredictionOutcome.WAITING)
    taken_over = models.BooleanField(default=False)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    revealed_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("prediction")
        verbose_name_plural = _("predictions")
        constraints = (
            models.UniqueConstraint(
                fields=["lab", "kind", "pod", "attempt"],
                condition=~models.Q(outcome=PredictionOutcome.WITHDRAWN),
                name="prediction_once",
            ),
        )

    def __str__(self) -> str:
        return f"{self.lab_id} {self.kind} {self.pod} {self.attempt}: {', '.join(self.answer)}"

    @property
    def question(self) -> tuple[str, str, int]:
        return self.kind, self.pod, self.attempt

    @property
    def is_waiting(self) -> bool:
        return self.outcome == PredictionOutcome.WAITING

    @property
    def is_right(self) -> bool:
        return self.outcome == PredictionOutcome.RIGHT
