"""Branching, sharing, naming, resetting and deleting labs."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID, uuid5

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from gpuschedlab.web.errors import BadInput
from gpuschedlab.web.htmx import render_partial, wants_partial
from gpuschedlab.web.limits import Rate, limit_rate
from simulator.forms.commands import NameForm
from simulator.forms.steps import LabForm
from simulator.presenters.lab_tools import present_tools
from simulator.presenters.lab_urls import own_urls
from simulator.selectors.labs import lab_shared
from simulator.selectors.moments import moment_get
from simulator.selectors.positions import END, Position
from simulator.services.branches import lab_fork, lab_move, lab_replay, lab_solution
from simulator.services.lab_care import lab_delete, lab_rename, lab_share
from simulator.views.common import PAGE, lab_of, place_of

if TYPE_CHECKING:
    from gpuschedlab.web.http import LabRequest
    from simulator.models import Lab

CARE = limit_rate("lab.care", participant=Rate(60), address=Rate(1500))


@require_POST
@CARE
def fork(request: LabRequest, slug: str, lab_id: UUID) -> HttpResponse:
    """A branch from the step that is shown: what came before it, to go on differently."""
    return _fork(request, lab_of(request, slug, lab_id))


@require_POST
@CARE
def shared_fork(request: LabRequest, token: str) -> HttpResponse:
    """A lab of one's own out of somebody's shared one."""
    return _fork(request, lab_shared(token))


def _fork(request: LabRequest, lab: Lab) -> HttpResponse:
    form = NameForm(request.POST)
    sent = form.sent()
    at, before = place_of(request.POST), request.POST.get("before", "")
    step = at.action + 1 if at is not None else 1
    actions = int(before) if before.isdecimal() and len(before) < 9 else step
    name = str(form.cleaned_data["name"] or "") or _("branch at step %(step)s") % {"step": actions - 1}
    made = lab_fork(
        actor=request.participant, lab=lab, actions=actions, name=name, new_id=uuid5(sent.client_token, "fork")
    )
    return _leave(request, own_urls(made).at(Position(actions - 1, END)))


@require_POST
@CARE
def reset(request: LabRequest, slug: str, lab_id: UUID) -> HttpResponse:
    """Start anew from the scenario; this lab stays in the list. One that is on no list is begun from this lab."""
    lab = lab_of(request, slug, lab_id)
    if lab.revision.scenario.current_id is None:
        new_id = uuid5(LabForm(request.POST).sent().client_token, "reset")
        fresh = lab_fork(actor=request.participant, lab=lab, actions=1, name="", new_id=new_id)
        return _leave(request, own_urls(fresh).page)
    return _leave(request, reverse("simulator:scenario", args=[lab.revision.scenario.slug]))


@require_POST
@CARE
def share(request: LabRequest, slug: str, lab_id: UUID) -> HttpResponse:
    """Make a read-only link, or take it away."""
    lab = lab_of(request, slug, lab_id)
    if lab.is_unborn:
        raise BadInput(_("Take a step first: a lab is kept, and can be shared, from its first command on."))
    lab_share(actor=request.participant, lab=lab, shared=request.POST.get("shared") != "no")
    return _tools(request, lab)


@require_POST
@CARE
def rename(request: LabRequest, slug: str, lab_id: UUID) -> HttpResponse:
    lab = lab_of(request, slug, lab_id)
    form = NameForm(request.POST)
    form.sent()
    if not lab.is_unborn:
        lab_rename(actor=request.participant, lab=lab, name=str(form.cleaned_data["name"]).strip())
    at = place_of(request.POST)
    urls = own_urls(lab)
    return _leave(request, urls.page if at is None else urls.at(at))


@require_POST
@CARE
def delete(request: LabRequest, slug: str, lab_id: UUID) -> HttpResponse:
    lab = lab_of(request, slug, lab_id)
    if not lab.is_unborn:
        lab_delete(actor=request.participant, lab=lab)
    return _leave(request, reverse("simulator:labs"))


@require_POST
@CARE
def solution(request: LabRequest, slug: str, lab_id: UUID) -> HttpResponse:
    """The last resort: the scenario solved, as a branch to be stepped through."""
    lab = lab_of(request, slug, lab_id)
    sent = LabForm(request.POST).sent()
    if not lab.revision.spec.get("solution"):
        raise BadInput(_("This scenario has no written solution."))
    made = lab_solution(
        actor=request.participant, lab=lab, name=_("solution"), new_id=uuid5(sent.client_token, "solution")
    )
    return _leave(request, own_urls(made).at(Position(0, 0), tab="task"))


@require_POST
@CARE
def replay(request: LabRequest, slug: str, lab_id: UUID) -> HttpResponse:
    """The same commands, computed by this version of the engine, as a lab of its own."""
    lab = lab_of(request, slug, lab_id)
    sent = LabForm(request.POST).sent()
    made = lab_replay(actor=request.participant, lab=lab, name=_("replayed"), new_id=uuid5(sent.client_token, "replay"))
    return _leave(request, own_urls(made.lab).page)


@require_POST
@CARE
def move(request: LabRequest, slug: str, lab_id: UUID) -> HttpResponse:
    """The same commands on the scenario's newest revision, as a lab of its own."""
    lab = lab_of(request, slug, lab_id)
    sent = LabForm(request.POST).sent()
    made = lab_move(actor=request.participant, lab=lab, new_id=uuid5(sent.client_token, "move"))
    if made.refused:
        name = ngettext("%(n)s command left out", "%(n)s commands left out", made.refused) % {"n": made.refused}
        lab_rename(actor=request.participant, lab=made.lab, name=f"{made.lab.name} · {name}" if lab.name else name)
    return _leave(request, own_urls(made.lab).page)


def _leave(request: LabRequest, address: str) -> HttpResponse:
    """Go to another page, whoever asks."""
    return HttpResponseClientRedirect(address) if wants_partial(request) else redirect(address)


def _tools(request: LabRequest, lab: Lab) -> HttpResponse:
    if not wants_partial(request):
        return redirect(own_urls(lab).page)
    moment = moment_get(lab, place_of(request.POST))
    context = {"tools": present_tools(moment, own_urls(lab)), "oob": True}
    return render_partial(request, PAGE, "lab-tools", context)
