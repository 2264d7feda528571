"""Commands of a lab: one address for all of them, by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from gpuschedlab.web.errors import BadInput, Conflict
from gpuschedlab.web.htmx import render_partial, wants_partial
from gpuschedlab.web.limits import Rate, limit_rate
from simulator.engine.framework.shape_check import ConfigError
from simulator.engine.world.commands import Command, CommandError
from simulator.forms.commands import COMMAND_FORMS, TextForm
from simulator.forms.fabric import FABRIC_FORMS
from simulator.forms.steps import LabForm
from simulator.manifests.applying import Draft, draft
from simulator.presenters.apply_result import (
    ApplyResult,
    configuration_refused,
    notices_of,
    problems_text,
    refused,
    unreadable,
)
from simulator.services.labs import Answer, lab_apply, lab_redo, lab_undo
from simulator.views.common import PAGE, conflict, lab_of
from simulator.views.places import go_on

if TYPE_CHECKING:
    from uuid import UUID

    from gpuschedlab.web.http import LabRequest
    from simulator.forms.steps import Sent
    from simulator.models import Lab

COMMANDS = limit_rate("lab.command", participant=Rate(240), address=Rate(6000))
CONFIGURATION = "KubeSchedulerConfiguration"
FORMS = {**COMMAND_FORMS, **FABRIC_FORMS}


@require_POST
@COMMANDS
def command(request: LabRequest, slug: str, lab_id: UUID, name: str) -> HttpResponse:
    """A command that says itself in a form."""
    form_class = FORMS.get(name)
    if form_class is None:
        raise Http404
    lab = lab_of(request, slug, lab_id)
    form = form_class(request.POST)
    sent = form.sent()
    try:
        answer = _apply(request, lab, form.command(), sent)
    except CommandError as error:
        raise BadInput(problems_text(error.problems)) from error
    except Conflict as error:
        return conflict(request, lab, error)
    return go_on(request, lab, answer)


@require_POST
@COMMANDS
def undo(request: LabRequest, slug: str, lab_id: UUID, direction: str) -> HttpResponse:
    """Take the newest command back, or bring it again."""
    lab = lab_of(request, slug, lab_id)
    sent = LabForm(request.POST).sent()
    give_back = lab_redo if direction == "redo" else lab_undo
    try:
        answer = give_back(
            actor=request.participant,
            lab=lab,
            client_token=sent.client_token,
            expected_seq=sent.expected_seq(lab),
        )
    except Conflict as error:
        return conflict(request, lab, error)
    return go_on(request, lab, answer)


@require_POST
@COMMANDS
def apply_text(request: LabRequest, slug: str, lab_id: UUID) -> HttpResponse:
    """What `kubectl apply` does with the text, all of it or nothing; a scheduler configuration is put in force."""
    lab = lab_of(request, slug, lab_id)
    form = TextForm(request.POST)
    sent = form.sent()
    text = draft(str(form.cleaned_data["text"]))
    wrong = unreadable(text)
    if wrong is not None:
        return _problems(request, wrong)
    try:
        answer = _apply(request, lab, command_of(text), sent)
    except CommandError as error:
        return _problems(request, refused(text, error))
    except ConfigError as error:
        return _problems(request, configuration_refused(text, error))
    except Conflict as error:
        return conflict(request, lab, error)
    return go_on(request, lab, answer, applied=ApplyResult(notices=notices_of(text)))


def _apply(request: LabRequest, lab: Lab, wanted: Command, sent: Sent) -> Answer:
    return lab_apply(
        actor=request.participant,
        lab=lab,
        command=wanted,
        client_token=sent.client_token,
        expected_seq=sent.expected_seq(lab),
    )


def command_of(text: Draft) -> Command:
    """A text of one KubeSchedulerConfiguration configures, any other is applied."""
    kinds = [document.value.get("kind") for document in text.documents]
    if kinds == [CONFIGURATION]:
        return {"type": "configure", "config": text.documents[0].value}
    return text.command


def _problems(request: LabRequest, result: ApplyResult) -> HttpResponse:
    """Nothing was applied, and why: for the editor beside the text; without a script as an error page."""
    if not wants_partial(request):
        first = result.problems[0]
        raise BadInput(_("Line %(line)s: %(text)s") % {"line": first.line, "text": first.text})
    context = {"result": result, "oob": True}
    return render_partial(request, PAGE, "editor-result", context, status=422)
