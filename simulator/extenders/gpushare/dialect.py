"""How a kind of GPU sharing names and counts things: one file for each, `qgpu` and `gpu_memory`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from simulator.extenders.gpushare.cards import Card, Share


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a node will not do; `hopeless`: no Pod that leaves it would change that."""

    text: str
    hopeless: bool = False


class Dialect(Protocol):
    def share_of(self, pod: Mapping[str, Any]) -> Share | None:
        """What a Pod asks for, None for no share. Raises `BadShare`."""

    def share(self, amounts: Mapping[str, Any]) -> Share:
        """A share from its resources. Raises `BadShare`."""

    def empty_cards(self, node: Mapping[str, Any]) -> tuple[Card, ...]:
        """The cards of a node with nothing on them; none where it offers no shares."""

    def no_cards(self, node: str) -> Refusal:
        """A node offers no shares."""

    def too_large(self, share: Share) -> Refusal:
        """Not even the node's empty cards would take the share."""

    def no_room(self, share: Share) -> Refusal:
        """The cards would take the share if there were less on them."""
