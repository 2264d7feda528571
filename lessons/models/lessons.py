"""Lessons with their revisions, and the glossary. What a revision says never changes; a new one follows."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from lessons.models.authored import Authored


class Lesson(Authored):
    """A lesson by its slug; `current` is the revision that is read, None while there is none."""

    slug = models.SlugField(_("name"), max_length=60, unique=True)
    order = models.PositiveSmallIntegerField(_("place in the course"), default=100)
    current = models.ForeignKey(
        "LessonRevision", verbose_name=_("revision"), null=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        verbose_name = _("lesson")
        verbose_name_plural = _("lessons")
        ordering = ("order", "slug")

    def __str__(self) -> str:
        return self.slug


class LessonRevision(models.Model):
    """One immutable text of a lesson.

    texts    language -> the Markdown below the front matter
    front    language -> the front matter (docs/lessons.md)
    digest   SHA-256 of both
    outline  what progress counts, the same in every language: `{sections: [ids], scenes: [ids], checks: [questions]}`
    content  the text its author published; empty for the catalogue's
    """

    lesson = models.ForeignKey(Lesson, on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField(_("number"))
    digest = models.CharField(max_length=64)
    texts = models.JSONField()
    front = models.JSONField()
    outline = models.JSONField()
    content = models.TextField(default="", blank=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("lesson revision")
        verbose_name_plural = _("lesson revisions")
        constraints = (models.UniqueConstraint(fields=["lesson", "number"], name="lesson_revision_number"),)

    def __str__(self) -> str:
        return f"{self.lesson_id} {self.number}"


class Term(models.Model):
    """A term of the glossary.

    text   language -> two sentences of limited Markdown
    links  `lesson:…`, `term:…`, `lab:…`, `quiz:…`
    """

    slug = models.SlugField(_("name"), max_length=60, unique=True)
    zh = models.CharField(_("Chinese"), max_length=80)
    en = models.CharField(_("English"), max_length=80)
    aliases = models.JSONField(default=list)
    text = models.JSONField()
    links = models.JSONField(default=list)

    class Meta:
        verbose_name = _("term")
        verbose_name_plural = _("terms")
        ordering = ("slug",)

    def __str__(self) -> str:
        return self.slug
