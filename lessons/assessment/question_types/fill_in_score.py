"""Fill in the score: a table of nodes and plugins with cells to compute. Score: share of cells with a right number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from lessons.assessment.forms import FormReader
from lessons.assessment.grades import ONE, ZERO, Grade, Part, Verdict, graded, unanswered, verdict_of
from lessons.assessment.localized import Text
from lessons.assessment.number_text import format_number, parse_number
from lessons.assessment.problems import Invalid, Problem
from lessons.assessment.question_types.accepted_numbers import AcceptedNumber, matching, read_number
from lessons.assessment.question_types.base import Evidence, SceneQuestionType, View
from lessons.assessment.reading import NAME, Fields, Node, reference, unique
from lessons.assessment.responses import Response, pairs
from lessons.assessment.scenes import SceneFacts
from lessons.assessment.tokens import Tokens

TOTAL: Final = "total"
MAX_CELLS: Final = 60


@dataclass(frozen=True, slots=True)
class Axis:
    """A row or a column: its id and its caption."""

    id: str
    text: Text


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell. ``given`` ones show their number; the others are to be filled in."""

    row: str
    column: str
    number: AcceptedNumber
    given: bool

    @property
    def id(self) -> str:
        """Row and column in one name."""
        return f"{self.row}/{self.column}"


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """Rows, columns, and the cells (a place without one stays empty)."""

    rows: tuple[Axis, ...]
    columns: tuple[Axis, ...]
    cells: tuple[Cell, ...]

    def asked(self) -> tuple[Cell, ...]:
        """The cells to fill in."""
        return tuple(cell for cell in self.cells if not cell.given)


class FillInScore(SceneQuestionType[ScoreTable]):
    """Form fields ``cell.<token>``: numbers. Response ``{"cells": {"row/column": number as written}}``."""

    name = "fill-in-score"
    required = ("columns", "rows", "cells")
    engine_fields = ("rows", "cells")

    def read(self, fields: Fields) -> ScoreTable:
        """``columns``, ``rows``: ids or ``{id, text}``.

        ``cells``: ``{row, column, value, tolerance?, feedback?, given?}``.
        """
        columns, rows = _read_axis(fields, "columns"), _read_axis(fields, "rows")
        nodes = fields.children("cells", minimum=1, limit=MAX_CELLS)
        cells = tuple(_read_cell(node, [row.id for row in rows], [column.id for column in columns]) for node in nodes)
        unique(zip((cell.id for cell in cells), nodes, strict=True))
        if cells and all(cell.given for cell in cells):
            fields.fail("question.no_right_answer")
        return ScoreTable(rows, columns, cells)

    def bind(self, source: Mapping[str, Any], facts: SceneFacts) -> dict[str, Any]:
        """Rows: the nodes that passed Filter.

        Cells: their weighted scores for the columns (plugin names, or ``total``).
        """
        names = [column["id"] if isinstance(column, Mapping) else column for column in source.get("columns", ())]
        scored = [node for node in facts.nodes if node.passes and node.total is not None]
        cells: list[dict[str, Any]] = []
        for node in scored:
            known: dict[str, int | None] = {**node.scores, TOTAL: node.total}
            for name in names:
                if known.get(name) is None:
                    raise Invalid([Problem("scene.facts_missing", {"what": f"{node.name}/{name}"}, ("columns",))])
                cells.append({"row": node.name, "column": name, "value": known[name]})
        return {**source, "rows": [node.name for node in scored], "cells": cells}

    def view(self, content: ScoreTable, tokens: Tokens) -> View:
        """``columns``, ``rows`` with captions; ``cells``: where they stand, and either the number given or the form
        field.
        """
        return {
            "columns": [{"token": tokens.of("column", c.id), "text": c.text.as_mapping()} for c in content.columns],
            "rows": [{"token": tokens.of("row", r.id), "text": r.text.as_mapping()} for r in content.rows],
            "cells": [_cell_view(cell, tokens) for cell in content.cells],
        }

    def parse(self, content: ScoreTable, form: FormReader, earlier: Response) -> Response:
        """A number for each cell; some may be left open."""
        del earlier
        filled = {cell.id: form.number(_field(cell, form.tokens)) for cell in content.asked()}
        given = {name: value for name, value in sorted(filled.items()) if value}
        return {"cells": given} if given else {}

    def form_of(self, content: ScoreTable, response: Response, tokens: Tokens) -> dict[str, list[str]]:
        """What was written."""
        given = pairs(response, "cells")
        return {_field(cell, tokens): [given[cell.id]] for cell in content.asked() if cell.id in given}

    def grade(self, content: ScoreTable, response: Response, evidence: Evidence) -> Grade:
        """Share of right cells."""
        del evidence
        given = pairs(response, "cells")
        parts = tuple(_part(cell, given.get(cell.id)) for cell in content.asked())
        if not given:
            return unanswered(parts)
        total = sum((part.score or ZERO for part in parts), ZERO)
        return graded(total / len(parts), parts)

    def best(self, content: ScoreTable) -> Response:
        """All numbers."""
        asked = sorted(content.asked(), key=lambda cell: cell.id)
        return {"cells": {cell.id: format_number(cell.number.value) for cell in asked}}


def _read_axis(fields: Fields, name: str) -> tuple[Axis, ...]:
    nodes = fields.children(name, minimum=1, limit=20)
    axis = tuple(_read_axis_entry(node) for node in nodes)
    unique(zip((entry.id for entry in axis), nodes, strict=True))
    return axis


def _read_axis_entry(node: Node) -> Axis:
    if isinstance(node.value, str):
        name = node.named(NAME)
        return Axis(name, Text("总分", "Total") if name == TOTAL else Text.same(name))
    fields = node.fields(required=("id", "text"))
    return Axis(fields["id"].named(NAME), fields["text"].text())


def _read_cell(node: Node, rows: list[str], columns: list[str]) -> Cell:
    fields = node.fields(required=("row", "column", "value"), optional=("tolerance", "feedback", "given"))
    number = {name: fields[name].value for name in ("value", "tolerance", "feedback") if name in fields}
    return Cell(
        row=reference(fields["row"], rows),
        column=reference(fields["column"], columns),
        number=read_number(Node(number, node.path, node.problems)),
        given=fields.flag("given", default=False),
    )


def _field(cell: Cell, tokens: Tokens) -> str:
    return f"cell.{tokens.of('cell', cell.id)}"


def _cell_view(cell: Cell, tokens: Tokens) -> dict[str, Any]:
    place = {"row": tokens.of("row", cell.row), "column": tokens.of("column", cell.column)}
    if cell.given:
        return {**place, "value": format_number(cell.number.value)}
    return {**place, "token": tokens.of("cell", cell.id), "field": _field(cell, tokens)}


def _part(cell: Cell, given: str | None) -> Part:
    if given is None:
        return Part("cell", cell.id, Verdict.MISSED, ZERO, cell.number.feedback, tells_key=True)
    value = parse_number(given)
    credit: Fraction = ONE if value is not None and matching([cell.number], value) else ZERO
    return Part("cell", cell.id, verdict_of(credit), credit, cell.number.feedback, tells_key=True)
