"""The experiment's figures as a page shows them: rows, a chart's columns, CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.utils.translation import gettext as _

from simulator.engine.optimistic.model import LOGICAL, PHYSICAL, SHARED
from simulator.extenders.measuring import NAMES, OBJECTS, PLUGIN

FIELDS: Final = (
    "nodes", "way", "pods", "pods_per_second", "engine", "encode", "travel", "wait", "decode", "sent", "received",
)  # fmt: skip
MODEL_FIELDS: Final = ("schedulers", "mode", "pods", "bound", "pending", "rounds", "attempts", "conflicts", "speedup")


def way_label(way: str) -> str:
    return {
        PLUGIN: _("plugin"),
        NAMES: _("extender, node names (nodeCacheCapable)"),
        OBJECTS: _("extender, whole nodes"),
    }[way]


def mode_label(mode: str) -> str:
    return {
        SHARED: _("all nodes for everybody"),
        LOGICAL: _("own part first, then all"),
        PHYSICAL: _("own part only"),
    }[mode]


@dataclass(frozen=True, slots=True)
class FigureRow:
    """One measurement; `shares` are the parts of its time as whole percent, in the order of the legend."""

    nodes: int
    way: str
    label: str
    pods_per_second: float
    times_slower: float
    milliseconds: float
    parts: tuple[float, ...]
    sent: int
    received: int


@dataclass(frozen=True, slots=True)
class ModelRow:
    schedulers: int
    label: str
    bound: int
    pending: int
    attempts: int
    conflicts: int
    conflict_share: int
    speedup: float


@dataclass(frozen=True, slots=True)
class ExperimentView:
    """`charts` is what the page's script draws: Pods a second by nodes, and Pods a round by schedulers."""

    machine: Mapping[str, Any]
    rows: tuple[FigureRow, ...]
    parts: tuple[str, ...]
    model: tuple[ModelRow, ...]
    charts: Mapping[str, Any]
    summary: str


@lru_cache(maxsize=1)
def recorded_result() -> Mapping[str, Any]:
    """What a machine of the project's gave, so that the page is never empty."""
    path = Path(settings.BASE_DIR) / "fixtures" / "experiments" / "extender-cost.json"
    found: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def present_experiment(result: Mapping[str, Any]) -> ExperimentView:
    figures = result["figures"]
    fastest = {one["nodes"]: one["pods_per_second"] for one in figures if one["way"] == PLUGIN}
    rows = tuple(_row(one, fastest[one["nodes"]]) for one in figures)
    return ExperimentView(
        machine=result["machine"],
        rows=rows,
        parts=(_("scheduler"), _("JSON written"), _("way there and back"), _("waiting"), _("JSON read")),
        model=tuple(_model_row(one) for one in result["optimistic"]),
        charts={"cost": _cost_chart(figures), "schedulers": _model_chart(result["optimistic"])},
        summary=_summary(rows),
    )


def _row(one: Mapping[str, Any], fastest: float) -> FigureRow:
    parts = tuple(round(one[name], 2) for name in ("engine", "encode", "travel", "wait", "decode"))
    rate = one["pods_per_second"]
    slower = fastest / rate if rate else 0.0
    return FigureRow(
        one["nodes"], one["way"], way_label(one["way"]), round(rate, 1), round(slower, 1), round(sum(parts), 1), parts,
        one["sent"], one["received"],
    )  # fmt: skip


def _model_row(one: Mapping[str, Any]) -> ModelRow:
    share = 100 * one["conflicts"] // one["attempts"] if one["attempts"] else 0
    return ModelRow(
        one["schedulers"], mode_label(one["mode"]), one["bound"], one["pending"], one["attempts"], one["conflicts"],
        share, one["speedup"],
    )  # fmt: skip


def _summary(rows: Sequence[FigureRow]) -> str:
    """The largest cluster in one sentence."""
    most = max((row.nodes for row in rows), default=0)
    here = {row.way: row for row in rows if row.nodes == most}
    if not {PLUGIN, NAMES, OBJECTS} <= set(here):
        return ""
    return _(
        "With %(nodes)s nodes the plugin schedules %(plugin)s Pods a second, the extender %(names)s with names and "
        "%(objects)s with whole nodes: %(slower)s times fewer."
    ) % {
        "nodes": most,
        "plugin": round(here[PLUGIN].pods_per_second),
        "names": round(here[NAMES].pods_per_second),
        "objects": round(here[OBJECTS].pods_per_second),
        "slower": round(here[OBJECTS].times_slower),
    }


def _cost_chart(figures: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    sizes = sorted({one["nodes"] for one in figures})
    lines = []
    for way in (PLUGIN, NAMES, OBJECTS):
        rates = {one["nodes"]: one["pods_per_second"] for one in figures if one["way"] == way}
        lines.append({"label": way_label(way), "values": [rates.get(size) for size in sizes]})
    return {"x": sizes, "lines": lines, "xLabel": _("nodes"), "yLabel": _("Pods a second"), "log": True}


def _model_chart(items: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    counts = sorted({one["schedulers"] for one in items})
    lines = []
    for mode in (SHARED, LOGICAL, PHYSICAL):
        speeds = {one["schedulers"]: one["speedup"] for one in items if one["mode"] == mode}
        lines.append({"label": mode_label(mode), "values": [speeds.get(count) for count in counts]})
    return {"x": counts, "lines": lines, "xLabel": _("schedulers"), "yLabel": _("Pods a round"), "log": False}


def experiment_csv(result: Mapping[str, Any]) -> str:
    """Both tables, one under the other, with the raw figures."""
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(FIELDS)
    writer.writerows([one[name] for name in FIELDS] for one in result["figures"])
    writer.writerow([])
    writer.writerow(MODEL_FIELDS)
    writer.writerows([one[name] for name in MODEL_FIELDS] for one in result["optimistic"])
    return buffer.getvalue()
