"""The way of a Pod through kube-scheduler, as the home page tells it: one sentence for each extension point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True, slots=True)
class Stage:
    """An extension point: its name in Kubernetes and what is decided there."""

    name: str
    sentence: StrOrPromise


@dataclass(frozen=True, slots=True)
class Phase:
    """Extension points that answer one question together."""

    question: StrOrPromise
    stages: tuple[Stage, ...]


PHASES = (
    Phase(
        _("Whose turn is it?"),
        (
            Stage("PreEnqueue", _("May the Pod enter the queue at all?")),
            Stage("QueueSort", _("Which waiting Pod comes first?")),
        ),
    ),
    Phase(
        _("Which nodes could take it?"),
        (
            Stage("PreFilter", _("What can be worked out once for all nodes?")),
            Stage("Filter", _("Which nodes pass every plugin’s check?")),
            Stage("PostFilter", _("None passed: would evicting others help?")),
        ),
    ),
    Phase(
        _("Which of them is best?"),
        (
            Stage("PreScore", _("What do the scores need to know beforehand?")),
            Stage("Score", _("How many points does each plugin give each node?")),
            Stage("NormalizeScore", _("Each plugin’s points, brought to the range 0–100.")),
        ),
    ),
    Phase(
        _("Does it stay with that?"),
        (
            Stage("Reserve", _("The place is held for the Pod.")),
            Stage("Permit", _("Go, wait for others, or give up?")),
            Stage("PreBind", _("What has to be ready before it may start?")),
            Stage("Bind", _("The Pod gets its node’s name.")),
            Stage("PostBind", _("It is done; who wants to know?")),
        ),
    ),
)
