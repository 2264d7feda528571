"""Calls to extenders as they went over the wire."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from django.utils.translation import gettext as _

from simulator.engine.framework.extenders import BIND, FILTER, PREEMPT, PRIORITIZE, Call
from simulator.extenders.client import IMPATIENT, TIMEOUT

MOST_TEXT: Final = 20_000
MOST_ITEMS: Final = 3
"""Of nodes in a body so many are shown; the rest is counted."""


@dataclass(frozen=True, slots=True)
class CallView:
    """One request and its answer. `sentence` says what came of it; `request_line` and `status_line` are HTTP's own.
    `local`: nobody listened there, and the shipped extender answered inside the lab."""

    number: int
    verb: str
    pod: str
    sentence: str
    request_line: str
    request: str
    status_line: str
    reply: str
    failed: bool
    local: bool


def present_calls(calls: Iterable[Call]) -> list[CallView]:
    return [_call(number, call) for number, call in enumerate(calls, start=1)]


def _call(number: int, call: Call) -> CallView:
    reply, parts = call.reply, urlsplit(call.url)
    failed = bool(reply.error or reply.garbled or reply.status != 200)
    line = reply.error or reply.garbled or f"HTTP/1.1 {reply.status}"
    return CallView(
        number,
        call.verb,
        call.pod.removeprefix("default/"),
        _failure(call) if failed else _SENTENCES[call.verb](call),
        f"POST {parts.path} HTTP/1.1\nHost: {parts.netloc}\nContent-Type: application/json",
        wire_text(call.body),
        line,
        "" if failed else wire_text(reply.body),
        failed,
        reply.local,
    )


def wire_text(body: Any) -> str:
    """JSON with long lists of nodes cut, and said so in a comment line."""
    cut, left_out = _cut(body)
    text = json.dumps(cut, indent=2, ensure_ascii=False)
    if len(text) > MOST_TEXT:
        text = text[:MOST_TEXT] + "\n…"
    return text if not left_out else text + "\n" + _("… and %(n)s more nodes") % {"n": left_out}


def _cut(body: Any) -> tuple[Any, int]:
    if isinstance(body, list):
        return body[: 4 * MOST_ITEMS], max(0, len(body) - 4 * MOST_ITEMS)
    if not isinstance(body, Mapping):
        return body, 0
    cut, left_out = dict(body), 0
    nodes = body.get("Nodes")
    if isinstance(nodes, Mapping) and len(nodes.get("items") or ()) > MOST_ITEMS:
        left_out = len(nodes["items"]) - MOST_ITEMS
        cut["Nodes"] = {**nodes, "items": nodes["items"][:MOST_ITEMS]}
    names = body.get("NodeNames")
    if isinstance(names, list) and len(names) > 4 * MOST_ITEMS:
        left_out = len(names) - 4 * MOST_ITEMS
        cut["NodeNames"] = names[: 4 * MOST_ITEMS]
    return cut, left_out


def _failure(call: Call) -> str:
    reply = call.reply
    if reply.error == TIMEOUT:
        return _("No answer in time. An ignorable extender is skipped; with any other the cycle fails.")
    if reply.error == IMPATIENT:
        return _("Slow answers have used up the time for extenders. Make it faster, or wait a minute.")
    if "is not among the addresses" in reply.error:
        return _("This address may not be called here. Who runs the site lists addresses in LAB_EXTENDERS.")
    if "connection refused" in reply.error:
        return _("Nobody listens there. Start the extender: python manage.py gpushare_extender")
    if reply.garbled:
        return _("The answer is not JSON. The scheduler treats it as an error.")
    return _("The extender failed. An ignorable one is skipped; with any other the cycle fails.")


def _sent(call: Call) -> int:
    names = call.body.get("NodeNames")
    return len(names) if names is not None else len((call.body.get("Nodes") or {}).get("items") or ())


def _told_filter(call: Call) -> str:
    body = call.reply.body if isinstance(call.reply.body, Mapping) else {}
    if body.get("Error"):
        return _("The extender reports an error: %(error)s") % {"error": str(body["Error"])[:200]}
    dropped = len(body.get("FailedNodes") or ()) + len(body.get("FailedAndUnresolvableNodes") or ())
    return _("Of %(sent)s nodes it drops %(dropped)s.") % {"sent": _sent(call), "dropped": dropped}


def _told_scores(call: Call) -> str:
    scores = [item for item in call.reply.body or () if isinstance(item, Mapping)]
    best = max(scores, key=lambda item: item.get("Score") or 0, default=None)
    if best is None:
        return _("It scores no node.")
    return _("It scores %(n)s nodes from 0 to 10; the best is %(node)s with %(score)s.") % {
        "n": len(scores), "node": best.get("Host"), "score": best.get("Score"),
    }  # fmt: skip


def _told_preempt(call: Call) -> str:
    sent = call.body.get("NodeNameToMetaVictims") or call.body.get("NodeNameToVictims") or {}
    body = call.reply.body if isinstance(call.reply.body, Mapping) else {}
    left = len(body.get("NodeNameToMetaVictims") or ())
    return _("Of %(sent)s candidates for preemption %(left)s remain.") % {"sent": len(sent), "left": left}


def _told_bind(call: Call) -> str:
    body = call.reply.body if isinstance(call.reply.body, Mapping) else {}
    if body.get("Error"):
        return _("The extender did not bind: %(error)s") % {"error": str(body["Error"])[:200]}
    return _("It binds the Pod to %(node)s.") % {"node": call.body.get("Node")}


_SENTENCES: Final = {FILTER: _told_filter, PRIORITIZE: _told_scores, PREEMPT: _told_preempt, BIND: _told_bind}
