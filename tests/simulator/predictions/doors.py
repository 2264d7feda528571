"""Every door of a lab: all its addresses, called with all that they take, as its owner and behind a read-only link."""

from __future__ import annotations

import html
import itertools
import uuid
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.test import Client
from django.urls import URLPattern

from simulator.forms.edits import EDIT_FORMS
from simulator.presenters.editing.dialogs import DIALOGS
from simulator.presenters.tabs.registry import TABS
from simulator.urls import urlpatterns
from simulator.views.commands import FORMS

if TYPE_CHECKING:
    from django.http import HttpResponse

    from tests.simulator.predictions.labs import Person

FURTHEST = "9999999.end"
PLACES = ("", "0.0", "1", "1.0", "1.3", "1.end", "2.end", FURTHEST)
FEW_PLACES = ("", "1.end", FURTHEST)
PAGES = ("lab", "shared_lab")
"""What is asked for as a whole page; the other addresses answer with parts of one, and else lead to it."""
LOOKED_AT_CLOSELY = ("lab", "shared_lab", "lab_explain", "shared_explain", "lab_selection", "shared_selection")
AFTERWARDS: tuple[dict[str, str], ...] = ({"at": FURTHEST}, {}, {"at": "1.end", "tab": "events"})
VIEWS = ("events", "pods", "watch")
LAST = ("lab_delete",)
"""What ends a lab comes last."""
OF_THE_SITE = {"Content-Security-Policy", "X-Request-ID", "Content-Length"}
"""Headers that differ from answer to answer by themselves."""

Door = tuple[str, str]
"""What was called, and what it answered (headers too, as people and scripts read it)."""


def lab_patterns() -> list[URLPattern]:
    """Every address of a lab, own and shared."""
    found = [item for item in urlpatterns if isinstance(item, URLPattern)]
    return [item for item in found if {"lab_id", "token"} & set(item.pattern.converters)]


def doors_of(person: Person, token: str, *, pods: list[str], nodes: list[str]) -> Iterator[Door]:
    """All answers of all doors of a lab that is shared by `token`."""
    patterns = sorted(lab_patterns(), key=lambda item: item.name in LAST)
    followed: set[str] = set()
    for pattern in patterns:
        names = set(pattern.pattern.converters)
        stranger = Client(headers={"Accept-Language": "en"})
        client = stranger if "token" in names else person.client
        for address in _addresses(pattern, person, token):
            for params in _params(pattern.name or "", pods, nodes):
                for as_part in ("tab" in params,) if pattern.name in PAGES else (True, False):
                    yield from _called(client, "GET", address, params, as_part=as_part, followed=followed)
            for data in _bodies(person, pods, nodes):
                yield from _called(client, "POST", address, data, as_part=True, followed=followed)


def _addresses(pattern: URLPattern, person: Person, token: str) -> list[str]:
    route = str(pattern.pattern).replace("<slug:slug>", person.slug).replace("<uuid:lab_id>", person.lab_id)
    route = "/" + route.replace("<str:token>", token)
    if "<slug:name>" not in route:
        return [route]
    names = {*FORMS, *DIALOGS, *EDIT_FORMS}
    return [route.replace("<slug:name>", name) for name in sorted(names)]


def _params(name: str, pods: list[str], nodes: list[str]) -> Iterator[dict[str, Any]]:
    for place in PLACES if name in LOOKED_AT_CLOSELY else FEW_PLACES:
        yield {"at": place}
    if name in PAGES:
        for pod, node in itertools.product(pods, nodes):
            yield {"tab": "why", "pod": pod, "node": node}
        for ref in [*(f"Pod/{pod}" for pod in pods), *(f"Node//{node}" for node in nodes)]:
            yield {"tab": "objects", "object": ref}
        for tab in TABS:
            yield {"at": FURTHEST, "tab": tab.name, "hints": "9"}
        for view in VIEWS:
            yield {"tab": "events", "show": view}
    if "explain" in name:
        for node, plugin in itertools.product(nodes, ("NodeResourcesFit", "TaintToleration")):
            yield {"at": "1.end", "node": node, "plugin": plugin}
    yield {"refs": f"Node//{nodes[0]}", "ref": f"Node//{nodes[0]}", "node": nodes[0], "level": "machine", "gpus": "2"}


def _bodies(person: Person, pods: list[str], nodes: list[str]) -> Iterator[dict[str, Any]]:
    common = {**person.fields, "name": nodes[0], "labels": "a=b", "taints": "a=b:NoSchedule", "replicas": "1"}
    common |= {"seconds": "60", "text": "kind: Node", "places": "{}", "refs": f"Node//{nodes[0]}", "mode": "none"}
    for at, go in (("0.0", "head"), (FURTHEST, "event")):
        yield {**common, "client_token": str(uuid.uuid4()), "at": at, "go": go, "unit": "event", "before": ""}
    yield {**common, "client_token": str(uuid.uuid4()), "before": "2", "at": "1.end"}
    yield {**common, "client_token": str(uuid.uuid4()), "before": "9999", "kind": "Pod", "pod": pods[0], "attempt": "2"}


def _called(
    client: Client, method: str, address: str, data: dict[str, Any], *, as_part: bool, followed: set[str]
) -> Iterator[Door]:
    """What is answered, and what stands where the answer leads: all of it where it leads for the first time."""
    send = client.get if method == "GET" else client.post
    response = send(address, data, headers={"HX-Request": "true", "Lab-Frame": "0"} if as_part else {})
    yield f"{method} {address} {data}", _read(response)
    target = (response.headers.get("Location") or response.headers.get("HX-Redirect") or "").partition("?")[0]
    if target.startswith("/labs/") and target.count("/") > 3:
        for params in AFTERWARDS[:1] if target in followed else AFTERWARDS:
            yield f"{method} {address} {data} -> {target} {params}", _read(client.get(target, params))
        followed.add(target)


def _read(response: HttpResponse) -> str:
    body = b"".join(response.streaming_content) if response.streaming else response.content
    told = {name: value for name, value in response.headers.items() if name not in OF_THE_SITE}
    return f"{response.status_code} {told}\n{html.unescape(body.decode())}"
