"""Records: one thing the scheduler did, at one extension point, by one plugin, about one node.

A record is a code with parameters. Pages make sentences of it; kube's own words are in its status.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from simulator.engine.framework.status import SUCCESS, Status

QUEUE, GROUP, SELECT, REQUEUE = "queue", "group", "select", "requeue"
PRE_FILTER, FILTER, EXTENDERS, POST_FILTER = "preFilter", "filter", "extenders", "postFilter"
PRE_SCORE, SCORE, NORMALIZE = "preScore", "score", "normalizeScore"
RESERVE, PERMIT, PRE_BIND, BIND, POST_BIND = "reserve", "permit", "preBind", "bind", "postBind"

POINTS = (
    QUEUE, GROUP, PRE_FILTER, FILTER, EXTENDERS, POST_FILTER, PRE_SCORE, SCORE, NORMALIZE, SELECT, RESERVE, PERMIT,
    PRE_BIND, BIND, POST_BIND, REQUEUE,
)  # fmt: skip
"""The stages a page shows, in the order in which they come."""


@dataclass(frozen=True, slots=True)
class Record:
    """`attempt` numbers the attempts (members of a group have one each); `pod` is whose turn it is."""

    index: int
    point: str
    code: str
    pod: str
    attempt: int
    plugin: str = ""
    node: str = ""
    status: Status = SUCCESS
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Trace:
    """All records of one turn, in order, and the details of every attempt in it."""

    records: list[Record] = field(default_factory=list)
    attempts: list[AttemptDetail] = field(default_factory=list)

    def points(self) -> list[str]:
        """The extension points that occur, each once, in order of appearance."""
        return list(dict.fromkeys(record.point for record in self.records))


NOT_REACHED, SKIPPED = "notReached", "skipped"


@dataclass(frozen=True, slots=True)
class Cell:
    """A node × plugin cell: the verdict; `reached` False where an earlier plugin had rejected the node already
    (`status` is then what this one would have said), or where the search had stopped before the node.
    """

    status: Status
    reached: bool


@dataclass(slots=True)
class ScoreColumn:
    """One plugin's scores by node name: raw, normalized, and weighted = normalized × weight."""

    plugin: str
    weight: int
    raw: dict[str, int]
    normalized: dict[str, int]


@dataclass(slots=True)
class AttemptDetail:
    """Everything about one attempt, by node name.

    visited       nodes in the order in which they were looked at
    plugins       Filter plugins that ran, in order; `skipped` those PreFilter switched off
    matrix        node -> plugin -> cell, for every node of the cluster
    rejections    node -> the status that counts (nominated Pods considered)
    nominees      nodes that failed only because of Pods nominated to them
    totals        node -> total, for feasible nodes where there was scoring
    """

    pod: str
    placement: str | None
    nodes: list[str]
    visited: list[str]
    feasible: list[str]
    plugins: list[str]
    skipped: list[str]
    matrix: dict[str, dict[str, Cell]]
    rejections: dict[str, Status]
    nominees: list[str]
    scores: list[ScoreColumn]
    skipped_scores: list[str]
    outside: dict[str, dict[str, int]]
    totals: dict[str, int]
    best: list[str]
    chosen: str
    message: str
