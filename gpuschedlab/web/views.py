"""The frame's own pages: home and health."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.cache import cache
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_safe

from gpuschedlab.web.home import home_actions, home_sections, home_styles
from gpuschedlab.web.htmx import render_page
from gpuschedlab.web.stages import PHASES

if TYPE_CHECKING:
    from collections.abc import Callable

    from gpuschedlab.web.http import LabRequest


@require_safe
def home(request: LabRequest) -> HttpResponse:
    context = {
        "phases": PHASES,
        "actions": home_actions(),
        "sections": home_sections(request.participant),
        "styles": home_styles(),
    }
    return render_page(request, "web/home.html", context)


@require_safe
def favicon(_request: HttpRequest) -> HttpResponse:
    """For pages that name no icon of their own (the admin's)."""
    return redirect(static("img/mark.svg"))


@never_cache
@require_GET
def health(_request: HttpRequest) -> JsonResponse:
    """Whether this process can do its work: 200 when all it needs answers, else 503 with what does not."""
    parts = {"database": _answers(connection.ensure_connection), "cache": _answers(lambda: cache.get("health"))}
    ok = all(parts.values())
    return JsonResponse({"ok": ok, **parts}, status=200 if ok else 503)


def _answers(question: Callable[[], object]) -> bool:
    try:
        question()
    except Exception:  # noqa: BLE001 (whatever is wrong with it, it does not answer)
        return False
    return True
