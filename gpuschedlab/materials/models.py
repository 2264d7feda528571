"""Drafts: what an instructor writes, as one text with every earlier one of it."""

from __future__ import annotations

import uuid
import zlib
from typing import Any

from django.db import models
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _


class Draft(models.Model):
    """One thing somebody writes: a scenario, a question, a quiz, a lesson.

    kind       whose reader and form it has (gpuschedlab.materials.kinds)
    text       as it was written last, also where it cannot be read
    version    grows by one with every change; the edit of that number is where the text came from
    name       its identifier, and `titles` (language -> text), as they could be read last
    published  the name it was published under; "" while it was not
    based_on   what it was made from, for the credit: `{kind, name, number, title, author}`; null for an own idea
    checked    what was found out about which text: `{digest, …}` (a scenario's proof)
    listed     whether the published thing stands in everybody's lists, or is found by its link alone
    parent     the draft it was begun for (a quiz's question)
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey("accounts.Participant", on_delete=models.CASCADE, related_name="drafts")
    kind = models.CharField(_("kind"), max_length=16)
    text = models.TextField(_("text"))
    version = models.PositiveIntegerField(default=1)
    name = models.CharField(_("name"), max_length=100, blank=True)
    titles = models.JSONField(default=dict)
    published = models.CharField(_("published as"), max_length=100, blank=True)
    based_on = models.JSONField(null=True)
    checked = models.JSONField(null=True)
    listed = models.BooleanField(_("in everybody's lists"), default=True)
    parent = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="parts")
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    changed_at = models.DateTimeField(_("last changed"), default=timezone.now)

    class Meta:
        verbose_name = _("draft")
        verbose_name_plural = _("drafts")
        ordering = ("-changed_at",)
        indexes = (models.Index(fields=["owner", "-changed_at"], name="draft_owner_changed"),)
        constraints = (
            models.UniqueConstraint(
                fields=["kind", "published"], condition=~models.Q(published=""), name="draft_published_once"
            ),
        )

    def __str__(self) -> str:
        return self.title

    @property
    def title(self) -> str:
        """In the page's language, else in the other one, else the name."""
        language = "zh-hans" if (get_language() or "").startswith("zh") else "en"
        titles: dict[str, str] = self.titles
        return titles.get(language) or next(filter(None, titles.values()), "") or self.name or str(self.id)[:8]

    @property
    def topic(self) -> str:
        return f"draft:{self.id}"


class DraftEdit(models.Model):
    """A text a draft had.

    origin   which view it came from: `new`, `form`, `text`, `graph`, `import`, `solution`, `undo`, `redo`, `restore`
    what     the place that changed, as the view names it
    back, forth   the versions that undo and redo go to from here; null where there is nothing
    """

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="edits")
    version = models.PositiveIntegerField()
    packed = models.BinaryField()
    origin = models.CharField(max_length=16)
    what = models.CharField(max_length=200, blank=True)
    back = models.PositiveIntegerField(null=True)
    forth = models.PositiveIntegerField(null=True)
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("edit of a draft")
        verbose_name_plural = _("edits of drafts")
        ordering = ("draft", "-version")
        constraints = (models.UniqueConstraint(fields=["draft", "version"], name="draft_edit_version"),)

    def __str__(self) -> str:
        return f"{self.draft_id} {self.version} {self.origin}"

    @staticmethod
    def pack(text: str) -> bytes:
        return zlib.compress(text.encode(), 6)

    @property
    def text(self) -> str:
        packed: Any = self.packed
        return zlib.decompress(bytes(packed)).decode()
