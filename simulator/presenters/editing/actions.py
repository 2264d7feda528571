"""What can be done to what is selected, in the order in which it is offered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

from simulator.models import Lab
from simulator.rules import allows_command

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

AT_ONCE, ASKS, HERE = "at-once", "asks", "here"
"""How an action goes on: the edit is sent, a dialog asks for more, or the page itself does it."""

NODE, POD, SWITCH = "Node", "Pod", "NetworkSwitch"
_EVERYTHING: Final = (NODE, POD, SWITCH)


@dataclass(frozen=True, slots=True)
class Action:
    """`name` is the edit's; `commands` are the engine's commands it needs; `kinds` what it can be done to; `first`:
    shown without opening the menu; `single`: to one object at a time."""

    name: str
    label: StrOrPromise
    how: str
    kinds: tuple[str, ...]
    commands: tuple[str, ...] = ()
    first: bool = False
    single: bool = False
    key: str = ""


@dataclass(frozen=True, slots=True)
class Offer:
    """An action as it is offered now: `is_allowed` by the scenario."""

    action: Action
    is_allowed: bool


ACTIONS: Final = (
    Action("cordon", _("Cordon"), AT_ONCE, (NODE,), ("cordon",), first=True),
    Action("uncordon", _("Uncordon"), AT_ONCE, (NODE,), ("cordon",), first=True),
    Action("drain", _("Drain…"), ASKS, (NODE,), ("drain",), first=True),
    Action("taint", _("Taints…"), ASKS, (NODE,), ("taint",), first=True),
    Action("label", _("Labels…"), ASKS, _EVERYTHING, ("label",), first=True),
    Action("annotate", _("Annotations…"), ASKS, _EVERYTHING, ("annotate",)),
    Action("resize", _("Amounts…"), ASKS, (NODE,), ("patch",)),
    Action("gpus", _("Fail or repair GPUs…"), ASKS, (NODE,), ("failGpu", "repairGpu")),
    Action("rack", _("Rack…"), ASKS, (NODE,), ("label",)),
    Action("connect", _("Connect…"), ASKS, (NODE,), ("apply", "patch")),
    Action("switch", _("Place and oversubscription…"), ASKS, (SWITCH,), ("patch",), first=True, single=True),
    Action("rename", _("Rename…"), ASKS, (NODE,), ("rename",), single=True, key="F2"),
    Action("copy", _("Copy"), HERE, _EVERYTHING, key="Ctrl+C"),
    Action("duplicate", _("Duplicate"), AT_ONCE, _EVERYTHING, ("apply",), key="Ctrl+D"),
    Action("yaml", _("As YAML"), HERE, _EVERYTHING),
    Action("delete", _("Delete"), AT_ONCE, _EVERYTHING, ("delete",), first=True, key="Del"),
)


def offers_for(lab: Lab, kinds: Sequence[str], *, cordoned: Iterable[bool] = ()) -> tuple[Offer, ...]:
    """The actions for objects of these kinds (one kind for each object); `cordoned` tells it of the nodes."""
    states = set(cordoned)
    return tuple(
        Offer(action, all(allows_command(lab, name) for name in action.commands))
        for action in ACTIONS
        if all(kind in action.kinds for kind in kinds)
        and not (action.single and len(kinds) > 1)
        and not (action.name == "cordon" and states == {True})
        and not (action.name == "uncordon" and True not in states)
    )
