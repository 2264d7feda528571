"""The lab's own buttons: undo and redo, branch, share, start anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from simulator.engine.world.commands import Command
from simulator.engine.world.handlers import BATCH
from simulator.models import Lab
from simulator.presenters.comparison import compare_url, lab_name
from simulator.presenters.lab_urls import LabUrls, own_urls, shared_urls
from simulator.selectors.labs import lab_branches
from simulator.selectors.moments import Moment
from simulator.selectors.positions import Position


@dataclass(frozen=True, slots=True)
class Branch:
    name: str
    url: str
    begins: str
    compare: str


@dataclass(frozen=True, slots=True)
class LabTools:
    """`undo` and `redo` say what they would take back or bring again, "" for nothing. `undo_before`: undoing in place
    is no longer possible; a branch after so many actions goes back behind it (None: in place).
    """

    lab: Lab
    urls: LabUrls
    at: str
    step: int
    undo: str
    undo_before: int | None
    redo: str
    branches: tuple[Branch, ...]
    share_path: str
    compare: str
    newer_revision: bool


def present_tools(moment: Moment, urls: LabUrls) -> LabTools:
    lab, undoing = moment.lab, moment.undoing
    target = undoing.undo or undoing.branch
    before = None if undoing.undo or undoing.branch is None else moment.branch_actions
    scenario = lab.revision.scenario
    return LabTools(
        lab,
        urls,
        str(moment.at),
        moment.at.action,
        command_text(moment.undoable[target]) if target else "",
        before,
        command_text(moment.undoable[undoing.redo]) if undoing.redo else "",
        _branches(lab, str(moment.at)) if urls.can_change and not lab.is_unborn else (),
        shared_urls(lab).page if lab.share_token else "",
        compare_url(lab, lab, at=str(moment.at)) if urls.can_change and not moment.is_head else "",
        scenario.current_id is not None and scenario.current_id != lab.revision_id,
    )


def _branches(lab: Lab, at: str) -> tuple[Branch, ...]:
    family = [*([lab.parent] if lab.parent is not None else []), *lab_branches(lab)[:20]]
    return tuple(
        Branch(
            lab_name(item),
            own_urls(item).page,
            str(Position(item.parent_actions - 1)) if item.parent_actions else "",
            compare_url(lab, item, at=at),
        )
        for item in family
    )


def command_text(command: Command) -> str:
    """A command in a few words."""
    name = str(command.get("name") or "")
    kind = str(command.get("type"))
    objects = command.get("objects") or []
    count = len(objects)
    if kind == BATCH:
        return _batch_text(command)
    if kind == "apply" and count == 1:
        return _("apply %(name)s") % {"name": _name(objects[0])}
    if kind == "cordon" and not command.get("on", True):
        return _("uncordon %(name)s") % {"name": name}
    if kind == "apply":
        return ngettext("apply %(count)d object", "apply %(count)d objects", count) % {"count": count}
    said = {"name": name, "count": count, "gpu": command.get("gpu"), "nic": command.get("nic")}
    return _texts().get(kind, kind) % said


def _batch_text(command: Command) -> str:
    """Several commands: by what they all do, else by the first."""
    first, *others = command["commands"]
    if all(other["type"] == first["type"] for other in others):
        count = len(others) + 1
        return command_text({**first, "name": ngettext("%(n)s object", "%(n)s objects", count) % {"n": count}})
    return _("%(what)s and %(more)s more") % {"what": command_text(first), "more": len(others)}


def _name(manifest: Mapping[str, object]) -> str:
    metadata = manifest.get("metadata")
    return str(metadata.get("name", "")) if isinstance(metadata, Mapping) else ""


def _texts() -> Mapping[str, str]:
    return {
        "delete": _("delete %(name)s"),
        "deleteMany": _("delete %(count)d objects"),
        "rename": _("rename %(name)s"),
        "label": _("label %(name)s"),
        "annotate": _("annotate %(name)s"),
        "taint": _("taint %(name)s"),
        "cordon": _("cordon %(name)s"),
        "drain": _("drain %(name)s"),
        "scale": _("scale %(name)s"),
        "patch": _("change %(name)s"),
        "restore": _("take back"),
        "failGpu": _("let GPU %(gpu)s of %(name)s fail"),
        "repairGpu": _("repair GPU %(gpu)s of %(name)s"),
        "setLink": _("set the links of GPU %(gpu)s of %(name)s"),
        "failNic": _("let card %(nic)s of %(name)s fail"),
        "repairNic": _("repair card %(nic)s of %(name)s"),
        "configure": _("configure the scheduler"),
        "run": _("run"),
        "advance": _("let time pass"),
    }
