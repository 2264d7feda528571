"""Scheduler extenders: services outside the scheduler that may drop nodes, score them, drop victims, and bind.

The engine makes the exact JSON of every request and reads the replies; who carries them is a port. Source:
kube-scheduler 1.36 `extender.go`, kube-scheduler `extender/v1/types.go`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from simulator.engine.cluster.cluster import Cluster
from simulator.engine.framework.config import ExtenderConfig
from simulator.engine.framework.events import EVERYTHING
from simulator.engine.framework.extender_replies import (
    ExtenderError,
    list_of,
    names_field,
    number_field,
    object_field,
    object_of,
    objects_field,
    text_field,
    texts_field,
)
from simulator.engine.framework.plugin import EventInterest
from simulator.engine.objects.node import Node
from simulator.engine.objects.pod import Pod
from simulator.engine.objects.requests import is_extended_resource

PLUGIN_NAME = "Extender"
"""The name under which nodes that extenders dropped are put down."""

EVENTS = (EventInterest(EVERYTHING),)
SCORE_FACTOR = 100 // 10
_FILTER_RESULT = "ExtenderFilterResult"
FILTER, PRIORITIZE, PREEMPT, BIND = "filter", "prioritize", "preempt", "bind"

Body = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Reply:
    """An HTTP answer: status and decoded JSON body; or the text of the transport's or (`garbled`) the decoder's
    error. `local`: it came from a stand-in on the caller's side, not over the network."""

    status: int = 200
    body: Any = None
    error: str = ""
    garbled: str = ""
    local: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be sent: `body` as JSON to `url`, to be answered within `timeout` microseconds.

    `extender` is its place in the configuration, `verb` what is asked (filter, prioritize, preempt, bind). `bound`
    are the Pods on nodes that name one of its managed resources (None: it manages none): what an extender knows by
    watching the API server.
    """

    extender: int
    verb: str
    url: str
    timeout: int
    body: Body
    bound: tuple[Bound, ...] | None = None


@dataclass(frozen=True, slots=True)
class Bound:
    """A Pod on a node and what it requests of extended resources."""

    uid: str
    node: str
    requests: Mapping[str, int]


class ExtenderPort(Protocol):
    def call(self, request: Request) -> Reply:
        """Send the request and wait for the answer. What goes wrong on the way is the reply's `error`."""


@dataclass(frozen=True, slots=True)
class Call:
    """One request as it went over the wire, for the record."""

    extender: int
    verb: str
    url: str
    pod: str
    body: Body
    reply: Reply


@dataclass(slots=True)
class Filtered:
    """Names that remain, in the reply's order; failures by node; `bare`: nodes came back as objects, without their
    Pods."""

    names: list[str]
    failed: Mapping[str, str]
    unresolvable: Mapping[str, str]
    bare: bool


