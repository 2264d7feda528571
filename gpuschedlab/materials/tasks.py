"""Publishing what takes longer to prove than a request may."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from gpuschedlab.materials.kinds import kind_of
from gpuschedlab.materials.models import Draft
from gpuschedlab.materials.publishing import draft_publish
from gpuschedlab.web.errors import BadInput, Conflict
from gpuschedlab.web.jobs.context import JobContext, JobFailed
from gpuschedlab.web.jobs.registry import job

if TYPE_CHECKING:
    from gpuschedlab.web.models import Run


def _publish_page(run: Run) -> str:
    return reverse("materials:publish", args=[run.params["draft_id"]])


@job(
    "materials.publish",
    title=_("Publishing"),
    messages={
        "turn": _("Trying the solution: %(turns)s turns"),
        "gone": _("The draft is gone."),
        "changed": _("The draft was changed meanwhile, so it was not published. Publish it again."),
        "not_ready": _("It was not published. What stands in the way is listed below."),
    },
    result_url=_publish_page,
)
def publish(context: JobContext, *, draft_id: str, version: int) -> dict[str, Any]:
    """Prove a draft, however long it takes, and publish it."""
    draft = Draft.objects.select_related("owner__user").filter(pk=draft_id).first()
    if draft is None:
        raise JobFailed("gone")
    turns = 0

    def keep_on() -> bool:
        nonlocal turns
        turns += 1
        context.progress(turns, None, "turn", turns=turns)
        return True

    try:
        made = draft_publish(actor=draft.owner, draft=draft, expected=version, keep_on=keep_on)
    except Conflict as error:
        raise JobFailed("changed") from error
    except BadInput as error:
        raise JobFailed("not_ready") from error
    assert made is not None
    return {"name": made.name, "number": made.number, "kind": kind_of(draft).name}
