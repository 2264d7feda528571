"""Cards and shares: what a Pod asks for, what is free on each card, and which card it gets.

Compute is in percent of a card (multiples of 100 are whole cards), memory in GiB.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

WHOLE: Final = 100
BINPACK, SPREAD = "binpack", "spread"
POLICIES: Final = (BINPACK, SPREAD)


class BadShare(ValueError):
    """A request that no card could ever meet; the text says why."""


@dataclass(frozen=True, slots=True)
class Share:
    """`core` percent of one card with `memory` GiB; or `core` / 100 whole cards, their memory included."""

    core: int
    memory: int

    @property
    def whole_cards(self) -> int:
        """How many whole cards, 0 for a part of one."""
        return self.core // WHOLE if self.core >= WHOLE else 0


@dataclass(frozen=True, slots=True)
class Card:
    """What is free on a card, and how many Pods are on it, of `most` at the same time."""

    core: int
    memory: int
    pods: int = 0
    most: int = 16

    def takes(self, share: Share) -> bool:
        return self.core >= share.core and self.memory >= share.memory and self.pods < self.most

    def with_share(self, share: Share) -> Card:
        return replace(self, core=self.core - share.core, memory=self.memory - share.memory, pods=self.pods + 1)


def asked_amounts(pod: Mapping[str, Any], *names: str) -> dict[str, int]:
    """How much of the resources a Pod asks for, all containers together; without those it does not name.

    Raises `BadShare`.
    """
    total: dict[str, int] = {}
    for container in (pod.get("spec") or {}).get("containers") or ():
        resources = container.get("resources") or {}
        asked = {**(resources.get("limits") or {}), **(resources.get("requests") or {})}
        for name in names:
            if name in asked:
                total[name] = total.get(name, 0) + whole_number(asked, name)
    return total


def offered_amounts(node: Mapping[str, Any], *names: str) -> list[int]:
    """How much of each resource a node offers; 0 where that cannot be read."""
    amounts = (node.get("status") or {}).get("allocatable") or {}
    try:
        return [whole_number(amounts, name) for name in names]
    except BadShare:
        return [0 for _name in names]


def whole_number(amounts: Mapping[str, Any], name: str) -> int:
    """An amount, 0 where there is none. Raises `BadShare`."""
    text = str(amounts.get(name, 0))
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise BadShare(f"{name}: {text[:40]} is not a whole number")
    return int(text)


def choose(cards: Sequence[Card], share: Share, policy: str) -> tuple[int, ...] | None:
    """The cards for a share: the fullest that takes it (binpack) or the emptiest (spread), the first of equals.

    None where it does not fit.
    """
    if share.whole_cards:
        idle = [index for index, card in enumerate(cards) if card.core == WHOLE and not card.pods]
        return tuple(idle[: share.whole_cards]) if len(idle) >= share.whole_cards else None
    fitting = [index for index, card in enumerate(cards) if card.takes(share)]
    if not fitting:
        return None
    sign = 1 if policy == BINPACK else -1
    return (min(fitting, key=lambda index: (sign * cards[index].core, sign * cards[index].memory, index)),)


def put(cards: Sequence[Card], share: Share, chosen: Sequence[int]) -> tuple[Card, ...]:
    """The cards with the share on the chosen ones."""
    if share.whole_cards:
        taken = (replace(card, core=0, memory=0, pods=card.pods + 1) for card in cards)
        return tuple(new if index in chosen else old for index, (old, new) in enumerate(zip(cards, taken, strict=True)))
    return tuple(card.with_share(share) if index in chosen else card for index, card in enumerate(cards))


def score(cards: Sequence[Card], share: Share, policy: str) -> int:
    """0..10 for a node: how full (binpack) or empty (spread) the chosen card is with the share on it."""
    chosen = choose(cards, share, policy)
    if chosen is None:
        return 0
    used = WHOLE - put(cards, share, chosen)[chosen[0]].core
    packed = (10 * used + WHOLE // 2) // WHOLE
    return packed if policy == BINPACK else 10 - packed
