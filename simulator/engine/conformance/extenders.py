"""Extenders of the recorded timelines: a port that answers as the scenario says, and calls in the words of the
recording."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from simulator.engine.framework import messages
from simulator.engine.framework.attempt import Attempt
from simulator.engine.framework.extenders import BIND, FILTER, PREEMPT, PRIORITIZE, Body, Call, Reply, Request
from simulator.engine.framework.runtime import Framework
from simulator.engine.framework.status import Status

Rules = Mapping[str, Any]


class Answers:
    """One extender's rules by verb: the first rule without `pods`, or with the Pod in it, decides."""

    def __init__(self, replies: Mapping[str, Sequence[Rules]]) -> None:
        self._replies = replies

    def answer(self, verb: str, body: Body) -> Reply:
        pod = _pod_key(body)
        rules = (rule for rule in self._replies.get(verb, ()) if not rule.get("pods") or pod in rule["pods"])
        rule = next(rules, {})
        if rule.get("status"):
            return Reply(status=rule["status"])
        return Reply(body=_ANSWERS[verb](rule, body))


def _pod_key(body: Body) -> str:
    if "PodName" in body:
        return f"{body['PodNamespace']}/{body['PodName']}"
    metadata = body["Pod"]["metadata"]
    return f"{metadata['namespace']}/{metadata['name']}"


def _names(body: Body) -> list[str]:
    if body["NodeNames"] is not None:
        return list(body["NodeNames"])
    return [item["metadata"]["name"] for item in body["Nodes"]["items"]]


def _filter(rule: Rules, body: Body) -> dict[str, Any]:
    if rule.get("error"):
        empty = dict.fromkeys(("Nodes", "NodeNames", "FailedNodes", "FailedAndUnresolvableNodes"))
        return {**empty, "Error": rule["error"]}
    sent = _names(body)
    failed = {name: text for name, text in (rule.get("failed") or {}).items() if name in sent}
    unresolvable = {name: text for name, text in (rule.get("failedAndUnresolvable") or {}).items() if name in sent}
    left = [name for name in sent if name not in failed and name not in unresolvable]
    left += rule.get("extraNodes") or ()
    answer: dict[str, Any] = {"Error": "", "Nodes": None, "NodeNames": None}
    answer |= {"FailedNodes": failed, "FailedAndUnresolvableNodes": unresolvable}
    if body["NodeNames"] is not None:
        answer["NodeNames"] = left
    else:
        by_name = {item["metadata"]["name"]: item for item in body["Nodes"]["items"]}
        answer["Nodes"] = {"items": [by_name.get(name, {"metadata": {"name": name}}) for name in left]}
    return answer


def _prioritize(rule: Rules, body: Body) -> list[dict[str, Any]]:
    scores = rule.get("scores") or {}
    return [{"Host": name, "Score": scores[name]} for name in _names(body) if name in scores]


def _preempt(rule: Rules, body: Body) -> dict[str, Any]:
    dropped = rule.get("dropNodes") or ()
    meta = body["NodeNameToMetaVictims"] or _slim(body["NodeNameToVictims"])
    return {"NodeNameToMetaVictims": {node: item for node, item in meta.items() if node not in dropped}}


def _slim(victims: Mapping[str, Any]) -> dict[str, Any]:
    return {
        node: {
            "Pods": [{"UID": pod["metadata"]["uid"]} for pod in item["Pods"]],
            "NumPDBViolations": item["NumPDBViolations"],
        }
        for node, item in victims.items()
    }


def _bind(rule: Rules, _body: Body) -> dict[str, Any]:
    return {"Error": rule.get("error") or ""}


_ANSWERS = {FILTER: _filter, PRIORITIZE: _prioritize, PREEMPT: _preempt, BIND: _bind}


class RecordedExtenders:
    """The port to all extenders of a scenario."""

    def __init__(self, answers: Sequence[Answers]) -> None:
        self._answers = answers

    def call(self, request: Request) -> Reply:
        return self._answers[request.extender].answer(request.verb, request.body)


def describe_call(call: Call) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "extender": call.extender,
        "verb": call.verb,
        "method": "POST",
        "path": urlsplit(call.url).path,
        "pod": call.pod,
        "keys": {name: _json_type(value) for name, value in call.body.items()},
        "status": call.reply.status,
    }
    if call.verb in (FILTER, PRIORITIZE):
        entry["nodes"] = _names(call.body)
    elif call.verb == BIND:
        entry["body"] = dict(call.body)
    elif call.reply.status == 200:
        entry["body"] = call.body["NodeNameToMetaVictims"] or _slim(call.body["NodeNameToVictims"])
    if call.reply.body is not None:
        entry["reply"] = _named(call.reply.body)
    return entry


def _named(reply: Any) -> Any:
    """A reply with nodes printed as names."""
    if isinstance(reply, dict) and reply.get("Nodes") is not None:
        names = [item["metadata"]["name"] for item in reply["Nodes"]["items"]]
        return {**reply, "Nodes": None, "NodeNames": names}
    return reply


def _json_type(value: Any) -> str:
    if value is None:
        return "null"
    return "string" if isinstance(value, str) else "array" if isinstance(value, list) else "object"


def describe_outside(framework: Framework, tried: Attempt) -> dict[str, Any]:
    """Scores by node and contributor; where nothing fits, every node's status."""
    objects = framework.handle.cluster.nodes.objects
    if tried.search is None or tried.error is not None:
        return {}
    if not len(tried.search.feasible):
        statuses = {objects[row].name: _told(status) for row, status in tried.search.diagnosis.explicit()}
        return {"filter": statuses} if statuses else {}
    if tried.scoring is None:
        return {}
    scores = {}
    for position, row in enumerate(tried.search.feasible.tolist()):
        name = objects[row].name
        own = {layer.plugin: int(layer.normalized[position]) * layer.weight for layer in tried.scoring.layers}
        own |= {url: given[name] for url, given in tried.scoring.outside.items() if name in given}
        scores[name] = own | {"total": int(tried.scoring.totals[position])}
    return {"scores": scores}


def _told(status: Status) -> str:
    return f"{status.code}: {', '.join(messages.text(reason) for reason in status.reasons)}"
