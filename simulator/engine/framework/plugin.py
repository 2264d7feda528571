"""What a plugin is: one small base class per extension point, and what plugins are given to work with.

Source: kube-scheduler 1.36 `fwk` interfaces. Node-wise calls take all rows at once.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, Flag, auto
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from simulator.engine.cluster.cluster import Cluster
from simulator.engine.cluster.pod_groups import PodGroupStates
from simulator.engine.cluster.rows import Rows
from simulator.engine.framework.events import ClusterEvent
from simulator.engine.framework.facts import Fact, Formula
from simulator.engine.framework.shape_check import Path
from simulator.engine.framework.status import SUCCESS, Scores, Status, Verdicts
from simulator.engine.objects.pod import Pod, PodShape

if TYPE_CHECKING:
    from simulator.engine.framework.diagnosis import Diagnosis
    from simulator.engine.framework.extenders import Extenders
    from simulator.engine.framework.rules import Rules
    from simulator.engine.framework.runtime import Framework
    from simulator.engine.queue.nominator import Nominator

Manifest = Mapping[str, Any]


class Reads(Flag):
    """What a plugin's answer for a row depends on beside the Pod's shape. It decides how long answers may be kept.

    NODE: the row's own Node object. USAGE: the Pods on that row. ANYTHING: other rows or objects too, so never kept.
    """

    NODE = auto()
    USAGE = auto()
    ANYTHING = auto()


class Lister(Protocol):
    """Read access to objects of other kinds, as a scheduler's informers give it."""

    def get(self, kind: str, namespace: str, name: str) -> Manifest | None: ...

    def list(self, kind: str, namespace: str | None = None) -> Iterable[Manifest]: ...


class Permits(Protocol):
    """The Pods that wait at Permit."""

    def allow(self, key: str, plugin: str) -> None:
        """`plugin` lets the Pod go (no effect where it does not wait)."""


@dataclass
class Handle:
    """What the scheduler offers its plugins (`fwk.Handle`).

    groups       pod groups and their members
    permits      Pods waiting at Permit
    to_activate  keys of Pods a plugin wants to be tried at once, taken by the scheduler after Permit
    detail       whether stories are to be kept in full
    """

    cluster: Cluster
    objects: Lister
    nominator: Nominator
    gates: Mapping[str, bool]
    rules: Rules
    now: Callable[[], int]
    groups: PodGroupStates = field(default_factory=PodGroupStates)
    permits: Permits | None = None
    to_activate: list[str] = field(default_factory=list)
    extenders: Extenders | None = None
    detail: bool = False
    framework: Framework = field(init=False)

    def gate(self, name: str) -> bool:
        return self.gates.get(name, False)


class CycleState:
    """What plugins keep during one cycle of one Pod: their own data by plugin name, and which later steps are
    skipped."""

    __slots__ = ("data", "skip_filter", "skip_score")

    def __init__(self) -> None:
        self.data: dict[str, Any] = {}
        self.skip_filter: set[str] = set()
        self.skip_score: set[str] = set()


class Hint(Enum):
    """A queueing hint's answer: is the waiting Pod worth another try?"""

    SKIP = 0
    QUEUE = 1


HintFunction = Callable[[Pod, Any, Any], Hint]


@dataclass(frozen=True)
class EventInterest:
    """An event that may make a rejected Pod schedulable. `hint(pod, old, new)` decides; without one every event
    counts."""

    event: ClusterEvent
    hint: HintFunction | None = None


class Plugin:
    """Base of all plugins. `name` is kube's name; `args` is what `read_args` made of the profile's pluginConfig."""

    name: ClassVar[str]

    def __init__(self, args: Any, handle: Handle) -> None:
        self.args = args
        self.handle = handle

    @classmethod
    def read_args(cls, args: Manifest, root: Path = ()) -> Any:  # noqa: ARG003 - plugins without arguments
        """The plugin's arguments from `pluginConfig.args`, defaults filled in. `root` is where they stand, for the
        problems. Raises `ConfigError`."""
        return args

    def events(self) -> Sequence[EventInterest]:
        """Events that can make a Pod schedulable that this plugin rejected."""
        return ()

    def save(self) -> Any:
        """What the plugin remembers from cycle to cycle, as plain values; None for nothing."""
        return None

    def load(self, saved: Any) -> None:
        """Take over what `save` gave."""


class PreEnqueuePlugin(Plugin):
    """When: before a Pod enters the active queue, and again whenever an event could let it in.
    May return: Success lets it in; anything else keeps it out, gated.
    Then: a gated Pod is not tried and costs nothing, until an event its plugin registered for; only then is it asked
    again.
    """

    @abstractmethod
    def pre_enqueue(self, pod: Pod) -> Status: ...


class QueueSortPlugin(Plugin):
    """When: whenever two Pods in the active queue are compared.
    May return: which of the two comes first.
    Then: the first one is popped. Exactly one such plugin, the same for all profiles: there is one queue.
    """

    @abstractmethod
    def sort_key(self, pod: Pod, timestamp: int) -> tuple[int, ...]:
        """Pods with smaller keys are scheduled first."""


