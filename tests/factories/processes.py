"""The site in processes of its own, for tests, and a browser without a screen."""

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
from dataclasses import dataclass
from http.cookiejar import CookieJar
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ROOT = Path(__file__).resolve().parent.parent.parent


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait(condition: Callable[[], object], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)


def children(parent: int) -> set[int]:
    """Every process below `parent`."""
    found: set[int] = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            if int(fields[1]) == parent:
                found |= {int(stat.parent.name)} | children(int(stat.parent.name))
    return found


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def site_environment(settings: str, variables: Mapping[str, str]) -> dict[str, str]:
    """The environment for a process of the site: ours, without what is meant for this test process alone."""
    ours = {name: value for name, value in os.environ.items() if name != "DJANGO_ALLOW_ASYNC_UNSAFE"}
    return {**ours, "DJANGO_SETTINGS_MODULE": settings, **variables}


@dataclass(frozen=True, slots=True)
class Forked:
    """A process that is not our child, as far as it is used here like one."""

    pid: int
    stdout: None = None

    def poll(self) -> int | None:
        return None if alive(self.pid) else 0

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def wait(self, seconds: float) -> int:
        wait(lambda: not alive(self.pid), seconds)
        return 0


class Site:
    """A running `manage.py serve` with the demo app, and a browser without a screen."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self.port = free_port()
        self.jar = CookieJar()
        self.env = site_environment("tests.demo.settings", variables)
        self.start()

    def start(self, *arguments: str) -> None:
        self.process = self._begin("--port", str(self.port), *arguments)
        self.opener = build_opener(HTTPCookieProcessor(self.jar))
        wait(self._answers, 60)

    def _begin(self, *arguments: str) -> subprocess.Popen[bytes] | Forked:
        command = [sys.executable, "manage.py", "serve", *arguments]
        return subprocess.Popen(
            command, cwd=ROOT, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, process_group=0
        )

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


class RestartingSite(Site):
    """A site that is back sooner, once it was started: see `forking`."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._forks: subprocess.Popen[str] | None = None
        super().__init__(variables)
        if sys.platform != "linux":  # macOS lets no process fork that has loaded as much
            return
        command = [sys.executable, "-m", "tests.factories.forking"]
        self._forks = subprocess.Popen(
            command, cwd=ROOT, env=self.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def _begin(self, *arguments: str) -> subprocess.Popen[bytes] | Forked:
        if self._forks is None:
            return super()._begin(*arguments)
        assert self._forks.stdin is not None
        assert self._forks.stdout is not None
        self._forks.stdin.write(" ".join(arguments) + "\n")
        self._forks.stdin.flush()
        return Forked(int(self._forks.stdout.readline()))

    def close(self) -> None:
        if self.process.poll() is None:
            self.stop(signal.SIGKILL)
        if self._forks is not None:
            self._forks.communicate("")
