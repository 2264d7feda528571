"""Patches as the API server applies them and `kubectl apply` makes them: pure functions from mappings to a new mapping.

Three ways to change an object: a JSON merge patch (RFC 7386), a strategic merge patch, and apply, which merges three
versions: what was applied last, what is applied now, and what there is. Which lists merge, and how, stands in
`merging`. Kinds that are not built in have no such rules, as with kubectl: they get JSON merge patches.

Source: apimachinery `pkg/util/strategicpatch` and `pkg/util/jsonmergepatch`, kubectl `pkg/cmd/apply`.
"""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from simulator.engine.objects.golang import to_json
from simulator.engine.objects.merging import PLAIN, Fields, Merging, fields_of
from simulator.engine.objects.values import copied

LAST_APPLIED: Final = "kubectl.kubernetes.io/last-applied-configuration"

_DIRECTIVE: Final = "$patch"
_RETAIN_KEYS: Final = "$retainKeys"
_ORDER: Final = "$setElementOrder/"
_DELETE_VALUES: Final = "$deleteFromPrimitiveList/"
_DELETE: Final = "delete"
_REPLACE: Final = "replace"


class PatchError(ValueError):
    """A patch that cannot be applied. `code` is `patch.no_merge_key` (params: key), `patch.directive` (params:
    directive) or `patch.wrong_type` (params: field)."""

    def __init__(self, code: str, **params: str) -> None:
        super().__init__(f"{code} {params}")
        self.code = code
        self.params = params


class Result(StrEnum):
    """What an apply did, in kubectl's words."""

    CREATED = "created"
    CONFIGURED = "configured"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Applied:
    """The object to store, and how it differs from what there was."""

    result: Result
    object: dict[str, Any]


def apply(current: Mapping[str, Any] | None, manifest: Mapping[str, Any]) -> Applied:
    """Apply a manifest as `kubectl apply` does; `current` is the stored object, None if there is none.

    The manifest is remembered in the annotation LAST_APPLIED, from which the next apply sees what was taken out.
    Raises PatchError.
    """
    modified = _with_last_applied(manifest)
    if current is None:
        return Applied(Result.CREATED, modified)
    merged = three_way_merge(_last_applied(current), modified, current)
    return Applied(Result.UNCHANGED if same(merged, current) else Result.CONFIGURED, merged)


def three_way_merge(
    original: Mapping[str, Any], modified: Mapping[str, Any], current: Mapping[str, Any]
) -> dict[str, Any]:
    """Return `current` with what `modified` says, and without what `original` said and `modified` no longer does.

    What only `current` has (defaults, status, another's fields) stays. Raises PatchError.
    """
    merged: dict[str, Any] = copied(_three_way_map(original, modified, current, fields_of(modified)))
    return merged


def strategic_merge_patch(target: Mapping[str, Any], patch: Mapping[str, Any]) -> dict[str, Any]:
    """Return the object a strategic merge patch makes of `target`; directives `$patch`, `$retainKeys`,
    `$setElementOrder/…` and `$deleteFromPrimitiveList/…` are read. The kind is the target's. Raises PatchError."""
    merged: dict[str, Any] = copied(_merge_map(target, patch, fields_of(target)))
    return merged


def json_merge_patch(target: Any, patch: Any) -> Any:
    """Return what a JSON merge patch (RFC 7386) makes of a value."""
    return copied(_json_merge(target, patch))


def same(one: Any, other: Any) -> bool:
    """Tell whether two JSON values are equal; unlike in Python, true is not 1."""
    if isinstance(one, Mapping):
        return isinstance(other, Mapping) and one.keys() == other.keys() and all(same(one[k], other[k]) for k in one)
    if isinstance(one, list | tuple):
        return isinstance(other, list | tuple) and len(one) == len(other) and all(map(same, one, other))
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


def _with_last_applied(manifest: Mapping[str, Any]) -> dict[str, Any]:
    modified: dict[str, Any] = copied(dict(manifest))
    metadata = modified["metadata"] = modified.get("metadata") or {}
    annotations = metadata["annotations"] = metadata.get("annotations") or {}
    annotations.pop(LAST_APPLIED, None)
    annotations[LAST_APPLIED] = to_json(modified, sort_keys=True) + "\n"
    return modified


