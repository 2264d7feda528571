"""Questions where one chooses: options, nodes, Pods."""

from __future__ import annotations

from lessons.presenters.questions.marks import Marks, Shown, with_choices


def show_options(view: Shown, marks: Marks) -> Shown:
    """choice and multiple."""
    with_choices(view["options"], "choice", marks)
    return view


def show_names(view: Shown, marks: Marks) -> Shown:
    """click-the-nodes and who-gets-evicted: any of the names, or none of them."""
    with_choices(view["names"], "name", marks)
    view["none"] = {"chosen": bool(marks.values("none")), "right": bool(marks.key.get("none"))}
    return view


def show_winner(view: Shown, marks: Marks) -> Shown:
    """predict-winner: one of the names, or Pending."""
    with_choices(view["names"], "name", marks)
    pending = {"token": view["pending"]}
    with_choices([pending], "name", marks)
    view["pending"] = pending
    return view
