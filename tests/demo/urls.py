"""The site's addresses and the tests' own demo pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.urls import path

from gpuschedlab.accounts.services import participant_ensure
from gpuschedlab.urls import handler400, handler403, handler404, handler500
from gpuschedlab.urls import urlpatterns as site_patterns
from gpuschedlab.web.errors import Conflict
from gpuschedlab.web.htmx import render_page
from gpuschedlab.web.jobs.presenters import present_run
from gpuschedlab.web.jobs.services import enqueue

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from gpuschedlab.web.http import LabRequest

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]


def demo(request: HttpRequest) -> HttpResponse:
    return render(request, "demo/demo.html")


def start(request: LabRequest) -> HttpResponse:
    steps = int(request.POST["steps"])
    run = enqueue("tests.count", owner=participant_ensure(request.participant), params={"steps": steps})
    return render_page(request, "web/run.html", {"view": present_run(run)}, partial="run")


def conflict(request: HttpRequest) -> HttpResponse:
    raise Conflict("h100-1 was deleted meanwhile.")


def broken(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("broken on purpose")


urlpatterns = [
    path("demo/", demo),
    path("demo/start/", start),
    path("demo/conflict/", conflict),
    path("demo/broken/", broken),
    *site_patterns,
]
