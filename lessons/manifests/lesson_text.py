"""One lesson in one language: front matter, and sections made of pieces (docs/lessons.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from lessons.assessment.problems import Invalid
from lessons.assessment.reading import FACT, SLUG, Fields
from lessons.manifests.boxes import BOXES, read_box
from lessons.manifests.faults import Fault, Faulty
from lessons.manifests.markdown import lesson_parser, plain_text
from lessons.manifests.yaml_values import read_yaml

if TYPE_CHECKING:
    from markdown_it.token import Token

SHARED: Final = ("section", "order", "minutes", "prerequisites", "facts")
"""What the front matter of both languages has to say alike."""

_FENCE: Final = "---"
_REFERENCE: Final = re.compile(r"(lesson|term|lab|quiz):([a-z0-9]+(?:-[a-z0-9]+)*)(#[a-z0-9-]+)?")
_PLACE: Final = re.compile(r"#[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a section: `prose` and the text boxes have tokens, the others have data."""

    kind: str
    line: int
    tokens: tuple[Token, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Section:
    """What stands below one `##` heading; the part before the first heading has neither id nor heading."""

    id: str
    heading: tuple[Token, ...]
    pieces: tuple[Piece, ...]

    @property
    def title(self) -> str:
        return plain_text(self.heading[1]) if self.heading else ""


@dataclass(frozen=True, slots=True)
class LessonText:
    """A lesson's text, checked in itself. `references` are the links to other places, with their lines."""

    front: Mapping[str, Any]
    body: str
    sections: tuple[Section, ...]
    references: tuple[tuple[str, int], ...]

    def pieces(self, kind: str) -> list[Piece]:
        return [piece for section in self.sections for piece in section.pieces if piece.kind == kind]

    def outline(self) -> dict[str, list[str]]:
        """What progress counts: ids of sections and scenes, and the questions of its checks and scenes."""
        scenes = self.pieces("scene")
        asked = [*(name for piece in self.pieces("check") for name in piece.data["questions"])]
        asked += [piece.data["question"] for piece in scenes if piece.data["question"]]
        return {
            "sections": [section.id for section in self.sections if section.id],
            "scenes": [piece.data["id"] for piece in scenes],
            "checks": list(dict.fromkeys(asked)),
        }


def read_lesson_text(text: str, file: str) -> LessonText:
    """Read a lesson as it stands in its file. Raises Faulty with every fault."""
    front, body, offset = _split(text, file)
    faults: list[Fault] = []
    values = _read_front(front, file, faults)
    lesson = read_body(body, file, values, offset=offset, faults=faults)
    if faults:
        raise Faulty(faults)
    return lesson


def read_body(
    body: str, file: str, front: Mapping[str, Any], *, offset: int = 0, faults: list[Fault] | None = None
) -> LessonText:
    """Read the Markdown of a lesson; without `faults` it is one that was checked when it was stored."""
    reader = _BodyReader(file, offset, faults if faults is not None else [])
    return LessonText(front, body, reader.sections(body), tuple(reader.references))


def _split(text: str, file: str) -> tuple[str, str, int]:
    lines = text.replace("\r\n", "\n").split("\n")
    if lines[0].strip() != _FENCE:
        raise Faulty([Fault(file, 1, "lesson.no_front_matter")])
    ends = [number for number, line in enumerate(lines[1:], start=1) if line.strip() == _FENCE]
    if not ends:
        raise Faulty([Fault(file, 1, "lesson.front_matter_unclosed")])
    return "\n".join(lines[1 : ends[0]]), "\n".join(lines[ends[0] + 1 :]), ends[0] + 1


def _read_front(text: str, file: str, faults: list[Fault]) -> dict[str, Any]:
    yaml = read_yaml(text, file, offset=1)
    node = yaml.node()
    fields = node.fields(required=(*SHARED, "title", "goal", "summary"), optional=("sources",))
    values: dict[str, Any] = {
        "section": fields["section"].string(limit=10),
        "order": fields["order"].integer(minimum=0, maximum=1000),
        "minutes": fields["minutes"].integer(minimum=1, maximum=240),
        "prerequisites": [entry.named(SLUG) for entry in fields.children("prerequisites")],
        "facts": [entry.named(FACT) for entry in fields.children("facts", limit=200)],
        **{name: fields[name].string(limit=600) for name in ("title", "goal", "summary")},
        "sources": [_read_source(entry.fields(required=("title",), optional=("note",))) for entry in _sources(fields)],
    }
    faults.extend(yaml.faults(node.problems.found))
    return values


def _sources(fields: Fields) -> list[Any]:
    return fields.children("sources", limit=40)


def _read_source(fields: Fields) -> dict[str, str]:
    note = fields.get("note")
    return {"title": fields["title"].string(), "note": note.string(limit=600) if note else ""}


class _BodyReader:
    """Cuts the tokens of a body into sections and pieces."""

    def __init__(self, file: str, offset: int, faults: list[Fault]) -> None:
        self.file = file
        self.offset = offset
        self.faults = faults
        self.references: list[tuple[str, int]] = []
        self._ids: set[str] = set()

    def sections(self, body: str) -> tuple[Section, ...]:
        tokens = lesson_parser().parse(body)
        found: list[Section] = []
        heading: tuple[Token, ...] = ()
        start = 0
        for index, token in enumerate(tokens):
            if token.type != "heading_open":
                continue
            self._check_heading(token, tokens[index + 1])
            if token.tag == "h2":
                self._close(found, heading, tokens[start:index])
                heading, start = tuple(tokens[index : index + 3]), index + 3
        self._close(found, heading, tokens[start:])
        return tuple(found)

    def _close(self, found: list[Section], heading: tuple[Token, ...], tokens: list[Token]) -> None:
        pieces = tuple(self._pieces(tokens))
        if heading or pieces:
            found.append(Section(str(heading[0].attrGet("id") or "") if heading else "", heading, pieces))
        if sum(piece.kind == "key" for piece in pieces) > 1:
            self._fault(next(piece.line for piece in pieces if piece.kind == "key"), "lesson.two_keys")

    def _check_heading(self, token: Token, inline: Token) -> None:
        line, name = self._line(token), str(token.attrGet("id") or "")
        if token.tag not in {"h2", "h3"}:
            self._fault(line, "lesson.heading_level", level=token.tag)
        if token.tag == "h2" and not name:
            self._fault(line, "lesson.heading_without_id", heading=plain_text(inline))
        self._claim(name, line)

    def _claim(self, name: str, line: int) -> None:
        if name and name in self._ids:
            self._fault(line, "lesson.repeated_id", id=name)
        self._ids.add(name)

    def _pieces(self, tokens: list[Token]) -> Iterator[Piece]:
        prose: list[Token] = []
        for token in tokens:
            if token.type == "inline":
                self._check_links(token)
            box = self._box(token)
            if box is None:
                prose.append(token)
                continue
            if prose:
                yield Piece("prose", self._line(prose[0]), tuple(prose))
                prose = []
            yield box
        if prose:
            yield Piece("prose", self._line(prose[0]), tuple(prose))

    def _box(self, token: Token) -> Piece | None:
        """The piece a box or a figure is, or None for ordinary tokens."""
        is_figure = token.type == "fence" and token.info.strip() == "figure"
        if not is_figure and token.type != "colon_fence":
            return None
        kind, line = token.info.strip(), self._line(token)
        if token.level > 0:
            self._fault(line, "lesson.box_in_box", box=kind)
        if kind not in BOXES and not is_figure:
            self._fault(line, "lesson.unknown_box", box=kind, known=", ".join(BOXES))
            return Piece("prose", line)
        self._check_closed(token, kind)
        if BOXES.get(kind) == "text":
            return Piece(kind, line, tuple(self._box_tokens(token)))
        try:
            data, problems = read_box(kind, token.content, self.file, line)
        except Faulty as faulty:
            self.faults.extend(faulty.faults)
            return Piece("prose", line)
        except Invalid:
            return Piece("prose", line)
        self.faults.extend(problems)
        if kind == "scene":
            self._claim(f"scene-{data['id']}", line)
        return Piece(kind, line, (), data)

    def _box_tokens(self, token: Token) -> list[Token]:
        tokens = lesson_parser().parse(token.content)
        start = self.offset
        self.offset = self._line(token)
        for inner in tokens:
            if inner.type == "heading_open":
                self._fault(self._line(inner), "lesson.heading_level", level=inner.tag)
            if inner.type == "colon_fence":
                self._fault(self._line(inner), "lesson.box_in_box", box=inner.info.strip())
            if inner.type == "inline":
                self._check_links(inner)
        self.offset = start
        return tokens

    def _check_closed(self, token: Token, kind: str) -> None:
        first, last = token.map or [0, 0]
        if token.content.count("\n") + 1 == last - first:
            self._fault(self._line(token), "lesson.box_not_closed", box=kind)

    def _check_links(self, inline: Token) -> None:
        for child in inline.children or ():
            if child.type != "link_open":
                continue
            address = str(child.attrGet("href") or "")
            self.references.append((address, self._line(inline)))
            if not _REFERENCE.fullmatch(address) and not _PLACE.fullmatch(address):
                self._fault(self._line(inline), "lesson.bad_link", address=address)

    def _line(self, token: Token) -> int:
        return self.offset + (token.map[0] if token.map else 0) + 1

    def _fault(self, line: int, code: str, **params: object) -> None:
        self.faults.append(Fault(self.file, line, code, params))
