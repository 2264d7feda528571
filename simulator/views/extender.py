"""The page about scheduler extenders: the protocol as it goes over the wire, and how to write one's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.views.decorators.http import require_safe

from gpuschedlab.web.htmx import render_page
from simulator.extenders.demonstration import SHOWN_PORT, demonstration, extender_entry
from simulator.manifests.writer import write
from simulator.presenters.extender_calls import present_calls

if TYPE_CHECKING:
    from django.http import HttpResponse

    from gpuschedlab.web.http import LabRequest

EXAMPLES: Final = (("Python", "own_extender.py.txt"), ("Go", "own_extender.go.txt"))


@require_safe
def extender(request: LabRequest) -> HttpResponse:
    folder = Path(settings.BASE_DIR) / "fixtures" / "extenders"
    context = {
        "calls": present_calls(demonstration()),
        "configuration": _configuration(),
        "examples": [(language, (folder / name).read_text(encoding="utf-8")) for language, name in EXAMPLES],
        "allowed": settings.EXTENDER_ADDRESSES,
    }
    return render_page(request, "simulator/extender/extender.html", context)


def _configuration() -> str:
    config = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "extenders": [extender_entry(f"http://127.0.0.1:{SHOWN_PORT}/gpushare")],
    }
    return write([config], sort_keys=False)
