"""Scenarios: an authored starting cluster with a task. What is written in one never changes; a new revision follows."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from simulator.enums import Level


class Scenario(models.Model):
    """A scenario by its name.

    current    the revision new labs start from, None while nothing is published
    owner      who published it; null for the catalogue's
    listed     whether it stands in everybody's list, or is found by its link alone
    based_on   what it was made from, for the credit: `{kind, name, number, title, author}`; null for an own idea
    """

    slug = models.SlugField(_("name"), max_length=63, unique=True)
    current = models.ForeignKey(
        "ScenarioRevision", verbose_name=_("revision"), null=True, on_delete=models.SET_NULL, related_name="+"
    )
    order = models.PositiveSmallIntegerField(_("place in the list"), default=100)
    from_catalogue = models.BooleanField(_("from the catalogue"), default=False)
    owner = models.ForeignKey(
        "accounts.Participant", verbose_name=_("owner"), null=True, on_delete=models.SET_NULL, related_name="scenarios"
    )
    listed = models.BooleanField(_("in everybody's list"), default=True)
    based_on = models.JSONField(null=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("scenario")
        verbose_name_plural = _("scenarios")
        ordering = ("order", "slug")

    def __str__(self) -> str:
        return self.slug


class ScenarioRevision(models.Model):
    """One immutable text of a scenario.

    content   the bundle as it was written; `digest` is its SHA-256
    spec      its front matter's spec (docs/bundle.md)
    objects   its manifests, in the order of the text
    """

    scenario = models.ForeignKey(Scenario, on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField(_("number"))
    digest = models.CharField(max_length=64)
    content = models.TextField()
    spec = models.JSONField()
    objects_json = models.JSONField(default=list)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("scenario revision")
        verbose_name_plural = _("scenario revisions")
        constraints = (models.UniqueConstraint(fields=["scenario", "number"], name="scenario_revision_number"),)

    def __str__(self) -> str:
        return f"{self.scenario} {self.number}"

    @property
    def title(self) -> str:
        return localized(self.spec.get("title"))

    @property
    def summary(self) -> str:
        return localized(self.spec.get("summary"))

    @property
    def text(self) -> str:
        return localized(self.spec.get("text"))

    @property
    def level(self) -> Level:
        return Level(self.spec.get("level", Level.BEGINNER))

    @property
    def topics(self) -> list[str]:
        return list(self.spec.get("topics") or ())


def localized(texts: Any) -> str:
    """The text in the page's language of a mapping by language; the other language where that is missing."""
    if not texts:
        return ""
    found = texts.get("zh-hans" if (get_language() or "").startswith("zh") else "en")
    return str(found or next(filter(None, texts.values()), ""))
