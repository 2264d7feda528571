"""What everything an instructor can publish has in common."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Authored(models.Model):
    """Something by an author.

    from_catalogue  whether fixtures/ holds it; everything else is an instructor's
    owner     who made it; null for the catalogue's, and for those whose account is gone
    listed    whether it stands in everybody's lists (a question: in everybody's bank), or is found by its link alone
    based_on  what it was made from: `{kind, name, number, title, author}`; null for an own idea
    """

    from_catalogue = models.BooleanField(_("from the catalogue"), default=False)
    owner = models.ForeignKey(
        "accounts.Participant",
        verbose_name=_("owner"),
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    listed = models.BooleanField(_("in everybody's lists"), default=True)
    based_on = models.JSONField(null=True)

    class Meta:
        abstract = True
