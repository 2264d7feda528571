"""A run as the page shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gpuschedlab.web.jobs.registry import job_kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django_stubs_ext import StrOrPromise

    from gpuschedlab.web.models import Run

COMMON_MESSAGES: Mapping[str, StrOrPromise] = {
    "job.failed": gettext_lazy("It stopped with an error of ours, which is in the log. Try again, or with less."),
    "job.crashed": gettext_lazy("Its worker died several times, so it was given up. Try again with less."),
    "job.too_long": gettext_lazy("It took longer than a task may take, so it was stopped. Try again with less."),
    "job.unknown": gettext_lazy("This version of the site no longer knows this task. Start it again."),
}


@dataclass(frozen=True, slots=True)
class RunView:
    """What templates/components/_run.html needs; `percent` is None while the end is not known."""

    run: Run
    title: StrOrPromise
    sentence: str
    percent: int | None
    stopping: bool
    result_url: str


def present_run(run: Run) -> RunView:
    kind = job_kind(run.kind)
    return RunView(
        run=run,
        title=kind.title if kind else run.kind,
        sentence=_sentence(run),
        percent=min(100, run.done * 100 // run.total) if run.total else None,
        stopping=run.is_active and run.cancel_requested_at is not None,
        result_url=kind.result_url(run) if kind and kind.result_url and run.state == "succeeded" else "",
    )


def _sentence(run: Run) -> str:
    kind = job_kind(run.kind)
    messages = {**COMMON_MESSAGES, **(kind.messages if kind else {})}
    if run.error_code:
        return _fill(messages, run.error_code, run.error_params)
    if run.is_active and run.message_code:
        return _fill(messages, run.message_code, run.message_params)
    return _("%(state)s.") % {"state": run.get_state_display()}


def _fill(messages: Mapping[str, StrOrPromise], code: str, params: Mapping[str, Any]) -> str:
    """The code's sentence with its numbers; the bare code when the kind has none for it."""
    return str(messages.get(code, code)) % params
