"""Family F21 over real HTTP: the recorded requests go over a socket, and everything comes out as recorded."""

from __future__ import annotations

import json
from typing import Any

from simulator.engine.conformance.extenders import Answers
from simulator.engine.conformance.timeline import Timeline
from simulator.engine.framework.extenders import BIND, FILTER, PREEMPT, PRIORITIZE, Reply, Request
from simulator.extenders.client import HttpExtenders
from simulator.extenders.server import Asked, BadRequest, Routes
from tests.golden.recorded import comparable, differences, report, scenarios
from tests.simulator.extenders.servers import client, serving

VERBS = (FILTER, PRIORITIZE, PREEMPT, BIND)


class OverHttp:
    """The recorded extenders behind a real server; statuses other than 200 cannot be said through its routes."""

    def __init__(self, answers: list[Answers], port: HttpExtenders, base: str, recorded: dict[str, Answers]) -> None:
        self._answers = answers
        self._port = port
        self._base = base
        self._recorded = recorded

    def call(self, request: Request) -> Reply:
        said = self._answers[request.extender].answer(request.verb, request.body)
        if said.status != 200:
            return said
        path = request.url.partition("http://extender")[2]
        index = str(request.extender)
        self._recorded[f"/{index}/{request.verb}"] = self._answers[request.extender]
        url = f"{self._base}/{index}/{request.verb}"
        assert path.startswith(f"/e{index}/")
        return self._port.call(
            Request(request.extender, request.verb, url, request.timeout, request.body, request.bound)
        )


def test_every_recorded_scenario_over_real_http() -> None:
    current: dict[str, Answers] = {}

    def route(path: str) -> Any:
        def answer(asked: Asked) -> Any:
            found = current.get(path)
            if found is None:
                raise BadRequest(path)
            return found.answer(path.rpartition("/")[2], asked.body).body

        return answer

    routes = Routes({f"/{index}/{verb}": route(f"/{index}/{verb}") for index in range(5) for verb in VERBS})
    wrong: dict[str, list[str]] = {}
    count = calls = 0
    with serving(routes) as base:
        port = client()
        for scenario, expect in scenarios("F21"):
            timeline = Timeline(scenario)
            answers = [Answers(entry["replies"]) for entry in scenario["extenders"]]
            current.clear()
            over = OverHttp(answers, port, base, current)
            for extender in timeline.scheduler.extenders.extenders:
                extender._port = over
            got = timeline.run()
            wanted = comparable(expect)
            found = list(differences({name: got[name] for name in got if name in wanted or wanted is expect}, wanted))
            if found:
                wrong[scenario["id"]] = found
            calls += json.dumps(expect).count('"method"')
            count += 1
        port.close()
    assert count > 100
    assert calls > 500
    assert not wrong, report(wrong, count)
