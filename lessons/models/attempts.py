"""Attempts: which questions somebody was asked, what was answered, how it was judged.

Answers and gradings are only ever added. A regrade adds a grading to an answer; the newest one counts.
"""

from __future__ import annotations

import uuid

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from lessons.assessment.grades import State
from lessons.assessment.review_options import Mode
from lessons.models.fractions import FractionField

MODES = [(mode.value, mode.value) for mode in Mode]
STATES = [(state.value, state.value) for state in State]


class Attempt(models.Model):
    """One taking of a quiz, or one asking of a single question.

    context      where it belongs: `quiz`, `lesson:<slug>`, `question`, `review`, `made:<subject>`
    quiz         the revision taken; null for a single question
    question     of a single question from the bank; null for quizzes and for questions made by the engine
    due_at       when it has to be handed in; null without a limit
    late_factor  the share of the mark that lateness left
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    participant = models.ForeignKey("accounts.Participant", on_delete=models.CASCADE, related_name="attempts")
    context = models.CharField(max_length=80)
    quiz = models.ForeignKey("lessons.QuizRevision", null=True, on_delete=models.PROTECT, related_name="attempts")
    question = models.ForeignKey("lessons.Question", null=True, on_delete=models.PROTECT, related_name="attempts")
    mode = models.CharField(max_length=16, choices=MODES)
    started_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    late_factor = FractionField(default="1")

    class Meta:
        verbose_name = _("attempt")
        verbose_name_plural = _("attempts")
        indexes = (
            models.Index(fields=["participant", "context"], name="attempt_participant_context"),
            models.Index(fields=["finished_at", "due_at"], name="attempt_open_due"),
        )

    def __str__(self) -> str:
        return f"{self.context} {str(self.id)[:8]}"

    @property
    def is_new(self) -> bool:
        """Whether it is not stored yet: a single question that was asked and not answered."""
        return self._state.adding


class Slot(models.Model):
    """One question of an attempt.

    revision   what was asked; null where the engine made the question, which is then kept in `made`
    seed       of the variant
    hints      how many hints were asked for
    draft      the response saved so far while it is not final; `draft_seq` grows with each save
    """

    attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, related_name="slots")
    number = models.PositiveSmallIntegerField()
    section = models.CharField(max_length=100, blank=True)
    revision = models.ForeignKey("lessons.QuestionRevision", null=True, on_delete=models.PROTECT, related_name="slots")
    made = models.JSONField(null=True)
    seed = models.PositiveBigIntegerField()
    marks = models.PositiveSmallIntegerField(default=1)
    hints = models.PositiveSmallIntegerField(default=0)
    draft = models.JSONField(null=True)
    draft_certainty = models.PositiveSmallIntegerField(null=True)
    draft_seq = models.PositiveIntegerField(default=0)
    opened_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("question of an attempt")
        verbose_name_plural = _("questions of attempts")
        ordering = ("attempt", "number")
        constraints = (models.UniqueConstraint(fields=["attempt", "number"], name="slot_number"),)

    def __str__(self) -> str:
        return f"{self.attempt_id} {self.number}"


class Answer(models.Model):
    """A final response. An open answer has two steps: the text, then the points somebody gave it.

    response   in the question's own ids (lessons.assessment)
    evidence   verdicts from outside: goals met in a lab
    seconds    from the first look to the answer, where it is known
    """

    slot = models.ForeignKey(Slot, on_delete=models.CASCADE, related_name="answers")
    step = models.PositiveSmallIntegerField(default=1)
    response = models.JSONField()
    evidence = models.JSONField(default=dict)
    certainty = models.PositiveSmallIntegerField(null=True)
    seconds = models.FloatField(null=True)
    given_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("answer")
        verbose_name_plural = _("answers")
        ordering = ("slot", "step")
        constraints = (models.UniqueConstraint(fields=["slot", "step"], name="answer_step"),)

    def __str__(self) -> str:
        return f"{self.slot_id} {self.step}"


class Regrade(models.Model):
    """A decision to judge the answers to a question by another revision of it."""

    question = models.ForeignKey("lessons.Question", on_delete=models.PROTECT, related_name="regrades")
    revision = models.ForeignKey("lessons.QuestionRevision", on_delete=models.PROTECT, related_name="+")
    actor = models.ForeignKey("accounts.Participant", null=True, on_delete=models.SET_NULL, related_name="+")
    summary = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("regrade")
        verbose_name_plural = _("regrades")

    def __str__(self) -> str:
        return f"{self.question_id} {self.created_at:%Y-%m-%d}"


class Grading(models.Model):
    """A judgement of an answer: `score` 0 … 1, and the `mark` it earns (negative only with certainty)."""

    answer = models.ForeignKey(Answer, on_delete=models.CASCADE, related_name="gradings")
    regrade = models.ForeignKey(Regrade, null=True, on_delete=models.CASCADE, related_name="gradings")
    score = FractionField()
    mark = FractionField()
    state = models.CharField(max_length=16, choices=STATES)
    graded_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("grading")
        verbose_name_plural = _("gradings")
        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=["answer", "regrade"], name="grading_once"),)

    def __str__(self) -> str:
        return f"{self.answer_id} {self.score}"
