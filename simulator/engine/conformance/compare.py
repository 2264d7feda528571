"""Whether the engine answers a recorded scenario as the recorded system did, and where not."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from simulator.engine.conformance.timeline import Timeline
from simulator.engine.conformance.tries import Tries

Scenario = Mapping[str, Any]
TIMELINES = frozenset({"F19", "F20", "F21", "F22"})
MOST_CHARACTERS = 200  # of a value in a difference


def _kube_scheduler(scenario: Scenario) -> dict[str, Any]:
    return Timeline(scenario).run() if scenario["family"] in TIMELINES else Tries(scenario).run()


SYSTEMS: Mapping[str, Callable[[Scenario], dict[str, Any]]] = {"kube-scheduler": _kube_scheduler}
"""What the engine answers to a recorded scenario, by the recorded system's name."""


def wrong_in(system: str, scenario: Scenario, expect: Mapping[str, Any]) -> list[str]:
    """Where our answer differs from the recorded one, a line each. Raises KeyError for a system without an answer.

    Of a recorded run that was cut short only the cycles count.
    """
    wanted = {"cycles": expect["cycles"]} if expect.get("stop") == "maxCycles" else expect
    got = SYSTEMS[system](scenario)
    return list(differences({name: got[name] for name in got if name in wanted or wanted is expect}, wanted))


def differences(got: Any, wanted: Any, path: str = "") -> Iterator[str]:
    """`path: got ..., recorded ...` for every place where two JSON values differ."""
    if isinstance(got, Mapping) and isinstance(wanted, Mapping):
        for name in sorted({*got, *wanted}):
            here = f"{path}.{name}" if path else name
            if name not in wanted:
                yield f"{here}: got {_short(got[name])}, nothing recorded"
            elif name not in got:
                yield f"{here}: got nothing, recorded {_short(wanted[name])}"
            else:
                yield from differences(got[name], wanted[name], here)
    elif isinstance(got, list) and isinstance(wanted, list) and len(got) == len(wanted):
        for index, (left, right) in enumerate(zip(got, wanted, strict=True)):
            yield from differences(left, right, f"{path}[{index}]")
    elif got != wanted:
        yield f"{path}: got {_short(got)}, recorded {_short(wanted)}"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}…"