def _last_applied(current: Mapping[str, Any]) -> Mapping[str, Any]:
    annotations = (current.get("metadata") or {}).get("annotations") or {}
    try:
        original = json.loads(annotations.get(LAST_APPLIED, "{}"))
    except (TypeError, ValueError, RecursionError):
        return {}
    return original if isinstance(original, dict) else {}


def _json_merge(target: Any, patch: Any) -> Any:
    if not isinstance(patch, Mapping):
        return _without_nulls(patch)
    merged = dict(target) if isinstance(target, Mapping) else {}
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = _json_merge(merged.get(key), value)
    return merged


def _without_nulls(value: Any) -> Any:
    """Return a value without null members: beyond the RFC, the API server's library takes them out of lists too."""
    if isinstance(value, Mapping):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value


def _three_way_map(
    original: Mapping[str, Any], modified: Mapping[str, Any], current: Mapping[str, Any], fields: Fields
) -> dict[str, Any]:
    merged = dict(current)
    for key, value in modified.items():
        if value is None:
            merged.pop(key, None)
        elif current.get(key) is None:
            merged[key] = value
        else:
            merged[key] = _three_way(original.get(key), value, current[key], fields.get(key, PLAIN))
    for key in original:
        if key not in modified:
            merged.pop(key, None)
    return merged


def _three_way(original: Any, modified: Any, current: Any, merging: Merging) -> Any:
    if isinstance(modified, Mapping) and isinstance(current, Mapping):
        if merging.replaces:
            return modified
        members = original if isinstance(original, Mapping) else {}
        merged = _three_way_map(members, modified, current, merging.fields)
        return {key: value for key, value in merged.items() if key in modified} if merging.retains else merged
    if isinstance(modified, list) and isinstance(current, list) and (merging.key or merging.as_set):
        items = original if isinstance(original, list) else []
        return _three_way_list(items, modified, current, merging)
    return modified


def _three_way_list(
    original: Sequence[Any], modified: Sequence[Any], current: Sequence[Any], merging: Merging
) -> list[Any]:
    before, wanted, there = (_named(items, merging) for items in (original, modified, current))
    of_item = Merging(merging.fields, retains=merging.retains)
    merged = {
        name: _three_way(before.get(name), item, there[name], of_item) if merging.key and name in there else item
        for name, item in wanted.items()
    }
    kept = {name: item for name, item in there.items() if name not in wanted and name not in before}
    return _interleaved(merged, kept, list(there))


def _merge_map(target: Mapping[str, Any], patch: Mapping[str, Any], fields: Fields) -> dict[str, Any]:
    directive = patch.get(_DIRECTIVE)
    if directive == _REPLACE:
        return {key: value for key, value in patch.items() if key != _DIRECTIVE}
    if directive == _DELETE:
        return {}
    if directive is not None:
        raise PatchError("patch.directive", directive=f"{_DIRECTIVE}: {directive}")
    merged = _with_retained_keys(target, patch)
    for key, value in patch.items():
        if key.startswith(_DELETE_VALUES):
            _delete_values(merged, key.removeprefix(_DELETE_VALUES), value)
    for key, value in patch.items():
        if key.startswith((_ORDER, _DELETE_VALUES)) or key == _RETAIN_KEYS:
            continue
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = _merge_value(merged.get(key), value, fields.get(key, PLAIN))
    for key, value in patch.items():
        if key.startswith(_ORDER):
            _set_order(merged, target, key.removeprefix(_ORDER), value, fields)
    return merged


def _merge_value(target: Any, patch: Any, merging: Merging) -> Any:
    if isinstance(target, Mapping) and isinstance(patch, Mapping):
        return patch if merging.replaces else _merge_map(target, patch, merging.fields)
    if isinstance(target, list) and isinstance(patch, list):
        if merging.key:
            return _merge_list(target, patch, merging)
        if merging.as_set:
            wanted = _named(patch, merging)
            there = _named(target, merging)
            return _interleaved(wanted, {name: there[name] for name in there if name not in wanted}, list(there))
        return patch
    return _without_directives(patch)


def _merge_list(target: Sequence[Any], patch: Sequence[Any], merging: Merging) -> list[Any]:
    commands = [item for item in patch if isinstance(item, Mapping) and _DIRECTIVE in item]
    items = [item for item in patch if not (isinstance(item, Mapping) and _DIRECTIVE in item)]
    for command in commands:
        if command[_DIRECTIVE] not in (_DELETE, _REPLACE):
            raise PatchError("patch.directive", directive=f"{_DIRECTIVE}: {command[_DIRECTIVE]}")
    if any(command[_DIRECTIVE] == _REPLACE for command in commands):
        return items
    gone = {_name(command, merging) for command in commands}
    there = _named((item for item in target if _name(item, merging) not in gone), merging)
    merged = {
        name: _merge_map(there[name], item, merging.fields) if name in there else _without_directives(item)
        for name, item in _named(items, merging).items()
    }
    return _interleaved(merged, {name: item for name, item in there.items() if name not in merged}, list(there))


