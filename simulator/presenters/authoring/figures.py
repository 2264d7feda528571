"""How a scenario is used, in figures."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gpuschedlab.materials.kinds import Figure, Figures
from simulator.selectors.figures import Usage
from simulator.selectors.predictions import Answers


def short_usage(usage: Usage) -> tuple[Figure, ...]:
    return tuple(one for one in _figures(usage) if one.short)


def present_usage(usage: Usage, wrong: Sequence[Answers]) -> Figures:
    heads = (
        gettext_lazy("Prediction"),
        gettext_lazy("Pod"),
        gettext_lazy("Learners"),
        gettext_lazy("Right answers"),
        gettext_lazy("Commonest wrong answers"),
    )
    rows = tuple(_row(one) for one in wrong)
    tables = ((gettext_lazy("Predictions"), heads, rows),) if rows else ()
    return Figures(_figures(usage), tables)


def _figures(usage: Usage) -> tuple[Figure, ...]:
    share = f"{usage.reached} ({round(100 * usage.reached / usage.labs)}%)" if usage.labs else "0"
    commands = "–" if usage.commands is None else f"{usage.commands:g}"
    return (
        Figure(gettext_lazy("Runs"), str(usage.labs), short=True),
        Figure(gettext_lazy("Learners"), str(usage.people)),
        Figure(gettext_lazy("Goal reached"), share, short=True),
        Figure(gettext_lazy("Median commands until then"), commands, short=True),
    )


def _row(one: Answers) -> tuple[str, ...]:
    wrong = "; ".join(f"{_answer(answer)} ({count})" for answer, count in one.wrong) or "–"
    return (
        str(one.kind.label),
        one.pod.removeprefix("default/") or "–",
        str(one.people),
        f"{one.right} ({round(100 * one.right / one.people)}%)" if one.people else "–",
        wrong,
    )


def _answer(answer: Sequence[str]) -> str:
    return ", ".join(one.removeprefix("default/") for one in answer) or _("none")
