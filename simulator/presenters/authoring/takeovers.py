"""What a graph preview leaves: the author's manifests and places as the lab's editor has changed them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simulator.models import Lab
from simulator.presenters.authoring.authored import authored_objects
from simulator.selectors.histories import open_history

if TYPE_CHECKING:
    from gpuschedlab.accounts.models import Participant


@dataclass(frozen=True, slots=True)
class Taken:
    """`objects` are the author's manifests, `positions` where things stand."""

    objects: list[dict[str, Any]]
    positions: dict[str, list[float]]


def graph_taken(*, learner: Participant) -> Taken | None:
    """What the learner's newest lab has made of the objects it began with; None where nothing was done yet."""
    labs = Lab.objects.select_related("revision__scenario").filter(owner_id=learner.pk)
    lab = labs.order_by("-changed_at").first()
    if lab is None:
        return None
    written = lab.revision.objects_json
    with open_history(lab) as history:
        first = history.log[0].applied.first if history.log else history.count
        commands = [entry.applied.command for entry in history.log]
        before, after = history.history.at(first).world, history.history.head.world
        objects = authored_objects(written, before, after, commands)
    return Taken(objects, {name: list(place) for name, place in lab.positions.items()})


def lab_in_rows(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The commands of one lab's rows (`{pk, fields}` of a preview), in order, without those that were taken back."""
    ordered = sorted(rows, key=lambda row: row["fields"]["seq"])
    undone: set[int] = set()
    for row in ordered:
        fields = row["fields"]
        if fields["undoes"]:
            undone |= {fields["undoes"], fields["seq"]}
        if fields["redoes"]:
            undone -= {fields["redoes"]}
            undone.add(fields["seq"])
    return [row["fields"] for row in ordered if row["fields"]["seq"] not in undone]