@dataclass(frozen=True, slots=True)
class PreFilterResult:
    """`nodes`: the only node names that can fit, None for no narrowing."""

    status: Status = SUCCESS
    nodes: frozenset[str] | None = None


class PreFilterPlugin(Plugin):
    """When: once for each cycle, before any node is looked at.
    May return: Success, with a set of node names that alone can fit; Skip; Unschedulable or
    UnschedulableAndUnresolvable; Error.
    Then: Skip leaves out the plugin's Filter in this cycle; a set narrows the nodes; a rejection ends the search with
    its text and goes to PostFilter; an Error ends the cycle.
    """

    @abstractmethod
    def pre_filter(self, state: CycleState, pod: Pod) -> PreFilterResult: ...


class FilterPlugin(Plugin):
    """When: for each node that the filters before it let pass, until enough nodes were found.
    May return: Success; Unschedulable (evicting Pods may help) or UnschedulableAndUnresolvable (it cannot); Error.
    Then: a rejected node is out, and later filters do not see it; an Error ends the cycle. With Pods nominated to a
    node it is asked with and without them, and in preemption with Pods taken away.

    `may_fail`: whether `filter` can answer Error, so that errors are looked for even where nodes fit.

    `without_pre_filter`: the code of the error it gives where its PreFilter is switched off, "" where it can do
    without.
    """

    filter_reads: ClassVar[Reads] = Reads.ANYTHING
    may_fail: ClassVar[bool] = False
    without_pre_filter: ClassVar[str] = ""

    def filter_key(self, shape: PodShape) -> Hashable:
        """Pods whose shapes have equal keys get equal answers (for plugins that do not read ANYTHING)."""
        return shape

    @abstractmethod
    def filter(self, state: CycleState, pod: Pod, rows: Rows) -> Verdicts:
        """A verdict for every row, with hypothetical Pods of the rows counted as if they were there."""

    def facts(self, state: CycleState, pod: Pod, row: Rows) -> Sequence[Fact]:
        """What the verdict for the one row of `row` rests on, in the order in which it is checked."""
        return ()


@dataclass(frozen=True, slots=True)
class PostFilterResult:
    """`nominated`: None leaves the nomination as it is, "" clears it, a name sets it. `story` tells how it came
    about."""

    status: Status
    nominated: str | None = None
    victims: tuple[Pod, ...] = ()
    cleared: tuple[Pod, ...] = ()
    story: Any = None


class PostFilterPlugin(Plugin):
    """When: after PreFilter or Filter left no node.
    May return: Success with a nominated node (room is being made); Unschedulable; UnschedulableAndUnresolvable; Error.
    Then: the first Success ends the round and nominates the Pod; Unschedulable lets the next plugin try; the reasons
    of all of them stand in the Pod's message.
    """

    @abstractmethod
    def post_filter(self, state: CycleState, pod: Pod, diagnosis: Diagnosis) -> PostFilterResult: ...


class PreScorePlugin(Plugin):
    """When: once for each cycle, with the nodes that passed all filters, where there are at least two.
    May return: Success; Skip; anything else is an error.
    Then: Skip leaves out the plugin's Score in this cycle; an error ends the cycle.
    """

    @abstractmethod
    def pre_score(self, state: CycleState, pod: Pod, rows: Rows) -> Status: ...


class ScorePlugin(Plugin):
    """When: for each node that passed all filters, where there are at least two.
    May return: any whole number, or an Error; where the plugin normalizes, all its scores are then brought to 0 to 100.
    Then: each score times the profile's weight is added up, and the highest total wins; a score outside of 0 to 100
    after normalizing, or an Error, ends the cycle.

    `without_pre_score`: the code of the error it gives where its PreScore is switched off, "" where it can do
    without."""

    score_reads: ClassVar[Reads] = Reads.ANYTHING
    normalizes: ClassVar[bool] = False
    without_pre_score: ClassVar[str] = ""

    def score_key(self, shape: PodShape) -> Hashable:
        return shape

    @abstractmethod
    def score(self, state: CycleState, pod: Pod, rows: Rows) -> Scores:
        """(k,) raw scores of the feasible rows."""

    def normalize(self, state: CycleState, pod: Pod, rows: Rows, scores: Scores) -> Scores:
        """The raw scores brought to 0..100. Only called where `normalizes` is True."""
        return scores

    @abstractmethod
    def score_facts(self, state: CycleState, pod: Pod, rows: Rows, position: int) -> Formula:
        """How the raw score at `position` of the feasible rows came about."""

    def normalize_facts(self, state: CycleState, pod: Pod, rows: Rows, scores: Scores, position: int) -> Formula:
        """How the raw score at `position` was brought to 0..100 beside the raw `scores` of the others."""
        return Formula.of("normalize.none", scores[position])


