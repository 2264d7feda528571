"""What differs between two texts of a scenario, to be read by people."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from simulator.manifests.bundle_editing import Identity, identity
from simulator.manifests.editing import same
from simulator.manifests.scenario_text import read_scenario
from simulator.manifests.writer import write
from simulator.presenters.authoring.places import place_name

Difference = tuple[str, str, str]
CONTEXT = 1  # lines around a change
MOST_LINES = 60


def scenario_differences(before: str, after: str) -> list[Difference]:
    """(what, before, after): field by field of the front matter, then object by object."""
    old, new = read_scenario(before).value, read_scenario(after).value
    if old is None or new is None:
        return [(_("The text"), "", "")] if before != after else []
    found = list(value_differences((), old.get("spec"), new.get("spec")))
    return [*found, *_objects(old["objects"], new["objects"])]


def value_differences(path: tuple[str, ...], old: Any, new: Any) -> Iterator[Difference]:
    """Where two plain values differ, with the way there."""
    if same(old, new):
        return
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in [*old, *(key for key in new if key not in old)]:
            yield from value_differences((*path, str(key)), old.get(key), new.get(key))
    elif isinstance(old, list) and isinstance(new, list) and path and path[-1] != "solution":
        for index in range(max(len(old), len(new))):
            one = old[index] if index < len(old) else None
            other = new[index] if index < len(new) else None
            yield from value_differences((*path, str(index + 1)), one, other)
    else:
        yield place_name(("spec", *path)), _shown(old), _shown(new)


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, Mapping | list):
        text = write([{"x": value}], sort_keys=False).partition("\n")[2]
        return "\n".join(line.removeprefix("  ") for line in text.rstrip().split("\n"))
    return str(value)


def _objects(old: list[Any], new: list[Any]) -> Iterator[Difference]:
    then, now = _keyed(old), _keyed(new)
    for key, manifest in then.items():
        if key not in now:
            yield _named(key), write([manifest]).rstrip(), ""
        elif not same(manifest, now[key]):
            yield _named(key), *_changed_lines(manifest, now[key])
    for key, manifest in now.items():
        if key not in then:
            yield _named(key), "", write([manifest]).rstrip()


def _keyed(objects: list[Any]) -> dict[Identity, Mapping[str, Any]]:
    return {identity(manifest): manifest for manifest in objects}


def _named(key: Identity) -> str:
    kind, namespace, name = key
    return f"{kind} {name}" if namespace == "default" else f"{kind} {namespace}/{name}"


def _changed_lines(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[str, str]:
    """The lines in which two manifests differ, on either side."""
    one, other = write([old]).splitlines(), write([new]).splitlines()
    left: list[str] = []
    right: list[str] = []
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if tag != "equal":
            left += [*one[max(0, i1 - CONTEXT) : i2]]
            right += [*other[max(0, j1 - CONTEXT) : j2]]
    return "\n".join(left[:MOST_LINES]), "\n".join(right[:MOST_LINES])
