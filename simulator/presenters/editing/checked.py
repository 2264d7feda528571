"""What a text would do, before it does it: what it was recognised as, what is assumed, what kubectl would print."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from simulator.engine.world.commands import CommandError, Effect
from simulator.manifests.applying import Draft
from simulator.manifests.bundle_schema import is_front_matter
from simulator.manifests.reading import TextKind
from simulator.presenters.apply_result import ApplyResult, ProblemView
from simulator.presenters.kubectl_apply import applied_lines, error_lines

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

MOST_LINES: Final = 100
MOST_KINDS: Final = 6
GATE: Final = "GenericWorkload"

NOTHING, APPLY, CONFIGURE, OPEN = "", "apply", "configure", "open"
"""What can be done with a text: nothing, apply it, put it in force, open it as a lab of its own."""

_NAMES: Final[Mapping[TextKind, StrOrPromise]] = {
    TextKind.MANIFESTS: gettext_lazy("Manifests"),
    TextKind.LIST: gettext_lazy("A list as kubectl get -o prints it"),
    TextKind.BUNDLE: gettext_lazy("A lab as a text"),
    TextKind.DESCRIBE: gettext_lazy("Output of kubectl describe"),
    TextKind.LABELS: gettext_lazy("Labels of a node"),
    TextKind.NODE_TABLE: gettext_lazy("The table of kubectl get nodes --show-labels"),
    TextKind.TOPOLOGY: gettext_lazy("A topology matrix"),
    TextKind.UNREADABLE: gettext_lazy("Not readable"),
}


@dataclass(frozen=True, slots=True)
class CheckView:
    """`lines` are kubectl's, `more` how many of them are left out; `counts` by result in words; `offers_gate`: the kind
    PodGroup is missing only because its feature gate is off."""

    kind: StrOrPromise
    objects: str
    result: ApplyResult
    lines: tuple[str, ...]
    more: int
    counts: str
    does: str
    offers_gate: bool = False

    @property
    def is_wrong(self) -> bool:
        return bool(self.result.problems)


def present_check(draft: Draft, result: ApplyResult, does: str, answer: Effect | CommandError | None) -> CheckView:
    """`answer` is what trying the command came to, None where it was not tried."""
    lines: list[str] = []
    counts = ""
    if isinstance(answer, Effect):
        lines, counts = applied_lines(answer.outcomes, dry_run=True), _counts(answer)
    elif answer is not None:
        lines = error_lines(answer.problems)
    kind = _("A scheduler configuration") if does == CONFIGURE else _NAMES[draft.reading.kind]
    gate = isinstance(answer, CommandError) and any(_lacks_gate(p.code, str(p.text)) for p in answer.problems)
    return CheckView(
        kind=kind,
        objects=_objects(draft),
        result=result,
        lines=tuple(lines[:MOST_LINES]),
        more=max(0, len(lines) - MOST_LINES),
        counts=counts,
        does=NOTHING if result.problems else does,
        offers_gate=gate,
    )


def is_bundle(draft: Draft) -> bool:
    return draft.reading.kind is TextKind.BUNDLE


def bundle_kind(draft: Draft) -> str:
    """`Lab` or `Scenario`; "" where there is no front matter."""
    first = draft.reading.objects[0] if draft.reading.objects else None
    return str(first["kind"]) if first is not None and is_front_matter(first) else ""


def only_problem(text: str) -> ApplyResult:
    """A single problem with no place."""
    return ApplyResult((ProblemView(text),))


def _lacks_gate(code: str, text: str) -> bool:
    return code == "decode.unknown_kind" and "PodGroup" in text


def _objects(draft: Draft) -> str:
    """`40 Node, 2 Pod`."""
    kinds: dict[str, int] = {}
    for document in draft.documents:
        kind = str(document.value.get("kind", "?")) if isinstance(document.value, Mapping) else "?"
        kinds[kind] = kinds.get(kind, 0) + 1
    named = [f"{count} {kind}" for kind, count in sorted(kinds.items(), key=lambda pair: -pair[1])]
    return ", ".join(named[:MOST_KINDS]) + ("…" if len(named) > MOST_KINDS else "")


def _counts(effect: Effect) -> str:
    """`2 to create, 1 to change, 3 as they are`."""
    results = [outcome.result for outcome in effect.outcomes]
    created, configured = results.count("created"), results.count("configured")
    said = [
        (created, ngettext("%(n)d to create", "%(n)d to create", created)),
        (configured, ngettext("%(n)d to change", "%(n)d to change", configured)),
        (len(results) - created - configured, _("%(n)d as they are")),
    ]
    return _(", ").join(text % {"n": count} for count, text in said if count)
