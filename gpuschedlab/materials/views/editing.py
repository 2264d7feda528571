"""Working on a draft: its form, its text, undo, earlier versions, translations."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from gpuschedlab.materials.documents.paths import dom_id, read_path
from gpuschedlab.materials.documents.views import present_at, present_sections
from gpuschedlab.materials.filling import Clash, draft_fill, draft_list_change
from gpuschedlab.materials.forms import ListForm, RestoreForm, TextForm, VersionForm
from gpuschedlab.materials.kinds import kind_of
from gpuschedlab.materials.selectors import edit_get, edit_list
from gpuschedlab.materials.services import draft_restore, draft_undo, draft_write
from gpuschedlab.materials.views.common import SAVES, draft_of, page_context
from gpuschedlab.web.errors import Conflict
from gpuschedlab.web.htmx import render_page, render_partial, wants_partial

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from uuid import UUID

    from gpuschedlab.materials.models import Draft
    from gpuschedlab.materials.presenters import Checklist
    from gpuschedlab.web.http import LabRequest

SHOWN_EDITS = 100


@require_http_methods(["GET", "POST"])
@SAVES
def form(request: LabRequest, draft_id: UUID) -> HttpResponse:
    """The form; a POST brings some of its inputs, all of them where there is no script."""
    draft = draft_of(request, draft_id)
    if request.method == "GET":
        return _form_page(request, draft)
    base, typed = VersionForm(request.POST).base, dict(request.POST.lists())
    try:
        filled = draft_fill(actor=request.participant, draft=draft, typed=typed, base=base)
    except Clash as clash:
        return _clash(request, draft, clash)
    if wants_partial(request):
        return _saved(request, filled.draft, wrong=filled.wrong, status=422 if filled.wrong else 200)
    if filled.wrong:
        return _form_page(request, filled.draft, wrong=filled.wrong, typed=typed, status=422)
    return redirect("materials:form", draft_id=draft.pk)


def _form_page(
    request: LabRequest,
    draft: Draft,
    *,
    wrong: Mapping[str, str] | None = None,
    typed: Mapping[str, Sequence[str]] | None = None,
    status: int = 200,
) -> HttpResponse:
    kind = kind_of(draft)
    reading = kind.read(draft.text)
    context = page_context(draft, "form", reading, beside=kind.beside(draft))
    if reading.is_readable:
        kept = {name: values for name, values in (typed or {}).items() if name in (wrong or {})}
        problems = _problems(context["checklist"], wrong or {})
        sections = kind.sections(draft, reading, request.participant)
        context["sections"] = present_sections(sections, reading.value, problems, kept)
    return render_page(request, "materials/form.html", context, status=status)


def _problems(checklist: Checklist, wrong: Mapping[str, str]) -> dict[Any, list[str]]:
    found = {read_path(name): list(texts) for name, texts in checklist.by_name.items()}
    for name, text in wrong.items():
        found.setdefault(read_path(name), []).insert(0, text)
    return found


def _saved(
    request: LabRequest, draft: Draft, *, wrong: Mapping[str, str] | None = None, status: int = 200, **more: Any
) -> HttpResponse:
    """The parts of the page that tell how the draft stands."""
    context = page_context(draft, "form", oob=True, state={"wrong": dict(wrong or {}), **more})
    return render_partial(request, "materials/form.html", "draft-parts", context, status=status)


def _clash(request: LabRequest, draft: Draft, clash: Clash) -> HttpResponse:
    """The same field was changed elsewhere: both are kept, the person decides."""
    if not wants_partial(request):
        raise clash
    return _saved(request, draft, status=409, clashes=["/".join(map(str, path)) for path in clash.paths])


@require_POST
@SAVES
def listing(request: LabRequest, draft_id: UUID) -> HttpResponse:
    """Add, remove or move an entry of a list; answers with the list, and how the draft stands."""
    draft = draft_of(request, draft_id)
    sent = ListForm(request.POST)
    act, index, name = sent.operation
    path = read_path(name)
    draft = draft_list_change(
        actor=request.participant, draft=draft, path=path, act=act, index=index, kind=sent.kind, base=sent.base
    )
    if not wants_partial(request):
        return redirect(f"{reverse('materials:form', args=[draft.pk])}#{dom_id(path)}")
    kind, view = kind_of(draft), None
    reading = kind.read(draft.text)
    context = page_context(draft, "form", reading, oob=True)
    if reading.is_readable:
        sections = kind.sections(draft, reading, request.participant)
        view = present_at(sections, reading.value, _problems(context["checklist"], {}), path)
    if view is None:
        raise Http404
    return render_partial(request, "materials/form.html", "draft-list", {**context, "field": view})


@require_http_methods(["GET", "POST"])
@SAVES
def text(request: LabRequest, draft_id: UUID) -> HttpResponse:
    """The text itself. Whatever is written is kept, also what cannot be read."""
    draft = draft_of(request, draft_id)
    if request.method == "GET":
        kind = kind_of(draft)
        reading = kind.read(draft.text)
        context = page_context(draft, "text", reading, facts=kind.editor(draft, reading), **_place(request))
        return render_page(request, "materials/text.html", context)
    sent = TextForm(request.POST)
    data = sent.cleaned_or_raise()
    written = str(data["text"]).replace("\r\n", "\n")
    try:
        draft = draft_write(draft=draft, text=written, expected=sent.base, origin="text")
    except Conflict as error:
        if not wants_partial(request):
            raise
        draft.refresh_from_db()
        context = page_context(draft, "text", oob=True, state={"theirs": draft.text, "clash": str(error.detail)})
        return render_partial(request, "materials/form.html", "draft-parts", context, status=409)
    if wants_partial(request):
        context = page_context(draft, "text", oob=True)
        return render_partial(request, "materials/form.html", "draft-parts", context)
    return redirect("materials:text", draft_id=draft.pk)


def _place(request: LabRequest) -> dict[str, Any]:
    """The line and column an address points at."""
    found = {name: request.GET.get(name, "") for name in ("line", "column")}
    return {f"at_{name}": int(value) if value.isdecimal() and len(value) < 7 else 0 for name, value in found.items()}


@require_POST
@SAVES
def undo(request: LabRequest, draft_id: UUID, *, again: bool) -> HttpResponse:
    """Back to the text before the newest change, or forth again; then the page it was asked from."""
    draft = draft_of(request, draft_id)
    draft_undo(draft=draft, expected=VersionForm(request.POST).base, again=again)
    view = request.POST.get("view", "form")
    modes = {one.name: one.mode for one in kind_of(draft).views}
    mode = modes.get(view)
    if mode:
        return redirect("materials:begin", draft_id=draft.pk, mode=mode)
    return redirect(f"materials:{view}" if view in modes else "materials:form", draft_id=draft.pk)


@require_http_methods(["GET", "POST"])
def history(request: LabRequest, draft_id: UUID) -> HttpResponse:
    """Earlier versions, what changed to each, and the way back to one."""
    draft = draft_of(request, draft_id)
    if request.method == "POST":
        sent = RestoreForm(request.POST)
        wanted = int(str(sent.cleaned_or_raise()["wanted"]))
        draft_restore(draft=draft, version=wanted, expected=sent.base)
        return redirect("materials:form", draft_id=draft.pk)
    kind = kind_of(draft)
    edits = [(edit, kind.place(read_path(edit.what))) for edit in edit_list(draft)[:SHOWN_EDITS]]
    context = page_context(draft, "history", edits=edits)
    return render_page(request, "materials/history.html", context)


@require_safe
def version(request: LabRequest, draft_id: UUID, number: int) -> HttpResponse:
    """One earlier version beside the present one."""
    draft = draft_of(request, draft_id)
    edit = edit_get(draft, number)
    if edit is None:
        raise Http404
    lines = difflib.unified_diff(edit.text.splitlines(), draft.text.splitlines(), lineterm="", n=2)
    context = page_context(
        draft, "history", edit=edit, lines=list(lines)[2:], found=kind_of(draft).differences(edit.text, draft.text)
    )
    return render_page(request, "materials/version.html", context)


@require_safe
def translations(request: LabRequest, draft_id: UUID) -> HttpResponse:
    """Every text in both languages, side by side, those that lack one first."""
    draft = draft_of(request, draft_id)
    kind = kind_of(draft)
    reading = kind.read(draft.text)
    context = page_context(draft, "translations", reading)
    if reading.is_readable:
        sections = kind.sections(draft, reading, request.participant)
        views = present_sections(sections, reading.value, _problems(context["checklist"], {}))
        context["pairs"] = _pairs(views)
        context["lacking"] = kind.missing(reading)
    return render_page(request, "materials/translations.html", context)


def _pairs(views: Sequence[Any]) -> list[Any]:
    """All fields with a text in each language, in the form's order."""
    found: list[Any] = []
    waiting = [one for section in views for one in (*section.fields, *section.quiet)]
    while waiting:
        view = waiting.pop(0)
        if view.field.template == "localized":
            found.append(view)
        waiting = [*view.children, *view.quiet, *waiting]
    return found