class Extender:
    """One configured extender."""

    def __init__(
        self, index: int, config: ExtenderConfig, port: ExtenderPort, log: list[Call], cluster: Cluster
    ) -> None:
        self.index = index
        self.config = config
        self._port = port
        self._log = log
        self._cluster = cluster
        self._managed = frozenset(resource.name for resource in config.managed_resources)

    @property
    def name(self) -> str:
        return self.config.url_prefix

    @property
    def ignorable(self) -> bool:
        return self.config.ignorable

    def is_interested(self, pod: Pod) -> bool:
        """Whether the extender wants to be asked about this Pod."""
        return not self._managed or bool(self._managed & pod.shape.resources_named)

    def filter(self, pod: Pod, nodes: Sequence[Node]) -> Filtered:
        """Which of `nodes` remain. Raises `ExtenderError`."""
        reply = self._send(FILTER, self.config.filter_verb, pod, _pod_and_nodes(pod, nodes, names_only=self._names))
        answer = object_of(reply, "v1.ExtenderFilterResult")
        error = text_field(answer, _FILTER_RESULT, "Error")
        if error:
            raise ExtenderError(error)
        names, bare = self._remaining(answer, nodes)
        failed = texts_field(answer, _FILTER_RESULT, "FailedNodes")
        return Filtered(names, failed, texts_field(answer, _FILTER_RESULT, "FailedAndUnresolvableNodes"), bare)

    @property
    def _names(self) -> bool:
        return self.config.node_cache_capable

    def _remaining(self, answer: Mapping[str, Any], nodes: Sequence[Node]) -> tuple[list[str], bool]:
        names = names_field(answer, _FILTER_RESULT, "NodeNames")
        if self._names and names is not None:
            known = {node.name for node in nodes}
            for name in names:
                if name not in known:
                    claim = f'extender "{self.name}" claims a filtered node "{name}"'
                    raise ExtenderError(f"{claim} which is not found in the input node list")
            return list(names), False
        listed = object_field(answer, _FILTER_RESULT, "Nodes", "v1.NodeList")
        if listed is not None:
            items = objects_field(listed, "NodeList", "items", "v1.Node")
            metas = [object_field(item, "Node", "metadata", "v1.ObjectMeta") or {} for item in items]
            return [text_field(meta, "ObjectMeta", "name") for meta in metas], True
        return [], False

    def prioritize(self, pod: Pod, nodes: Sequence[Node]) -> dict[str, int]:
        """Contribution to the total by node, for the nodes the reply names. Raises `ExtenderError`.

        One without a prioritize verb gives every node 0.
        """
        if not self.config.prioritize_verb:
            return {node.name: 0 for node in nodes}
        body = _pod_and_nodes(pod, nodes, names_only=self._names)
        reply = self._send(PRIORITIZE, self.config.prioritize_verb, pod, body)
        entries = [object_of(item, "v1.HostPriority") for item in list_of(reply, "v1.HostPriorityList")]
        factor = self.config.weight * SCORE_FACTOR
        return {
            text_field(entry, "HostPriority", "Host"): _int64(number_field(entry, "HostPriority", "Score") * factor)
            for entry in entries
        }

    def preempt(
        self, pod: Pod, victims: Mapping[str, Victims], on_node: Mapping[str, Sequence[Pod]]
    ) -> dict[str, Victims]:
        """The candidates that remain, with the victims of each. Raises `ExtenderError`."""
        body = _preemption(pod, victims, meta=self._names)
        reply = object_of(self._send(PREEMPT, self.config.preempt_verb, pod, body), "v1.ExtenderPreemptionResult")
        remaining = {}
        left = object_field(reply, "ExtenderPreemptionResult", "NodeNameToMetaVictims", "map[string]*v1.MetaVictims")
        for node, value in (left or {}).items():
            item = object_of(value, "v1.MetaVictims")
            by_uid = {other.uid: other for other in on_node.get(node, ())}
            pods = []
            for meta in objects_field(item, "MetaVictims", "Pods", "v1.MetaPod"):
                uid = text_field(meta, "MetaPod", "UID")
                if uid not in by_uid:
                    raise ExtenderError(
                        f"extender: {self.name} claims to preempt pod (UID: {uid}) on node: {node}, "
                        "but the pod is not found on that node"
                    )
                pods.append(by_uid[uid])
            remaining[node] = Victims(tuple(pods), number_field(item, "MetaVictims", "NumPDBViolations"))
        return remaining

    def bind(self, pod: Pod, node: str) -> None:
        """Let the extender bind. Raises `ExtenderError`."""
        body = {"PodName": pod.name, "PodNamespace": pod.namespace, "PodUID": pod.uid, "Node": node}
        reply = object_of(self._send(BIND, self.config.bind_verb, pod, body), "v1.ExtenderBindingResult")
        error = text_field(reply, "ExtenderBindingResult", "Error")
        if error:
            raise ExtenderError(error)

    def _bound(self) -> tuple[Bound, ...] | None:
        """In the order of nodes, and of Pods on each."""
        if not self._managed:
            return None
        pods = self._cluster.pods
        placed = [pods.pod(number) for numbers in pods.on_node for number in numbers]
        return tuple(
            Bound(pod.uid, pod.node_name, _extended(pod.shape.requests.on_node))
            for pod in placed
            if self.is_interested(pod)
        )

    def _send(self, verb: str, path: str, pod: Pod, body: Body) -> Any:
        url = f"{self.config.url_prefix.rstrip('/')}/{path}"
        reply = self._port.call(Request(self.index, verb, url, self.config.timeout, body, self._bound()))
        self._log.append(Call(self.index, verb, url, pod.key, body, reply))
        if reply.error:
            raise ExtenderError(f'Post "{url}": {reply.error}')
        if reply.status != 200:
            raise ExtenderError(f"failed {path} with extender at URL {url}, code {reply.status}")
        if reply.garbled:
            raise ExtenderError(reply.garbled)
        return reply.body


