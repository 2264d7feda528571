"""The fabric of a lab: what its drawings are told, a group of GPUs placed, a machine's matrix pasted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404, HttpResponse, JsonResponse
from django.views.decorators.http import require_GET, require_POST

from gpuschedlab.web.errors import BadInput, Conflict
from gpuschedlab.web.htmx import render_page, render_partial, wants_partial
from simulator.engine.fabric.node_fabric import KIND
from simulator.engine.world.commands import CommandError
from simulator.forms.fabric import PasteForm, placement_query
from simulator.manifests.topology import TopologyError, read_topology
from simulator.manifests.topology.into_objects import Pasted, Target, pasted
from simulator.manifests.topology.reading import Reading
from simulator.presenters.apply_result import problems_text
from simulator.presenters.fabric.network_paths import network_path
from simulator.presenters.fabric.paste_view import model_choices, network_choices, paste_view, policy_choices
from simulator.presenters.fabric.pictures import machine_picture, network_picture
from simulator.presenters.fabric.placement_page import placement_page
from simulator.presenters.fabric.published_view import claims_view, published_tables
from simulator.presenters.lab_urls import own_urls, shared_urls
from simulator.presenters.topology import topology_error_text
from simulator.selectors.fabrics import fabric_of_frame
from simulator.selectors.labs import lab_shared
from simulator.selectors.moments import moment_get
from simulator.selectors.positions import END, Position
from simulator.services.labs import lab_apply
from simulator.views.commands import COMMANDS
from simulator.views.common import LOOKS, conflict, go, lab_of, place_of

if TYPE_CHECKING:
    from uuid import UUID

    from gpuschedlab.web.http import LabRequest
    from simulator.models import Lab
    from simulator.presenters.lab_urls import LabUrls

PLACEMENT = "simulator/fabric/placement.html"
PASTE = "simulator/fabric/paste.html"
MOST_NODES = 500


@require_GET
@LOOKS
def picture(request: LabRequest, slug: str, lab_id: UUID) -> JsonResponse:
    return _picture(request, lab_of(request, slug, lab_id))


@require_GET
@LOOKS
def shared_picture(request: LabRequest, token: str) -> JsonResponse:
    return _picture(request, lab_shared(token))


def _picture(request: LabRequest, lab: Lab) -> JsonResponse:
    """The network, one machine of it (`level=machine`), or the way between two GPUs (`first`, `second`)."""
    frame = moment_get(lab, place_of(request.GET)).frame
    known = fabric_of_frame(frame)
    if "first" in request.GET:
        path = network_path(known.fabric, request.GET["first"], request.GET.get("second", ""))
        if path is None:
            raise Http404
        return JsonResponse(path.to_json())
    if request.GET.get("level") == "machine":
        return JsonResponse(machine_picture(known, frame, request.GET.get("node", "")))
    return JsonResponse(network_picture(known, frame))


@require_GET
@LOOKS
def placement(request: LabRequest, slug: str, lab_id: UUID) -> HttpResponse:
    lab = lab_of(request, slug, lab_id)
    return _placement(request, lab, own_urls(lab))


@require_GET
@LOOKS
def shared_placement(request: LabRequest, token: str) -> HttpResponse:
    lab = lab_shared(token)
    return _placement(request, lab, shared_urls(lab))


def _placement(request: LabRequest, lab: Lab, urls: LabUrls) -> HttpResponse:
    moment = moment_get(lab, place_of(request.GET))
    asked = placement_query(request.GET)
    page = placement_page(fabric_of_frame(moment.frame), moment.frame, asked.gpus, asked.count, asked.training)
    context = {
        "page": page,
        "lab": lab,
        "urls": urls,
        "at": str(moment.at),
        "back": urls.at(moment.at, tab="fabric"),
        "overlap": round(asked.training.overlap * 100),
    }
    if not wants_partial(request):
        context |= {"claims": claims_view(), "published": published_tables()}
    return render_page(request, PLACEMENT, context, partial="placement-result")


@require_GET
@LOOKS
def paste_form(request: LabRequest, slug: str, lab_id: UUID) -> HttpResponse:
    """The form for a matrix, as a part for a dialog or a page of its own."""
    lab = lab_of(request, slug, lab_id)
    urls, frame = own_urls(lab), moment_get(lab, None).newest
    context = {
        "urls": urls,
        "back": urls.at(place_of(request.GET) or "", tab="fabric"),
        "node": request.GET.get("node", "")[:253],
        "nodes": [node.name for node in frame.nodes[:MOST_NODES]],
        "models": model_choices(),
        "networks": network_choices(),
        "policies": policy_choices(),
    }
    return render_page(request, PASTE, context, partial="paste-form")


@require_POST
@COMMANDS
def paste_preview(request: LabRequest, slug: str, lab_id: UUID) -> HttpResponse:
    """What a text would become; nothing is changed."""
    lab = lab_of(request, slug, lab_id)
    form = PasteForm(request.POST)
    try:
        form.sent()
        reading, target, made = _read(lab, form)
    except (BadInput, TopologyError) as error:
        problem = topology_error_text(error) if isinstance(error, TopologyError) else error.detail
        return render_partial(request, PASTE, "paste-preview", {"problem": problem})
    return render_partial(request, PASTE, "paste-preview", {"preview": paste_view(reading, target, made)})


@require_POST
@COMMANDS
def paste(request: LabRequest, slug: str, lab_id: UUID) -> HttpResponse:
    """The machine of a text, put into the lab as one command."""
    lab = lab_of(request, slug, lab_id)
    form = PasteForm(request.POST)
    sent = form.sent()
    try:
        command = _read(lab, form)[2].command
        answer = lab_apply(
            actor=request.participant,
            lab=lab,
            command=command,
            client_token=sent.client_token,
            expected_seq=sent.expected_seq(lab),
        )
    except TopologyError as error:
        raise BadInput(topology_error_text(error)) from error
    except CommandError as error:
        raise BadInput(problems_text(error.problems)) from error
    except Conflict as error:
        return conflict(request, lab, error)
    return go(request, lab, Position(answer.last - 1, END))


def _read(lab: Lab, form: PasteForm) -> tuple[Reading, Target, Pasted]:
    """The text, where it goes in the lab as it is now, and what it becomes. Raises TopologyError."""
    frame = moment_get(lab, None).newest
    name = str(form.cleaned_data["node"])
    fabrics = [item["metadata"]["name"] for item in frame.objects.get(KIND, ())]
    target = Target(name, fabric_of_frame(frame).machines.get(name), name in fabrics)
    reading = read_topology(str(form.cleaned_data["text"]))
    given = {key: form.cleaned_data[key] for key in ("model", "nic_link", "policy") if form.cleaned_data[key]}
    return reading, target, pasted(reading, target, **given)
