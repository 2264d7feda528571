"""The embedded mode's worker: a child process, started again when it ends, gone when we are."""

from __future__ import annotations

import contextlib
import logging
import os
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

logger = logging.getLogger(__name__)

FIRST_PAUSE = 1.0  # seconds before a worker that ended is started again; doubles each time
LONGEST_PAUSE = 30.0
PATIENCE = 1.0  # seconds a worker has to end by itself; an unfinished run goes on at the next start


class Supervisor:
    """Keeps one child process running from start() to stop()."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = list(command)
        self._stopping = threading.Event()
        self._child: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._keep_running, name="worker supervisor", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        child = self._child
        if child is not None and child.poll() is None:
            child.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(PATIENCE)
            child.kill()
        self._thread.join(PATIENCE)

    def _keep_running(self) -> None:
        pause = FIRST_PAUSE
        while not self._stopping.is_set():
            # A process group of its own: Ctrl-C reaches us alone, and we end the child in order.
            self._child = subprocess.Popen(self._command, process_group=0)  # noqa: S603 (our own command)
            code = self._child.wait()
            if self._stopping.is_set():
                return
            logger.warning("the worker ended with %s; starting it again in %.0f s", code, pause)
            self._stopping.wait(pause)
            pause = min(pause * 2, LONGEST_PAUSE)


def worker_command() -> list[str]:
    return [sys.executable, sys.argv[0], "worker", "--parent", str(os.getpid())]
