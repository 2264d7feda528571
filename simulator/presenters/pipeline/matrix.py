"""The node × plugin matrix of Filter, up to a record. What has not been told yet is blank.

Three kinds of cells are told apart: a verdict, not reached (with what it would have been), skipped at PreFilter (whole
columns, listed beside the table).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from simulator.engine.framework.messages import status_text
from simulator.engine.framework.status import Code
from simulator.engine.trace import records
from simulator.engine.trace.records import AttemptDetail, Record
from simulator.presenters.sentences.say import Sentence
from simulator.presenters.sentences.story import present_status

ROWS = 50
PASSED, FAILED, NOT_REACHED, AHEAD = "passed", "failed", "not-reached", "ahead"


@dataclass(frozen=True, slots=True)
class CellView:
    """`kind` is one of the states above; `message` kube's text of a verdict that is no success, also of one that is
    only what it would have been (`would_fail`)."""

    plugin: str
    kind: str
    message: str = ""
    would_fail: bool = False
    current: bool = False


@dataclass(frozen=True, slots=True)
class RowView:
    """`reason` is why the node dropped out. `result`: passed, failed, not-reached (not looked at), ahead (not told
    yet).
    """

    node: str
    result: str
    cells: tuple[CellView, ...]
    reason: Sentence | None = None
    plugin: str = ""


@dataclass(frozen=True, slots=True)
class MatrixView:
    plugins: tuple[str, ...]
    skipped: tuple[str, ...]
    rows: tuple[RowView, ...]
    page: int
    pages: int
    total: int
    passed: int
    failed: int

    @property
    def is_paged(self) -> bool:
        return self.pages > 1


def matrix_of(detail: AttemptDetail, told: Sequence[Record], *, page: int | None = None) -> MatrixView:
    """The matrix as far as the attempt's own records `told` tell it.

    `page` counts from 1; by default it is the one with the node that is looked at.
    """
    seen = _Seen(detail, told)
    order = _order(detail)
    pages = max(1, -(-len(order) // ROWS))
    chosen = min(max(1, page or _page_of(seen.node, order)), pages)
    part = order[(chosen - 1) * ROWS : chosen * ROWS]
    rows = tuple(_row(detail, seen, node) for node in part)
    results = [seen.result(node) for node in order]
    return MatrixView(
        tuple(detail.plugins),
        tuple(detail.skipped),
        rows,
        chosen,
        pages,
        len(order),
        results.count(PASSED),
        results.count(FAILED),
    )


def cell_of(detail: AttemptDetail, told: Sequence[Record], node: str, plugin: str) -> CellView | None:
    """One cell as far as it is told; None where there is no such cell."""
    if plugin not in detail.matrix.get(node, {}):
        return None
    return _cell(detail, _Seen(detail, told), node, plugin)


def results_of(detail: AttemptDetail, told: Sequence[Record]) -> dict[str, tuple[str, str]]:
    """Node -> (result, the plugin that rejected it) for all nodes, as far as it is told."""
    seen = _Seen(detail, told)
    return {node: (seen.result(node), seen.decisive(node)) for node in detail.nodes}


def _order(detail: AttemptDetail) -> list[str]:
    """Nodes in the order in which they are looked at, then the others."""
    visited = set(detail.visited)
    return [*detail.visited, *(node for node in detail.nodes if node not in visited)]


def _page_of(node: str, order: Sequence[str]) -> int:
    return order.index(node) // ROWS + 1 if node in order else 1


class _Seen:
    """What the records told so far of the attempt's verdicts."""

    def __init__(self, detail: AttemptDetail, told: Sequence[Record]) -> None:
        mine = [record for record in told if record.point == records.FILTER]
        self._detail = detail
        self.over = any(record.code == "filter.summary" for record in mine) or bool(
            mine and mine[-1].index < told[-1].index
        )
        self.cells = {(record.node, record.plugin) for record in mine if record.code == "filter.verdict"}
        self.plugins = [record.plugin for record in mine if record.code == "filter.plugin"]
        last = mine[-1] if mine and mine[-1] is told[-1] else None
        self.node = last.node if last else ""
        self.plugin = last.plugin if last else ""
        self._visited = set(detail.visited)
        self._feasible = set(detail.feasible)
        self._nominees = {record.node for record in mine if record.code == "filter.nominees"}

    def is_told(self, node: str, plugin: str) -> bool:
        return self.over or (node, plugin) in self.cells or plugin in self.plugins

    def result(self, node: str) -> str:
        if node not in self._visited:
            return NOT_REACHED if self.over else AHEAD
        plugin = self.decisive(node)
        if plugin:
            return FAILED if self.is_told(node, plugin) or node in self._nominees else AHEAD
        plugins = self._detail.plugins
        complete = self.over or not plugins or self.is_told(node, plugins[-1])
        return PASSED if complete and node in self._feasible else AHEAD

    def decisive(self, node: str) -> str:
        """The plugin that rejected the node, "" where none did."""
        rejection = self._detail.rejections.get(node)
        return rejection.plugin if rejection is not None else ""


def _row(detail: AttemptDetail, seen: _Seen, node: str) -> RowView:
    result = seen.result(node)
    failed = result == FAILED
    cells = tuple(_cell(detail, seen, node, plugin) for plugin in detail.plugins)
    return RowView(
        node,
        result,
        cells,
        present_status(detail.rejections[node]) if failed else None,
        seen.decisive(node) if failed else "",
    )


def _cell(detail: AttemptDetail, seen: _Seen, node: str, plugin: str) -> CellView:
    cell = detail.matrix[node][plugin]
    current = seen.plugin == plugin and seen.node in (node, "")
    success = cell.status.code == Code.SUCCESS
    message = "" if success else status_text(cell.status)
    if not cell.reached:
        if not seen.over and not _behind_a_failure(detail, seen, node, plugin):
            return CellView(plugin, AHEAD, current=current)
        return CellView(plugin, NOT_REACHED, message, would_fail=not success, current=current)
    if not seen.is_told(node, plugin):
        return CellView(plugin, AHEAD, current=current)
    return CellView(plugin, PASSED if success else FAILED, message, current=current)


def _behind_a_failure(detail: AttemptDetail, seen: _Seen, node: str, plugin: str) -> bool:
    """Whether it has been told already that an earlier plugin rejected the node."""
    decisive = seen.decisive(node)
    if not decisive or not seen.is_told(node, decisive) or decisive not in detail.plugins:
        return False
    return detail.plugins.index(decisive) < detail.plugins.index(plugin)
