"""What only scenarios' drafts have: a solution recorded in the preview, the schema that the text editor completes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe

from gpuschedlab.materials.filling import draft_set, readable
from gpuschedlab.materials.preview import preview_find
from gpuschedlab.materials.rules import can_write
from gpuschedlab.materials.selectors import draft_get
from gpuschedlab.web.errors import BadInput
from gpuschedlab.web.limits import Rate, limit_rate
from simulator.manifests.bundle_schema import SCENARIO, front_matter_schema
from simulator.presenters.authoring.takeovers import lab_in_rows
from simulator.selectors.solutions import solution_of
from simulator.services.oversight import MAX_WORK, tired

if TYPE_CHECKING:
    from uuid import UUID

    from gpuschedlab.web.http import LabRequest

SOLUTIONS = limit_rate("simulator.solution", participant=Rate(30), address=Rate(300))
LONGEST = 200  # commands, as the text's schema says


@require_POST
@SOLUTIONS
def solution(request: LabRequest, draft_id: UUID) -> HttpResponse:
    """Make what was done in a lab of the preview the draft's solution."""
    draft = draft_get(viewer=request.participant, draft_id=draft_id)
    if draft.kind != "scenario":
        raise Http404
    preview = preview_find(viewer=request.participant, draft=draft, mode="preview")
    wanted = request.POST.get("lab", "")
    rows = [row for row in preview.of("simulator.labcommand") if row["fields"]["lab"] == wanted] if preview else []
    log = lab_in_rows(rows)
    if not log:
        raise BadInput(_("Nothing was done in this lab yet. Play it until the goals are met, then press the button."))
    document = readable(draft).value
    is_tired = tired(MAX_WORK)
    steps = solution_of(document["spec"], document["objects"], log, lambda: not is_tired())
    if len(steps) > LONGEST:
        raise BadInput(_("A solution has at most %(most)s commands. Play it with fewer.") % {"most": LONGEST})
    document = {**document, "spec": {**document["spec"], "solution": steps}}
    draft_set(draft=draft, document=document, origin="solution", what="solution")
    return redirect("materials:publish", draft_id=draft.pk)


@require_safe
@cache_control(private=True, max_age=3600)
def schema(request: LabRequest) -> HttpResponse:
    """The JSON Schema of a scenario's front matter, for the text editor."""
    if not can_write(request.participant):
        raise Http404
    return JsonResponse(front_matter_schema(SCENARIO))
