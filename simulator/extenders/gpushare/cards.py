"""Cards and shares: what a Pod asks for, what is free on each card, and which card it gets.

Compute is in percent of a card (5 … 100 in steps of 5, or whole cards as multiples of 100), memory in GiB.
Source: Tencent Cloud's qGPU documentation (qgpu-core, qgpu-memory, at most 16 shares on a card).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

CORE: Final = "tke.cloud.tencent.com/qgpu-core"
MEMORY: Final = "tke.cloud.tencent.com/qgpu-memory"
WHOLE: Final = 100
STEP: Final = 5
MOST_SHARES: Final = 16
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

    def check(self) -> Share:
        """Raises `BadShare`."""
        if self.core > WHOLE and self.core % WHOLE:
            raise BadShare(f"qgpu-core {self.core}: more than one card must be whole cards, a multiple of 100")
        if self.core < STEP or self.core % STEP:
            raise BadShare(f"qgpu-core {self.core}: must be 5 to 100 in steps of 5, or a multiple of 100")
        if self.memory < 1 and not self.whole_cards:
            raise BadShare(f"qgpu-memory {self.memory}: must be at least 1 GiB")
        return self


@dataclass(frozen=True, slots=True)
class Card:
    """What is free on a card, and how many Pods are on it."""

    core: int
    memory: int
    pods: int = 0

    def takes(self, share: Share) -> bool:
        return self.core >= share.core and self.memory >= share.memory and self.pods < MOST_SHARES

    def with_share(self, share: Share) -> Card:
        return Card(self.core - share.core, self.memory - share.memory, self.pods + 1)


def share_of(pod: Mapping[str, Any]) -> Share | None:
    """What a Pod asks for, all containers together; None for no share. Raises `BadShare`."""
    core = memory = 0
    named = False
    for container in (pod.get("spec") or {}).get("containers") or ():
        resources = container.get("resources") or {}
        asked = {**(resources.get("limits") or {}), **(resources.get("requests") or {})}
        named = named or CORE in asked or MEMORY in asked
        core += _whole_number(asked, CORE)
        memory += _whole_number(asked, MEMORY)
    return Share(core, memory).check() if named else None


def _whole_number(amounts: Mapping[str, Any], name: str) -> int:
    text = str(amounts.get(name, 0))
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise BadShare(f"{name}: {text[:40]} is not a whole number")
    return int(text)


def empty_cards(node: Mapping[str, Any]) -> tuple[Card, ...]:
    """The cards of a node with nothing on them; none where it offers no shares."""
    amounts = (node.get("status") or {}).get("allocatable") or {}
    try:
        core, memory = _whole_number(amounts, CORE), _whole_number(amounts, MEMORY)
    except BadShare:
        return ()
    cards = core // WHOLE
    return (Card(WHOLE, memory // cards),) * cards if cards else ()


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
        return tuple(Card(0, 0, card.pods + 1) if index in chosen else card for index, card in enumerate(cards))
    return tuple(card.with_share(share) if index in chosen else card for index, card in enumerate(cards))


def score(cards: Sequence[Card], share: Share, policy: str) -> int:
    """0..10 for a node: how full (binpack) or empty (spread) the chosen card is with the share on it."""
    chosen = choose(cards, share, policy)
    if chosen is None:
        return 0
    used = WHOLE - put(cards, share, chosen)[chosen[0]].core
    packed = (10 * used + WHOLE // 2) // WHOLE
    return packed if policy == BINPACK else 10 - packed
