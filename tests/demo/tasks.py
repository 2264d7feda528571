"""Jobs for tests only."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING, Any

from gpuschedlab.web.jobs.context import JobFailed
from gpuschedlab.web.jobs.registry import job

if TYPE_CHECKING:
    from gpuschedlab.web.jobs.context import JobContext


@job("tests.count", title="Counting", messages={"step": "Step %(n)s"})
def count(context: JobContext, *, steps: int, pause: float = 0.3) -> dict[str, Any]:
    """Counts to `steps`, with a pause in between."""
    for n in range(steps):
        context.progress(n, steps, "step", n=n + 1)
        time.sleep(pause)
    return {"steps": steps}


@job("tests.fail", title="Failing", messages={"no_luck": "Node %(node)s is gone."})
def fail(context: JobContext, *, how: str) -> None:
    if how == "told":
        raise JobFailed("no_luck", node="t4-1")
    if how == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    raise RuntimeError("broken on purpose")


@job("tests.odd", title="Odd")
def odd(context: JobContext) -> dict[str, Any]:
    return {"not": {"json"}}
