"""An exported Go package on a page: every file, with explanations beside the lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from simulator.goexport.package import GoFile, GoPackage

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

NOTES: Final[Mapping[str, StrOrPromise]] = {
    "name": _("The name under which a profile enables the plugin. kube-scheduler refuses two plugins of one name."),
    "struct": _(
        "The plugin lives as long as the scheduler. What belongs to one Pod's cycle goes into CycleState, not here."
    ),
    "interfaces": _("An extension point is a Go interface: what the type implements decides where it may run."),
    "new": _("The factory. It gets the arguments from pluginConfig and a handle: snapshot, clients, other plugins."),
    "name_method": _("fwk.Plugin asks for nothing else."),
    "log": _("Only with logDecisions: a line for every node costs time in a large cluster."),
    "as_status": _("An Error status ends the whole cycle of the Pod: it is tried again later, by backoff."),
    "filter": _("Called for each node, in parallel, after the filters before it let the node pass. It must only read."),
    "rejection": _(
        "Unschedulable: evicting Pods may help, so preemption looks at the node. UnschedulableAndUnresolvable: it "
        "cannot, because the rule reads only the node itself."
    ),
    "nil": _("A nil status means Success."),
    "events": _(
        "Without this list a rejected Pod waits up to five minutes. The fewer events it names, the less is tried in "
        "vain."
    ),
    "score": _(
        "Called for each node that passed all filters. Any int64, as long as NormalizeScore brings it to 0 … 100."
    ),
    "extensions": _("nil: scores are taken as they are and must be 0 … 100, or the cycle fails."),
    "normalize": _("Called once, with the scores of all nodes. The framework then multiplies by the profile's weight."),
    "sign": _(
        "Opportunistic batching (on in 1.36): Pods with equal signatures may reuse a decision. One plugin without "
        "SignPod switches it off for every Pod."
    ),
    "filter_rule": _("The expression, translated. Inputs are read from the Pod and NodeInfo; the rest is plain Go."),
    "score_rule": _("The expression, translated. Choices became if statements, so that it reads as Go."),
    "args": _("What pluginConfig[].args may hold. An unknown field is ignored here; strict decoding would refuse it."),
    "read_args": _("Out-of-tree arguments arrive undecoded; DecodeInto reads JSON or YAML into the struct."),
    "register": _("This is all that registration needs: kube-scheduler's own command with one more plugin."),
    "cases": _("A table test. It pins what the lab showed, so that a later change of the rule is seen."),
    "test_new": _("The test builds the plugin as kube-scheduler does, with no arguments."),
    "test_handle": _(
        "An embedded interface: any method that is not overridden would panic, which tells what the rule uses."
    ),
}
"""Explanations by the notes of `goexport.package`."""


@dataclass(frozen=True, slots=True)
class LineView:
    number: int
    text: str
    note: StrOrPromise


@dataclass(frozen=True, slots=True)
class FileLink:
    path: str
    url: str
    current: bool


@dataclass(frozen=True, slots=True)
class PackageView:
    """`files` are links to one file each; `lines` are those of the current one."""

    name: str
    files: tuple[FileLink, ...]
    path: str
    lines: tuple[LineView, ...]
    zip_url: str
    bench_url: str


def present_package(package: GoPackage, given: Mapping[str, str], path: str) -> PackageView:
    """`given` is the rule, for addresses; `path` the file to show, the first one for any other."""
    kept = {name: value for name, value in given.items() if value}
    current = next((file for file in package.files if file.path == path), package.files[0])
    base = reverse("simulator:take_home")
    return PackageView(
        package.name,
        tuple(
            FileLink(file.path, f"{base}?{urlencode({**kept, 'file': file.path})}", file is current)
            for file in package.files
        ),
        current.path,
        _lines(current),
        f"{reverse('simulator:take_home_zip')}?{urlencode(kept)}",
        f"{reverse('simulator:rule_bench')}?{urlencode(kept)}",
    )


def _lines(file: GoFile) -> tuple[LineView, ...]:
    texts = file.text.rstrip("\n").split("\n")
    return tuple(
        LineView(number, text, NOTES.get(file.notes.get(number, ""), "")) for number, text in enumerate(texts, start=1)
    )
