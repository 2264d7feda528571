"""From a template in both languages and its parameters to a sentence in one.

A sentence comes from a code and its parameters. Both languages stand side by side in `tables`; each uses the parameters
it needs, in its own order: `Both("{pod} 要 {asked:amount}", "{pod} asks for {asked:amount}")`. What may stand behind the
colon is in `formats`.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.utils.translation import get_language

from simulator.presenters.sentences import formats
from simulator.presenters.sentences.both import EN, ZH, Both
from simulator.presenters.sentences.formats import Context


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a sentence. `kind` says what it is, so that a page can show it as such: "" for plain words, node, pod,
    plugin, number, time or kube; `ref` is the thing's own name where the text is shorter."""

    text: str
    kind: str = ""
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Sentence:
    """`text` for people; `kube` is what Kubernetes itself says about the same, "" where it says nothing."""

    text: str
    kube: str = ""
    parts: tuple[Part, ...] = ()

    def __str__(self) -> str:
        return self.text


def current_language() -> str:
    """The language of the page that is being made."""
    return ZH if (get_language() or ZH).lower().startswith("zh") else EN


def say(both: Both, params: Mapping[str, Any], *, kube: str = "", start: int = 0, language: str = "") -> Sentence:
    """The sentence with its parameters filled in. `start` is the virtual clock's zero, for parameters that are times."""
    language = language or current_language()
    context = Context(params, start, language, tell=_tell)
    parts = [part for piece in _pieces(both.template(language)) if (part := _part(piece, context)).text]
    parts = _spaced(parts) if language == ZH else parts
    return Sentence("".join(part.text for part in parts), kube, tuple(parts))


def _tell(both: Both, params: Mapping[str, Any], context: Context) -> str:
    """A piece within a piece, for formats."""
    return say(both, params, start=context.start, language=context.language).text


def joined(sentences: Iterable[Sentence], *, opening: Sentence | None = None, kube: str = "") -> Sentence:
    """Several sentences as one, `a; b`, after an opening that goes with all of them."""
    parts: list[Part] = list(opening.parts) if opening is not None else []
    first = True
    for sentence in sentences:
        if not first:
            parts.append(Part("；" if current_language() == ZH else "; "))
        parts.extend(sentence.parts)
        first = False
    return Sentence("".join(part.text for part in parts), kube, tuple(parts))


@lru_cache(maxsize=4096)
def _pieces(template: str) -> tuple[tuple[str, str, str], ...]:
    """(words, parameter, format) of a template, words or parameter being empty."""
    found: list[tuple[str, str, str]] = []
    for words, name, spec, _ in string.Formatter().parse(template):
        if words:
            found.append((words, "", ""))
        if name is not None:
            found.append(("", name, spec or ""))
    return tuple(found)


def parameters(template: str) -> set[str]:
    """Names of the parameters that a template uses."""
    return {name for _, name, _ in _pieces(template) if name}


def _part(piece: tuple[str, str, str], context: Context) -> Part:
    words, name, spec = piece
    if words:
        return Part(words)
    text, kind, ref = formats.shown(name, spec, context)
    return Part(text, kind, ref)


# Chinese: a space between Chinese and Latin letters or digits, none between Chinese and Chinese

_CJK = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[A-Za-z0-9]")


def _spaced(parts: Iterable[Part]) -> list[Part]:
    found: list[Part] = []
    for part in parts:
        text = part.text
        if found and text:
            before, text = _joint(found[-1], text, plain=not part.kind)
            found[-1] = before
        found.append(Part(text, part.kind, part.ref))
    return [part for part in found if part.text]


def _joint(left: Part, text: str, *, plain: bool) -> tuple[Part, str]:
    """The end of one part and the beginning of the next, with or without a space between them as it should be."""
    end, begin = left.text.rstrip(" ")[-1:], text.lstrip(" ")[:1]
    has_space = left.text.endswith(" ") or text.startswith(" ")
    if _CJK.match(end) and _CJK.match(begin) and has_space:
        shorter = left if left.kind else Part(left.text.rstrip(" "), left.kind, left.ref)
        return shorter, text.lstrip(" ") if plain else text
    mixed = (_CJK.match(end) and _LATIN.match(begin)) or (_LATIN.match(end) and _CJK.match(begin))
    if not mixed or has_space:
        return left, text
    return (left, f" {text}") if plain else (Part(f"{left.text} ", left.kind, left.ref), text)