@dataclass(frozen=True, slots=True)
class Victims:
    pods: tuple[Pod, ...]
    violations: int


def _pod_and_nodes(pod: Pod, nodes: Sequence[Node], *, names_only: bool) -> Body:
    items = None if names_only else {"metadata": {}, "items": [_untyped(node.manifest) for node in nodes]}
    names = [node.name for node in nodes] if names_only else None
    return {"Pod": _untyped(pod.to_manifest()), "Nodes": items, "NodeNames": names}


def _preemption(pod: Pod, victims: Mapping[str, Victims], *, meta: bool) -> Body:
    full = slim = None
    if meta:
        slim = {
            node: {"Pods": [{"UID": victim.uid} for victim in item.pods], "NumPDBViolations": item.violations}
            for node, item in victims.items()
        }
    else:
        full = {
            node: {"Pods": [_untyped(v.to_manifest()) for v in item.pods], "NumPDBViolations": item.violations}
            for node, item in victims.items()
        }
    return {"Pod": _untyped(pod.to_manifest()), "NodeNameToVictims": full, "NodeNameToMetaVictims": slim}


def _untyped(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """An object as the scheduler's cache holds it: without apiVersion and kind."""
    return {name: value for name, value in manifest.items() if name not in ("apiVersion", "kind")}


def _extended(requests: Mapping[str, int]) -> dict[str, int]:
    return {name: amount for name, amount in sorted(requests.items()) if is_extended_resource(name)}


def _int64(value: int) -> int:
    """`value` as a 64-bit integer holds it."""
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


@dataclass(slots=True)
class Extenders:
    """All extenders: those whose errors count first, ignorable ones last, each group in configuration order."""

    extenders: list[Extender] = field(default_factory=list)
    log: list[Call] = field(default_factory=list)

    @staticmethod
    def of(configs: Sequence[ExtenderConfig], port: ExtenderPort | None, cluster: Cluster) -> Extenders:
        made = Extenders()
        if port is not None:
            all_of_them = [Extender(index, config, port, made.log, cluster) for index, config in enumerate(configs)]
            made.extenders = sorted(all_of_them, key=lambda extender: extender.ignorable)
        return made

    @property
    def filters(self) -> bool:
        return any(extender.config.filter_verb for extender in self.extenders)

    @property
    def prioritizes(self) -> bool:
        return any(extender.config.prioritize_verb for extender in self.extenders)

    def in_order(self, pod: Pod) -> list[Extender]:
        """The extenders that want to be asked about `pod`, in configuration order."""
        return sorted((e for e in self.extenders if e.is_interested(pod)), key=lambda extender: extender.index)

    def interested(self, pod: Pod, verb: str) -> list[Extender]:
        """The extenders that are to be asked about `pod` with this verb."""
        return [e for e in self.extenders if getattr(e.config, f"{verb}_verb") and e.is_interested(pod)]
