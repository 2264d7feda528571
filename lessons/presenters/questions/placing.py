"""Questions where one puts things in order or to each other."""

from __future__ import annotations

from lessons.presenters.questions.graph import draw_graph
from lessons.presenters.questions.marks import Marks, Shown


def show_order(view: Shown, marks: Marks) -> Shown:
    """ordering: `placed` in the learner's order, `pool` what is not placed, `best` the key's order (empty without)."""
    items = {item["token"]: item for item in view["items"]}
    for token, item in items.items():
        item["part"] = marks.part(token)
    placed = [token for token in marks.values("order") if token in items]
    view["placed"] = [items[token] for token in placed]
    view["pool"] = [item for token, item in items.items() if token not in placed]
    view["best"] = [items[token] for token in marks.key.get("order", ()) if token in items]
    return view


def show_assignment(view: Shown, marks: Marks) -> Shown:
    """matching and sort-into-categories: every target with the value it has and the one it should have."""
    values = {value["token"]: value for value in view["values"]}
    for letter, value in zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", view["values"], strict=False):
        value["letter"] = letter
    for target in view["targets"]:
        target["value"] = values.get(marks.value(target["field"]))
        target["best"] = values.get(marks.key_value(target["field"]))
        target["part"] = marks.part(target["token"])
        target["choices"] = [
            {**value, "chosen": value["token"] == marks.value(target["field"])} for value in view["values"]
        ]
    return view


def show_graph(view: Shown, marks: Marks) -> Shown:
    """label-the-graph: an assignment, and the figure as shapes with coordinates."""
    parts = [target["part"] for target in view["targets"]]
    show_assignment(view, marks)
    for number, target in enumerate(view["targets"], start=1):
        target["number"] = number
    view["drawing"] = draw_graph(view["graph"], dict(zip(parts, view["targets"], strict=True)))
    return view
