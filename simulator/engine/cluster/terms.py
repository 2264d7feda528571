"""The (anti-)affinity terms that Pods own, as index keys: who has to be asked when another Pod comes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass

from simulator.engine.objects.affinity import PodAffinityTerm
from simulator.engine.objects.pod import PodShape

REQUIRED, PREFERRED, ANTI_REQUIRED, ANTI_PREFERRED = "required", "preferred", "antiRequired", "antiPreferred"


@dataclass(frozen=True, slots=True)
class OwnedTerm:
    """A term some Pods own. `weight` is 0 for required terms."""

    kind: str
    term: PodAffinityTerm
    weight: int = 0


def terms_of(shape: PodShape) -> Iterator[OwnedTerm]:
    """Every term of a Pod, with repetitions."""
    affinity = shape.pod_affinity
    yield from (OwnedTerm(REQUIRED, term) for term in affinity.required)
    yield from (OwnedTerm(PREFERRED, item.term, item.weight) for item in affinity.preferred)
    yield from (OwnedTerm(ANTI_REQUIRED, term) for term in affinity.anti_required)
    yield from (OwnedTerm(ANTI_PREFERRED, item.term, item.weight) for item in affinity.anti_preferred)


def _times_owned(owned: OwnedTerm) -> Callable[[PodShape], int]:
    return lambda shape: sum(1 for term in terms_of(shape) if term == owned)


def owned_terms(shape: PodShape) -> Iterator[tuple[Hashable, Callable[[PodShape], int]]]:
    """Index keys and values for the terms of `shape`, each once."""
    for owned in dict.fromkeys(terms_of(shape)):
        yield owned, _times_owned(owned)
