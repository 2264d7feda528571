"""What the extender remembers of each cluster: nodes it has seen, and which Pod is on which cards.

A real one watches the API server. Here the lab tells with every request which Pods are bound, so that what was
deleted, undone or branched off is forgotten, and the memory survives a restart.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final

from simulator.extenders.gpushare.cards import BadShare, Card, Share, choose, put
from simulator.extenders.gpushare.dialect import Dialect

MOST_CLUSTERS: Final = 500
MOST_PODS: Final = 20_000


@dataclass(frozen=True, slots=True)
class Placed:
    node: str
    share: Share
    cards: tuple[int, ...]


@dataclass(slots=True)
class Cluster:
    """`asked`: shares of Pods seen at filter, by uid, for the bind request, which names only the Pod."""

    dialect: Dialect
    nodes: dict[str, tuple[Card, ...]] = field(default_factory=dict)
    placed: dict[str, Placed] = field(default_factory=dict)
    asked: OrderedDict[str, Share] = field(default_factory=OrderedDict)

    def see(self, node: Mapping[str, Any]) -> str:
        """Remember a node as it was sent. Returns its name."""
        name = str((node.get("metadata") or {}).get("name"))
        self.nodes[name] = self.dialect.empty_cards(node)
        return name

    def ask(self, uid: str, share: Share) -> None:
        self.asked[uid] = share
        while len(self.asked) > MOST_PODS:
            self.asked.popitem(last=False)

    def cards(self, node: str, *, without: str = "") -> tuple[Card, ...]:
        """The cards of a node with what is on them, but for the Pod `without`."""
        cards = self.nodes.get(node, ())
        for uid, placed in self.placed.items():
            if placed.node == node and uid != without and all(index < len(cards) for index in placed.cards):
                cards = put(cards, placed.share, placed.cards)
        return cards

    def place(self, uid: str, node: str, share: Share, policy: str) -> tuple[int, ...] | None:
        """Put a Pod on the cards it gets; None where nothing fits."""
        chosen = choose(self.cards(node, without=uid), share, policy)
        if chosen is not None:
            self.placed[uid] = Placed(node, share, chosen)
        return chosen

    def learn(self, bound: Sequence[Any], policy: str) -> None:
        """Make the memory agree with the Pods that are bound: `[uid, node, {resource: amount}]` each."""
        told = {str(uid): (str(node), amounts) for uid, node, amounts in bound}
        for uid in [uid for uid, placed in self.placed.items() if told.get(uid, ("",))[0] != placed.node]:
            del self.placed[uid]
        for uid, (node, amounts) in told.items():
            if uid in self.placed:
                continue
            try:
                share = self.dialect.share(amounts)
            except BadShare:
                continue
            self.place(uid, node, share, policy)


class Memory:
    """All clusters, the least recently used forgotten first. `lock` is held for a whole request."""

    def __init__(self, dialect: Dialect) -> None:
        self.lock = Lock()
        self._dialect = dialect
        self._clusters: OrderedDict[str, Cluster] = OrderedDict()

    def cluster(self, name: str) -> Cluster:
        found = self._clusters.pop(name, None) or Cluster(self._dialect)
        self._clusters[name] = found
        while len(self._clusters) > MOST_CLUSTERS:
            self._clusters.popitem(last=False)
        return found
