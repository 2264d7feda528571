"""The question bank and the quizzes made of it. What a revision says never changes; a new one follows."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from lessons.models.authored import Authored


class Question(Authored):
    """A question by its slug.

    source   what its author wrote; where the engine gives the key, without it
    current  the revision that is asked, None while the question waits for its scenario or is withdrawn
    open_of  the question of which this one is the open form
    """

    slug = models.SlugField(_("name"), max_length=100, unique=True)
    source = models.JSONField()
    current = models.ForeignKey(
        "QuestionRevision", verbose_name=_("revision"), null=True, on_delete=models.SET_NULL, related_name="+"
    )
    open_of = models.OneToOneField("self", null=True, on_delete=models.CASCADE, related_name="open_form")

    class Meta:
        verbose_name = _("question")
        verbose_name_plural = _("questions")
        ordering = ("slug",)

    def __str__(self) -> str:
        return self.slug


class QuestionRevision(models.Model):
    """One immutable text of a question, with its key.

    digest     the revision as lessons.assessment knows it
    situation  the cluster as it stands at the question's scene, for the page (lessons.situations); null without one
    content    the text its author published; empty for the catalogue's
    """

    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField(_("number"))
    digest = models.CharField(max_length=64)
    source = models.JSONField()
    situation = models.JSONField(null=True)
    content = models.TextField(default="", blank=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("question revision")
        verbose_name_plural = _("question revisions")
        constraints = (models.UniqueConstraint(fields=["question", "number"], name="question_revision_number"),)

    def __str__(self) -> str:
        return f"{self.question_id} {self.number}"


class Quiz(Authored):
    """A quiz by its slug; `current` is the revision that new attempts take, None while there is none."""

    slug = models.SlugField(_("name"), max_length=60, unique=True)
    order = models.PositiveSmallIntegerField(_("place in the list"), default=100)
    current = models.ForeignKey(
        "QuizRevision", verbose_name=_("revision"), null=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        verbose_name = _("quiz")
        verbose_name_plural = _("quizzes")
        ordering = ("order", "slug")

    def __str__(self) -> str:
        return self.slug


class QuizRevision(models.Model):
    """One immutable text of a quiz: its settings and sections (docs/assessment.md); questions go by their own.

    `content` is the text its author published; empty for the catalogue's.
    """

    quiz = models.ForeignKey(Quiz, on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField(_("number"))
    digest = models.CharField(max_length=64)
    source = models.JSONField()
    content = models.TextField(default="", blank=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("quiz revision")
        verbose_name_plural = _("quiz revisions")
        constraints = (models.UniqueConstraint(fields=["quiz", "number"], name="quiz_revision_number"),)

    def __str__(self) -> str:
        return f"{self.quiz_id} {self.number}"
