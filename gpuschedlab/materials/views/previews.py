"""A draft on the learner's own pages: every address below a preview's is one of the site's, in a world of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import Resolver404, get_script_prefix, resolve, reverse, set_script_prefix
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from gpuschedlab.materials.filling import draft_set
from gpuschedlab.materials.kinds import BarAction, kind_of
from gpuschedlab.materials.presenters import DraftHead, present_head
from gpuschedlab.materials.preview import (
    preview_begin,
    preview_end,
    preview_find,
    preview_moved,
    preview_open,
)
from gpuschedlab.materials.selectors import draft_get
from gpuschedlab.materials.views.common import page_context
from gpuschedlab.web.errors import BadInput, SiteError, render_error
from gpuschedlab.web.htmx import render_page
from gpuschedlab.web.limits import Rate, limit_rate

if TYPE_CHECKING:
    from uuid import UUID

    from gpuschedlab.accounts.models import Participant
    from gpuschedlab.materials.models import Draft
    from gpuschedlab.web.http import LabRequest

PREVIEW, GRAPH = "preview", "graph"
SHOWN: Final = frozenset({"simulator", "lessons"})
"""Whose pages are shown within a preview; others are left for."""
SHARED: Final = frozenset({"accounts:preferences", "js_catalogue", "run_detail", "run_stop"})
LOOKS = limit_rate("materials.preview", participant=Rate(900), address=Rate(9000))


@dataclass(frozen=True, slots=True)
class PreviewBar:
    """What a page says of the preview it is in: how to leave it, begin it anew, and what can be taken from it."""

    mode: str
    head: DraftHead
    is_stale: bool
    workbench_url: str
    restart_url: str
    close_url: str
    actions: Sequence[BarAction]


@require_http_methods(["GET", "POST"])
def begin(request: LabRequest, draft_id: UUID, mode: str) -> HttpResponse:
    """To the preview: the one that is open (a graph: as long as it shows the draft's text of now), or a new one.

    A POST begins anew.
    """
    viewer = request.participant
    draft = draft_get(viewer=viewer, draft_id=draft_id)
    if request.method == "POST":
        preview_end(viewer=viewer, draft=draft, mode=mode)
    found = preview_find(viewer=viewer, draft=draft, mode=mode)
    if found is None or (mode == GRAPH and found.version != draft.version):
        try:
            found = preview_begin(viewer=viewer, draft=draft, mode=mode)
        except BadInput as error:
            context = page_context(draft, mode, mode=mode, why=error.detail)
            return render_page(request, "materials/unplayable.html", context, status=error.status)
    return redirect(_prefix(draft, mode) + found.address.removeprefix("/"))


@LOOKS
def page(request: LabRequest, draft_id: UUID, mode: str, rest: str) -> HttpResponse:
    """One of the site's pages, within the preview."""
    viewer = request.participant
    draft = draft_get(viewer=viewer, draft_id=draft_id)
    match = _resolve(f"/{rest}")
    inside = bool(SHOWN & set(match.namespaces)) or match.view_name in SHARED
    if not inside:
        return redirect(f"/{rest}")
    if mode == GRAPH and not kind_of(draft).allows(match.view_name, match.kwargs):
        raise BadInput(_("Nothing runs at the drawing board. Play it in the preview."))
    preview = preview_find(viewer=viewer, draft=draft, mode=mode)
    stale = preview is not None and preview.version != draft.version
    if preview is None or (stale and mode == GRAPH):
        if request.method == "GET" and "HX-Request" not in request.headers and preview is not None:
            return redirect("materials:begin", draft_id=draft.pk, mode=mode)
        if preview is not None:
            return _elsewhere(draft, mode)
        preview = preview_begin(viewer=viewer, draft=draft, mode=mode)
    bar = PreviewBar(
        mode,
        present_head(draft, view=mode),
        stale,
        reverse("materials:workbench"),
        _prefix(draft, mode),
        reverse("materials:close", args=[draft.pk]),
        kind_of(draft).bar_actions(draft, match.view_name, match.kwargs) if mode == PREVIEW else (),
    )
    document: Any = None
    with preview_open(viewer=viewer, draft=draft, preview=preview) as learner:
        with _inside(request, learner, bar, _prefix(draft, mode), f"/{rest}"):
            response = _answer(request, match)
        if mode == GRAPH:
            kind = kind_of(draft)
            document = kind.taken_over(draft=draft, learner=learner, reading=kind.read(draft.text))
    if document is not None:
        draft = draft_set(draft=draft, document=document, origin="graph", what="objects")
        preview_moved(viewer=viewer, draft=draft, preview=preview)
    return response


@require_POST
def close(request: LabRequest, draft_id: UUID) -> HttpResponse:
    """Leave the preview, and forget it."""
    draft = draft_get(viewer=request.participant, draft_id=draft_id)
    preview_end(viewer=request.participant, draft=draft, mode=PREVIEW)
    return redirect("materials:form", draft_id=draft.pk)


def _prefix(draft: Draft, mode: str) -> str:
    return reverse("materials:begin", kwargs={"draft_id": draft.pk, "mode": mode})


def _elsewhere(draft: Draft, mode: str) -> HttpResponse:
    """The draft was changed in another view: what is shown here is no longer it."""
    return HttpResponse(status=204, headers={"HX-Redirect": _prefix(draft, mode)})


def _resolve(path: str) -> Any:
    try:
        return resolve(path)
    except Resolver404 as error:
        raise Http404 from error


def _answer(request: LabRequest, match: Any) -> HttpResponse:
    """The page's answer, errors that are meant for people included."""
    try:
        response: HttpResponse = match.func(request, *match.args, **match.kwargs)
    except SiteError as error:
        response = render_error(request, error.status, error.detail)
    except Http404:
        response = render_error(request, 404)
    return response


@contextmanager
def _inside(request: LabRequest, learner: Participant, bar: PreviewBar, prefix: str, path: str) -> Iterator[None]:
    """The request as the learner in the preview makes it: addresses made meanwhile stay within the preview."""
    before = {name: getattr(request, name) for name in ("participant", "user", "path", "path_info", "resolver_match")}
    script_prefix = get_script_prefix()
    request.participant, request.user = learner, AnonymousUser()
    request.path, request.path_info = prefix + path.removeprefix("/"), path
    request.preview = bar  # type: ignore[attr-defined]
    set_script_prefix(prefix)
    try:
        yield
    finally:
        set_script_prefix(script_prefix)
        for name, value in before.items():
            setattr(request, name, value)
