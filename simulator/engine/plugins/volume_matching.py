"""Which PersistentVolumes the unbound claims of a Pod would get on each of many nodes.

All nodes are worked on at once: claim by claim, and for each claim volume by volume. Source: component-helpers
`storage/volume` FindMatchingVolume and kube-scheduler 1.36 `volumebinding/binder.go` findMatchingVolumes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from simulator.engine.cluster.columns import Ints
from simulator.engine.cluster.rows import Bools, Rows
from simulator.engine.objects.quantity import ZERO
from simulator.engine.objects.selectors import (
    LabelSelector,
    NodeSelector,
    NodeSelectorTerm,
    Requirement,
    parse_node_selector,
)
from simulator.engine.plugins.volumes import (
    Manifest,
    is_being_deleted,
    is_bound_to,
    labels_of,
    name_of,
    phase_of,
    requested_storage,
    spec_of,
    storage_capacity,
    storage_class_of,
)

NO_VOLUME = -1
AVAILABLE = "Available"

_ANYWHERE = Requirement("", "DoesNotExist")


@dataclass(frozen=True, slots=True)
class Choice:
    """What one claim would be bound to: `volumes[i]` (k,) is an index of a volume, -1 where there is none for it."""

    claim: Manifest
    volumes: Ints


class VolumeSet:
    """The PersistentVolumes among which claims choose. The order is that of the store; it settles ties in size."""

    def __init__(self, volumes: Iterable[Manifest], affinities: Affinities) -> None:
        self.volumes = list(volumes)
        self._affinities = affinities
        self._capacities = [storage_capacity(volume) for volume in self.volumes]

    def choose(self, claims: Sequence[Manifest], rows: Rows) -> list[Choice]:
        """The smallest claim chooses first; what it takes on a row is gone there for the others."""
        choices: list[Choice] = []
        for claim in sorted(claims, key=lambda claim: requested_storage(claim) or ZERO):
            taken = [choice.volumes for choice in choices]
            choices.append(Choice(claim, self._choose_one(claim, rows, taken)))
        return choices

    def _choose_one(self, claim: Manifest, rows: Rows, taken: Sequence[Ints]) -> Ints:
        chosen = np.full(len(rows), NO_VOLUME, dtype=np.int64)
        undecided = np.arange(len(rows), dtype=np.int64)
        usable = self._usable(claim)
        reserved = [index for index in usable if is_bound_to(self.volumes[index], claim)]
        for index in reserved:
            free = _free(index, undecided, taken)
            here = undecided[free]
            chosen[here[self._reaches(index, rows, here)]] = index
            undecided = undecided[~free]
        for index in self._by_size(claim, usable):
            if not len(undecided):
                break
            fits = _free(index, undecided, taken) & self._reaches(index, rows, undecided)
            chosen[undecided[fits]] = index
            undecided = undecided[~fits]
        return chosen

    def _usable(self, claim: Manifest) -> list[int]:
        """Volumes that are large enough, of the right kind, and not somebody else's; in order."""
        wanted = requested_storage(claim) or ZERO
        storage_class = storage_class_of(claim)
        return [
            index
            for index, volume in enumerate(self.volumes)
            if storage_class_of(volume) == storage_class
            and self._capacities[index] >= wanted
            and not is_being_deleted(volume)
            and _mode(volume) == _mode(claim)
            and _attributes_class(volume) == _attributes_class(claim)
            and (spec_of(volume).get("claimRef") is None or is_bound_to(volume, claim))
        ]

    def _by_size(self, claim: Manifest, usable: Iterable[int]) -> list[int]:
        """The volumes nobody has reserved that the claim can be bound to, smallest first."""
        wish = spec_of(claim).get("selector")
        selector = None if wish is None else LabelSelector.parse(wish)
        modes = set(spec_of(claim).get("accessModes") or ())
        found = [
            index
            for index in usable
            if spec_of(self.volumes[index]).get("claimRef") is None
            and phase_of(self.volumes[index]) == AVAILABLE
            and (selector is None or selector.matches(labels_of(self.volumes[index])))
            and modes <= set(spec_of(self.volumes[index]).get("accessModes") or ())
        ]
        return sorted(found, key=lambda index: self._capacities[index])

    def _reaches(self, index: int, rows: Rows, positions: Ints) -> Bools:
        """(positions,) whether the volume can be used on these rows."""
        return self._affinities.of(self.volumes[index]).reach(rows, rows.ids[positions])


def _free(index: int, positions: Ints, taken: Sequence[Ints]) -> Bools:
    free = np.ones(len(positions), dtype=np.bool_)
    for other in taken:
        free &= other[positions] != index
    return free


def _mode(manifest: Manifest) -> str:
    return spec_of(manifest).get("volumeMode") or "Filesystem"


def _attributes_class(manifest: Manifest) -> str:
    return spec_of(manifest).get("volumeAttributesClassName") or ""


@dataclass(frozen=True, slots=True)
class Affinity:
    """Where a volume can be used. `selector` None: everywhere."""

    selector: NodeSelector | None = None

    @staticmethod
    def parse(affinity: Manifest | None) -> Affinity:
        """From `spec.nodeAffinity` of a volume."""
        required = (affinity or {}).get("required")
        if required is None:
            return Affinity()
        terms = (_by_labels_alone(term) for term in parse_node_selector(required).terms)
        return Affinity(NodeSelector(tuple(term for term in terms if term is not None)))

    def reach(self, rows: Rows, ids: Ints) -> Bools:
        """(ids,) whether the nodes of these cluster rows have the volume in reach."""
        if self.selector is None:
            return np.ones(len(ids), dtype=np.bool_)
        return rows.cluster.nodes.labels.matches_node_selector(self.selector, ids)


def _by_labels_alone(term: NodeSelectorTerm) -> NodeSelectorTerm | None:
    """A term as kube asks it of volumes: with the node's labels but an empty name. None where it matches no node."""
    if term.error is not None or any(field.operator == "In" for field in term.fields):
        return None
    if not term.fields:
        return term
    return NodeSelectorTerm(term.expressions or (_ANYWHERE,), ())


class Affinities:
    """Node affinities of volumes, parsed once as long as the volume's own stays the same."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Manifest | None, Affinity]] = {}

    def of(self, volume: Manifest) -> Affinity:
        name, affinity = name_of(volume), spec_of(volume).get("nodeAffinity")
        known = self._known.get(name)
        if known is None or known[0] is not affinity:
            known = self._known[name] = (affinity, Affinity.parse(affinity))
        return known[1]
