"""What becomes of a Pod's claims on each of many nodes: bound volumes in reach, free ones to take, others to be made.

Source: kube-scheduler 1.36 `volumebinding/binder.go` GetPodVolumeClaims, FindPodVolumes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from simulator.engine.cluster.columns import Ints
from simulator.engine.cluster.rows import Bools, Rows
from simulator.engine.framework.plugin import Lister
from simulator.engine.framework.status import Code, Reason, Verdicts
from simulator.engine.plugins.csi_migration import (
    TranslationError,
    in_tree_driver,
    is_migrated_on,
    migrated_affinity,
)
from simulator.engine.plugins.volume_matching import NO_VOLUME, Affinities, Affinity, Choice, VolumeSet
from simulator.engine.plugins.volume_provisioning import Provisioning, provision
from simulator.engine.plugins.volumes import (
    CSI_NODE,
    SELECTED_NODE,
    VOLUME,
    Manifest,
    annotations_of,
    spec_of,
)

REASONS = (
    Reason("volume_binding.node_conflict"),
    Reason("volume_binding.no_volume"),
    Reason("volume_binding.no_space"),
    Reason("volume_binding.volume_not_found"),
)
_NODE_CONFLICT, _NO_VOLUME, _NO_SPACE, _NOT_FOUND = (1 << index for index in range(len(REASONS)))


@dataclass(slots=True)
class PodClaims:
    """The claims of one Pod at the start of its cycle: those bound, and those that wait for a node.

    `objects` shows the assumed state; `volumes` is what the waiting claims can choose from.
    """

    objects: Lister
    affinities: Affinities
    bound: list[Manifest] = field(default_factory=list)
    delayed: list[Manifest] = field(default_factory=list)
    _volumes: VolumeSet | None = None

    @property
    def volumes(self) -> VolumeSet:
        if self._volumes is None:
            self._volumes = VolumeSet(self.objects.list(VOLUME), self.affinities)
        return self._volumes


@dataclass(slots=True)
class Plan:
    """The answers for k rows.

    bits      (k,) bit i set where `REASONS[i]` keeps the Pod away
    choices   what the claims take that a volume may be there for
    provided  the claims that need a new volume, on which rows (k,), and what that meets
    errors    the text of the failure at a position
    """

    claims: PodClaims
    bits: Ints
    choices: list[Choice] = field(default_factory=list)
    provided: list[tuple[Manifest, Bools, Provisioning]] = field(default_factory=list)
    errors: dict[int, str] = field(default_factory=dict)

    def verdicts(self) -> Verdicts:
        codes = np.where(self.bits != 0, np.int8(Code.UNRESOLVABLE), np.int8(Code.SUCCESS)).astype(np.int8)
        texts = list(dict.fromkeys(self.errors.values()))
        bits = self.bits.copy()
        for position, text in self.errors.items():
            codes[position] = Code.ERROR
            bits[position] = 1 << (len(REASONS) + texts.index(text))
        failures = (Reason.of("volume_binding.not_translated", error=text) for text in texts)
        return Verdicts(codes, bits, (*REASONS, *failures))

    def fits(self, position: int) -> bool:
        return not self.bits[position] and position not in self.errors

    def bindings(self, position: int) -> Iterator[tuple[Manifest, Manifest]]:
        """(claim, volume) pairs on one row."""
        for choice in self.choices:
            index = int(choice.volumes[position])
            if index != NO_VOLUME:
                yield choice.claim, self.claims.volumes.volumes[index]

    def provisions(self, position: int) -> Iterator[tuple[Manifest, Manifest | None]]:
        """Claims that get a new volume on one row, each with the CSIStorageCapacity it would come from, if known."""
        for claim, needed, provisioning in self.provided:
            if needed[position]:
                pool = int(provisioning.pools[position])
                yield claim, None if pool < 0 else provisioning.capacities[pool]


def plan(claims: PodClaims, rows: Rows) -> Plan:
    made = Plan(claims, np.zeros(len(rows), dtype=np.int64))
    _check_bound(made, rows)
    if claims.delayed:
        _place_delayed(made, rows)
    return made


def _check_bound(made: Plan, rows: Rows) -> None:
    """Bound volumes in order; the first that is missing or out of reach decides for a row."""
    undecided = np.arange(len(rows), dtype=np.int64)
    for claim in made.claims.bound:
        volume = made.claims.objects.get(VOLUME, "", spec_of(claim).get("volumeName") or "")
        if volume is None:
            made.bits[undecided] |= _NOT_FOUND
            return
        reach = _reach(made, volume, rows, undecided)
        made.bits[undecided[~reach]] |= _NODE_CONFLICT
        undecided = undecided[reach]


def _reach(made: Plan, volume: Manifest, rows: Rows, positions: Ints) -> Bools:
    """(positions,) whether a bound volume is in reach, seen through CSI where the node left its driver to CSI."""
    reach = made.claims.affinities.of(volume).reach(rows, rows.ids[positions])
    driver = in_tree_driver(spec_of(volume))
    if driver is None or not driver.migrates:
        return reach
    nodes = rows.cluster.nodes.objects
    csi_nodes = [made.claims.objects.get(CSI_NODE, "", nodes[row].name) for row in rows.ids[positions].tolist()]
    migrated = np.array([is_migrated_on(driver, csi_node) for csi_node in csi_nodes], dtype=np.bool_)
    if not migrated.any():
        return reach
    try:
        affinity = Affinity.parse(migrated_affinity(driver, volume))
    except TranslationError as failure:
        made.errors |= dict.fromkeys(positions[migrated].tolist(), str(failure))
        return reach | migrated
    reach[migrated] = affinity.reach(rows, rows.ids[positions[migrated]])
    return reach


def _place_delayed(made: Plan, rows: Rows) -> None:
    """Claims that wait for a node: some have one already, the others take a free volume or need a new one."""
    claims = made.claims.delayed
    sent = [claim for claim in claims if SELECTED_NODE in annotations_of(claim)]
    free = [claim for claim in claims if SELECTED_NODE not in annotations_of(claim)]
    elsewhere = _sent_elsewhere(sent, rows)
    made.bits[elsewhere] |= _NO_VOLUME
    made.choices = made.claims.volumes.choose(free, rows) if free else []
    everywhere = np.ones(len(rows), dtype=np.bool_)
    needs = [(claim, everywhere) for claim in sent]
    needs += [(choice.claim, choice.volumes == NO_VOLUME) for choice in made.choices]
    _provide(made, needs, rows, ~elsewhere)


def _sent_elsewhere(claims: Sequence[Manifest], rows: Rows) -> Bools:
    """(k,) whether a volume is already being made for some claim on another node."""
    elsewhere = np.zeros(len(rows), dtype=np.bool_)
    for claim in claims:
        row = rows.cluster.nodes.row_of.get(annotations_of(claim)[SELECTED_NODE], -1)
        elsewhere |= rows.ids != row
    return elsewhere


def _provide(made: Plan, needs: Sequence[tuple[Manifest, Bools]], rows: Rows, undecided: Bools) -> None:
    """New volumes in order; the first claim that cannot have one decides for a row."""
    for claim, needed in needs:
        here = needed & undecided
        if not here.any():
            continue
        met = provision(made.claims.objects, claim, rows)
        made.provided.append((claim, needed, met))
        made.bits[here & ~met.possible] |= _NO_VOLUME
        made.bits[here & met.possible & ~met.enough] |= _NO_SPACE
        undecided = undecided & ~(here & ~(met.possible & met.enough))
