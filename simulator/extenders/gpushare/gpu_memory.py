"""Sharing by memory alone: a Pod asks for GiB of one card, whoever else computes on it.

Names, texts and the choice of the card (the smallest free memory that is enough) are those of Alibaba Cloud's
gpushare-scheduler-extender. Simplified here: no Pod gets the annotations with its card's number, no card is unhealthy.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from simulator.extenders.gpushare.cards import BadShare, Card, Share, asked_amounts, offered_amounts, whole_number
from simulator.extenders.gpushare.dialect import Refusal

MEMORY: Final = "aliyun.com/gpu-mem"
COUNT: Final = "aliyun.com/gpu-count"
UNLIMITED: Final = 1_000_000


class GpuMemory:
    def share_of(self, pod: Mapping[str, Any]) -> Share | None:
        asked = asked_amounts(pod, MEMORY)
        return self.share(asked) if asked else None

    def share(self, amounts: Mapping[str, Any]) -> Share:
        memory = whole_number(amounts, MEMORY)
        if memory < 1:
            raise BadShare(f"{MEMORY} {memory}: must be at least 1 GiB")
        return Share(core=0, memory=memory)

    def empty_cards(self, node: Mapping[str, Any]) -> tuple[Card, ...]:
        memory, cards = offered_amounts(node, MEMORY, COUNT)
        return (Card(core=0, memory=memory // cards, most=UNLIMITED),) * cards if cards else ()

    def no_cards(self, node: str) -> Refusal:
        return Refusal(f"The node {node} is not for GPU share, need skip")

    def too_large(self, share: Share) -> Refusal:
        return self.no_room(share)

    def no_room(self, _share: Share) -> Refusal:
        return Refusal("Insufficient GPU Memory in one device")
