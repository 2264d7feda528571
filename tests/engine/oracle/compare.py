"""What the engine and the oracle must agree on, in one form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simulator.engine.conformance.objects import admit_all
from simulator.engine.conformance.tries import Tries
from tests.engine.oracle.run import OracleRun

TOLD = ("scheduled", "unschedulable", "nominated")


def view(result: Mapping[str, Any]) -> dict[str, Any]:
    """One try: outcome, message, verdicts, scores and preemption; from either side's words."""
    found = {name: result.get(name) for name in ("pod", "attempt", "outcome", "selected", "message")}
    found["filter"] = result.get("filter") or {}
    found["feasible"] = result.get("feasible") or []
    score = result.get("score")
    if score:
        found["raw"] = {node: entry["raw"] for node, entry in score["nodes"].items()}
        found["total"] = {node: entry["total"] for node, entry in score["nodes"].items()}
    else:
        found["raw"], found["total"] = result.get("raw"), result.get("total")
    post_filter = result.get("postFilter") or {}
    for name in ("chosen", "victims", "candidates"):
        found[name] = result.get(name) or post_filter.get(name)
    return found


def by_oracle(scenario: Mapping[str, Any]) -> list[dict[str, Any]]:
    _, admitted, _ = admit_all(scenario["objects"])
    return [view(result) for result in OracleRun(scenario, admitted).run()]


def by_engine(scenario: Mapping[str, Any]) -> list[dict[str, Any]]:
    return told(Tries(scenario).run())


def told(answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The tries of a recorded or computed answer that the oracle makes too."""
    return [view(result) for result in answer.get("results", ()) if result["outcome"] in TOLD]
