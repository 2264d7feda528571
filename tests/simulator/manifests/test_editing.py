# ruff: noqa: E501, PLR0911 (one change a line; one way out for each kind of edit)
"""A text that is changed at one place stays to the letter everywhere else, and always reads as it should."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.manifests.bundle import read_bundle
from simulator.manifests.bundle_editing import object_lines, rewrite_bundle
from simulator.manifests.documents import parse
from simulator.manifests.editing import rewrite, same
from simulator.manifests.writer import write
from tests.simulator.scenarios.playing import FILES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TEXT = """\
# what this is about
title: {zh-hans: 标题, en: "Title"}   # both
spec:
  # the goals
  goals:
  - kind: allBound   # every one
    title:
      en: All
  # and the second
  - kind: notBound

  text: |
    One.

    Two.  # no comment
  numbers: [1, 2.0, true]
empty:
last: 'it''s'   # the end
"""


def _value() -> Any:
    (document,) = parse(TEXT).documents
    return document.value


CHANGES: list[tuple[str, Callable[[Any], object], str, str]] = [
    ("scalar", lambda v: v.update(last="new"), "last: 'it''s'   # the end", "last: new   # the end"),
    ("flow scalar", lambda v: v["title"].update(en="T: 2"), 'en: "Title"}', 'en: "T: 2"}'),
    ("flow key added", lambda v: v["title"].update(x=[1]), '"Title"}', '"Title", x: [1]}'),
    ("flow key removed", lambda v: v["title"].pop("zh-hans"), "{zh-hans: 标题, en:", "{en:"),
    ("flow last key removed", lambda v: v["title"].pop("en"), ', en: "Title"}', "}"),
    ("flow item", lambda v: v["spec"].update(numbers=[1, 3, True]), "[1, 2.0, true]", "[1, 3, true]"),
    ("flow item removed", lambda v: v["spec"]["numbers"].pop(0), "[1, 2.0, true]", "[2.0, true]"),
    ("flow item added", lambda v: v["spec"]["numbers"].insert(1, "x"), "[1, 2.0", '[1, "x", 2.0'),
    ("nothing becomes something", lambda v: v.update(empty={"a": 1}), "empty:\n", "empty:\n  a: 1\n"),
    ("key added", lambda v: v["spec"]["goals"][0].update(pods={"name": "p"}), "      en: All\n", "      en: All\n    pods:\n      name: p\n"),
    ("key removed", lambda v: v["spec"]["goals"][0].pop("title"), "    title:\n      en: All\n", ""),
    ("first key of an entry removed", lambda v: v["spec"]["goals"][0].pop("kind"), "- kind: allBound   # every one\n    title", "- title"),
    ("entry added", lambda v: v["spec"]["goals"].append({"kind": "x"}), "- kind: notBound\n", "- kind: notBound\n  - kind: x\n"),
    ("entry added in front", lambda v: v["spec"]["goals"].insert(0, "x"), "  goals:\n  - kind: all", "  goals:\n  - x\n  - kind: all"),
    ("entry removed", lambda v: v["spec"]["goals"].pop(1), "  - kind: notBound\n", ""),
    ("block text", lambda v: v["spec"].update(text="Three.\n"), "    One.\n\n    Two.  # no comment\n", "    Three.\n"),
    ("text becomes a line", lambda v: v["spec"].update(text="x"), "|\n    One.\n\n    Two.  # no comment\n", "x\n"),
    ("mapping added", lambda v: v.update(new={"a": [{"b": 1, "c": 2}]}), "# the end\n", "# the end\nnew:\n  a:\n  - b: 1\n    c: 2\n"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "before", "after"), [one[1:] for one in CHANGES], ids=[one[0] for one in CHANGES])
def test_only_what_changed_is_written_anew(change: Callable[[Any], object], before: str, after: str) -> None:
    value = deepcopy(_value())
    change(value)
    assert TEXT.count(before) == 1
    assert rewrite(TEXT, value) == TEXT.replace(before, after)


def test_equal_value_changes_not_a_letter() -> None:
    assert rewrite(TEXT, _value()) == TEXT


def test_neighbours_that_change_places_take_their_comments_along() -> None:
    value = deepcopy(_value())
    value["spec"]["goals"].reverse()
    changed = rewrite(TEXT, value)
    assert changed.index("- kind: notBound") < changed.index(
        "- kind: allBound   # every one\n    title:\n      en: All"
    )
    assert "  # and the second" in changed


def test_anchors_are_written_out() -> None:
    text = "a: &x {b: 1}\nc: *x\n"
    assert rewrite(text, {"a": {"b": 1}, "c": {"b": 2}}) == "a:\n  b: 1\nc:\n  b: 2\n"
    assert rewrite(text, {"a": {"b": 1}, "c": {"b": 1}}) == text


def test_text_that_cannot_be_read_is_written_anew() -> None:
    assert rewrite("a: [", {"a": 1}) == "a: 1\n"


def test_one_and_true_are_two() -> None:
    assert not same(1, True)
    assert not same(1, 1.0)
    assert same({"a": [1]}, {"a": [1]})


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"], exclude_characters="\0\r\x85\ufeff\ufffe\uffff"), max_size=8).filter(
    lambda text: not any((ord(letter) < 32 and letter not in "\t\n") or 127 <= ord(letter) < 160 for letter in text)
)  # fmt: skip
SCALARS = st.none() | st.booleans() | st.integers(-(10**6), 10**6) | WORDS
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4), max_leaves=12
)
DOCUMENTS = st.dictionaries(WORDS, VALUES, min_size=1, max_size=5)


@st.composite
def _edited(draw: st.DrawFn, value: Any) -> Any:
    """The value with a thing or two in it changed, added or taken away."""
    if isinstance(value, dict) and value and draw(st.booleans()):
        key = draw(st.sampled_from(sorted(value)))
        return {**value, key: draw(_edited(value[key]))}
    if isinstance(value, list) and value and draw(st.booleans()):
        index = draw(st.integers(0, len(value) - 1))
        how = draw(st.sampled_from(["change", "remove", "add", "swap"]))
        if how == "remove":
            return value[:index] + value[index + 1 :]
        if how == "add":
            return [*value[:index], draw(VALUES), *value[index:]]
        if how == "swap":
            return [*value[:index], *reversed(value[index : index + 2]), *value[index + 2 :]]
        return [*value[:index], draw(_edited(value[index])), *value[index + 1 :]]
    if isinstance(value, dict):
        return {**value, draw(WORDS): draw(VALUES)} if draw(st.booleans()) else dict(list(value.items())[1:])
    return draw(VALUES)


@settings(max_examples=400, deadline=None)
@given(data=st.data(), value=DOCUMENTS, flow=st.booleans())
def test_text_always_reads_as_the_value(data: st.DataObject, value: dict[str, Any], flow: bool) -> None:
    text = json.dumps(value, ensure_ascii=False) if flow else write([value], sort_keys=False)
    parsed = parse(text)
    if parsed.errors or len(parsed.documents) != 1:
        return  # a key or text that YAML does not hold
    wanted = data.draw(_edited(parsed.documents[0].value))
    if not wanted:
        return
    changed = parse(rewrite(text, wanted))
    assert changed.errors == ()
    assert same(changed.documents[0].value, wanted)


# bundles

FRONT = {
    "apiVersion": "gpuschedlab.io/v1alpha1",
    "kind": "Scenario",
    "metadata": {"name": "a"},
    "spec": {"level": "beginner"},
}
BUNDLE = """\
# a scenario
apiVersion: gpuschedlab.io/v1alpha1
kind: Scenario
metadata: {name: a}   # its name
spec:
  level: beginner
