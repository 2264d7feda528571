"""The form of a scenario."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gpuschedlab.materials.documents import fields as form
from gpuschedlab.materials.documents.fields import Section
from gpuschedlab.materials.documents.fields import Unreadable as NotReadable
from gpuschedlab.materials.documents.paths import get_at
from simulator.engine.world.handlers import SINGLE
from simulator.enums import Level
from simulator.manifests.bundle_schema import PREDICTION_MODES, PREDICTIONS
from simulator.manifests.documents import parse
from simulator.manifests.writer import write
from simulator.presenters.authoring.goal_fields import goal_groups
from simulator.presenters.scenarios import TOPICS
from simulator.presenters.sentences.problems import present_remark

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

SPEC: Final = ("spec",)

COMMANDS: Final[Mapping[str, StrOrPromise]] = {
    "apply": gettext_lazy("apply YAML"),
    "delete": gettext_lazy("delete"),
    "deleteMany": gettext_lazy("delete several"),
    "label": gettext_lazy("label"),
    "annotate": gettext_lazy("annotate"),
    "taint": gettext_lazy("taint"),
    "cordon": gettext_lazy("cordon"),
    "drain": gettext_lazy("drain"),
    "scale": gettext_lazy("scale"),
    "patch": gettext_lazy("change"),
    "rename": gettext_lazy("rename nodes"),
    "configure": gettext_lazy("configure the scheduler"),
    "failGpu": gettext_lazy("let GPUs fail"),
    "repairGpu": gettext_lazy("repair GPUs"),
    "setLink": gettext_lazy("change links"),
    "failNic": gettext_lazy("let NICs fail"),
    "repairNic": gettext_lazy("repair NICs"),
}
"""What an author can leave to learners; stepping and time are always theirs."""

MODES: Final[Mapping[str, StrOrPromise]] = {
    "none": gettext_lazy("never"),
    "optional": gettext_lazy("offered"),
    "required": gettext_lazy("before anything is shown"),
}
GATES: Final[Mapping[str, StrOrPromise]] = {
    "feasibleNodes": gettext_lazy("which nodes pass Filter"),
    "winner": gettext_lazy("which node wins"),
    "victims": gettext_lazy("who is evicted"),
    "nextPod": gettext_lazy("which Pod is next"),
}


def known_commands() -> list[str]:
    """All commands a scenario may allow, as the engine names them."""
    return [*COMMANDS, *(name for name in SINGLE if name not in COMMANDS and name != "restore")]


def scenario_sections(document: Mapping[str, Any], *, is_published: bool, play_url: str) -> list[Section]:
    pods, nodes = names_of(document, "Pod"), names_of(document, "Node")
    return [
        _about(document),
        _goals(pods, nodes),
        _hints(),
        _rules(pods),
        _scheduler(),
        _solution(play_url),
        _address(is_published=is_published),
    ]


def _topics(document: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The topics of the catalogue, and those the draft has besides."""
    own = get_at(document, ("spec", "topics"))
    others = [one for one in own if isinstance(one, str) and one not in TOPICS] if isinstance(own, list) else []
    return [*sorted(TOPICS.items()), *((one, one) for one in others)]


def _about(document: Mapping[str, Any]) -> Section:
    return Section(
        id="about",
        title=gettext_lazy("What it is"),
        fields=(
            form.Localized(name="title", label=gettext_lazy("Title"), of=form.Line(most=200), needed=True),
            form.Localized(
                name="summary",
                label=gettext_lazy("Short summary"),
                help=gettext_lazy("One sentence for the list."),
                of=form.Line(most=200),
            ),
            form.Localized(
                name="text",
                label=gettext_lazy("Task"),
                help=gettext_lazy("What the learner sees, and is to bring about. Markdown."),
                of=form.Prose(rows=7),
                needed=True,
            ),
            form.OneOf(name="level", label=gettext_lazy("Level"), choices=Level.choices, needed=True),
            form.ManyOf(name="topics", label=gettext_lazy("Topics"), choices=_topics(document)),
            form.Whole(name="minutes", label=gettext_lazy("Minutes"), least=1, most=600),
        ),
        root=SPEC,
    )


def _goals(pods: Sequence[str], nodes: Sequence[str]) -> Section:
    return Section(
        id="goals",
        title=gettext_lazy("Goals"),
        help=gettext_lazy("When all are met the scenario is solved. Publishing proves that they can be."),
        fields=(
            form.Listing(
                name="goals",
                label=gettext_lazy("Goals"),
                kinds=goal_groups(pods, nodes),
                item_label=gettext_lazy("Goal"),
                add_label=gettext_lazy("Add a goal"),
            ),
        ),
        root=SPEC,
    )


def _hints() -> Section:
    return Section(
        id="help",
        title=gettext_lazy("Hints"),
        help=gettext_lazy("Shown one by one, to those who ask."),
        fields=(
            form.Listing(
                name="hints",
                label=gettext_lazy("Hints"),
                item=form.Localized(label=gettext_lazy("Hint"), of=form.Prose(rows=2)),
                fresh={},
                item_label=gettext_lazy("Hint"),
                add_label=gettext_lazy("Add a hint"),
                most=20,
            ),
        ),
        root=SPEC,
    )


