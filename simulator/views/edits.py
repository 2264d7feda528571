"""The editor of a lab's cluster: the selection, the palette, the dialogs of single edits, and the edits themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from gpuschedlab.web.errors import BadInput, Conflict
from gpuschedlab.web.htmx import render_partial, wants_partial
from simulator.engine.world.commands import CommandError
from simulator.forms.edits import EDIT_FORMS
from simulator.forms.refs import RefsField
from simulator.presenters.apply_result import problems_text
from simulator.presenters.editing.dialogs import DIALOGS, present_dialog
from simulator.presenters.editing.palette import present_palette
from simulator.presenters.editing.selection import present_selection
from simulator.presenters.lab_urls import LabUrls, own_urls, shared_urls
from simulator.selectors.labs import lab_shared
from simulator.selectors.moments import moment_get
from simulator.services.labs import lab_plan
from simulator.views.commands import COMMANDS
from simulator.views.common import LOOKS, conflict, lab_of, place_of
from simulator.views.places import go_on

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from gpuschedlab.web.http import LabRequest
    from simulator.models import Lab
    from simulator.selectors.refs import Ref

PARTS = "simulator/edit/{}.html"


@require_GET
@LOOKS
def selection(request: LabRequest, slug: str, lab_id: UUID) -> HttpResponse:
    """What is known of the selected objects, and what can be done to them."""
    found = lab_of(request, slug, lab_id)
    return _selection(request, found, own_urls(found))


@require_GET
@LOOKS
def shared_selection(request: LabRequest, token: str) -> HttpResponse:
    found = lab_shared(token)
    return _selection(request, found, shared_urls(found))


def _selection(request: LabRequest, found: Lab, urls: LabUrls) -> HttpResponse:
    moment = moment_get(found, place_of(request.GET))
    selected = present_selection(moment, urls, _refs(request.GET))
    return _part(request, urls, "selection", {"selection": selected})


@require_GET
@LOOKS
def palette(request: LabRequest, slug: str, lab_id: UUID) -> HttpResponse:
    """The machines that can be added."""
    found = lab_of(request, slug, lab_id)
    context = {"palette": present_palette(moment_get(found, place_of(request.GET)))}
    return _part(request, own_urls(found), "palette", context)


@require_GET
@LOOKS
def dialog(request: LabRequest, slug: str, lab_id: UUID, name: str) -> HttpResponse:
    """What an edit asks before it is carried out."""
    if name not in DIALOGS:
        raise Http404
    found = lab_of(request, slug, lab_id)
    moment = moment_get(found, place_of(request.GET))
    return _part(request, own_urls(found), name, {"dialog": present_dialog(moment, name, _refs(request.GET))})


@require_POST
@COMMANDS
def edit(request: LabRequest, slug: str, lab_id: UUID, name: str) -> HttpResponse:
    """Carry out an edit as one command of the lab."""
    form_class = EDIT_FORMS.get(name)
    if form_class is None:
        raise Http404
    lab = lab_of(request, slug, lab_id)
    form = form_class(request.POST)
    try:
        sent = form.sent()
        answer = lab_plan(
            actor=request.participant,
            lab=lab,
            plan=form.plan(),
            client_token=sent.client_token,
            expected_seq=sent.expected_seq(lab),
        )
    except Conflict as error:
        return conflict(request, lab, error)
    except CommandError as error:
        return _refused(request, problems_text(error.problems))
    except BadInput as error:
        return _refused(request, str(error.detail))
    return go_on(request, lab, answer)


def _refused(request: LabRequest, problem: str) -> HttpResponse:
    """Why nothing was done: in the dialog the edit came from, else as a notice."""
    if not wants_partial(request) or "dialog" not in request.POST:
        raise BadInput(problem)
    return render_partial(request, PARTS.format("problem"), "edit-problem", {"problem": problem}, status=422)


def _refs(values: Mapping[str, str]) -> tuple[Ref, ...]:
    try:
        return RefsField(required=False).clean(values.get("refs", ""))
    except ValidationError as error:
        raise BadInput(" ".join(error.messages)) from error


def _part(request: LabRequest, urls: LabUrls, name: str, context: Mapping[str, Any]) -> HttpResponse:
    """A part of the page; whoever comes without the page's scripts is led to the page."""
    if not wants_partial(request):
        return redirect(urls.page)
    return render_partial(request, PARTS.format(name), f"edit-{name}", {"urls": urls, **context})
