"""kill -9 of a real server under load: nothing that was answered is lost, nothing is doubled."""

from __future__ import annotations

import contextlib
import itertools
import random
import re
import signal
import sqlite3
import threading
import time
import uuid
from collections import Counter
from dataclasses import dataclass, field
from http.client import HTTPException
from http.cookiejar import CookieJar
from typing import TYPE_CHECKING, cast
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest

from tests.factories.processes import RestartingSite, Site, wait

if TYPE_CHECKING:
    from collections.abc import Iterator
    from http.client import HTTPResponse
    from pathlib import Path

KILLS = 20
LABS = 2
TABS = 2  # of each lab, each in a race with the other
FIELD = re.compile(r'name="(csrfmiddlewaretoken|seq)" value="([^"]+)"')


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    running = RestartingSite({"LAB_MODE": "embedded", "LAB_DATA_DIR": str(tmp_path)})
    yield running
    running.close()


@dataclass
class Tab:
    """A browser tab that labels a node again and again, and asks again with the same token until it is answered."""

    site: Site
    lab: str
    jar: CookieJar
    stop: threading.Event
    answered: list[str] = field(default_factory=list)
    stepped: list[str] = field(default_factory=list)  # a step within what has happened needs no command
    refused: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._opener = build_opener(HTTPCookieProcessor(self.jar))
        self._url = f"http://127.0.0.1:{self.site.port}/labs/free-lab/{self.lab}/"

    def work(self) -> None:
        fields = self._fields()
        for number in itertools.count():
            if self.stop.is_set():
                return
            token = str(uuid.uuid4())
            label = {"name": "h100-1", "labels": f"t={number}"}
            step = {"go": "forward", "unit": "cycle"} if number % 5 == 4 else label
            status = self._send("step/" if "go" in step else "do/label/", {**fields, **step, "client_token": token})
            if status == 200:
                (self.stepped if "go" in step else self.answered).append(token)
            elif status in {400, 409}:  # nothing happens any more; somebody was faster
                self.refused.append(token)
            else:
                self.problems.append(f"{step} was answered with {status}")
                return
            fields = self._fields()

    def _fields(self) -> dict[str, str]:
        return dict(FIELD.findall(self._until_answered(Request(self._url))[1]))

    def _send(self, path: str, data: dict[str, str]) -> int:
        body = urlencode(data).encode()
        return self._until_answered(Request(self._url + path, body, {"HX-Request": "true"}))[0]

    def _until_answered(self, request: Request) -> tuple[int, str]:
        while True:
            try:
                with self._opened(request) as answer:
                    return answer.status, answer.read().decode()
            except (OSError, HTTPException):  # an answer that is cut short is none
                time.sleep(0.02)

    def _opened(self, request: Request) -> HTTPResponse | HTTPError:
        try:
            return cast("HTTPResponse", self._opener.open(request, timeout=20))
        except HTTPError as refused:
            return refused


def tokens(database: Path, lab: str) -> list[tuple[int, str]]:
    with contextlib.closing(sqlite3.connect(database)) as connection:
        query = "SELECT seq, client_token FROM simulator_labcommand WHERE lab_id = ? ORDER BY seq"
        return [(seq, str(uuid.UUID(token))) for seq, token in connection.execute(query, [uuid.UUID(lab).hex])]


def answers(tabs: list[Tab]) -> Counter[str]:
    """How many commands of each lab were answered."""
    return Counter(tab.lab for tab in tabs for _ in tab.answered)


def await_answers(tabs: list[Tab]) -> None:
    """Each lab has got something more that a kill could lose."""
    before = answers(tabs)
    wait(lambda: all(answers(tabs)[tab.lab] > before[tab.lab] for tab in tabs), 60)


@pytest.mark.slow
def test_killed_server_loses_nothing_answered_and_doubles_nothing(site: Site, tmp_path: Path) -> None:
    stop = threading.Event()
    labs = [str(uuid.uuid4()) for _ in range(LABS)]
    tabs: list[Tab] = []
    for lab in labs:
        jar = CookieJar()
        first = Tab(site, lab, jar, stop)
        tabs += [first, *(Tab(site, lab, jar, stop) for _ in range(TABS - 1))]
        first._send("do/label/", {**first._fields(), "name": "h100-1", "labels": "born=yes"})
    threads = [threading.Thread(target=tab.work, daemon=True) for tab in tabs]
    for thread in threads:
        thread.start()
    moments = random.Random(20)
    for _ in range(KILLS):
        await_answers(tabs)
        time.sleep(moments.uniform(0.05, 0.6))
        site.stop(signal.SIGKILL)
        site.start("--no-prepare", "--no-worker")
    stop.set()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert [problem for tab in tabs for problem in tab.problems] == []
    for lab in labs:
        mine = [tab for tab in tabs if tab.lab == lab]
        rows = tokens(tmp_path / "lab.sqlite3", lab)
        answered = [token for tab in mine for token in tab.answered]
        assert len(answered) > KILLS
        assert [seq for seq, _ in rows] == list(range(1, len(rows) + 1))
        stored = {token for _, token in rows[1:]}
        stepped = {token for tab in mine for token in tab.stepped}
        assert set(answered) <= stored <= set(answered) | stepped
        assert not stored & {token for tab in mine for token in tab.refused}
        assert int(mine[0]._fields()["seq"]) == len(rows)
