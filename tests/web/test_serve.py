"""The real thing: `manage.py serve` with its worker, in processes of their own."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import HTTPError

import pytest

from gpuschedlab.web.processes import PortInUse, listen
from tests.factories.processes import ROOT, Site, alive, children, site_environment, wait

if TYPE_CHECKING:
    from collections.abc import Iterator

linux = pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    running = Site({"LAB_MODE": "embedded", "LAB_DATA_DIR": str(tmp_path)})
    yield running
    if running.process.poll() is None:
        running.stop(signal.SIGKILL)


@linux
@pytest.mark.slow
def test_jobs_run_long_bodies_are_refused_and_everything_ends_on_ctrl_c(site: Site) -> None:
    with pytest.raises(HTTPError) as caught:
        site.post("/demo/start/", steps="1" * (3 * 1024 * 1024))
    assert caught.value.code == 413
    assert "2 MB" in caught.value.read().decode()
    caught.value.close()
    run = site.start_run(steps="2")
    wait(lambda: site.state(run) == "succeeded")
    below = children(site.process.pid)
    assert len(below) >= 2  # the worker and its pool
    assert site.stop(signal.SIGINT) == 0
    wait(lambda: not any(map(alive, below)), 5)


@linux
@pytest.mark.slow
def test_killed_parent_leaves_no_worker_and_the_run_goes_on_at_the_next_start(site: Site) -> None:
    run = site.start_run(steps="7")
    wait(lambda: site.state(run) == "running")
    below = children(site.process.pid)
    site.stop(signal.SIGKILL)
    wait(lambda: not any(map(alive, below)), 5)
    site.start()
    wait(lambda: site.state(run) == "succeeded")


@linux
@pytest.mark.slow
def test_worker_that_dies_is_started_again(site: Site) -> None:
    run = site.start_run(steps="1")
    wait(lambda: site.state(run) == "succeeded")
    below = children(site.process.pid)
    for pid in below:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    wait(lambda: children(site.process.pid) - below)
    again = site.start_run(steps="1")
    wait(lambda: site.state(again) == "succeeded")


def test_port_in_use_is_one_line_with_what_to_do(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(PortInUse):
            listen("127.0.0.1", port)
        result = subprocess.run(
            [sys.executable, "manage.py", "serve", "--port", str(port)],
            cwd=ROOT,
            env=site_environment("gpuschedlab.settings.site", {"LAB_DATA_DIR": str(tmp_path)}),
            capture_output=True,
            text=True,
            check=False,
        )
    assert result.returncode == 1
    assert result.stderr.strip() == f"CommandError: Port {port} is in use. Choose another one: make run PORT={port + 1}"
