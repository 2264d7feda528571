"""An attempt in the words of the recorded data."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.engine.framework import messages
from simulator.engine.framework.attempt import Attempt, PostFilterOutcome, node_names
from simulator.engine.framework.plugin import PreFilterResult
from simulator.engine.framework.runtime import Framework
from simulator.engine.framework.status import Code, Status
from simulator.engine.preemption.story import Story

MATRIX_LIMIT = 16


def status_entry(status: Status, **extra: Any) -> dict[str, Any]:
    entry: dict[str, Any] = {"plugin": status.plugin} if status.plugin else {}
    entry["code"] = str(status.code)
    if status.reasons:
        entry["reasons"] = [messages.text(reason) for reason in status.reasons]
    return entry | extra


def describe_attempt(framework: Framework, tried: Attempt) -> dict[str, Any]:
    """All of a result but outcome and PostFilter."""
    search = tried.search
    if search is None:
        return {}
    outcome, diagnosis = search.pre_filter, search.diagnosis
    found: dict[str, Any] = {"preFilter": [_pre_filter(*entry) for entry in outcome.results]}
    if outcome.rows is not None:
        found["preFilterNodes"] = sorted(outcome.names or ())
    if outcome.rows is not None or not outcome.status.is_success:
        found["absent"] = status_entry(diagnosis.absent)
    if outcome.status.is_success:
        found["filterPlugins"] = [plugin.name for plugin in framework.filters_for(tried.state)]
        found["matrix"] = _matrix(framework, tried)
    if len(search.feasible):
        found["feasible"] = node_names(framework, np.sort(search.feasible))
    found["filter"] = {name: status_entry(status) for name, status in _failures(framework, tried)}
    found["unschedulablePlugins"] = list(diagnosis.plugins)
    if tried.best is not None:
        found["best"] = node_names(framework, tried.best)
    found |= _scores(framework, tried)
    return {name: value for name, value in found.items() if value}


def _pre_filter(plugin: str, result: PreFilterResult) -> dict[str, Any]:
    entry = {"plugin": plugin} | status_entry(result.status)
    if result.nodes is not None:
        entry["nodes"] = sorted(result.nodes)
    return entry


def _failures(framework: Framework, tried: Attempt) -> list[tuple[str, Status]]:
    assert tried.search is not None
    objects = framework.handle.cluster.nodes.objects
    return [(objects[row].name, status) for row, status in tried.search.diagnosis.explicit()]


def _matrix(framework: Framework, tried: Attempt) -> dict[str, dict[str, Any]]:
    """Every plugin alone on the real state, failures only."""
    cluster = framework.handle.cluster
    found: dict[str, dict[str, Any]] = {}
    if len(cluster) > MATRIX_LIMIT:
        return found
    for plugin in framework.filters_for(tried.state):
        verdicts = plugin.filter(tried.state, tried.pod, cluster.all_rows())
        for row in np.flatnonzero(verdicts.codes).tolist():
            found.setdefault(cluster.nodes.objects[row].name, {})[plugin.name] = status_entry(verdicts.status(row))
    return found


def _scores(framework: Framework, tried: Attempt) -> dict[str, Any]:
    if tried.error is not None and tried.error.pre_score:
        return {"preScore": [status_entry(status) for status in tried.error.pre_score]}
    if tried.scoring is None or tried.search is None:
        return {}
    scoring = tried.scoring
    names = node_names(framework, tried.search.feasible)
    nodes = {}
    for index, name in enumerate(names):
        nodes[name] = {
            "raw": [int(layer.raw[index]) for layer in scoring.layers],
            "norm": [int(layer.normalized[index]) for layer in scoring.layers],
            "weighted": [int(layer.normalized[index]) * layer.weight for layer in scoring.layers],
            "total": int(scoring.totals[index]),
        }
    return {
        "preScore": [status_entry(status) for status in scoring.pre_score],
        "score": {
            "plugins": [layer.plugin for layer in scoring.layers],
            "weights": [layer.weight for layer in scoring.layers],
            "nodes": nodes,
        },
    }


def describe_post_filter(framework: Framework, tried: Attempt, outcome: PostFilterOutcome) -> dict[str, Any]:
    assert tried.search is not None
    diagnosis = tried.search.diagnosis
    story = next((result.story for _, result in outcome.results if result.story is not None), None) or Story()
    found: dict[str, Any] = {
        "eligible": story.refusal is None,
        "code": str(outcome.status.code),
        "message": outcome.message,
        "potential": list(story.potential) or None,
    }
    if story.refusal is not None:
        found["eligibleMsg"] = messages.status_text(story.refusal)
    found["candidates"] = [
        {
            "node": candidate.node,
            "victims": [victim.key for victim in candidate.victims],
            "pdbViolations": candidate.violations,
        }
        for candidate in story.candidates
    ] or None
    helpless = {name: status_entry(status, stage="dryRun") for name, status in story.statuses.items()}
    for row, node in enumerate(framework.handle.cluster.nodes.objects):
        status = diagnosis.status(row)
        if status.code != Code.UNSCHEDULABLE:
            helpless[node.name] = status_entry(status, stage="filter")
    if helpless and story.refusal is None:
        found["notHelpful"] = helpless
    if story.chosen is not None:
        found |= {"ties": list(story.ties), "decidedBy": story.decided_by, "chosen": story.chosen.node}
        found["victims"] = [victim.key for victim in story.chosen.victims]
        decisive = outcome.decisive
        if decisive is not None and decisive.cleared:
            found["clearedNominations"] = [pod.key for pod in decisive.cleared]
    return found