def _rules(pods: Sequence[str]) -> Section:
    return Section(
        id="rules",
        title=gettext_lazy("What learners may do and predict"),
        fields=(
            form.ManyOf(
                name="allowedCommands",
                label=gettext_lazy("Allowed commands"),
                help=gettext_lazy("Stepping and letting time pass are always allowed."),
                choices=[(name, COMMANDS.get(name, name)) for name in known_commands()],
                all_absent=True,
            ),
            form.Group(
                name="predictions",
                label=gettext_lazy("Predictions"),
                fields=(
                    form.OneOf(
                        name="mode",
                        label=gettext_lazy("They are asked for"),
                        choices=[(mode, MODES[mode]) for mode in PREDICTION_MODES],
                        empty=gettext_lazy("not decided"),
                    ),
                    form.Listing(
                        name="gates",
                        label=gettext_lazy("Gates"),
                        item=form.Group(
                            fields=(
                                form.OneOf(
                                    name="predict",
                                    label=gettext_lazy("What is predicted"),
                                    choices=[(name, GATES[name]) for name in PREDICTIONS],
                                ),
                                form.Line(
                                    name="pod",
                                    label=gettext_lazy("Of which Pod"),
                                    help=gettext_lazy("Empty: of every one."),
                                    code=True,
                                    suggestions=pods,
                                ),
                            )
                        ),
                        fresh={"predict": "feasibleNodes"},
                        item_label=gettext_lazy("Gate"),
                        add_label=gettext_lazy("Add a gate"),
                    ),
                ),
            ),
        ),
        root=SPEC,
    )


def _scheduler() -> Section:
    return Section(
        id="scheduler",
        title=gettext_lazy("Scheduler"),
        help=gettext_lazy("Without a profile the lab uses kube-scheduler's default one."),
        fields=(
            form.Listing(
                name="profiles",
                label=gettext_lazy("Profiles"),
                item=form.Group(
                    fields=(
                        form.Line(name="name", label=gettext_lazy("Name"), code=True, most=63),
                        form.Localized(name="title", label=gettext_lazy("Title"), of=form.Line(most=200)),
                        yaml_field("configuration", gettext_lazy("KubeSchedulerConfiguration"), rows=10),
                    )
                ),
                fresh={"name": "default", "configuration": NEW_CONFIGURATION},
                item_label=gettext_lazy("Profile"),
                add_label=gettext_lazy("Add a profile"),
                most=8,
            ),
            yaml_field("rules", gettext_lazy("Driving rules (feature gates, start of the clock, ties)"), quiet=True),
        ),
        root=SPEC,
    )


def _solution(play_url: str) -> Section:
    return Section(
        id="solution",
        title=gettext_lazy("Solution"),
        help=gettext_lazy(
            "Play the draft in the preview until the goals are met, then press “Use as the solution” there."
        ),
        fields=(yaml_field("solution", gettext_lazy("Commands"), rows=8, quiet=True),),
        root=SPEC,
        action=(gettext_lazy("Play it in the preview"), play_url),
    )


def _address(*, is_published: bool) -> Section:
    return Section(
        id="address",
        title=gettext_lazy("Address"),
        fields=(
            form.Line(
                name="name",
                label=gettext_lazy("Name in the address"),
                help=gettext_lazy("It stays as it is from the first publication on.")
                if is_published
                else gettext_lazy("Small letters, digits and dashes. It can be changed until it is published."),
                code=True,
                most=63,
            ),
        ),
        root=("metadata",),
    )


NEW_CONFIGURATION: Final[dict[str, Any]] = {
    "apiVersion": "kubescheduler.config.k8s.io/v1",
    "kind": "KubeSchedulerConfiguration",
    "profiles": [{"schedulerName": "default-scheduler"}],
}


def names_of(document: Mapping[str, Any], kind: str) -> list[str]:
    """The names of the objects of a kind that the draft begins with."""
    found = []
    for manifest in document.get("objects") or ():
        metadata = manifest.get("metadata") if isinstance(manifest, Mapping) else None
        if isinstance(metadata, Mapping) and manifest.get("kind") == kind and isinstance(metadata.get("name"), str):
            found.append(metadata["name"])
    return found


def yaml_field(name: str, label: StrOrPromise, *, rows: int = 6, quiet: bool = False) -> form.Raw:
    """Any value, as YAML."""
    return form.Raw(name=name, label=label, rows=rows, quiet=quiet, dump=_dump, load=_load)


def _dump(value: Any) -> str:
    if isinstance(value, Mapping):
        return write([value], sort_keys=False)
    return (
        write([{"x": value}], sort_keys=False).partition("\n")[2] if isinstance(value, list) and value else str(value)
    )


def _load(text: str) -> Any:
    parsed = parse(text)
    if parsed.errors:
        raise NotReadable(present_remark(parsed.errors[0]).text)
    if len(parsed.documents) != 1:
        raise NotReadable(_("One value is wanted here."))
    return parsed.documents[0].value
