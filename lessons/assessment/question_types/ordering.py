"""Ordering: put items in order, leave the distractors out. The right order may be partial (a graph without cycles).

Score, with P the pairs of items whose order the graph fixes (also indirectly): ``(agreeing - disagreeing) / |P|``
minus ``distractors placed / number of items``, at least 0. A pair with an item left out neither agrees nor disagrees.
Without distractors this is Kendall's tau over P, cut at 0: the right order gives 1, the reverse 0, one swap of
neighbours among n items in a row costs ``4 / (n (n - 1))``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from lessons.assessment.dice import Dice
from lessons.assessment.forms import FormReader
from lessons.assessment.grades import ONE, ZERO, Grade, Part, Verdict, graded, unanswered, verdict_of
from lessons.assessment.localized import Text
from lessons.assessment.question_types.base import Evidence, SceneQuestionType, View
from lessons.assessment.reading import NAME, Fields, Node, reference, unique
from lessons.assessment.responses import Response, words
from lessons.assessment.scenes import SceneFacts
from lessons.assessment.tokens import Tokens

MAX_PLACES = 24


@dataclass(frozen=True, slots=True)
class Item:
    """Something to place. A distractor belongs nowhere."""

    id: str
    text: Text
    distractor: bool
    feedback: Text | None


@dataclass(frozen=True, slots=True)
class OrderingContent:
    """Items as shown, and for each item all that must come after it (directly or not)."""

    items: tuple[Item, ...]
    after: Mapping[str, frozenset[str]]

    def fixed(self) -> list[tuple[str, str]]:
        """All pairs (earlier, later) whose order matters."""
        return [(first, second) for first in self.after for second in sorted(self.after[first])]


class Ordering(SceneQuestionType[OrderingContent]):
    """Form field ``order``: tokens from first to last. Response ``{"order": [ids]}``."""

    name = "ordering"
    required = ("items", "order")
    engine_fields = ("items", "order")

    def read(self, fields: Fields) -> OrderingContent:
        """``order``: chains of ids, each from first to last. One chain is a total order; several make a partial one."""
        nodes = fields.children("items", minimum=2, limit=MAX_PLACES)
        items = tuple(_read_item(node) for node in nodes)
        unique(zip((item.id for item in items), nodes, strict=True))
        known = [item.id for item in items]
        follows: dict[str, set[str]] = {name: set() for name in known}
        for chain in fields["order"].items(minimum=1, limit=MAX_PLACES):
            links = [reference(node, known) for node in chain.items(minimum=2, limit=MAX_PLACES)]
            for first, second in pairwise(links):
                follows.setdefault(first, set()).add(second)
        after = _closure(follows)
        _check_order(fields, items, after)
        return OrderingContent(items, after)

    def bind(self, source: Mapping[str, Any], facts: SceneFacts) -> dict[str, Any]:
        """The Pods that wait in the scene, in the order in which the scheduler will try them."""
        items = [{"id": name, "text": name} for name in facts.queue]
        return {**source, "items": items, "order": [list(facts.queue)]}

    def shuffled(self, content: OrderingContent, dice: Dice) -> OrderingContent:
        """Items in random order, always: the author's order would tell the answer."""
        return replace(content, items=dice.shuffled(content.items))

    def view(self, content: OrderingContent, tokens: Tokens) -> View:
        """``items``: token and text, those to leave out among them."""
        return {"items": [{"token": tokens.of("item", i.id), "text": i.text.as_mapping()} for i in content.items]}

    def parse(self, content: OrderingContent, form: FormReader, earlier: Response) -> Response:
        """Tokens in the learner's order, each at most once."""
        del earlier
        order = form.choices("order", "item", [item.id for item in content.items])
        return {"order": order} if order else {}

    def form_of(self, content: OrderingContent, response: Response, tokens: Tokens) -> dict[str, list[str]]:
        """The tokens in the given order."""
        known = {item.id for item in content.items}
        order = [tokens.of("item", name) for name in words(response, "order") if name in known]
        return {"order": order} if order else {}

    def grade(self, content: OrderingContent, response: Response, evidence: Evidence) -> Grade:
        """By the measure in the module's docstring."""
        del evidence
        order = words(response, "order")
        place = {name: index for index, name in enumerate(order)}
        parts = tuple(_part(item, content, place) for item in content.items)
        if not order:
            return unanswered(parts)
        pairs = content.fixed()
        balance = sum(_agreement(place, *pair) for pair in pairs)
        wanted = [item.id for item in content.items if not item.distractor]
        strays = sum(name not in wanted for name in order)
        return graded(Fraction(balance, len(pairs)) - Fraction(strays, len(wanted)), parts)

    def best(self, content: OrderingContent) -> Response:
        """One right order; items that may stand in any order follow their ids."""
        left = sorted(item.id for item in content.items if not item.distractor)
        order: list[str] = []
        while left:
            free = next(name for name in left if not any(name in content.after[other] for other in left))
            order.append(free)
            left.remove(free)
        return {"order": order}


def _read_item(node: Node) -> Item:
    fields = node.fields(required=("id", "text"), optional=("distractor", "feedback"))
    distractor = fields.flag("distractor", default=False)
    return Item(fields["id"].named(NAME), fields["text"].text(), distractor, fields.text("feedback"))


def _closure(follows: Mapping[str, Iterable[str]]) -> dict[str, frozenset[str]]:
    """For each name all that can be reached from it."""
    reached: dict[str, frozenset[str]] = {}
    for start in follows:
        seen: set[str] = set()
        queue = list(follows[start])
        while queue:
            name = queue.pop()
            if name not in seen:
                seen.add(name)
                queue.extend(follows.get(name, ()))
        reached[start] = frozenset(seen)
    return reached


def _check_order(fields: Fields, items: Iterable[Item], after: Mapping[str, frozenset[str]]) -> None:
    circular = sorted(name for name in after if name in after[name])
    if circular:
        fields["order"].fail("ordering.cycle", items=circular)
    followers = frozenset().union(*after.values()) if after else frozenset()
    for item in items:
        constrained = bool(after.get(item.id)) or item.id in followers
        if item.distractor and constrained:
            fields["order"].fail("ordering.distractor_constrained", item=item.id)
        if not item.distractor and not constrained:
            fields["order"].fail("ordering.unconstrained", item=item.id)


def _agreement(place: Mapping[str, int], first: str, second: str) -> int:
    """1 if the two stand in this order, -1 if the other way round, 0 if one is left out."""
    if first not in place or second not in place:
        return 0
    return 1 if place[first] < place[second] else -1


def _part(item: Item, content: OrderingContent, place: Mapping[str, int]) -> Part:
    if item.id not in place:
        verdict = Verdict.AVOIDED if item.distractor else Verdict.MISSED
        return Part("item", item.id, verdict, None, item.feedback)
    if item.distractor:
        return Part("item", item.id, Verdict.WRONG, ZERO, item.feedback)
    own = [pair for pair in content.fixed() if item.id in pair]
    agreeing = sum(_agreement(place, *pair) == 1 for pair in own)
    score = Fraction(agreeing, len(own)) if own else ONE
    return Part("item", item.id, verdict_of(score), score, item.feedback)
