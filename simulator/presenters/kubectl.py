"""Tables as kubectl prints them: columns in capitals, three spaces apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from simulator.engine.objects.pod import Pod
from simulator.engine.world.world import Event
from simulator.presenters.clock import age_text
from simulator.selectors.pod_log import Seen

GAP = 3


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Lines with aligned columns; the last one is as long as it is."""
    lines = [header, *rows]
    widths = [max(len(line[column]) for line in lines) + GAP for column in range(len(header))]
    return "\n".join(
        "".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )


def events_table(events: Iterable[Event], now: int) -> str:
    """`kubectl get events`, oldest first."""
    return table(("LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE"), [_event(event, now) for event in events])


def _event(event: Event, now: int) -> tuple[str, ...]:
    seen = age_text(now - event.time)
    if event.count > 1:
        seen = f"{seen} (x{event.count} over {age_text(now - event.first)})"
    name = event.key.rpartition("/")[2]
    return seen, event.type, event.reason, f"{event.kind.lower()}/{name}", event.message


def pods_table(pods: Iterable[Pod], now: int) -> str:
    """`kubectl get pods -o wide`, in order of name."""
    header = ("NAME", "READY", "STATUS", "RESTARTS", "AGE", "NODE", "NOMINATED NODE")
    rows = [(*_pod(pod, now), pod.node_name or "<none>", pod.nominated_node_name or "<none>") for pod in pods]
    return table(header, sorted(rows))


def watch_table(log: Iterable[Seen]) -> str:
    """`kubectl get pods -w`: a line for every change."""
    rows = [_pod(seen.object, seen.time) for seen in log if isinstance(seen.object, Pod)]
    return table(("NAME", "READY", "STATUS", "RESTARTS", "AGE"), rows)


def _pod(pod: Pod, now: int) -> tuple[str, ...]:
    containers = len(pod.shape.spec.get("containers") or ())
    ready = containers if pod.phase == "Running" else 0
    return pod.name, f"{ready}/{containers}", status_of(pod), "0", age_text(now - pod.creation_time)


def status_of(pod: Pod) -> str:
    """The STATUS column."""
    if pod.terminating:
        return "Terminating"
    if pod.phase == "Succeeded":
        return "Completed"
    if pod.shape.scheduling_gates and not pod.node_name:
        return "SchedulingGated"
    return pod.phase
