"""Node labels as columns: for a key, the id of each node's value, so that selectors are evaluated for all nodes at
once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from simulator.engine.objects.node import Node
from simulator.engine.objects.selectors import LabelSelector, NodeSelector, NodeSelectorTerm, Requirement

Bools = npt.NDArray[np.bool_]
Ids = npt.NDArray[np.int64]

ABSENT = -1
NAME_FIELD = "metadata.name"


class LabelColumn:
    """The values of one label key. `ids` is (nodes,) int64: an index into `values`, -1 where the node lacks the key."""

    def __init__(self, key: str, nodes: Sequence[Node]) -> None:
        self.key = key
        self.values: list[str] = []
        self._id_of: dict[str, int] = {}
        self._verdicts: dict[Requirement, Bools] = {}
        self.ids: Ids = np.array([self.intern(self._value(node)) for node in nodes], dtype=np.int64)

    def _value(self, node: Node) -> str | None:
        return node.name if self.key == NAME_FIELD else node.labels.get(self.key)

    def intern(self, value: str | None) -> int:
        if value is None:
            return ABSENT
        found = self._id_of.get(value)
        if found is None:
            found = self._id_of[value] = len(self.values)
            self.values.append(value)
        return found

    def id_of(self, value: str) -> int:
        """The id of `value`, -1 where no node ever had it."""
        return self._id_of.get(value, ABSENT)

    def append(self, node: Node) -> None:
        self.ids = np.append(self.ids, self.intern(self._value(node)))

    def set(self, row: int, node: Node) -> None:
        self.ids[row] = self.intern(self._value(node))

    def remove(self, row: int) -> None:
        self.ids = np.delete(self.ids, row)

    def verdict_by_id(self, requirement: Requirement) -> Bools:
        """(values + 1,) whether each value meets `requirement`; the last entry is for nodes without the key."""
        known = self._verdicts.get(requirement)
        if known is None or len(known) != len(self.values) + 1:
            known = self._verdicts[requirement] = self._verdict(requirement)
        return known

    def _verdict(self, requirement: Requirement) -> Bools:
        size = len(self.values) + 1
        match requirement.operator:
            case "In" | "NotIn":
                listed = [self._id_of[value] for value in requirement.values if value in self._id_of]
                verdict = np.zeros(size, dtype=np.bool_)
                verdict[listed] = True
                return verdict if requirement.operator == "In" else ~verdict
            case "Exists" | "DoesNotExist":
                verdict = np.full(size, requirement.operator == "Exists")
                verdict[ABSENT] = requirement.operator == "DoesNotExist"
                return verdict
            case _:
                verdict = np.zeros(size, dtype=np.bool_)
                for index, value in enumerate(self.values):
                    verdict[index] = requirement.matches({requirement.key: value})
                return verdict


class LabelColumns:
    """The label columns in use, built when a key is first asked for. `nodes` is the live list of Nodes in row order."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._nodes = nodes
        self._columns: dict[str, LabelColumn] = {}

    def column(self, key: str) -> LabelColumn:
        found = self._columns.get(key)
        if found is None:
            found = self._columns[key] = LabelColumn(key, self._nodes)
        return found

    def append(self, node: Node) -> None:
        for column in self._columns.values():
            column.append(node)

    def set(self, row: int, node: Node) -> None:
        for column in self._columns.values():
            column.set(row, node)

    def remove(self, row: int) -> None:
        for column in self._columns.values():
            column.remove(row)

    def matches(self, requirement: Requirement, ids: Ids) -> Bools:
        """(k,) whether the nodes at rows `ids` meet `requirement`."""
        column = self.column(requirement.key)
        verdict = column.verdict_by_id(requirement)
        return verdict[column.ids[ids]]

    def matches_selector(self, selector: LabelSelector, ids: Ids) -> Bools:
        if selector.nothing:
            return np.zeros(len(ids), dtype=np.bool_)
        matched = np.ones(len(ids), dtype=np.bool_)
        for requirement in selector.requirements:
            matched &= self.matches(requirement, ids)
        return matched

    def matches_term(self, term: NodeSelectorTerm, ids: Ids) -> Bools:
        if term.error is not None or (not term.expressions and not term.fields):
            return np.zeros(len(ids), dtype=np.bool_)
        matched = np.ones(len(ids), dtype=np.bool_)
        for requirement in (*term.expressions, *term.fields):
            matched &= self.matches(requirement, ids)
        return matched

    def matches_node_selector(self, selector: NodeSelector, ids: Ids) -> Bools:
        matched = np.zeros(len(ids), dtype=np.bool_)
        for term in selector.terms:
            matched |= self.matches_term(term, ids)
        return matched
