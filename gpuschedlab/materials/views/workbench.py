"""My materials: everything one writes, new ones, files in and out."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from gpuschedlab.materials.archives import Incoming, incoming, zipped
from gpuschedlab.materials.forms import NewForm, TokenForm
from gpuschedlab.materials.kinds import kind_named, kind_of, kinds
from gpuschedlab.materials.presenters import present_lines
from gpuschedlab.materials.publishing import free_name, material_fork
from gpuschedlab.materials.selectors import draft_list
from gpuschedlab.materials.services import draft_create
from gpuschedlab.materials.views.common import MAKES, draft_of, for_writers
from gpuschedlab.web.errors import BadInput
from gpuschedlab.web.htmx import render_page

if TYPE_CHECKING:
    from uuid import UUID

    from gpuschedlab.materials.models import Draft
    from gpuschedlab.web.http import LabRequest

SHOWN = 200
MOST_UPLOADS = 20


@require_safe
@for_writers
def workbench(request: LabRequest) -> HttpResponse:
    """Everything one writes, with what is next for each."""
    chosen = request.GET.get("kind", "")
    drafts = draft_list(viewer=request.participant)
    if chosen:
        drafts = drafts.filter(kind=kind_named(chosen).name)
    context = {
        "lines": present_lines(list(drafts[:SHOWN])),
        "total": draft_list(viewer=request.participant).count(),
        "kinds": kinds(),
        "chosen": chosen,
    }
    return render_page(request, "materials/workbench.html", context, partial="material-lines")


@require_http_methods(["GET", "POST"])
@for_writers
@MAKES
def new(request: LabRequest, kind_name: str) -> HttpResponse:
    """A new material of a kind; its name in addresses comes from its title."""
    kind = kind_named(kind_name)
    form = NewForm(kind, request.POST or None)
    if not form.is_valid():
        return render_page(request, "materials/new.html", {"form": form, "kind": kind, "starts": kind.starts()})
    data = form.cleaned_data
    language = "zh-hans" if str(getattr(request, "LANGUAGE_CODE", "")).startswith("zh") else "en"
    name = free_name(kind, data["title"])
    text = kind.new_text(data["start"], name=name, title=data["title"], language=language)
    parent = _parent(request)
    draft = draft_create(
        actor=request.participant, kind=kind.name, text=text, parent=parent, draft_id=data["client_token"]
    )
    if parent is not None:
        kind_of(parent).part_begun(draft=parent, part=draft)
    return redirect("materials:form", draft_id=draft.pk)


def _parent(request: LabRequest) -> Draft | None:
    """The draft of one's own that the new one is begun for."""
    wanted = request.GET.get("for", "")
    mine = draft_list(viewer=request.participant)
    return next((one for one in mine if str(one.pk) == wanted), None) if wanted else None


@require_POST
@for_writers
@MAKES
def fork(request: LabRequest, kind_name: str, name: str) -> HttpResponse:
    """Go on from something published, with the credit due to its author."""
    token = TokenForm(request.POST).cleaned_or_raise()["client_token"]
    draft = material_fork(actor=request.participant, kind_name=kind_name, name=name, new_id=token)  # type: ignore[arg-type]
    return redirect("materials:form", draft_id=draft.pk)


@require_http_methods(["GET", "POST"])
@for_writers
@MAKES
def bring(request: LabRequest) -> HttpResponse:
    """Import files: every one becomes a draft, also what cannot be read yet."""
    if request.method != "POST":
        return render_page(request, "materials/bring.html", {"kinds": kinds()})
    kind = kind_named(request.POST.get("kind", ""))
    uploads = request.FILES.getlist("files")[:MOST_UPLOADS]
    if not uploads:
        raise BadInput(_("Choose a file first."))
    files = [one for upload in uploads for one in incoming(upload.name or "", upload)]
    brought = [(one, _brought(request, kind.name, one)) for one in files]
    return render_page(request, "materials/bring.html", {"kinds": kinds(), "brought": brought, "chosen": kind.name})


def _brought(request: LabRequest, kind_name: str, one: Incoming) -> Draft | None:
    if one.problem:
        return None
    kind = next((kind for kind in kinds() if kind.recognizes(one.text)), kind_named(kind_name))
    reading = kind.read(one.text)
    text = one.text
    if reading.is_readable and reading.name != free_name(kind, reading.name):
        text = kind.renamed(text, free_name(kind, reading.name))
    return draft_create(actor=request.participant, kind=kind.name, text=text, origin="import", draft_id=uuid4())


@require_http_methods(["GET", "HEAD", "POST"])
@for_writers
def take(request: LabRequest) -> HttpResponse:
    """Materials as one zip: those that are named, else all of them."""
    wanted = set(request.POST.getlist("draft"))
    drafts = [one for one in draft_list(viewer=request.participant) if not wanted or str(one.pk) in wanted]
    return _attached(zipped((file_name(one), one.text) for one in drafts), "materials.zip", "application/zip")


@require_safe
def take_one(request: LabRequest, draft_id: UUID) -> HttpResponse:
    found = draft_of(request, draft_id)
    return _attached(found.text.encode(), file_name(found), "application/yaml; charset=utf-8")


def file_name(draft: Draft) -> str:
    """`gang-deadlock.yaml`; letters, digits and dashes alone, whatever the draft calls itself."""
    kind = kind_of(draft)
    stem = "".join(one if one.isascii() and (one.isalnum() or one in "-_") else "-" for one in draft.name)
    return f"{stem.strip('-') or kind.name}.{kind.suffix}"


def _attached(content: bytes, name: str, content_type: str) -> HttpResponse:
    response = HttpResponse(content, content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["X-Content-Type-Options"] = "nosniff"
    return response
