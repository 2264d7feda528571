"""Objects to YAML as kubectl prints it: block style, keys by name, text quoted where another type could be read.

`apiVersion`, `kind`, `metadata`, `spec`, `status` come in that order because kubectl sorts all keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from math import isfinite
from typing import Any, Final

import yaml
from yaml.events import (
    DocumentEndEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
    StreamStartEvent,
)

from simulator.manifests.scalars import NotJsonError, resolve

_NEVER_FOLD: Final = 2**31 - 1

_READ_OTHERWISE_ELSEWHERE: Final = re.compile(
    r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?"  # 1:30 is 90 to readers of YAML 1.1
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*"  # a date
    r"|<<"  # as a key: merge
)
_OPEN_END: Final = "...\n"
"""What libyaml puts after a text that ends with empty lines; the separator that follows says as much."""

_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def write(objects: Iterable[Mapping[str, Any]], *, sort_keys: bool = True) -> str:
    """Return one YAML document per object, with `---` between them; reading it gives equal objects.

    Values are those of JSON; keys are text. Raises TypeError for anything else and ValueError for infinity and
    "not a number". Without `sort_keys` mappings keep their order.
    """
    return "---\n".join(_dump(manifest, sort_keys) for manifest in objects)


def _dump(manifest: Mapping[str, Any], sort_keys: bool) -> str:
    events = _document(manifest, sort_keys)
    text = yaml.emit(events, Dumper=yaml.CSafeDumper, width=_NEVER_FOLD, allow_unicode=True)
    return str(text).removesuffix(_OPEN_END)


def _document(manifest: Mapping[str, Any], sort_keys: bool) -> Iterator[Event]:
    yield StreamStartEvent()
    yield DocumentStartEvent(explicit=False)
    yield from _events(manifest, sort_keys)
    yield DocumentEndEvent(explicit=False)
    yield StreamEndEvent()


def _events(value: Any, sort_keys: bool) -> Iterator[Event]:
    if isinstance(value, Mapping):
        yield MappingStartEvent(None, None, True, flow_style=False)
        for key in sorted(value) if sort_keys else value:
            if not isinstance(key, str):
                raise TypeError(f"a key must be text, not {type(key).__name__}")
            yield _text(key)
            yield from _events(value[key], sort_keys)
        yield MappingEndEvent()
    elif isinstance(value, list | tuple):
        yield SequenceStartEvent(None, None, True, flow_style=False)
        for item in value:
            yield from _events(item, sort_keys)
        yield SequenceEndEvent()
    elif isinstance(value, str):
        yield _text(value)
    else:
        yield ScalarEvent(None, None, (True, False), _word(value))


def _word(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if not isinstance(value, float):
        raise TypeError(f"{type(value).__name__} is no type of JSON")
    if not isfinite(value):
        raise ValueError(f"{value} is no number of JSON")
    return repr(value)


def _text(text: str) -> ScalarEvent:
    if "\n" in text:
        style = '"' if text[0] in " \n\t" or _CONTROL.search(text) else "|"
    else:
        style = '"' if _needs_quotes(text) or _CONTROL.search(text) else ""
    return ScalarEvent(None, None, (not style, True), text, style=style or None)


def _needs_quotes(text: str) -> bool:
    if _READ_OTHERWISE_ELSEWHERE.fullmatch(text):
        return True
    try:
        return not isinstance(resolve(text), str)
    except NotJsonError:
        return True