---
# the first node
apiVersion: v1
kind: Node
metadata: {name: n1}
---
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Node, metadata: {name: n2}}
- apiVersion: v1
  kind: Pod
  metadata: {name: p1}   # waits
---
# the end
"""  # fmt: skip


def _node(name: str, **more: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, **more}}


POD = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p1"}}


def test_bundle_that_says_the_same_stays() -> None:
    assert rewrite_bundle(BUNDLE, FRONT, [_node("n1"), _node("n2"), POD]) == BUNDLE


def test_front_matter_changes_alone() -> None:
    front = {**FRONT, "spec": {"level": "advanced"}}
    wanted = BUNDLE.replace("level: beginner", "level: advanced")
    assert rewrite_bundle(BUNDLE, front, [_node("n1"), _node("n2"), POD]) == wanted


def test_object_goes_with_its_document() -> None:
    changed = rewrite_bundle(BUNDLE, FRONT, [_node("n2"), POD])
    assert "# the first node" not in changed
    assert changed == BUNDLE.replace(
        BUNDLE[BUNDLE.index("---\n# the first") : BUNDLE.index("---\napiVersion: v1\nkind: List")], ""
    )


def test_entry_of_a_list_changes_within_it() -> None:
    changed = rewrite_bundle(BUNDLE, FRONT, [_node("n1"), _node("n2", labels={"a": "b"}), POD])
    assert '{name: n2, labels: {"a": "b"}}' in changed
    assert "metadata: {name: p1}   # waits" in changed


def test_new_objects_come_last() -> None:
    changed = rewrite_bundle(BUNDLE, FRONT, [_node("n1"), _node("n2"), POD, _node("n3")])
    assert changed.startswith(BUNDLE)
    assert changed.endswith("---\napiVersion: v1\nkind: Node\nmetadata:\n  name: n3\n")


def test_broken_bundle_is_written_anew() -> None:
    changed = rewrite_bundle("a: [", FRONT, [_node("n1")])
    assert [document.value for document in parse(changed).documents] == [FRONT, _node("n1")]


def test_lines_of_objects() -> None:
    assert object_lines(BUNDLE) == {
        ("Scenario", "default", "a"): 2,
        ("Node", "default", "n1"): 9,
        ("Node", "default", "n2"): 16,
        ("Pod", "default", "p1"): 17,
    }


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_scenario_of_the_catalogue_can_be_edited_in_place(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    bundle = read_bundle(text)
    assert bundle.front is not None
    front, objects = bundle.front.value, list(bundle.objects)
    assert rewrite_bundle(text, front, objects) == text
    spec = {**front["spec"], "minutes": 599}
    changed = rewrite_bundle(text, {**front, "spec": spec}, [*objects[:-1]])
    again = read_bundle(changed)
    assert again.spec["minutes"] == 599
    assert list(again.objects) == objects[:-1]
    assert sum(line not in text.splitlines() for line in changed.splitlines()) <= 1
