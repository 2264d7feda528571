"""What the GPU-sharing extender answers: filter, prioritize, bind, and what it knows (inspect)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from simulator.extenders.gpushare.cards import BINPACK, POLICIES, BadShare, Share, choose, score, share_of
from simulator.extenders.gpushare.memory import Cluster, Memory
from simulator.extenders.server import Asked, BadRequest, Routes

PREFIX: Final = "/gpushare"
NO_CARDS = "this node shares no GPUs"
UNKNOWN = "this node has not been seen; set nodeCacheCapable to false"


class GpuShare:
    """`policy`: binpack fills cards one after another, spread takes the emptiest."""

    def __init__(self, policy: str = BINPACK) -> None:
        if policy not in POLICIES:
            raise ValueError(f"the policy must be one of {', '.join(POLICIES)}")
        self._policy = policy
        self._memory = Memory()

    def routes(self) -> Routes:
        post = {"filter": self.filter, "prioritize": self.prioritize, "bind": self.bind}
        return Routes(
            {f"{PREFIX}/{verb}": answer for verb, answer in post.items()}, {f"{PREFIX}/inspect": self.inspect}
        )

    def filter(self, asked: Asked) -> dict[str, Any]:
        body = _mapping(asked.body)
        with self._memory.lock:
            cluster, names = self._seen(asked)
            failed: dict[str, str] = {}
            hopeless: dict[str, str] = {}
            share = self._share(cluster, body)
            for name in names if share is not None else ():
                self._check(cluster, name, share, failed, hopeless)
        left = [name for name in names if name not in failed and name not in hopeless]
        return {**_nodes(body, left), "FailedNodes": failed, "FailedAndUnresolvableNodes": hopeless, "Error": ""}

    def _share(self, cluster: Cluster, body: Mapping[str, Any]) -> Share | None:
        """What the Pod asks for. A share that nothing can ever meet fails the request."""
        pod = _mapping(body.get("Pod"))
        try:
            share = share_of(pod)
        except BadShare as problem:
            raise BadRequest(str(problem)) from None
        uid = str((pod.get("metadata") or {}).get("uid") or "")
        cluster.placed.pop(uid, None)
        if share is not None:
            cluster.ask(uid, share)
        return share

    def _check(
        self, cluster: Cluster, name: str, share: Share | None, failed: dict[str, str], hopeless: dict[str, str]
    ) -> None:
        assert share is not None
        if name not in cluster.nodes:
            failed[name] = UNKNOWN
            return
        if not cluster.nodes[name]:
            hopeless[name] = NO_CARDS
        elif choose(cluster.nodes[name], share, self._policy) is None:
            hopeless[name] = f"{_shown(share)} is more than the cards of this node have"
        elif choose(cluster.cards(name), share, self._policy) is None:
            failed[name] = f"no card has {_shown(share)} free"

    def prioritize(self, asked: Asked) -> list[dict[str, Any]]:
        with self._memory.lock:
            cluster, names = self._seen(asked)
            share = self._share(cluster, _mapping(asked.body))
            if share is None:
                return [{"Host": name, "Score": 0} for name in names]
            return [{"Host": name, "Score": score(cluster.cards(name), share, self._policy)} for name in names]

    def bind(self, asked: Asked) -> dict[str, str]:
        body = _mapping(asked.body)
        uid, node = str(body.get("PodUID") or ""), str(body.get("Node") or "")
        with self._memory.lock:
            cluster = self._cluster(asked)
            share = cluster.asked.get(uid)
            if share is None:
                return {"Error": f"the Pod with UID {uid[:60]} was never filtered here"}
            if cluster.place(uid, node, share, self._policy) is None:
                return {"Error": f"no card of {node[:60]} has {_shown(share)} free any more"}
        return {"Error": ""}

    def inspect(self, asked: Asked) -> dict[str, Any]:
        """Cards by node and what is on them."""
        with self._memory.lock:
            cluster = self._memory.cluster(str(_mapping(asked.body).get("cluster") or asked.cluster))
            nodes = {
                name: [
                    {"freeCore": card.core, "freeMemory": card.memory, "pods": card.pods}
                    for card in cluster.cards(name)
                ]
                for name in cluster.nodes
            }
            pods = {uid: {"node": placed.node, "cards": list(placed.cards)} for uid, placed in cluster.placed.items()}
        return {"policy": self._policy, "nodes": nodes, "pods": pods}

    def _cluster(self, asked: Asked) -> Cluster:
        cluster = self._memory.cluster(asked.cluster)
        if asked.bound is not None:
            cluster.learn(asked.bound, self._policy)
        return cluster

    def _seen(self, asked: Asked) -> tuple[Cluster, list[str]]:
        """The cluster and the names of the nodes asked about."""
        body = _mapping(asked.body)
        cluster = self._memory.cluster(asked.cluster)
        if body.get("Nodes") is not None:
            names = [cluster.see(_mapping(node)) for node in _mapping(body["Nodes"]).get("items") or ()]
        else:
            names = [str(name) for name in body.get("NodeNames") or ()]
        return self._cluster(asked), names


def _nodes(body: Mapping[str, Any], left: list[str]) -> dict[str, Any]:
    """The remaining nodes in the form they came in."""
    if body.get("Nodes") is None:
        return {"Nodes": None, "NodeNames": left}
    kept = set(left)
    items = [node for node in body["Nodes"]["items"] if node["metadata"]["name"] in kept]
    return {"Nodes": {"metadata": {}, "items": items}, "NodeNames": None}


def _mapping(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise BadRequest("a JSON object is expected")
    return value


def _shown(share: Share) -> str:
    return (
        f"{share.whole_cards} whole cards" if share.whole_cards else f"core {share.core} and memory {share.memory} GiB"
    )
