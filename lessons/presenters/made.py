"""The engine-made questions by subject, as the practice page lists them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

from lessons.assessment.generators import Subject

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

SUBJECTS: Final[Mapping[str, tuple[StrOrPromise, StrOrPromise]]] = {
    Subject.FILTER_SET: (_("Who passes Filter?"), _("Free GPUs, models, taints, cordons: which nodes are left?")),
    Subject.WINNER: (_("Who wins?"), _("Nodes with different load, default scoring: where does the Pod go?")),
    Subject.SCORE: (_("Fill in the scores"), _("Work out LeastAllocated by hand and add up the totals.")),
    Subject.VICTIMS: (_("Who is evicted?"), _("Full nodes and a Pod that matters more: whom does preemption take?")),
    Subject.QUEUE_ORDER: (_("Who comes first?"), _("Waiting Pods with priorities: in which order are they tried?")),
    Subject.GANG_OUTCOME: (_("Which job can start?"), _("Two jobs that need all their Pods, with and without gangs.")),
    Subject.MATRIX_READING: (_("Read the matrix"), _("nvidia-smi topo -m: which pair, which network card?")),
}
"""Subject -> title and one sentence."""


def subject_title(subject: str) -> StrOrPromise:
    return SUBJECTS[subject][0]
