"""Reading what extenders answer: JSON decoded into kube's types, with the words of Go's decoder where it does not fit.

Source: kube-scheduler 1.36 `extender/v1/types.go`. Field names are found whatever the case of their letters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_INT64 = 1 << 63


class ExtenderError(Exception):
    """A call that failed; the text is kube's."""


def field_of(item: Mapping[str, Any], name: str) -> Any:
    """A field of a JSON object, None where it has none."""
    if name in item:
        return item[name]
    return next((value for key, value in item.items() if str(key).lower() == name.lower()), None)


def object_of(value: Any, go_type: str) -> Mapping[str, Any]:
    """The reply as a whole; null is the empty object. Raises `ExtenderError`."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise ExtenderError(f"json: cannot unmarshal {_kind(value)} into Go value of type {go_type}")
    return value


def list_of(value: Any, go_type: str) -> Sequence[Any]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise ExtenderError(f"json: cannot unmarshal {_kind(value)} into Go value of type {go_type}")
    return value


def text_field(item: Mapping[str, Any], struct: str, name: str) -> str:
    value = field_of(item, name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _misfit(value, struct, name, "string")
    return value


def number_field(item: Mapping[str, Any], struct: str, name: str) -> int:
    value = field_of(item, name)
    if value is None:
        return 0
    if not isinstance(value, int) or isinstance(value, bool) or not -_INT64 <= value < _INT64:
        raise _misfit(value, struct, name, "int64")
    return value


def texts_field(item: Mapping[str, Any], struct: str, name: str) -> Mapping[str, str]:
    """A field that maps names to texts."""
    value = field_of(item, name)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise _misfit(value, struct, name, "map[string]string")
    for text in value.values():
        if not isinstance(text, str):
            raise _misfit(text, struct, name, "string")
    return value


def names_field(item: Mapping[str, Any], struct: str, name: str) -> list[str] | None:
    """A list of texts, None where the field is absent."""
    value = field_of(item, name)
    if value is None:
        return None
    if not isinstance(value, list):
        raise _misfit(value, struct, name, "[]string")
    for text in value:
        if not isinstance(text, str):
            raise _misfit(text, struct, name, "string")
    return value


def objects_field(item: Mapping[str, Any], struct: str, name: str, go_type: str) -> list[Mapping[str, Any]]:
    """A list of objects; null entries are empty ones."""
    value = field_of(item, name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise _misfit(value, struct, name, f"[]{go_type}")
    return [_object(entry, struct, name, go_type) for entry in value]


def object_field(item: Mapping[str, Any], struct: str, name: str, go_type: str) -> Mapping[str, Any] | None:
    """An object, None where the field is absent."""
    value = field_of(item, name)
    return None if value is None else _object(value, struct, name, go_type)


def _object(value: Any, struct: str, name: str, go_type: str) -> Mapping[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise _misfit(value, struct, name, go_type)
    return value


def _misfit(value: Any, struct: str, name: str, go_type: str) -> ExtenderError:
    kind = _kind(value)
    number = f" {value}" if kind == "number" else ""
    return ExtenderError(
        f"json: cannot unmarshal {kind}{number} into Go struct field {struct}.{name} of type {go_type}"
    )


def _kind(value: Any) -> str:
    """What Go's decoder calls a JSON value."""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int | float):
        return "number"
    return "string" if isinstance(value, str) else "array" if isinstance(value, list) else "object"
