"""The real thing: `manage.py serve` with its worker, in processes of their own."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from http.cookiejar import CookieJar
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest

from gpuschedlab.web.processes import PortInUse, listen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).resolve().parent.parent.parent
linux = pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait(condition: Callable[[], object], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)


def _children(parent: int) -> set[int]:
    """Every process below `parent`."""
    found: set[int] = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            if int(fields[1]) == parent:
                found |= {int(stat.parent.name)} | _children(int(stat.parent.name))
    return found


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Site:
    """A running `manage.py serve` with the demo app, and a browser without a screen."""

    def __init__(self, data_dir: Path) -> None:
        self.port = _free_port()
        self.env = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "tests.demo.settings",
            "LAB_MODE": "embedded",
            "LAB_DATA_DIR": str(data_dir),
        }
        self.start()

    def start(self) -> None:
        command = [sys.executable, "manage.py", "serve", "--port", str(self.port)]
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, process_group=0
        )
        self.opener = build_opener(HTTPCookieProcessor(CookieJar()))
        _wait(self._answers)

    def _answers(self) -> bool:
        assert self.process.poll() is None, self.process.stdout.read().decode() if self.process.stdout else ""
        with contextlib.suppress(OSError):
            return bool(json.loads(self.get("/health/"))["ok"])
        return False

    def get(self, path: str) -> str:
        with self.opener.open(f"http://127.0.0.1:{self.port}{path}", timeout=10) as answer:
            return str(answer.read().decode())

    def post(self, path: str, **data: str) -> str:
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', self.get("/demo/"))
        assert token is not None
        body = urlencode({**data, "csrfmiddlewaretoken": token.group(1)}).encode()
        with self.opener.open(Request(f"http://127.0.0.1:{self.port}{path}", body), timeout=10) as answer:
            return str(answer.read().decode())

    def start_run(self, **data: str) -> str:
        """The address of a run that was started."""
        found = re.search(r'data-topic="run:([^"]+)"', self.post("/demo/start/", **data))
        assert found is not None
        return f"/runs/{found.group(1)}/"

    def state(self, run: str) -> str:
        found = re.search(r'class="run run-(\w+)"', self.get(run))
        assert found is not None
        return found.group(1)

    def stop(self, with_signal: int) -> int:
        self.process.send_signal(with_signal)
        code = self.process.wait(15)
        if self.process.stdout:
            self.process.stdout.close()
        return code


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    running = Site(tmp_path)
    yield running
    if running.process.poll() is None:
        running.stop(signal.SIGKILL)


@linux
@pytest.mark.slow
def test_jobs_run_and_everything_ends_on_ctrl_c(site: Site) -> None:
    run = site.start_run(steps="2")
    _wait(lambda: site.state(run) == "succeeded")
    below = _children(site.process.pid)
    assert len(below) >= 2  # the worker and its pool
    assert site.stop(signal.SIGINT) == 0
    _wait(lambda: not any(map(_alive, below)), 5)


@linux
@pytest.mark.slow
def test_killed_parent_leaves_no_worker_and_the_run_goes_on_at_the_next_start(site: Site) -> None:
    jar = site.opener
    run = site.start_run(steps="7")
    _wait(lambda: site.state(run) == "running")
    below = _children(site.process.pid)
    site.stop(signal.SIGKILL)
    _wait(lambda: not any(map(_alive, below)), 5)
    site.start()
    site.opener = jar
    _wait(lambda: site.state(run) == "succeeded")


@linux
@pytest.mark.slow
def test_worker_that_dies_is_started_again(site: Site) -> None:
    run = site.start_run(steps="1")
    _wait(lambda: site.state(run) == "succeeded")
    below = _children(site.process.pid)
    for pid in below:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    _wait(lambda: _children(site.process.pid) - below)
    again = site.start_run(steps="1")
    _wait(lambda: site.state(again) == "succeeded")


@pytest.mark.slow
def test_long_body_is_answered_with_what_to_do(site: Site) -> None:
    from urllib.error import HTTPError

    with pytest.raises(HTTPError) as caught:
        site.post("/demo/start/", steps="1" * (3 * 1024 * 1024))
    assert caught.value.code == 413
    assert "2 MB" in caught.value.read().decode()
    caught.value.close()


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
            env={**os.environ, "LAB_DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "gpuschedlab.settings"},
            capture_output=True,
            text=True,
            check=False,
        )
    assert result.returncode == 1
    assert result.stderr.strip() == f"CommandError: Port {port} is in use. Choose another one: make run PORT={port + 1}"
