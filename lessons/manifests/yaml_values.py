"""A piece of YAML within a file of the catalogue, read with the limits and the line marks of simulator.manifests."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lessons.assessment.problems import Problem
from lessons.assessment.reading import Node, Problems
from lessons.manifests.faults import Fault, Faulty, problem
from simulator.manifests.documents import Document, parse


@dataclass(frozen=True, slots=True)
class Yaml:
    """A value, and how to tell the line of anything in it. `offset`: lines of the file before the piece."""

    file: str
    offset: int
    document: Document

    def node(self) -> Node:
        """The value, to be read and checked; give what it notes to `faults`."""
        return Node(self.document.value, (), Problems())

    def faults(self, problems: Iterable[Problem]) -> list[Fault]:
        return [problem(self.file, self._line(one), one.code, one.params, one.where) for one in problems]

    def _line(self, one: Problem) -> int:
        return self.offset + self.document.marks.nearest(one.path).line


def read_yaml(text: str, file: str, *, offset: int = 0) -> Yaml:
    """Read the one value of a text. Raises Faulty."""
    parsed = parse(text)
    faults = [problem(file, offset + error.line, error.code, error.params) for error in parsed.errors]
    if not faults and len(parsed.documents) != 1:
        faults.append(problem(file, offset + 1, "text.empty", {}))
    if faults:
        raise Faulty(faults)
    return Yaml(file, offset, parsed.documents[0])