def _with_retained_keys(target: Mapping[str, Any], patch: Mapping[str, Any]) -> dict[str, Any]:
    if _RETAIN_KEYS not in patch:
        return dict(target)
    retained = _values(patch[_RETAIN_KEYS], _RETAIN_KEYS)
    for key, value in patch.items():
        if value is not None and not key.startswith("$") and key not in retained:
            raise PatchError("patch.directive", directive=_RETAIN_KEYS)
    return {key: value for key, value in target.items() if key in retained}


def _set_order(merged: dict[str, Any], target: Mapping[str, Any], key: str, order: Any, fields: Fields) -> None:
    """Sort a merged list: what `order` names in that order, what only the target had where it was among those."""
    merging = fields.get(key, PLAIN)
    if not isinstance(merged.get(key), list) or not (merging.key or merging.as_set):
        return
    items = _named(merged[key], merging)
    wanted = _named(_listed(order, _ORDER + key), merging)
    there = _named(_listed(target.get(key, []), key), merging)
    named = {name: items[name] for name in wanted if name in items}
    merged[key] = _interleaved(named, {name: items[name] for name in items if name not in wanted}, list(there))


def _delete_values(merged: dict[str, Any], key: str, values: Any) -> None:
    if isinstance(merged.get(key), list):
        gone = _values(values, _DELETE_VALUES + key)
        merged[key] = [item for item in merged[key] if item not in gone]


def _without_directives(value: Any) -> Any:
    """Return a value that is new to the target: without directives, null members and items to delete."""
    if isinstance(value, Mapping):
        members = ((key, item) for key, item in value.items() if item is not None and not _is_directive(key))
        return {key: _without_directives(item) for key, item in members}
    if isinstance(value, list):
        kept = (item for item in value if not (isinstance(item, Mapping) and item.get(_DIRECTIVE) == _DELETE))
        return [_without_directives(item) for item in kept]
    return value


def _is_directive(key: str) -> bool:
    return key in (_DIRECTIVE, _RETAIN_KEYS) or key.startswith((_ORDER, _DELETE_VALUES))


def _listed(value: Any, field_name: str) -> list[Any]:
    if not isinstance(value, list):
        raise PatchError("patch.wrong_type", field=field_name)
    return value


def _values(value: Any, field_name: str) -> set[Any]:
    return {_name(item, PLAIN) for item in _listed(value, field_name)}


def _name(item: Any, merging: Merging) -> Any:
    """Return what tells an item from its neighbours: the member it merges by, or the value itself."""
    if not merging.key:
        name = item
    elif isinstance(item, Mapping) and merging.key in item:
        name = item[merging.key]
    else:
        raise PatchError("patch.no_merge_key", key=merging.key)
    if isinstance(name, Mapping | list):
        raise PatchError("patch.wrong_type", field=merging.key)
    return name


def _named(items: Iterable[Any], merging: Merging) -> dict[tuple[Any, int], Any]:
    """Return items by (name, how many of that name came before): ports 53/TCP and 53/UDP are two items of one name.

    In a set a value counts once.
    """
    named: dict[tuple[Any, int], Any] = {}
    seen: Counter[Any] = Counter()
    for item in items:
        name = _name(item, merging)
        named[name, seen[name]] = item
        seen[name] += not merging.as_set
    return named


def _interleaved(changed: Mapping[Any, Any], kept: Mapping[Any, Any], order: Sequence[Any]) -> list[Any]:
    """Return the items of a change in their order, with the target's other items (in theirs) put in between.

    `order` is the target's. An item that is new stands in front of what is left of the others.
    """
    place = {name: index for index, name in enumerate(order)}
    front, rest = deque(changed), deque(kept)
    merged = []
    while front and rest:
        if place[rest[0]] < place.get(front[0], -1):
            merged.append(kept[rest.popleft()])
        else:
            merged.append(changed[front.popleft()])
    return merged + [changed[name] for name in front] + [kept[name] for name in rest]
