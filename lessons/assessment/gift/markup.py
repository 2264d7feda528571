"""Texts between GIFT's formats (moodle, html, plain, markdown) and the course's Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Final

from lessons.assessment.gift.syntax import release
from lessons.assessment.problems import Problem
from lessons.assessment.reading import bad_character

FORMATS: Final = ("moodle", "html", "plain", "markdown")
_FORMAT: Final = re.compile(r"\[(moodle|html|plain|markdown)\]")
_LOOKS_LIKE_HTML: Final = re.compile(r"</?[a-zA-Z][^<>]{0,400}>|&[a-zA-Z]{2,8};|&#\d{1,6};")
_INLINE: Final = re.compile(r"[\\`*\[\]<>]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_LINE_START: Final = re.compile(r"^(\s*)([#+>-]|\d{1,9}[.)])(?=\s)", re.MULTILINE)

Report = Callable[[Problem], None]


def split_format(text: str, default: str) -> tuple[str, str]:
    """The format marker at the beginning of ``text`` (or the default), and the rest."""
    found = _FORMAT.match(text.lstrip())
    return (found[1], text.lstrip()[found.end() :]) if found else (default, text)


def to_markdown(text: str, default: str, report: Report) -> str:
    """The Markdown of one piece of GIFT text (escapes still held). Says through ``report`` what could not be kept."""
    style, body = split_format(text, default)
    written = _without_controls(release(body), report)
    if style == "markdown":
        return written.strip()
    if style == "html" or (style == "moodle" and _LOOKS_LIKE_HTML.search(written)):
        return _from_html(written, report)
    return escape_markdown(written.strip())


def escape_markdown(text: str) -> str:
    """``text`` as Markdown that shows exactly it."""
    inline = _INLINE.sub(lambda found: f"\\{found.group()}", text)
    return _LINE_START.sub(_escape_line_start, inline)


def _escape_line_start(found: re.Match[str]) -> str:
    mark = found[2]
    return f"{found[1]}{mark[:-1]}\\{mark[-1]}"


def _without_controls(text: str, report: Report) -> str:
    if bad_character(text) is None:
        return text
    report(Problem("gift.control_character_dropped"))
    return "".join(char for char in text if bad_character(char) is None)


def _from_html(text: str, report: Report) -> str:
    reader = _HtmlReader(report)
    reader.feed(text)
    reader.close()
    return reader.markdown()


_WRAPPED: Final = {"b": "**", "strong": "**", "i": "*", "em": "*", "code": "`", "tt": "`", "kbd": "`"}
_PARAGRAPHS: Final = frozenset(
    {"p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "table", "tr", "blockquote"}
)
_TRANSPARENT: Final = frozenset({"span", "font", "u", "small", "big", "body", "html", "td", "th", "tbody", "thead"})
_SILENT: Final = frozenset({"script", "style", "title", "head", "template", "iframe", "object", "svg", "math"})


class _HtmlReader(HTMLParser):
    """Turns the few tags that question texts use into Markdown; drops the others and says so once for each."""

    def __init__(self, report: Report) -> None:
        super().__init__(convert_charrefs=True)
        self._report = report
        self._pieces: list[str] = []
        self._silent: list[str] = []
        self._code = 0
        self._lists: list[str] = []
        self._reported: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SILENT:
            self._silent.append(tag)
            self._say(tag)
        elif tag in _WRAPPED:
            self._code += tag in ("code", "tt", "kbd")
            self._pieces.append(_WRAPPED[tag])
        elif tag == "br":
            self._pieces.append("\n")
        elif tag == "li":
            self._pieces.append("\n1. " if self._lists and self._lists[-1] == "ol" else "\n- ")
        elif tag in _PARAGRAPHS:
            self._pieces.append("\n\n")
            if tag in ("ul", "ol"):
                self._lists.append(tag)
        elif tag == "img":
            self._report(Problem("gift.image_dropped"))
            self._pieces.append(escape_markdown(dict(attrs).get("alt") or ""))
        elif tag == "a":
            self._report(Problem("gift.link_dropped"))
        elif tag not in _TRANSPARENT:
            self._say(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._silent:
            del self._silent[self._silent.index(tag) :]
        elif tag in _WRAPPED:
            self._code = max(0, self._code - (tag in ("code", "tt", "kbd")))
            self._pieces.append(_WRAPPED[tag])
        elif tag in _PARAGRAPHS:
            self._pieces.append("\n\n")
            if tag in ("ul", "ol") and self._lists:
                self._lists.pop()

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self._pieces.append(data if self._code else escape_markdown(data))

    def _say(self, tag: str) -> None:
        if tag not in self._reported:
            self._reported.add(tag)
            self._report(Problem("gift.markup_dropped", {"tag": tag[:40]}))

    def markdown(self) -> str:
        return re.sub(r"\n{3,}", "\n\n", "".join(self._pieces)).strip()
