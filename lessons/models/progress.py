"""How far somebody is: in a lesson, and with a question."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class LessonState(models.Model):
    """What somebody has seen of a lesson: section ids and scene ids, and the section to go on with."""

    participant = models.ForeignKey("accounts.Participant", on_delete=models.CASCADE, related_name="lesson_states")
    lesson = models.ForeignKey("lessons.Lesson", on_delete=models.CASCADE, related_name="states")
    sections = models.JSONField(default=list)
    scenes = models.JSONField(default=list)
    place = models.CharField(max_length=100, blank=True)
    visited_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("state of a lesson")
        verbose_name_plural = _("states of lessons")
        constraints = (models.UniqueConstraint(fields=["participant", "lesson"], name="lesson_state_once"),)

    def __str__(self) -> str:
        return f"{self.participant_id} {self.lesson_id}"


class QuestionState(models.Model):
    """Somebody's history with a question, and the card of spaced review (lessons.assessment.spacing).

    scores are shares, 0 … 1
    """

    participant = models.ForeignKey("accounts.Participant", on_delete=models.CASCADE, related_name="question_states")
    question = models.ForeignKey("lessons.Question", on_delete=models.CASCADE, related_name="states")
    card = models.JSONField()
    due_at = models.DateTimeField()
    answered = models.PositiveIntegerField(default=0)
    last_score = models.FloatField(default=0)
    best_score = models.FloatField(default=0)
    answered_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("state of a question")
        verbose_name_plural = _("states of questions")
        constraints = (models.UniqueConstraint(fields=["participant", "question"], name="question_state_once"),)
        indexes = (models.Index(fields=["participant", "due_at"], name="question_state_due"),)

    def __str__(self) -> str:
        return f"{self.participant_id} {self.question_id}"
