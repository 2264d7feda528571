"""Reading the recorded decisions of kube-scheduler, and telling where other decisions differ from them.

GOLDEN_DIR names another folder of golden sets.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from simulator.engine.conformance.compare import SYSTEMS
from simulator.engine.conformance.compare import differences as differences
from simulator.engine.conformance.compare import wrong_in as compared

SYSTEM = "kube-scheduler"
GOLDEN = Path(os.environ.get("GOLDEN_DIR") or Path(__file__).parent) / SYSTEM
TRIES = ("C00", *(f"F{number:02d}" for number in range(1, 19)))
TIMELINES = ("F19", "F20", "F21", "F22")
MOST_DIFFERENCES = 12

Entry = dict[str, Any]


def read_lines(path: Path) -> Iterator[Entry]:
    """The JSON objects of a compressed file, one a line."""
    with gzip.open(path, "rt") as lines:
        for line in lines:
            yield json.loads(line)


def scenarios(family: str) -> Iterator[tuple[Entry, Entry]]:
    """(scenario, what the real scheduler answered) of a family."""
    for entry in read_lines(GOLDEN / f"golden-{family}.jsonl.gz"):
        yield entry["scenario"], entry["expect"]


def answer(scenario: Entry) -> Entry:
    """What our engine answers to a scenario."""
    return SYSTEMS[SYSTEM](scenario)


def comparable(expect: Entry) -> Entry:
    """The part of an expectation that counts: of a run that was cut short only the records."""
    return {"cycles": expect["cycles"]} if expect.get("stop") == "maxCycles" else expect


def wrong_in(scenario: Entry, expect: Entry) -> list[str]:
    """Where our answer differs from the recorded one, a line each; empty where it does not."""
    return compared(SYSTEM, scenario, expect)


def report(wrong: dict[str, list[str]], count: int) -> str:
    """What a failing test prints: how many scenarios differ, and the first places."""
    lines = [f"{len(wrong)} of {count} scenarios differ from the real scheduler"]
    for scenario, places in list(wrong.items())[:5]:
        lines.append(f"{scenario}: {len(places)} places")
        lines.extend(f"    {place}" for place in places[:MOST_DIFFERENCES])
    return "\n".join(lines)
