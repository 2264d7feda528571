"""The profile editor: on the sample cluster as a page of its own, and in a lab, where it is put in force."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from gpuschedlab.web.errors import BadInput, Conflict
from gpuschedlab.web.htmx import render_page
from gpuschedlab.web.limits import Rate, limit_rate
from simulator.engine.framework.shape_check import ConfigError
from simulator.engine.world.commands import CommandError, CommandProblem
from simulator.forms.profiles import Posted, begin_editing, read_posted
from simulator.forms.steps import LabForm
from simulator.presenters.lab_urls import own_urls
from simulator.presenters.profiles.editor import Asked, EditorView, present_editor
from simulator.presenters.sentences.problems import present_problem
from simulator.rules import allows_command
from simulator.selectors.bench import Bench, lab_bench, sample_bench
from simulator.selectors.positions import END, Position
from simulator.selectors.profiles.model import read_profile
from simulator.selectors.profiles.presets import preset_named
from simulator.selectors.profiles.preview import Preview, preview
from simulator.services.labs import lab_apply
from simulator.views.common import conflict, go, lab_of, place_of

if TYPE_CHECKING:
    from uuid import UUID

    from gpuschedlab.web.http import LabRequest

TRIES = limit_rate("profiles.try", participant=Rate(180), address=Rate(6_000))
PAGE = "simulator/profiles/editor.html"
WHOLE, RESULT = "profile-editor", "profile-result"


@require_http_methods(["GET", "HEAD", "POST"])
@TRIES
def sample(request: LabRequest) -> HttpResponse:
    """The editor on the sample cluster; nothing is put in force."""
    bench = sample_bench()
    context = {"editor": _edited(request, bench, compared=False), "url": reverse("simulator:profile_sample")}
    return _shown(request, context)


@require_http_methods(["GET", "HEAD", "POST"])
@TRIES
def lab(request: LabRequest, slug: str, lab_id: UUID) -> HttpResponse:
    """The editor of a lab's configuration; with `do=force` it is put in force."""
    found = lab_of(request, slug, lab_id)
    values = request.POST if request.method == "POST" else request.GET
    at, urls = place_of(values), own_urls(found)
    with lab_bench(found, at) as bench:
        posted = _posted(request, bench)
        if values.get("do") != "force":
            view = _view(bench, posted, values.get("pod", ""), compared=True)
            url = urls.part("profile")
            allowed = allows_command(found, "configure")
            context = {"editor": view, "url": url, "lab": found, "back": urls.at(at or "", tab="scheduler")}
            return _shown(request, {**context, "at": str(at or ""), "can_force": allowed, "quiet": bench.is_quiet})
    sent = LabForm(request.POST).sent()
    try:
        answer = lab_apply(
            actor=request.participant, lab=found, command={"type": "configure", "config": posted.config},
            client_token=sent.client_token, expected_seq=sent.expected_seq(found),
        )  # fmt: skip
    except CommandError as error:
        raise BadInput(" ".join(str(present_problem(problem)) for problem in error.problems)) from error
    except Conflict as error:
        return conflict(request, found, error)
    return go(request, found, Position(answer.last - 1, END))


def _shown(request: LabRequest, context: dict[str, object]) -> HttpResponse:
    """After a button the whole editor, since its fields change; while one types only what comes of it."""
    partial = WHOLE if request.POST.get("do") else RESULT
    return render_page(request, PAGE, context, partial=partial)


def _edited(request: LabRequest, bench: Bench, *, compared: bool) -> EditorView:
    values = request.POST if request.method == "POST" else request.GET
    return _view(bench, _posted(request, bench), values.get("pod", ""), compared=compared)


def _posted(request: LabRequest, bench: Bench) -> Posted:
    try:
        if request.method == "POST":
            return read_posted(request.POST, bench.parts)
        preset = preset_named(request.GET.get("preset", ""))
        return begin_editing(preset.config() if preset else bench.config, 0, bench.parts)
    except ConfigError as error:
        text = " ".join(str(present_problem(problem)) for problem in error.problems)
        raise BadInput(text or _("The form has lost its configuration. Load the page again.")) from error


def _view(bench: Bench, posted: Posted, pod: str, *, compared: bool) -> EditorView:
    pod = pod if pod in bench.pods else bench.pod
    found: Preview | None = None
    problems: tuple[CommandProblem, ...] = ()
    try:
        if pod and not bench.is_quiet:
            found = preview(bench.begin, posted.config, pod)
        else:
            bench.begin().apply({"type": "configure", "config": posted.config})
    except CommandError as error:
        problems = tuple(error.problems)
    in_force = None
    if compared and posted.number < len(bench.config.get("profiles") or [None]):
        in_force = read_profile(bench.config, posted.number, bench.parts)
    return present_editor(
        Asked(posted, bench.parts, in_force, problems, found, () if bench.is_quiet else bench.pods, pod)
    )
