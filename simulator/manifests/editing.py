"""A YAML text changed as little as possible: what has to read otherwise is written anew, the rest stays to the letter.

    rewrite("a: 1  # one\nb: 2\n", {"a": 1, "b": 3})  ->  "a: 1  # one\nb: 3\n"

Comments, order, quotes and spaces of everything that did not change are the author's own. One difference after the
other is put right at its place, and each time the text is read again; where that does not lead to the wanted value
(anchors, odd layouts), the whole document is written anew. So the result always reads as the value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from simulator.manifests.documents import parse
from simulator.manifests.scalars import NotJsonError, resolve
from simulator.manifests.writer import write

MOST_EDITS: Final = 400
_PLAIN_KEY: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*")
_ESCAPED: Final = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


class _Unusual(Exception):
    """A layout that is not edited in place."""


@dataclass(frozen=True, slots=True)
class _Edit:
    start: int
    end: int
    text: str


def rewrite(text: str, value: Any) -> str:
    """The text of one document, changed so that it reads as `value` (a mapping or a list of JSON values)."""
    anew = write([value], sort_keys=False) if isinstance(value, Mapping) else _flow(value) + "\n"
    for _ in range(MOST_EDITS):
        parsed = parse(text)
        if parsed.errors or len(parsed.documents) != 1:
            return anew
        current = parsed.documents[0].value
        if same(current, value):
            return text
        try:
            edit = _first_edit(text, current, value)
        except (_Unusual, yaml.YAMLError):
            return anew
        text = text[: edit.start] + edit.text + text[edit.end :]
    return anew


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same JSON: `1`, `1.0` and `true` are three."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(same(a, b) for a, b in zip(one, other, strict=True))
    return type(one) is type(other) and bool(one == other)


def _first_edit(text: str, current: Any, value: Any) -> _Edit:
    if "&" in text and any(getattr(event, "anchor", None) for event in yaml.parse(text, Loader=yaml.CSafeLoader)):
        raise _Unusual
    root = yaml.compose(text, Loader=yaml.CSafeLoader)
    return _Editor(text).container(root, current, value)


class _Editor:
    """Finds the first difference between a text and the value it should have, and how to put it right."""

    def __init__(self, text: str) -> None:
        self._text = text

    def container(self, node: Node | None, current: Any, value: Any) -> _Edit:
        """The edit within a mapping or list whose value differs."""
        if isinstance(node, MappingNode) and isinstance(current, Mapping) and isinstance(value, Mapping) and value:
            return self._mapping(node, current, value)
        if isinstance(node, SequenceNode) and isinstance(current, list) and isinstance(value, list) and value:
            return self._sequence(node, current, value)
        raise _Unusual

    # mappings

    def _mapping(self, node: MappingNode, current: Mapping[str, Any], value: Mapping[str, Any]) -> _Edit:
        if not current:
            raise _Unusual
        pairs = {_key_text(key): (key, item) for key, item in node.value}
        if pairs.keys() != current.keys():
            raise _Unusual
        gone = next((key for key in current if key not in value), None)
        if gone is not None and len(current) > 1:
            return self._remove_key(node, list(pairs).index(gone))
        for key, wanted in value.items():
            if key in current and not same(current[key], wanted):
                return self._change(node, *pairs[key], key, current[key], wanted)
        fresh = next((key for key in value if key not in current), None)
        if fresh is None:
            raise _Unusual
        before = None
        for key in value:
            if key == fresh:
                break
            before = key if key in current else before
        return self._insert_key(node, list(pairs).index(before) if before is not None else -1, fresh, value[fresh])

    def _change(self, node: MappingNode, key: Node, item: Node, name: str, current: Any, value: Any) -> _Edit:
        try:
            if _holds(current) and _holds(value):
                return self.container(item, current, value)
        except _Unusual:
            pass
        if node.flow_style:
            if item.start_mark.index == item.end_mark.index:
                raise _Unusual
            return _Edit(item.start_mark.index, item.end_mark.index, _flow(value))
        start = key.start_mark.index
        return _Edit(start, self._end(item), _entry(name, value, self._column(start)))

    def _remove_key(self, node: MappingNode, index: int) -> _Edit:
        key, item = node.value[index]
        start = key.start_mark.index
        if node.flow_style:
            if index:
                return _Edit(node.value[index - 1][1].end_mark.index, item.end_mark.index, "")
            return _Edit(start, node.value[1][0].start_mark.index, "")
        if self._is_first_on_line(start):
            return self._without_lines(start, self._end(item))
        if index:  # `? ` or something else stands before it
            raise _Unusual
        return _Edit(start, node.value[1][0].start_mark.index, "")  # behind the dash of a list's entry

    def _insert_key(self, node: MappingNode, after: int, name: str, value: Any) -> _Edit:
        if node.flow_style:
            entry = f"{_flow_key(name)}: {_flow(value)}"
            if after < 0:
                first = node.value[0][0].start_mark.index
                return _Edit(first, first, f"{entry}, ")
            end = node.value[after][1].end_mark.index
            return _Edit(end, end, f", {entry}")
        column = self._column(node.value[0][0].start_mark.index)
        entry = _entry(name, value, column)
        if after < 0:
            first = node.value[0][0].start_mark.index
            return _Edit(first, first, f"{entry}\n{' ' * column}")
        return self._below(self._end(node.value[after][1]), entry, column)

    # lists

    def _sequence(self, node: SequenceNode, current: Sequence[Any], value: Sequence[Any]) -> _Edit:
        if not current or len(node.value) != len(current):
            raise _Unusual
        first = next((i for i, (a, b) in enumerate(zip(current, value, strict=False)) if not same(a, b)), None)
        if first is None:
            first = min(len(current), len(value))
        behind = 0
        most = min(len(current), len(value)) - first
        while behind < most and same(current[-1 - behind], value[-1 - behind]):
            behind += 1
        old, new = len(current) - first - behind, len(value) - first - behind
        if old == new == 2 and same(current[first], value[first + 1]) and same(current[first + 1], value[first]):
            return self._swap(node, first)
        if old > new:
            return self._remove_item(node, first)
        if new > old:
            return self._insert_item(node, first + old - 1, value[first + old])
        return self._change_item(node, first, current[first], value[first])

    def _change_item(self, node: SequenceNode, index: int, current: Any, value: Any) -> _Edit:
        item = node.value[index]
        try:
            if _holds(current) and _holds(value):
                return self.container(item, current, value)
        except _Unusual:
            pass
        if node.flow_style:
            return _Edit(item.start_mark.index, item.end_mark.index, _flow(value))
        dash = self._dash(item)
        return _Edit(dash, self._end(item), _item(value, self._column(dash)))

    def _remove_item(self, node: SequenceNode, index: int) -> _Edit:
        if len(node.value) == 1:
            raise _Unusual
        item = node.value[index]
        if node.flow_style:
            if index:
                return _Edit(node.value[index - 1].end_mark.index, item.end_mark.index, "")
            return _Edit(item.start_mark.index, node.value[1].start_mark.index, "")
        dash = self._dash(item)
        if not self._is_first_on_line(dash):  # a list in a list: `- - a`
            raise _Unusual
        return self._without_lines(dash, self._end(item))

    def _insert_item(self, node: SequenceNode, after: int, value: Any) -> _Edit:
        if node.flow_style:
            if after < 0:
                first = node.value[0].start_mark.index
                return _Edit(first, first, f"{_flow(value)}, ")
            end = node.value[after].end_mark.index
            return _Edit(end, end, f", {_flow(value)}")
        dash = self._dash(node.value[max(after, 0)])
        column = self._column(dash)
        if after < 0:
            return _Edit(dash, dash, f"{_item(value, column)}\n{' ' * column}")
        return self._below(self._end(node.value[after]), _item(value, column), column)

    def _swap(self, node: SequenceNode, index: int) -> _Edit:
        one, other = node.value[index], node.value[index + 1]
        if node.flow_style:
            spans = [(item.start_mark.index, item.end_mark.index) for item in (one, other)]
        else:
            spans = [(self._dash(item), self._end(item)) for item in (one, other)]
        (start, middle), (again, end) = spans
        text = self._text
        return _Edit(start, end, text[again:end] + text[middle:again] + text[start:middle])

    # places

    def _column(self, offset: int) -> int:
        return offset - (self._text.rfind("\n", 0, offset) + 1)

    def _is_first_on_line(self, offset: int) -> bool:
        return not self._text[self._text.rfind("\n", 0, offset) + 1 : offset].strip(" ")

    def _line_end(self, offset: int) -> int:
        end = self._text.find("\n", offset)
        return len(self._text) if end < 0 else end

    def _without_lines(self, start: int, end: int) -> _Edit:
        """Everything from the line of `start` to that of `end` goes, a comment at its end included."""
        first = self._text.rfind("\n", 0, start) + 1
        last = self._line_end(end)
        if last < len(self._text):
            return _Edit(first, last + 1, "")
        return _Edit(max(first - 1, 0), last, "")

    def _below(self, end: int, entry: str, column: int) -> _Edit:
        """An entry on the lines after the one in which `end` lies."""
        at = self._line_end(end)
        return _Edit(at, at, f"\n{' ' * column}{entry}")

    def _dash(self, item: Node) -> int:
        start = item.start_mark.index
        dash = self._text.rfind("-", 0, start)
        if dash < 0 or self._text[dash + 1 : start].strip(" "):
            raise _Unusual
        return dash

    def _end(self, node: Node) -> int:
        """Behind the last letter of a value; libyaml counts comments and empty lines behind block values to them."""
        if isinstance(node, ScalarNode):
            end: int = node.end_mark.index
            if node.style in ("|", ">"):
                return node.start_mark.index + len(self._text[node.start_mark.index : end].rstrip("\n"))
            return end
        if not isinstance(node, MappingNode | SequenceNode) or node.flow_style or not node.value:
            return int(node.end_mark.index)
        last = node.value[-1]
        return self._end(last[1] if isinstance(node, MappingNode) else last)


def _holds(value: Any) -> bool:
    """Whether a value is a mapping or list with something in it."""
    return isinstance(value, Mapping | list) and bool(value)


def _key_text(key: Node) -> str:
    if not isinstance(key, ScalarNode) or key.tag.endswith(":merge"):
        raise _Unusual
    return str(key.value)


def _entry(name: str, value: Any, column: int) -> str:
    """`name: value` in block style; its first line stands at `column` already."""
    return _indented(write([{name: value}], sort_keys=False), column)


def _item(value: Any, column: int) -> str:
    """`- value` in block style."""
    return _indented(write([{"x": [value]}], sort_keys=False).partition("\n")[2], column)


def _indented(text: str, column: int) -> str:
    lines = text.removesuffix("\n").split("\n")
    return "\n".join([lines[0], *(" " * column + line if line else line for line in lines[1:])])


def _flow(value: Any) -> str:
    """A value in flow style, which is JSON."""
    text = json.dumps(value, ensure_ascii=False)
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _flow_key(name: str) -> str:
    if not _PLAIN_KEY.fullmatch(name):
        return _flow(name)
    try:
        return name if isinstance(resolve(name), str) else _flow(name)
    except NotJsonError:
        return _flow(name)
