"""VolumeBinding: a Pod goes where its volumes can be: bound ones in reach, free ones to take, or new ones to be made.

Decides: PreFilter refuses claims that are lost, being deleted or should be bound by now; Filter by the node affinity of
bound volumes, by free volumes for claims that wait for a node (smallest first), and by what can be provisioned there;
Score (gate StorageCapacityScoring, off) by how much of the storage the Pod would use; Reserve takes the volumes.
Kubernetes counterpart: kube-scheduler 1.36 VolumeBinding, weight 1; args bindTimeoutSeconds, shape.
Simplified here: PreBind does not wait. As long as nobody plays the PersistentVolume controller, binding counts as done
once it is decided; `pending_writes` tells what is to be stored. Equally large volumes are taken in the store's order.
Reads: pod volumes, claims, PersistentVolumes, StorageClasses, CSINodes, CSIDrivers, CSIStorageCapacities, node labels.
Writes: the claim of a PersistentVolume (claimRef), the node of a claim (annotation selected-node); assumed before.
Wakes on: StorageClass added or its topologies changed; a claim of the Pod added or changed; PersistentVolume added or
changed; node added or relabelled; CSINode added or its migrated plugins changed; CSIStorageCapacity added or grown;
CSIDriver of the Pod stops telling its capacity.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simulator.engine.cluster.rows import Rows
from simulator.engine.framework.events import NODE, Action, ClusterEvent
from simulator.engine.framework.facts import Fact, Formula
from simulator.engine.framework.plugin import (
    CycleState,
    EventInterest,
    FilterPlugin,
    Handle,
    Hint,
    PreBindPlugin,
    PreFilterPlugin,
    PreFilterResult,
    PreScorePlugin,
    ReservePlugin,
    ScorePlugin,
)
from simulator.engine.framework.shape_check import Checker, ConfigError, Path, Problem
from simulator.engine.framework.status import (
    SKIP,
    SUCCESS,
    Code,
    Reason,
    Scores,
    Status,
    Verdicts,
    error,
    unresolvable,
)
from simulator.engine.objects.pod import Pod
from simulator.engine.plugins.assumed_objects import AssumedObjects, Key
from simulator.engine.plugins.csi_migration import MIGRATED_PLUGINS
from simulator.engine.plugins.resource_strategies import read_shape
from simulator.engine.plugins.volume_facts import plan_facts, scoring_terms
from simulator.engine.plugins.volume_matching import Affinities
from simulator.engine.plugins.volume_plan import PodClaims, plan
from simulator.engine.plugins.volume_scoring import DEFAULT_SHAPE, Shape, capacity_score
from simulator.engine.plugins.volumes import (
    CLAIM,
    CSI_DRIVER,
    CSI_NODE,
    CSI_STORAGE_CAPACITY,
    STORAGE_CLASS,
    VOLUME,
    WAIT_FOR_FIRST_CONSUMER,
    ClaimUse,
    Manifest,
    annotations_of,
    claim_uses,
    is_being_deleted,
    is_fully_bound,
    is_made_for,
    name_of,
    phase_of,
    sent_to,
    spec_of,
    storage_class_of,
    taken_by,
    uses_claim,
    volume_limit,
)

_NO_STATE = Reason("volume_binding.no_state")


@dataclass(frozen=True)
class Args:
    """`bind_timeout` in seconds. `shape` is (percent used, score 0..100), None where none was given."""

    bind_timeout: int = 600
    shape: Shape | None = None


class VolumeBinding(PreFilterPlugin, FilterPlugin, PreScorePlugin, ScorePlugin, ReservePlugin, PreBindPlugin):
    name = "VolumeBinding"
    may_fail = True
    args: Args

    def __init__(self, args: Args, handle: Handle) -> None:
        super().__init__(args, handle)
        self._scores = handle.gate("StorageCapacityScoring")
        if args.shape is not None and not self._scores:
            text = "unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring"
            raise ConfigError([Problem(("shape",), f"shape: Invalid value: {text}", "config.shape_gate")])
        self._assumed = AssumedObjects(handle.objects)
        self._affinities = Affinities()
        self._no_claims = PodClaims(self._assumed, self._affinities)
        self._reserved: dict[str, tuple[Key, ...]] = {}

    @classmethod
    def read_args(cls, args: Mapping[str, Any], root: Path = ()) -> Args:
        check = Checker(root)
        check.mapping((), args, {"bindTimeoutSeconds": int, "shape": list})
        check.raise_problems()
        timeout = args.get("bindTimeoutSeconds")
        timeout = 600 if timeout is None else timeout
        if timeout < 0:
            text = "invalid BindTimeoutSeconds, should not be a negative value"
            check.invalid(("bindTimeoutSeconds",), timeout, text, "config.bind_timeout")
        points = args.get("shape")
        shape = None if points is None else read_shape(check, ("shape",), points)
        check.raise_problems()
        return Args(timeout, shape)

    def pre_filter(self, state: CycleState, pod: Pod) -> PreFilterResult:
        uses = claim_uses(pod)
        if not uses:
            state.data[self.name] = self._no_claims
            return PreFilterResult(SKIP)
        claims = state.data[self.name] = PodClaims(self._assumed, self._affinities)
        for use in uses:
            problem = self._problem(pod, use)
            if not problem.is_success:
                return PreFilterResult(problem)
        return PreFilterResult(self._sort(claims, pod, uses))

    def _problem(self, pod: Pod, use: ClaimUse) -> Status:
        """What keeps a claim from being used at all."""
        claim = self.handle.objects.get(CLAIM, pod.namespace, use.claim)
        if claim is None:
            missing = "volume_binding.ephemeral" if use.ephemeral else "volume_binding.claim_not_found"
            return unresolvable(missing, claim=use.claim)
        if phase_of(claim) == "Lost":
            return unresolvable("volume_binding.lost", claim=use.claim, volume=spec_of(claim).get("volumeName") or "")
        if is_being_deleted(claim):
            return unresolvable("volume_binding.deleting", claim=use.claim)
        if use.ephemeral and not is_made_for(claim, pod):
            return unresolvable("volume_binding.not_owner", namespace=pod.namespace, claim=use.claim, pod=pod.name)
        return SUCCESS

    def _sort(self, claims: PodClaims, pod: Pod, uses: Sequence[ClaimUse]) -> Status:
        """Sort the Pod's claims into bound ones and ones that wait for a node; any other should be bound by now."""
        late = False
        for use in uses:
            claim = self._assumed.get(CLAIM, pod.namespace, use.claim)
            assert claim is not None
            if is_fully_bound(claim):
                claims.bound.append(claim)
                continue
            storage_class = self._assumed.get(STORAGE_CLASS, "", storage_class_of(claim))
            mode = "" if storage_class is None else storage_class.get("volumeBindingMode")
            if mode is None:
                return error("volume_binding.no_binding_mode", storage_class=storage_class_of(claim))
            if mode == WAIT_FOR_FIRST_CONSUMER and not spec_of(claim).get("volumeName"):
                claims.delayed.append(claim)
            else:
                late = True
        return unresolvable("volume_binding.unbound_immediate") if late else SUCCESS

    def filter(self, state: CycleState, pod: Pod, rows: Rows) -> Verdicts:
        claims: PodClaims | None = state.data.get(self.name)
        if claims is None:
            return Verdicts.where(np.ones(len(rows), dtype=np.bool_), Code.ERROR, _NO_STATE)
        return plan(claims, rows).verdicts()

    def facts(self, state: CycleState, pod: Pod, row: Rows) -> Sequence[Fact]:
        return plan_facts(state.data[self.name], row)

    def pre_score(self, state: CycleState, pod: Pod, rows: Rows) -> Status:
        if not self._scores:
            return SKIP
        return SUCCESS if self.name in state.data else Status(Code.ERROR, (_NO_STATE,))

    def score(self, state: CycleState, pod: Pod, rows: Rows) -> Scores:
        claims: PodClaims | None = state.data.get(self.name)
        if not self._scores or claims is None or not claims.delayed:
            return np.zeros(len(rows), dtype=np.int64)
        made = plan(claims, rows)
        shape = self.args.shape or DEFAULT_SHAPE
        return np.array([capacity_score(made, position, shape) for position in range(len(rows))], dtype=np.int64)

    def score_facts(self, state: CycleState, pod: Pod, rows: Rows, position: int) -> Formula:
        claims: PodClaims | None = state.data.get(self.name)
        shape = self.args.shape or DEFAULT_SHAPE
        points = [list(point) for point in shape]
        if not self._scores or claims is None or not claims.delayed:
            return Formula.of("volume_binding.score", 0, classes=[], shape=points)
        made = plan(claims, rows.subset(np.array([position])))
        classes = scoring_terms(made, shape)
        return Formula.of("volume_binding.score", capacity_score(made, 0, shape), classes=classes, shape=points)

    def reserve(self, state: CycleState, pod: Pod, node: str) -> Status:
        claims: PodClaims | None = state.data.get(self.name)
        if claims is None:
            return Status(Code.ERROR, (_NO_STATE,))
        if not claims.delayed:
            return SUCCESS
        cluster = self.handle.cluster
        made = plan(claims, cluster.rows([cluster.nodes.row_of[node]]))
        keys: list[Key] = []
        if made.fits(0):
            for claim, volume in made.bindings(0):
                keys.append(self._assumed.assume(VOLUME, taken_by(volume, claim)))
            for claim, _ in made.provisions(0):
                keys.append(self._assumed.assume(CLAIM, sent_to(claim, node)))
        self._reserved[pod.uid] = tuple(keys)
        return SUCCESS

    def unreserve(self, state: CycleState, pod: Pod, node: str) -> None:
        for key in self._reserved.pop(pod.uid, ()):
            self._assumed.restore(key)

    def pending_writes(self, pod: Pod) -> list[Manifest]:
        """The PersistentVolumes and claims that binding `pod` changes, as they are to be stored.

        What the store has changed since Reserve is left out: there the store is right.
        """
        manifests = (self._assumed.assumed(key) for key in self._reserved.get(pod.uid, ()))
        return [manifest for manifest in manifests if manifest is not None]

    def pre_bind_pre_flight(self, state: CycleState, pod: Pod, node: str) -> Status:
        claims: PodClaims | None = state.data.get(self.name)
        if claims is None:
            return Status(Code.ERROR, (_NO_STATE,))
        return SUCCESS if claims.delayed else SKIP

    def pre_bind(self, state: CycleState, pod: Pod, node: str) -> Status:
        return SUCCESS

    def events(self) -> Sequence[EventInterest]:
        changes = Action.ADD | Action.UPDATE
        return (
            EventInterest(ClusterEvent(STORAGE_CLASS, changes), self._class_changed),
            EventInterest(ClusterEvent(CLAIM, changes), self._claim_changed),
            EventInterest(ClusterEvent(VOLUME, changes)),
            EventInterest(ClusterEvent(NODE, Action.ADD | Action.UPDATE_NODE_LABEL)),
            EventInterest(ClusterEvent(CSI_NODE, changes), self._csi_node_changed),
            EventInterest(ClusterEvent(CSI_DRIVER, Action.UPDATE), self._driver_changed),
            EventInterest(ClusterEvent(CSI_STORAGE_CAPACITY, changes), self._capacity_changed),
        )

    @staticmethod
    def _class_changed(_pod: Pod, old: Manifest | None, new: Manifest) -> Hint:
        changed = old is None or (old.get("allowedTopologies") or []) != (new.get("allowedTopologies") or [])
        return Hint.QUEUE if changed else Hint.SKIP

    @staticmethod
    def _claim_changed(pod: Pod, _old: Manifest | None, new: Manifest) -> Hint:
        return Hint.QUEUE if uses_claim(pod, new) else Hint.SKIP

    @staticmethod
    def _csi_node_changed(_pod: Pod, old: Manifest | None, new: Manifest) -> Hint:
        before = None if old is None else annotations_of(old).get(MIGRATED_PLUGINS, "")
        return Hint.QUEUE if before != annotations_of(new).get(MIGRATED_PLUGINS, "") else Hint.SKIP

    @staticmethod
    def _driver_changed(pod: Pod, old: Manifest, new: Manifest) -> Hint:
        used = any((volume.get("csi") or {}).get("driver") == name_of(new) for volume in pod.shape.volumes)
        stopped = spec_of(old).get("storageCapacity") and not spec_of(new).get("storageCapacity")
        return Hint.QUEUE if used and stopped else Hint.SKIP

    @staticmethod
    def _capacity_changed(_pod: Pod, old: Manifest | None, new: Manifest) -> Hint:
        if old is None:
            return Hint.QUEUE
        before, after = volume_limit(old), volume_limit(new)
        grew = after is not None and (before is None or after.value() > before.value())
        return Hint.QUEUE if grew else Hint.SKIP
