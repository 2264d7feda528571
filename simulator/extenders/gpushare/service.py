"""What the GPU-sharing extender answers: filter, prioritize, bind, and what it knows (inspect)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from simulator.extenders.gpushare.cards import BINPACK, POLICIES, BadShare, Share, choose, score
from simulator.extenders.gpushare.dialect import Dialect, Refusal
from simulator.extenders.gpushare.gpu_memory import GpuMemory
from simulator.extenders.gpushare.memory import Cluster, Memory
from simulator.extenders.gpushare.qgpu import QGpu
from simulator.extenders.server import Asked, BadRequest, Routes

PREFIX: Final = "/gpushare"
MEMORY_PREFIX: Final = "/gpushare-scheduler"
UNKNOWN: Final = Refusal("this node has not been seen; set nodeCacheCapable to false")


class GpuShare:
    """`policy`: binpack fills cards one after another, spread takes the emptiest. `dialect`: what is shared."""

    def __init__(self, policy: str = BINPACK, dialect: Dialect | None = None, prefix: str = PREFIX) -> None:
        if policy not in POLICIES:
            raise ValueError(f"the policy must be one of {', '.join(POLICIES)}")
        self._policy = policy
        self._dialect = dialect or QGpu()
        self._prefix = prefix
        self._memory = Memory(self._dialect)

    def routes(self) -> Routes:
        post = {"filter": self.filter, "prioritize": self.prioritize, "bind": self.bind}
        return Routes(
            {f"{self._prefix}/{verb}": answer for verb, answer in post.items()},
            {f"{self._prefix}/inspect": self.inspect},
        )

    def filter(self, asked: Asked) -> dict[str, Any]:
        body = _mapping(asked.body)
        with self._memory.lock:
            cluster, names = self._seen(asked)
            share = self._share(cluster, body)
            refused = {name: self._refusal(cluster, name, share) for name in names} if share is not None else {}
        left = [name for name in names if refused.get(name) is None]
        failed, hopeless = (
            {name: refusal.text for name, refusal in refused.items() if refusal and refusal.hopeless is kind}
            for kind in (False, True)
        )
        return {**_nodes(body, left), "FailedNodes": failed, "FailedAndUnresolvableNodes": hopeless, "Error": ""}

    def _share(self, cluster: Cluster, body: Mapping[str, Any]) -> Share | None:
        """What the Pod asks for. A share that nothing can ever meet fails the request."""
        pod = _mapping(body.get("Pod"))
        try:
            share = self._dialect.share_of(pod)
        except BadShare as problem:
            raise BadRequest(str(problem)) from None
        uid = str((pod.get("metadata") or {}).get("uid") or "")
        cluster.placed.pop(uid, None)
        if share is not None:
            cluster.ask(uid, share)
        return share

    def _refusal(self, cluster: Cluster, name: str, share: Share) -> Refusal | None:
        if name not in cluster.nodes:
            return UNKNOWN
        if not cluster.nodes[name]:
            return self._dialect.no_cards(name)
        if choose(cluster.nodes[name], share, self._policy) is None:
            return self._dialect.too_large(share)
        return self._dialect.no_room(share) if choose(cluster.cards(name), share, self._policy) is None else None

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
                return {"Error": f"{node[:60]}: {self._dialect.no_room(share).text}"}
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


def shipped(policy: str = BINPACK) -> Routes:
    """Everything that the extender of this site answers: slices of cards, and shares of their memory alone."""
    slices, memory = GpuShare(policy).routes(), GpuShare(policy, GpuMemory(), MEMORY_PREFIX).routes()
    return Routes({**slices.post, **memory.post}, {**slices.get, **memory.get})
