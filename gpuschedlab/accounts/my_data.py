"""One's own data: what there is, as a file to take along, and its end."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from django.contrib.auth import logout
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from gpuschedlab.accounts.forms import DeleteForm
from gpuschedlab.accounts.merging import belongings_count
from gpuschedlab.accounts.middleware import switch_participant
from gpuschedlab.accounts.models import Participant
from gpuschedlab.accounts.selectors import participant_export
from gpuschedlab.accounts.services import participant_delete
from gpuschedlab.web.errors import BadInput
from gpuschedlab.web.htmx import render_page
from gpuschedlab.web.limits import Rate, limit_rate

if TYPE_CHECKING:
    from gpuschedlab.web.http import LabRequest

EXPORTS = limit_rate("accounts.export", participant=Rate(10), address=Rate(100))


@require_safe
def my_data(request: LabRequest) -> HttpResponse:
    belongings = [] if request.participant.is_new else belongings_count(request.participant)
    return render_page(request, "accounts/my_data.html", {"belongings": belongings})


@require_safe
@EXPORTS
def my_data_export(request: LabRequest) -> HttpResponse:
    """Everything as one JSON file."""
    content = json.dumps(participant_export(request.participant), ensure_ascii=False, indent=1)
    response = HttpResponse(content, content_type="application/json; charset=utf-8")
    name = f"gpu-sched-lab-{timezone.localdate().isoformat()}.json"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-store"
    return response


@require_POST
def my_data_delete(request: LabRequest) -> HttpResponse:
    """Remove everything; the browser is somebody new afterwards."""
    if not DeleteForm(request.POST).is_valid():
        raise BadInput(_("Nothing was deleted. Tick the box first if you mean it."))
    participant = request.participant
    participant_delete(actor=participant)
    logout(request)
    switch_participant(request, Participant())
    return redirect("home")
