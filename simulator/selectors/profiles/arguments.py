"""The arguments of every plugin as fields of a form: where they stand, their kind, what holds by default.

The engine says what is wrong with a value; nothing is checked here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

from simulator.engine.plugins.pod_teams import DEFAULT_LABEL

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

NUMBER, TEXT, CHOICE, FLAG, NAMES, TABLE, YAML = "number", "text", "choice", "flag", "names", "table", "yaml"


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table. `kind` is number, text or choice."""

    name: str
    kind: str
    label: StrOrPromise
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Field:
    """`path` below the plugin's args; `default` is what holds where nothing is written, as text."""

    path: tuple[str, ...]
    kind: str
    label: StrOrPromise
    default: str = ""
    choices: tuple[str, ...] = ()
    columns: tuple[Column, ...] = ()
    about: StrOrPromise = ""

    @property
    def name(self) -> str:
        return ".".join(self.path)


_RESOURCES: Final = (Column("name", TEXT, _("resource")), Column("weight", NUMBER, _("weight")))
_SHAPE: Final = (Column("utilization", NUMBER, _("utilization, %")), Column("score", NUMBER, _("score, 0 to 10")))
_STRATEGY = ("scoringStrategy", "type")
_STRATEGY_RESOURCES = ("scoringStrategy", "resources")
_CPU_MEMORY: Final = "cpu 1, memory 1"

ARGUMENTS: Final[Mapping[str, tuple[Field, ...]]] = {
    "NodeResourcesFit": (
        Field(
            _STRATEGY, CHOICE, _("Scoring strategy"), "LeastAllocated",
            ("LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"),
            about=_("LeastAllocated prefers empty nodes, MostAllocated full ones; with the ratio you draw the curve."),
        ),
        Field(
            _STRATEGY_RESOURCES, TABLE, _("Resources that count"), _CPU_MEMORY, columns=_RESOURCES,
            about=_("Only what stands here counts. GPUs count once nvidia.com/gpu stands here."),
        ),
        Field(
            ("scoringStrategy", "requestedToCapacityRatio", "shape"), TABLE, _("Curve"), columns=_SHAPE,
            about=_("Only for RequestedToCapacityRatio: the score at each utilization, with straight lines between."),
        ),
        Field(
            ("ignoredResources",), NAMES, _("Resources that Filter ignores"),
            about=_("Extended resources that something else looks after, such as an extender."),
        ),
        Field(("ignoredResourceGroups",), NAMES, _("Groups of resources that Filter ignores")),
    ),
    "NodeResourcesBalancedAllocation": (
        Field(
            ("resources",), TABLE, _("Resources to balance"), _CPU_MEMORY, columns=_RESOURCES,
            about=_("Every weight is 1."),
        ),
    ),
    "NodeAffinity": (
        Field(
            ("addedAffinity",), YAML, _("Affinity added to every Pod"),
            about=_("A nodeAffinity as in a Pod. “required” drops nodes, “preferred” adds points."),
        ),
    ),
    "PodTopologySpread": (
        Field(
            ("defaultingType",), CHOICE, _("Constraints for Pods that have none"), "System", ("System", "List"),
            about=_("System: soft, over hosts (skew 3) and zones (skew 5). List: the ones below."),
        ),
        Field(
            ("defaultConstraints",), TABLE, _("Constraints"),
            columns=(
                Column("maxSkew", NUMBER, _("greatest skew")),
                Column("topologyKey", TEXT, _("label of the domains")),
                Column("whenUnsatisfiable", CHOICE, _("if it cannot be kept"), ("ScheduleAnyway", "DoNotSchedule")),
            ),
        ),
    ),
    "InterPodAffinity": (
        Field(
            ("hardPodAffinityWeight",), NUMBER, _("Weight of others’ required affinity"), "1",
            about=_("0 to 100: what a node gains when a Pod on it requires to be near this one."),
        ),
        Field(("ignorePreferredTermsOfExistingPods",), FLAG, _("Ignore the preferences of Pods already placed")),
    ),
    "DefaultPreemption": (
        Field(
            ("minCandidateNodesPercentage",), NUMBER, _("Candidate nodes, % of all"), "10",
            about=_("The dry run stops after this many candidates, or the number below if that is larger."),
        ),
        Field(("minCandidateNodesAbsolute",), NUMBER, _("Candidate nodes, at least"), "100"),
    ),
    "VolumeBinding": (
        Field(("bindTimeoutSeconds",), NUMBER, _("Wait for volumes at most, seconds"), "600"),
        Field(("shape",), TABLE, _("Score by the share of a volume that is used"), columns=_SHAPE),
    ),
    "DynamicResources": (
        Field(("filterTimeout",), TEXT, _("Time for Filter on one node"), "10s"),
        Field(("bindingTimeout",), TEXT, _("Time for binding claims"), "600s"),
    ),
    "NodeResourceTopologyMatch": (
        Field(
            _STRATEGY, CHOICE, _("Scoring strategy"), "LeastAllocated",
            ("LeastAllocated", "MostAllocated", "BalancedAllocation", "LeastNUMANodes"),
        ),
        Field(_STRATEGY_RESOURCES, TABLE, _("Resources that count"), _CPU_MEMORY, columns=_RESOURCES),
    ),
    "GPUFabricScore": (
        Field(("groupLabel",), TEXT, _("Label that names a job’s Pods"), DEFAULT_LABEL),
    ),
}  # fmt: skip
"""By plugin; plugins without arguments are left out."""