class ReservePlugin(Plugin):
    """When: once the node is chosen and the Pod is assumed there, before Permit.
    May return: Success; Unschedulable; Error.
    Then: the first failure calls Unreserve of all Reserve plugins in reverse order, and the Pod is forgotten and tried
    again later. Unreserve is called for any later failure too, and must not fail itself.
    """

    @abstractmethod
    def reserve(self, state: CycleState, pod: Pod, node: str) -> Status: ...

    @abstractmethod
    def unreserve(self, state: CycleState, pod: Pod, node: str) -> None: ...


@dataclass(frozen=True, slots=True)
class PermitResult:
    """`timeout` (microseconds) counts where the status is Wait."""

    status: Status = SUCCESS
    timeout: int = 0


class PermitPlugin(Plugin):
    """When: after Reserve, last in the scheduling cycle.
    May return: Success; Wait with a timeout of at most 15 minutes; Unschedulable; Error.
    Then: with Wait the Pod keeps its place and waits until every plugin that asked for it allows it, one rejects it, or
    the time is up; the scheduler goes on with the next Pod meanwhile.
    """

    @abstractmethod
    def permit(self, state: CycleState, pod: Pod, node: str) -> PermitResult: ...


class PreBindPlugin(Plugin):
    """When: in the binding cycle, before Bind; `pre_bind_pre_flight` first tells whether there is anything to do.
    May return: Success; Skip from the pre-flight; anything else is an error.
    Then: an error undoes the reservation, and the Pod is tried again.
    """

    def pre_bind_pre_flight(self, state: CycleState, pod: Pod, node: str) -> Status:
        """Success where `pre_bind` will have something to do, Skip where not."""
        return SUCCESS

    @abstractmethod
    def pre_bind(self, state: CycleState, pod: Pod, node: str) -> Status: ...

    def pending_writes(self, pod: Pod) -> Sequence[Manifest]:
        """New versions of objects that `pre_bind` writes to the API for this Pod."""
        return ()


class BindPlugin(Plugin):
    """When: in the binding cycle, after every PreBind.
    May return: Success; Skip (not mine); Error.
    Then: the first plugin that does not skip binds, and the others are not asked; an error undoes the reservation. An
    extender with a bind verb comes before all of them.
    """

    @abstractmethod
    def bind(self, state: CycleState, pod: Pod, node: str) -> Status: ...


class PostBindPlugin(Plugin):
    """When: after the Pod was bound.
    May return: nothing.
    Then: nothing; it is for tidying up.
    """

    @abstractmethod
    def post_bind(self, state: CycleState, pod: Pod, node: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Placement:
    """A set of nodes a pod group is tried on. `name` is the topology domain, "" for the whole cluster."""

    name: str
    nodes: frozenset[str]


class PlacementGeneratePlugin(Plugin):
    """When: at the start of a pod group's cycle (gate TopologyAwareWorkloadScheduling).
    May return: the placements (sets of nodes) to try; an Error.
    Then: the whole group is tried in each of them; without any, the group is unschedulable.
    """

    @abstractmethod
    def placements(self, group: str) -> list[Placement] | Status:
        """The placements to try for the pod group with this key, in order; an Error status where they cannot be
        told."""


@dataclass(frozen=True, slots=True)
class ProposedPlacement:
    """A placement with the members (key and node) that would go there."""

    placement: Placement
    pods: Sequence[tuple[Pod, str]]


class PlacementScorePlugin(Plugin):
    """When: after several placements took the group.
    May return: a score for each placement.
    Then: the placement with the highest weighted sum is taken.
    """

    @abstractmethod
    def score_placements(self, group: str, proposals: Sequence[ProposedPlacement]) -> list[int]:
        """A score 0..100 for every proposal."""


class Point(Enum):
    """Extension points: configuration name and the Go interface's name (for error texts), in the order of a cycle."""

    PRE_ENQUEUE = ("preEnqueue", "PreEnqueuePlugin", PreEnqueuePlugin)
    QUEUE_SORT = ("queueSort", "QueueSortPlugin", QueueSortPlugin)
    PRE_FILTER = ("preFilter", "PreFilterPlugin", PreFilterPlugin)
    FILTER = ("filter", "FilterPlugin", FilterPlugin)
    POST_FILTER = ("postFilter", "PostFilterPlugin", PostFilterPlugin)
    PRE_SCORE = ("preScore", "PreScorePlugin", PreScorePlugin)
    SCORE = ("score", "ScorePlugin", ScorePlugin)
    RESERVE = ("reserve", "ReservePlugin", ReservePlugin)
    PERMIT = ("permit", "PermitPlugin", PermitPlugin)
    PRE_BIND = ("preBind", "PreBindPlugin", PreBindPlugin)
    BIND = ("bind", "BindPlugin", BindPlugin)
    POST_BIND = ("postBind", "PostBindPlugin", PostBindPlugin)
    PLACEMENT_GENERATE = ("placementGenerate", "PlacementGeneratePlugin", PlacementGeneratePlugin)
    PLACEMENT_SCORE = ("placementScore", "PlacementScorePlugin", PlacementScorePlugin)

    def __init__(self, key: str, go_name: str, interface: type[Plugin]) -> None:
        self.key = key
        self.go_name = go_name
        self.interface = interface
