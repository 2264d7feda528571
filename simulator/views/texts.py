"""Texts of the editor: what a text would do, and pasting copies."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET, require_POST

from gpuschedlab.web.errors import BadInput, Conflict
from gpuschedlab.web.htmx import render_partial, wants_partial
from gpuschedlab.web.limits import Rate, limit_rate
from simulator.engine.framework.shape_check import ConfigError
from simulator.engine.world.commands import CommandError
from simulator.forms.commands import TextForm
from simulator.manifests.applying import Draft, draft
from simulator.presenters.apply_result import (
    ApplyResult,
    configuration_refused,
    notices_of,
    problems_text,
    refused,
    unreadable,
)
from simulator.presenters.editing.checked import (
    APPLY,
    CONFIGURE,
    NOTHING,
    OPEN,
    CheckView,
    is_bundle,
    only_problem,
    present_check,
)
from simulator.presenters.editing.schema import completion_json
from simulator.presenters.editing.workload import present_workload
from simulator.presenters.lab_urls import own_urls
from simulator.selectors.moments import moment_get
from simulator.selectors.trials import lab_try_out
from simulator.services.labs import check_allowed, lab_plan
from simulator.services.plans.copies import paste as paste_plan
from simulator.views.commands import COMMANDS, command_of
from simulator.views.common import LOOKS, conflict, lab_of, place_of
from simulator.views.places import go_on

if TYPE_CHECKING:
    from gpuschedlab.web.http import LabRequest
    from simulator.models import Lab

CHECKS = limit_rate("lab.check", participant=Rate(300), address=Rate(6000))


@require_POST
@CHECKS
def check(request: LabRequest, slug: str, lab_id: UUID) -> HttpResponse:
    """What applying a text would do; nothing is stored."""
    lab = lab_of(request, slug, lab_id)
    text = draft(str(request.POST.get("text", "")))
    try:
        view = _checked(lab, text)
    except Conflict as error:
        view = present_check(text, only_problem(str(error.detail)), NOTHING, None)
    if not wants_partial(request):
        return redirect(own_urls(lab).page)
    return render_partial(request, "simulator/edit/check.html", "edit-check", {"check": view, "result": view.result})


def _checked(lab: Lab, text: Draft) -> CheckView:
    wrong = unreadable(text)
    if wrong is not None:
        return present_check(text, wrong, NOTHING, None)
    notices = ApplyResult(notices=notices_of(text))
    if is_bundle(text):
        return present_check(text, notices, OPEN, None)
    command = command_of(text)
    does = CONFIGURE if command["type"] == "configure" else APPLY
    try:
        check_allowed(lab, command)
        return present_check(text, notices, does, lab_try_out(lab, command))
    except BadInput as error:
        return present_check(text, only_problem(str(error.detail)), does, None)
    except ConfigError as error:
        return present_check(text, configuration_refused(text, error), does, None)
    except CommandError as error:
        return present_check(text, refused(text, error), does, error)


@require_POST
@COMMANDS
def paste(request: LabRequest, slug: str, lab_id: UUID) -> HttpResponse:
    """Objects that were copied, again, under names that are free."""
    lab = lab_of(request, slug, lab_id)
    form = TextForm(request.POST)
    sent = form.sent()
    text = draft(str(form.cleaned_data["text"]))
    wrong = unreadable(text)
    if wrong is not None or is_bundle(text):
        raise BadInput(_("This cannot be pasted. Open it with “Import” to see why."))
    try:
        answer = lab_plan(
            actor=request.participant,
            lab=lab,
            plan=paste_plan([document.value for document in text.documents]),
            client_token=sent.client_token,
            expected_seq=sent.expected_seq(lab),
        )
    except CommandError as error:
        raise BadInput(problems_text(error.problems)) from error
    except Conflict as error:
        return conflict(request, lab, error)
    return go_on(request, lab, answer)


@require_GET
@LOOKS
def workload(request: LabRequest, slug: str, lab_id: UUID) -> HttpResponse:
    """The form for workloads, with what this cluster has to choose from."""
    lab = lab_of(request, slug, lab_id)
    if not wants_partial(request):
        return redirect(own_urls(lab).page)
    view = present_workload(moment_get(lab, place_of(request.GET)))
    context = {"workload": view, "urls": own_urls(lab)}
    return render_partial(request, "simulator/edit/workload.html", "edit-workload", context)


@require_GET
@cache_control(max_age=86_400, public=True)
def schema(_request: LabRequest, version: str) -> HttpResponse:  # noqa: ARG001 (the version is there for caches)
    """The fields of every kind, for the editor's completion."""
    return HttpResponse(completion_json(), content_type="application/json")
