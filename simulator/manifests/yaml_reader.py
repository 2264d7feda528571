"""YAML as kubectl reads it, with the place of every key and value.

libyaml (through PyYAML) makes the events; go-yaml v2, which kubectl reads with, is a translation of the same library,
so both take the same texts. Nothing is ever constructed from a tag. See docs/adr/0100-yaml-reader.md.
"""

from __future__ import annotations

from typing import Any, Final

import yaml
from yaml._yaml import CParser
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from simulator.manifests.context import Context
from simulator.manifests.marks import Spot
from simulator.manifests.remarks import ManifestError, Refused, shorten
from simulator.manifests.scalars import (
    TAG_PREFIX,
    NotJsonError,
    TagMismatchError,
    is_surprising,
    resolve,
    resolve_tagged,
)
from simulator.manifests.tree import MERGE, TreeBuilder

_PROBLEMS: Final = (
    ("mapping values are not allowed", "yaml.unexpected_colon"),
    ("found unexpected ':'", "yaml.unexpected_colon"),
    ("could not find expected ':'", "yaml.missing_colon"),
    ("found a tab character", "yaml.tab"),
    ("did not find expected key", "yaml.indentation"),
    ("did not find expected '-' indicator", "yaml.indentation"),
    ("block sequence entries are not allowed", "yaml.unexpected_dash"),
    ("block mapping key", "yaml.indentation"),
    ("found unexpected end of stream", "yaml.unclosed_quote"),
    ("found unexpected document indicator", "yaml.unclosed_quote"),
    ("did not find expected ',' or", "yaml.unclosed_bracket"),
    ("did not find expected node content", "yaml.missing_value"),
    ("did not find expected <document start>", "yaml.after_value"),
    ("found unknown escape character", "yaml.escape"),
    ("did not find expected hexdecimal number", "yaml.escape"),
    ("found invalid Unicode character escape code", "yaml.escape"),
    ("did not find expected whitespace or line break", "yaml.missing_space"),
    ("found undefined tag handle", "yaml.tag"),
    ("exceeded maximum nesting depth", "limits.depth"),
    ("did not find expected alphabetic or numeric character", "yaml.anchor_name"),
    ("did not find expected comment or line break", "yaml.block_header"),
)
"""What libyaml says, by a part of it, and the code it gets. The rest is `yaml.syntax` with libyaml's words."""


def read_yaml(context: Context, start: int, end: int) -> list[tuple[Any, Spot]]:
    """Read the documents of a part of a text; offsets in the spots count from the text's beginning.

    Documents without a value (comments only) are left out. Raises `Refused` for what no more can be read after.
    """
    reader = _Reader(context, start)
    try:
        return reader.read(context.source.text[start:end])
    except yaml.MarkedYAMLError as error:
        raise Refused(_syntax_error(error, context, start, end)) from None
    except Refused as refused:
        if refused.error.line:
            raise
        raise Refused(reader.placed(refused.error)) from None


