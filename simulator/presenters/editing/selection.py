"""The panel about what is selected: its facts, what can be done to it, and its YAML for the clipboard."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from simulator.engine.fabric.node_fabric import KIND as NODE_FABRIC
from simulator.engine.fabric.node_fabric import read_node_fabric
from simulator.engine.objects.node import Node
from simulator.engine.objects.pod import Pod
from simulator.engine.objects.requests import CPU, MEMORY
from simulator.engine.world.world import manifest_of
from simulator.manifests.writer import write
from simulator.presenters.editing.actions import Offer, offers_for
from simulator.presenters.graph.cards import Card, cards_of, model_of
from simulator.presenters.kubectl import status_of
from simulator.presenters.lab_urls import LabUrls
from simulator.presenters.pods import owner_of
from simulator.presenters.resources import amount_text, amounts_text
from simulator.selectors.frames import Frame
from simulator.selectors.moments import Moment
from simulator.selectors.refs import Ref, items_of, manifests_of
from simulator.services.plans.copies import copied_of
from simulator.services.plans.network import tier_of

MOST_COPIED = 100
MOST_NAMED = 3
_GIB = 1024**3


@dataclass(frozen=True, slots=True)
class SelectionView:
    """`refs` as forms send them; `yaml` is "" where there is too much to copy; `later_step` is the end's number while
    an earlier step is shown; `not_allowed` whether the scenario forbids something of it."""

    refs: str
    title: str
    about: str
    facts: tuple[tuple[str, str], ...]
    taints: tuple[str, ...]
    first: tuple[Offer, ...]
    more: tuple[Offer, ...]
    yaml: str
    why_url: str
    object_url: str
    later_step: int | None
    not_allowed: bool
    is_pod: bool


def present_selection(moment: Moment, urls: LabUrls, refs: Sequence[Ref]) -> SelectionView | None:
    """None where nothing that is selected is there."""
    frame = moment.frame
    found = items_of(frame, refs)
    if not found:
        return None
    items, kinds = list(found.values()), [ref.kind for ref in found]
    cordoned = [item.unschedulable for item in items if isinstance(item, Node)]
    offers = offers_for(moment.lab, kinds, cordoned=cordoned) if urls.can_change else ()
    only = next(iter(found)) if len(found) == 1 else None
    about, facts, taints = _told(frame, items) if only is None else _told_of_one(frame, items[0])
    return SelectionView(
        refs=" ".join(map(str, found)),
        title=only.name if only else _title(found),
        about=about,
        facts=tuple(facts),
        taints=taints,
        first=tuple(offer for offer in offers if offer.action.first),
        more=tuple(offer for offer in offers if not offer.action.first),
        yaml=write(copied_of(frame, list(found))) if len(found) <= MOST_COPIED else "",
        why_url=urls.at(moment.at, tab="why", pod=_key(only)) if only and only.kind == "Pod" else "",
        object_url=urls.at(moment.at, tab="objects", object=str(only)) if only else "",
        later_step=None if moment.is_head else moment.head.action,
        not_allowed=not all(offer.is_allowed for offer in offers),
        is_pod=bool(only) and kinds[0] == "Pod",
    )


def _key(ref: Ref) -> str:
    return f"{ref.namespace}/{ref.name}"


def _title(found: Iterable[Ref]) -> str:
    names = [ref.name for ref in found]
    more = "…" if len(names) > MOST_NAMED else ""
    text = ngettext("%(count)d selected: %(names)s", "%(count)d selected: %(names)s", len(names))
    return text % {"count": len(names), "names": ", ".join(names[:MOST_NAMED]) + more}


Told = tuple[str, list[tuple[str, str]], tuple[str, ...]]


def _told(frame: Frame, items: Sequence[Any]) -> Told:
    """Several objects: what their nodes have together."""
    names = {item.name for item in items if isinstance(item, Node)}
    cards = [card for name, card in cards_of(frame).items() if name in names]
    facts = []
    if any(card.gpus for card in cards):
        facts.append(_gpus(sum(card.gpus_used for card in cards), sum(card.gpus for card in cards)))
    if cards:
        facts.append(_cpu(sum(card.cpu_used for card in cards), sum(card.cpu for card in cards)))
    return "", facts, ()


def _told_of_one(frame: Frame, item: Any) -> Told:
    if isinstance(item, Node):
        return _node(frame, item)
    if isinstance(item, Pod):
        return _pod(item)
    manifest = manifest_of(item)
    return _switch(frame, manifest) if manifest["kind"] == "NetworkSwitch" else (manifest["kind"], [], ())


def _node(frame: Frame, node: Node) -> Told:
    card = cards_of(frame)[node.name]
    facts = [_gpus(card.gpus_used, card.gpus)] if card.gpus else []
    facts += [_cpu(card.cpu_used, card.cpu), _memory(frame, node), (_("Pods"), str(card.pods))]
    if card.group:
        facts.append((_("Rack"), card.group))
    fabric = manifests_of(frame, NODE_FABRIC).get(node.name)
    if fabric is not None:
        facts += _inside(fabric)
    return model_of(node) or _("no accelerators"), facts, _states(card, node)


def _inside(fabric: Any) -> list[tuple[str, str]]:
    said = read_node_fabric(fabric)
    facts = []
    if said.leaves:
        leaves = list(dict.fromkeys(said.leaves))
        facts.append((_("Leaf"), leaves[0] if len(leaves) == 1 else f"{leaves[0]} … {leaves[-1]}"))
    if said.faults.gpus:
        facts.append((_("Failed GPUs"), ", ".join(map(str, said.faults.gpus))))
    return facts


def _states(card: Card, node: Node) -> tuple[str, ...]:
    return ((_("cordoned"),) if node.unschedulable else ()) + card.taints


def _pod(pod: Pod) -> Told:
    facts = [(_("Status"), status_of(pod)), (_("Node"), pod.node_name or _("none yet"))]
    amounts = amounts_text(pod.shape.requests.on_node)
    if amounts:
        facts.append((_("Asks for"), amounts))
    facts += [(_("Priority"), str(pod.priority)), (_("Owner"), owner_of(pod))]
    return "Pod" if pod.namespace == "default" else f"Pod · {pod.namespace}", facts, ()


def _switch(frame: Frame, manifest: Any) -> Told:
    spec, name = manifest.get("spec") or {}, manifest["metadata"]["name"]
    below = sum(
        name in (item.get("spec") or {}).get("leaves", ()) for item in manifests_of(frame, NODE_FABRIC).values()
    )
    facts = [(_("Above it"), str(spec.get("parent") or "–")), (_("Nodes"), str(below))]
    facts.append((_("Oversubscription"), f"{float(spec.get('oversubscription') or 1):g} : 1"))
    return (_("leaf switch") if tier_of(manifest) == 1 else _("spine switch")), facts, ()


def _gpus(used: int, everything: int) -> tuple[str, str]:
    return "GPU", f"{used} / {everything}"


def _cpu(used: int, everything: int) -> tuple[str, str]:
    return "CPU", f"{amount_text(CPU, used)} / {amount_text(CPU, everything)}"


def _memory(frame: Frame, node: Node) -> tuple[str, str]:
    pods = [pod for pod in frame.pods if pod.node_name == node.name and not pod.terminal]
    used = sum(pod.shape.requests.on_node.get(MEMORY, 0) for pod in pods)
    return _("Memory"), f"{_gib(used)} / {_gib(node.allocatable.get(MEMORY, 0))} GiB"


def _gib(amount: int) -> str:
    return f"{amount / _GIB:.0f}" if amount >= 10 * _GIB or not amount else f"{amount / _GIB:.1f}"
