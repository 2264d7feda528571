"""qGPU: compute and memory of a card in fine slices.

Compute is 5 … 100 percent in steps of 5, or whole cards as multiples of 100; memory is in GiB; a card has at most 16
slices. Source: Tencent Cloud's qGPU documentation.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from simulator.extenders.gpushare.cards import (
    WHOLE,
    BadShare,
    Card,
    Share,
    asked_amounts,
    offered_amounts,
    whole_number,
)
from simulator.extenders.gpushare.dialect import Refusal

CORE: Final = "tke.cloud.tencent.com/qgpu-core"
MEMORY: Final = "tke.cloud.tencent.com/qgpu-memory"
STEP: Final = 5
MOST_SLICES: Final = 16


class QGpu:
    def share_of(self, pod: Mapping[str, Any]) -> Share | None:
        asked = asked_amounts(pod, CORE, MEMORY)
        return self.share(asked) if asked else None

    def share(self, amounts: Mapping[str, Any]) -> Share:
        return checked(Share(whole_number(amounts, CORE), whole_number(amounts, MEMORY)))

    def empty_cards(self, node: Mapping[str, Any]) -> tuple[Card, ...]:
        core, memory = offered_amounts(node, CORE, MEMORY)
        cards = core // WHOLE
        return (Card(WHOLE, memory // cards, most=MOST_SLICES),) * cards if cards else ()

    def no_cards(self, _node: str) -> Refusal:
        return Refusal("this node shares no GPUs", hopeless=True)

    def too_large(self, share: Share) -> Refusal:
        return Refusal(f"{_shown(share)} is more than the cards of this node have", hopeless=True)

    def no_room(self, share: Share) -> Refusal:
        return Refusal(f"no card has {_shown(share)} free")


def checked(share: Share) -> Share:
    """A share that a card could have. Raises `BadShare`."""
    if share.core > WHOLE and share.core % WHOLE:
        raise BadShare(f"qgpu-core {share.core}: more than one card must be whole cards, a multiple of 100")
    if share.core < STEP or share.core % STEP:
        raise BadShare(f"qgpu-core {share.core}: must be 5 to 100 in steps of 5, or a multiple of 100")
    if share.memory < 1 and not share.whole_cards:
        raise BadShare(f"qgpu-memory {share.memory}: must be at least 1 GiB")
    return share


def _shown(share: Share) -> str:
    if share.whole_cards:
        return f"{share.whole_cards} whole cards"
    return f"core {share.core} and memory {share.memory} GiB"