class _Reader:
    """Reads one part of a text into trees."""

    def __init__(self, context: Context, start: int) -> None:
        self._context = context
        self._start = start
        self._at = start
        self._new_document()

    def read(self, text: str) -> list[tuple[Any, Spot]]:
        documents: list[tuple[Any, Spot]] = []
        next_event: Any = CParser(text).get_event
        while True:
            event = next_event()
            kind = type(event)
            self._at = event.start_mark.index + self._start
            if kind is ScalarEvent:
                self._scalar(event)
            elif kind in (MappingStartEvent, SequenceStartEvent):
                self._open(event)
            elif kind in (MappingEndEvent, SequenceEndEvent):
                self._close()
            elif kind is AliasEvent:
                self._alias(event.anchor)
            elif kind is DocumentStartEvent:
                self._context.budget.spend_document()
                self._new_document()
            elif kind is StreamEndEvent:
                return documents
            if self._tree.root is not None:
                if self._tree.root[0] is not None:
                    documents.append(self._tree.root)
                self._tree.root = None

    def placed(self, error: ManifestError) -> ManifestError:
        """Return an error with the place where reading has come to."""
        return ManifestError(error.code, error.params, *self._context.source.place(self._at), self._tree.path())

    def _new_document(self) -> None:
        self._tree = TreeBuilder(self._context)
        self._anchors: dict[str, tuple[Any, Spot]] = {}
        self._open_anchors: list[str | None] = []

    def _scalar(self, event: ScalarEvent) -> None:
        value = event.value
        if event.tag is not None and event.tag != "!":
            value = self._tagged(event.tag, value)
        elif event.implicit[0] and not event.style and self._context.source.text[self._at : self._at + 1] != "!":
            value = self._plain(value)
        elif "\0" in value:
            self._tree.error("text.character", self._at, character="U+0000")
        self._tree.add(value, self._at)
        if event.anchor:
            self._anchors[event.anchor] = (value, self._at)

    def _plain(self, word: str) -> Any:
        if word == "<<" and self._tree.expects_key():
            return MERGE
        try:
            value = resolve(word)
        except NotJsonError:
            self._tree.error("yaml.not_a_number", self._at, word=word)
            return None
        if value is not word and is_surprising(word) and not self._tree.expects_key():
            self._tree.notice("value.read_as", self._at, written=word, read=str(value).lower())
        return value

    def _tagged(self, tag: str, word: str) -> Any:
        short = tag.removeprefix(TAG_PREFIX)
        try:
            return resolve_tagged(short, word)
        except NotJsonError:
            self._tree.error("yaml.not_a_number", self._at, word=word)
        except TagMismatchError:
            self._tree.error("yaml.tag_mismatch", self._at, tag=f"!!{short}", word=shorten(word))
        except KeyError:
            self._report_tag(tag)
        return None

    def _open(self, event: MappingStartEvent | SequenceStartEvent) -> None:
        is_map = type(event) is MappingStartEvent
        if event.tag not in (None, "!", TAG_PREFIX + ("map" if is_map else "seq")):
            self._report_tag(event.tag)
        self._open_anchors.append(event.anchor)
        if is_map:
            self._tree.open_map(self._at)
        else:
            self._tree.open_list(self._at)

    def _close(self) -> None:
        closed = self._tree.close()
        anchor = self._open_anchors.pop()
        if anchor:
            self._anchors[anchor] = closed

    def _alias(self, anchor: str) -> None:
        if anchor in self._open_anchors:
            self._tree.error("yaml.alias_recursive", self._at, anchor=shorten(anchor))
            self._tree.add(None, self._at)
        elif anchor in self._anchors:
            self._tree.add_copy(*self._anchors[anchor])
        else:
            self._tree.error("yaml.alias_unknown", self._at, anchor=shorten(anchor))
            self._tree.add(None, self._at)

    def _report_tag(self, tag: str) -> None:
        standard = tag.startswith(TAG_PREFIX)
        self._tree.error("yaml.tag", self._at, tag=shorten("!!" + tag.removeprefix(TAG_PREFIX) if standard else tag))


def _syntax_error(error: yaml.MarkedYAMLError, context: Context, start: int, end: int) -> ManifestError:
    source = context.source
    problem = error.problem or ""
    offset = min(start + (error.problem_mark.index if error.problem_mark else 0), end)
    place = source.place(offset)
    if problem.startswith("found character that cannot start any token"):
        character = source.text[offset : offset + 1]
        if character == "\t":
            return ManifestError("yaml.tab", {}, *place)
        return ManifestError("yaml.start_character", {"character": character}, *place)
    code = next((code for part, code in _PROBLEMS if part in problem), "yaml.syntax")
    params: dict[str, str | int] = {}
    if code == "yaml.syntax":
        params["problem"] = problem
    elif code == "limits.depth":
        params["limit"] = context.budget.limits.max_depth
    elif code in ("yaml.unclosed_quote", "yaml.unclosed_bracket") and error.context_mark:
        params["opened_line"] = source.place(start + error.context_mark.index).line
    return ManifestError(code, params, *place)
