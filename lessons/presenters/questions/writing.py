"""Questions where one writes: numbers, words in blanks, cells of a table, a text."""

from __future__ import annotations

from typing import Any

from lessons.presenters.questions.marks import Marks, Shown


def show_number(view: Shown, marks: Marks) -> Shown:
    """numeric: one field."""
    view["value"] = marks.value("value")
    view["part"] = next(iter(marks.parts.values()), None)
    view["best"] = marks.key_value("value")
    accepted = (view.get("revealed") or {}).get("accepted", [])
    exact = len(accepted) == 1 and accepted[0]["from"] == accepted[0]["to"]
    view["accepted"] = [] if exact else accepted
    return view


def show_cloze(view: Shown, marks: Marks) -> Shown:
    """cloze: `segments` of text and blanks, in order."""
    accepted = (view.get("revealed") or {}).get("accepted", {})
    blanks = {blank["token"]: _blank(blank, marks, accepted.get(blank["token"], [])) for blank in view["blanks"]}
    view["segments"] = [
        {"blank": blanks[segment["blank"]]} if "blank" in segment else segment for segment in view["segments"]
    ]
    for number, blank in enumerate(blanks.values(), start=1):
        blank["number"] = number
    return view


def _blank(blank: Shown, marks: Marks, accepted: list[Any]) -> Shown:
    blank["value"] = marks.value(blank["field"])
    blank["part"] = marks.part(blank["token"])
    blank["best"] = marks.key_value(blank["field"])
    blank["accepted"] = accepted
    for option in blank["options"]:
        option["chosen"] = option["token"] == blank["value"]
        if option["token"] == blank["best"]:
            blank["best"] = option["text"]
    return blank


def show_table(view: Shown, marks: Marks) -> Shown:
    """fill-in-score: `table`, a list of rows with a cell for each column (None where the table has none)."""
    cells = {(cell["row"], cell["column"]): cell for cell in view["cells"]}
    for cell in cells.values():
        if "field" in cell:
            cell["filled"] = marks.value(cell["field"])
            cell["best"] = marks.key_value(cell["field"])
            cell["part"] = marks.part(cell["token"])
    view["table"] = [
        {"row": row, "cells": [(column, cells.get((row["token"], column["token"]))) for column in view["columns"]]}
        for row in view["rows"]
    ]
    return view


def show_text(view: Shown, marks: Marks) -> Shown:
    """short-text: the text; once it is in, the rubric with the points given."""
    view["text"] = marks.value("text")
    revealed = view.get("revealed") or {}
    view["model"] = revealed.get("answer")
    view["rubric"] = revealed.get("rubric", [])
    for criterion in view["rubric"]:
        criterion["given"] = marks.value(criterion["field"])
        criterion["choices"] = [str(points) for points in range(criterion["points"] + 1)]
    return view


def show_goals(view: Shown, marks: Marks) -> Shown:
    """build-it: the goals with their verdicts."""
    for goal in view["goals"]:
        goal["part"] = marks.part(goal["token"])
    view["lab"] = marks.value("lab")
    return view
