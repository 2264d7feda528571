"""Labs as texts: taken along, and opened again."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID, uuid5

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import HttpResponseClientRedirect

from gpuschedlab.web.htmx import render_page, render_partial, wants_partial
from gpuschedlab.web.limits import Rate, limit_rate
from simulator.engine.framework.shape_check import ConfigError
from simulator.engine.goals.fields import GoalError
from simulator.engine.world.commands import CommandError
from simulator.forms.commands import TextForm
from simulator.manifests.bundle import Bundle, read_bundle, write_bundle
from simulator.manifests.bundle_schema import API_VERSION, LAB, LANGUAGES
from simulator.manifests.limits import UPLOAD_LIMITS
from simulator.manifests.writer import write
from simulator.presenters.apply_result import ApplyResult, ProblemView, problems_text, remark_view
from simulator.presenters.lab_urls import own_urls
from simulator.selectors.bundles import lab_as_text, objects_now
from simulator.services.bundles import Opened, Written, lab_open_text
from simulator.views.common import PAGE, lab_of

if TYPE_CHECKING:
    from gpuschedlab.web.http import LabRequest
    from simulator.models import Lab

EXPORTS = limit_rate("lab.export", participant=Rate(60), address=Rate(1500))
OPENS = limit_rate("lab.open", participant=Rate(20), address=Rate(300))
YAML = "application/yaml; charset=utf-8"


@require_GET
@EXPORTS
def export(request: LabRequest, slug: str, lab_id: UUID) -> HttpResponse:
    """The lab as a text: with everything done in it, or (`objects=now`) its objects as they are now."""
    lab = lab_of(request, slug, lab_id)
    if request.GET.get("objects") == "now":
        return _download(write(objects_now(lab)), f"{slug}-objects.yaml")
    return _download(_text_of(lab), f"{slug}-lab.yaml")


def _text_of(lab: Lab) -> str:
    text = lab_as_text(lab)
    front = {"apiVersion": API_VERSION, "kind": LAB, "metadata": {"name": text.name}, "spec": text.spec}
    return write_bundle(front, text.objects)


def _download(text: str, name: str) -> HttpResponse:
    response = HttpResponse(text, content_type=YAML)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-store"
    return response


@require_GET
def open_form(request: LabRequest) -> HttpResponse:
    return render_page(request, "simulator/open.html", {})


@require_POST
@OPENS
def open_text(request: LabRequest) -> HttpResponse:
    """A lab of one's own out of a text, from the editor or a file."""
    form = TextForm(request.POST)
    sent = form.sent()
    upload = request.FILES.get("file")
    data = upload.read() if upload else str(form.cleaned_data["text"]).encode()
    bundle = read_bundle(data, limits=UPLOAD_LIMITS)
    if bundle.errors:
        return _wrong(request, ApplyResult(tuple(remark_view(error) for error in bundle.errors)))
    try:
        opened = lab_open_text(
            actor=request.participant,
            written=_written(bundle),
            name=_("opened"),
            new_id=uuid5(sent.client_token, "open"),
        )
    except (CommandError, ConfigError, GoalError) as error:
        return _wrong(request, ApplyResult((ProblemView(problems_text(error.problems)),)))
    address = _address(opened)
    return HttpResponseClientRedirect(address) if wants_partial(request) else redirect(address)


def _written(bundle: Bundle) -> Written:
    """The bundle as a lab starts from it; one without a title is called by its name."""
    front = {**bundle.front.value} if bundle.front else {}
    spec = {"title": dict.fromkeys(LANGUAGES, bundle.name), **bundle.spec}
    kept = {name: value for name, value in spec.items() if name not in ("commands", "replies", "positions")}
    return Written(spec, bundle.objects, write_bundle({**front, "spec": kept}, bundle.objects))


def _address(opened: Opened) -> str:
    return own_urls(opened.lab).page


def _wrong(request: LabRequest, result: ApplyResult) -> HttpResponse:
    if not wants_partial(request):
        return render_page(request, "simulator/open.html", {"problem": result.problems[0].text}, status=400)
    return render_partial(request, PAGE, "editor-result", {"result": result, "oob": True}, status=422)
