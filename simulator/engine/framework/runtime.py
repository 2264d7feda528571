"""A profile brought to life: its plugins, per extension point, and the running of them.

Source: kube-scheduler 1.36 `framework/runtime/framework.go`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from simulator.engine.framework import messages
from simulator.engine.framework.answers import KeptScores, KeptVerdicts, Recent
from simulator.engine.framework.filtering import FilterPlan, PluginError, filter_signature
from simulator.engine.framework.plugin import (
    BindPlugin,
    CycleState,
    FilterPlugin,
    Handle,
    PermitPlugin,
    PlacementGeneratePlugin,
    PlacementScorePlugin,
    Plugin,
    Point,
    PostBindPlugin,
    PostFilterPlugin,
    PreBindPlugin,
    PreEnqueuePlugin,
    PreFilterPlugin,
    PreScorePlugin,
    QueueSortPlugin,
    ReservePlugin,
    ScorePlugin,
)
from simulator.engine.framework.profile import ResolvedProfile
from simulator.engine.framework.scoring import ScorePlan, score_signature
from simulator.engine.framework.status import Code, Reason, Status
from simulator.engine.framework.without_state import able_filter, score_failure
from simulator.engine.objects.pod import Pod, PodShape

P = TypeVar("P", bound=Plugin)

KEPT_ANSWERS = 256
KEPT_PLANS = 256
KEPT_SHAPES = 4096


class Framework:
    """The plugins of one profile. Lists are in running order; `score` has (plugin, weight) pairs.

    `picks_first`: nothing scores or filters outside, so the first feasible node ends the search.
    """

    def __init__(
        self,
        profile: ResolvedProfile,
        registry: Mapping[str, type[Plugin]],
        handle: Handle,
        args: Mapping[str, Any],
        percentage_of_nodes_to_score: int,
    ) -> None:
        self.profile = profile
        self.handle = handle
        handle.framework = self
        own = profile.config.percentage_of_nodes_to_score
        self.percentage_of_nodes_to_score = percentage_of_nodes_to_score if own is None else own
        names = dict.fromkeys(name for point in Point for name in profile.points[point])
        self.plugins: dict[str, Plugin] = {name: registry[name](args[name], handle) for name in names}
        self.pre_enqueue = self._at(Point.PRE_ENQUEUE, PreEnqueuePlugin)
        self.queue_sort = self._at(Point.QUEUE_SORT, QueueSortPlugin)[0]
        self.pre_filter = self._at(Point.PRE_FILTER, PreFilterPlugin)
        prepared = profile.points[Point.PRE_FILTER]
        self.filter = [able_filter(plugin, prepared) for plugin in self._at(Point.FILTER, FilterPlugin)]
        self.post_filter = self._at(Point.POST_FILTER, PostFilterPlugin)
        self.pre_score = self._at(Point.PRE_SCORE, PreScorePlugin)
        self.score = [(plugin, profile.weights[plugin.name]) for plugin in self._at(Point.SCORE, ScorePlugin)]
        self.reserve = self._at(Point.RESERVE, ReservePlugin)
        self.permit = self._at(Point.PERMIT, PermitPlugin)
        self.pre_bind = self._at(Point.PRE_BIND, PreBindPlugin)
        self.bind = self._at(Point.BIND, BindPlugin)
        self.post_bind = self._at(Point.POST_BIND, PostBindPlugin)
        self.placement_generate = self._at(Point.PLACEMENT_GENERATE, PlacementGeneratePlugin)
        self.placement_score = [
            (plugin, profile.placement_weights[plugin.name])
            for plugin in self._at(Point.PLACEMENT_SCORE, PlacementScorePlugin)
        ]
        self._verdicts: Recent[tuple[str, object], KeptVerdicts] = Recent(KEPT_ANSWERS)
        self._scores: Recent[tuple[str, object], KeptScores] = Recent(KEPT_ANSWERS)
        self._filter_plans: Recent[object, FilterPlan] = Recent(KEPT_PLANS)
        self._score_plans: Recent[object, ScorePlan] = Recent(KEPT_PLANS)
        self._filter_plan_of: Recent[tuple[PodShape, frozenset[str]], FilterPlan] = Recent(KEPT_SHAPES)
        self._score_plan_of: Recent[tuple[PodShape, frozenset[str]], ScorePlan] = Recent(KEPT_SHAPES)

    def _at(self, point: Point, kind: type[P]) -> list[P]:
        found = [self.plugins[name] for name in self.profile.points[point]]
        return [plugin for plugin in found if isinstance(plugin, kind)]

    @property
    def scheduler_name(self) -> str:
        return self.profile.config.scheduler_name

    @property
    def picks_first(self) -> bool:
        extenders = self.handle.extenders
        outside = extenders is not None and (extenders.filters or extenders.prioritizes)
        return not self.score and not outside

    def filters_for(self, state: CycleState) -> list[FilterPlugin]:
        """The Filter plugins that were not skipped at PreFilter."""
        return [plugin for plugin in self.filter if plugin.name not in state.skip_filter]

    def filter_plan(self, state: CycleState, pod: Pod) -> FilterPlan:
        key = (pod.shape, frozenset(state.skip_filter))
        return self._filter_plan_of.get(key, lambda: self._new_filter_plan(self.filters_for(state), pod.shape))

    def _new_filter_plan(self, plugins: list[FilterPlugin], shape: PodShape) -> FilterPlan:
        signature = filter_signature(plugins, shape)
        return self._filter_plans.get(signature, lambda: FilterPlan(plugins, shape, self._verdicts))

    def score_plan(self, state: CycleState, pod: Pod) -> ScorePlan:
        key = (pod.shape, frozenset(state.skip_score))
        return self._score_plan_of.get(key, lambda: self._new_score_plan(self.scores_for(state), pod.shape))

    def _new_score_plan(self, plugins: list[tuple[ScorePlugin, int]], shape: PodShape) -> ScorePlan:
        signature = score_signature(plugins, shape)
        return self._score_plans.get(signature, lambda: ScorePlan(plugins, shape, self._scores))

    def check_scores(self) -> None:
        """Raises `PluginError` where a Score plugin lacks its PreScore."""
        for plugin, _ in self.score:
            status = score_failure(plugin, self.profile.points[Point.PRE_SCORE])
            if status is not None:
                raise self.failure("framework.score", plugin.name, status)

    def scores_for(self, state: CycleState) -> list[tuple[ScorePlugin, int]]:
        return [(plugin, weight) for plugin, weight in self.score if plugin.name not in state.skip_score]

    def run_pre_enqueue(self, pod: Pod, first: str = "") -> Status:
        """The first PreEnqueue answer that is not Success; the plugin named `first` is asked before the others."""
        ordered = sorted(self.pre_enqueue, key=lambda plugin: plugin.name != first)
        for plugin in ordered:
            status = plugin.pre_enqueue(pod)
            if not status.is_success:
                return status.by(plugin.name)
        return Status()

    def failure(self, wrapper: str, plugin: str, status: Status) -> PluginError:
        """The exception for a plugin's Error, its text wrapped in the words of `wrapper` (a reason code, "" for
        none)."""
        if not wrapper:
            return PluginError(status.reasons[0], plugin)
        return PluginError(Reason.of(wrapper, plugin=plugin, error=messages.status_text(status)), plugin)

    def run_reserve(self, state: CycleState, pod: Pod, node: str) -> Status:
        """Reserve in order; the first failure is returned, wrapped where it is an Error."""
        for plugin in self.reserve:
            status = plugin.reserve(state, pod, node)
            if not status.is_success:
                return self.wrapped("framework.reserve", plugin.name, status)
        return Status()

    def run_unreserve(self, state: CycleState, pod: Pod, node: str) -> None:
        for plugin in reversed(self.reserve):
            plugin.unreserve(state, pod, node)

    def wrapped(self, wrapper: str, plugin: str, status: Status) -> Status:
        """`status` as given by `plugin`; an Error gets the words of `wrapper` around it."""
        if status.code != Code.ERROR:
            return status.by(plugin)
        return Status(Code.ERROR, (self.failure(wrapper, plugin, status).reason,), plugin)
