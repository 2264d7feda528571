"""The Metrics tab: GPUs in use, Pods waiting, how long they waited, and who was on which node when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from simulator.presenters.clock import clock_text
from simulator.presenters.pods import hue_of, owner_of, short_name
from simulator.presenters.tabs.tab import Tab, TabRequest
from simulator.selectors.frames import Frame
from simulator.selectors.moments import log_of
from simulator.selectors.pod_log import Stay, samples_of, stays_of

ROWS = 50
ROW_HEIGHT = 22
WIDTH = 760  # of the Gantt chart, in its own units
LABELS = 150
MOST_BARS = 400


@dataclass(frozen=True, slots=True)
class Bar:
    x: float
    y: float
    width: float
    height: float
    hue: str
    name: str
    title: str


@dataclass(frozen=True, slots=True)
class GanttRow:
    node: str
    y: float
    text_y: float


@dataclass(frozen=True, slots=True)
class Gantt:
    rows: tuple[GanttRow, ...]
    bars: tuple[Bar, ...]
    height: int
    width: int
    left: int
    ticks: tuple[tuple[float, str], ...]


@dataclass(frozen=True, slots=True)
class StayRow:
    pod: str
    owner: str
    node: str
    gpus: int
    created: str
    start: str
    end: str
    waited: str


def _context(asked: TabRequest) -> Mapping[str, Any]:
    moment = asked.moment
    start, now = moment.clock_start, moment.frame.now
    log = log_of(moment)
    samples, stays = samples_of(log), stays_of(log)
    waits = [stay for stay in stays if stay.waited is not None]
    return {
        "chart": {
            "time": [(sample.time - start) / 1_000_000 for sample in samples],
            "used": [sample.gpus_used for sample in samples],
            "all": [sample.gpus for sample in samples],
            "pending": [sample.pending for sample in samples],
            "now": (now - start) / 1_000_000,
        },
        "samples": [(clock_text(s.time - start), s.gpus_used, s.gpus, s.pending) for s in samples[-ROWS:]],
        "samples_more": max(0, len(samples) - ROWS),
        "gantt": _gantt(stays, moment.frame),
        "stays": [_stay(stay, start) for stay in stays[:ROWS]],
        "stays_more": max(0, len(stays) - ROWS),
        "longest": _seconds(max((stay.waited or 0 for stay in waits), default=0)),
        "average": _seconds(sum(stay.waited or 0 for stay in waits) // len(waits)) if waits else "",
        "pending": samples[-1].pending if samples else 0,
        "used": samples[-1].gpus_used if samples else 0,
        "all": samples[-1].gpus if samples else 0,
    }


def _seconds(span: int) -> str:
    return f"{span / 1_000_000:.3f} s"


def _stay(stay: Stay, start: int) -> StayRow:
    def told(time: int | None) -> str:
        return "" if time is None else clock_text(time - start)

    return StayRow(
        short_name(stay.pod.key),
        owner_of(stay.pod),
        stay.node,
        stay.gpus,
        told(stay.created),
        told(stay.start),
        told(stay.end),
        "" if stay.waited is None else _seconds(stay.waited),
    )


def _gantt(stays: Sequence[Stay], frame: Frame) -> Gantt | None:
    """Time to the right, a row for each node, within it a bar for each Pod."""
    placed = [stay for stay in stays if stay.start is not None][:MOST_BARS]
    if not placed:
        return None
    start, now = frame.now - frame.elapsed, frame.now
    span = max(now - start, 1)
    rows: list[GanttRow] = []
    bars: list[Bar] = []
    top = 0.0
    for node in sorted({stay.node for stay in placed})[:ROWS]:
        lanes: list[int] = []
        for stay in (item for item in placed if item.node == node):
            begin, end = stay.start or start, stay.end or now
            lane = next((index for index, free in enumerate(lanes) if free <= begin), len(lanes))
            lanes[lane : lane + 1] = [max(end, begin + 1)]
            x = LABELS + (begin - start) / span * (WIDTH - LABELS)
            width = max(3.0, (end - begin) / span * (WIDTH - LABELS))
            title = f"{short_name(stay.pod.key)}: {clock_text(begin - start)} – {clock_text(end - start)}"
            bars.append(
                Bar(round(x, 1), top + lane * ROW_HEIGHT + 2, round(width, 1), ROW_HEIGHT - 4, hue_of(stay.pod, frame),
                    short_name(stay.pod.key) if width > 60 else "", title)
            )  # fmt: skip
        rows.append(GanttRow(node, top, top + ROW_HEIGHT * 0.7))
        top += len(lanes) * ROW_HEIGHT + 6
    ticks = tuple((LABELS + share * (WIDTH - LABELS) / 4, clock_text(span * share // 4)) for share in range(5))
    return Gantt(tuple(rows), tuple(bars), int(top) + 20, WIDTH, LABELS, ticks)


METRICS = Tab("metrics", _("Metrics"), "simulator/tabs/metrics.html", _context)
