"""Strict decoding of a manifest by the tables of `schema`, with the texts of Go's JSON decoder.

As in the API server: a value that reads itself (quantity, time, int-or-string) and fails ends decoding at once; else
the first wrong type is told; unknown fields are told only when all types are right.

Source: sigs.k8s.io/json (strict), apimachinery `resource`, `intstr`, `metav1.Time`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from math import isfinite
from typing import Any, Final

from simulator.engine.objects.errors import FieldError, plain_error
from simulator.engine.objects.golang import TimeError, parse_time, quote
from simulator.engine.objects.paths import FieldPath, Key
from simulator.engine.objects.quantity import (
    FORMAT_WRONG,
    NUMERIC_WRONG,
    SUFFIX_WRONG,
    Quantity,
    QuantityError,
    number_text,
)
from simulator.engine.objects.schema.types import ListOf, MapOf, Scalar, Special, Struct, Type

DECODE_ERROR: Final = "DecodeError"

_UNKNOWN_KEPT: Final = 100
_DEPTH_MAX: Final = 64
_SIZE_MAX: Final = 3 * 1024 * 1024
_VALUES_MAX: Final = 250_000
_UNSET: Final = object()


class _Abort(Exception):
    def __init__(self, error: FieldError) -> None:
        super().__init__(error)
        self.error = error


@dataclass
class Decoded:
    """A part of an object, decoded: the normalised value, or why there is none."""

    value: Any = None
    abort: FieldError | None = None
    mismatch: FieldError | None = None
    unknown: list[tuple[str, tuple[Key, ...]]] = field(default_factory=list)


def check_size(value: object) -> FieldError | None:
    """Measure a value before anything else looks at it: aliases and nesting may hide millions of values."""
    size = values = 0
    level: list[object] = [value]
    for depth in count():
        deeper: list[object] = []
        for each in level:
            if isinstance(each, str):
                size += len(each)
            elif isinstance(each, (dict, list, tuple)):
                if depth >= _DEPTH_MAX:
                    return plain_error(DECODE_ERROR, "decode.too_deep")
                values += len(each)
                deeper.extend(each)
                if isinstance(each, dict):
                    deeper.extend(each.values())
            if size + values > _SIZE_MAX or values > _VALUES_MAX:
                return plain_error(DECODE_ERROR, "decode.too_large", limit=_SIZE_MAX)
        if not deeper:
            break
        level = deeper
    return None


def decode(value: object, type_: Type, owner: str, name: str) -> Decoded:
    """Decode one top-level field (`name`, of the struct `owner`); never raises, never changes `value`."""
    decoder = _Decoder()
    result = Decoded(unknown=decoder.unknown)
    decoder.enter(owner, name)
    try:
        result.value = decoder.decode(value, type_)
    except _Abort as abort:
        result.abort = abort.error
    result.mismatch = decoder.mismatch
    return result


def unknown_fields_error(unknown: list[tuple[str, tuple[Key, ...]]]) -> FieldError:
    """Make the one error that names all unknown fields; its keys are those of the first."""
    kept = unknown[:_UNKNOWN_KEPT]
    fields = ", ".join(f"unknown field {quote(text)}" for text, _ in kept)
    return plain_error(
        DECODE_ERROR,
        "decode.unknown_field",
        FieldPath("", kept[0][1]),
        fields=fields,
        names=tuple(text for text, _ in kept),
        places=tuple(keys for _, keys in kept),
    )


def strict_path(keys: tuple[Key, ...]) -> str:
    """Print the place of an unknown field: `spec.containers[0].gpu`."""
    text = ""
    for key in keys:
        text += f"[{key}]" if isinstance(key, int) else f".{key}" if text else key
    return text


def key_text(key: object) -> str | None:
    """Return a mapping's key as YAML turns it into JSON; None where it cannot."""
    if isinstance(key, str):
        return _clean(key)
    if isinstance(key, bool):
        return "true" if key else "false"
    if isinstance(key, (int, float)):
        return number_text(key) if isinstance(key, int) or isfinite(key) else None
    return "null" if key is None else None


def literal(value: object) -> str:
    """Return what Go calls the value in a type error."""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, str):
        return "string"
    if isinstance(value, (int, float)):
        return "number"
    return "object" if isinstance(value, dict) else "array"


def _clean(text: str) -> str:
    """Replace lone surrogates, as a JSON decoder does."""
    if text.isascii():
        return text if type(text) is str else str(text)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


class _Decoder:
    def __init__(self) -> None:
        self.keys: list[Key] = []
        self.fields: list[str] = []
        self.structs: list[str] = []
        self.mismatch: FieldError | None = None
        self.unknown: list[tuple[str, tuple[Key, ...]]] = []

    def enter(self, struct: str, name: str) -> None:
        self.structs.append(struct)
        self.fields.append(name)
        self.keys.append(name)

    def leave(self) -> None:
        self.structs.pop()
        self.fields.pop()
        self.keys.pop()

    def decode(self, value: object, type_: Type) -> Any:
        """Return the normalised value, or `_UNSET` where nothing is to be stored."""
        if value is None:
            return None
        if isinstance(value, float) and not isfinite(value):
            raise _Abort(self._error("decode.not_finite", value=str(value)))
        if not isinstance(value, (str, bool, int, float, dict, list, tuple)):
            raise _Abort(self._error("decode.unsupported", type=type(value).__name__))
        return _DECODERS[type(type_)](self, value, type_)

    def struct(self, value: object, type_: Struct) -> Any:
        if not isinstance(value, dict):
            return self._wrong(value, type_)
        result: dict[str, Any] = {}
        for key, item in value.items():
            name = self._key(key)
            field_type = type_.fields.get(name)
            if field_type is None:
                self._unknown(name)
                continue
            self.enter(type_.name, name)
            decoded = self.decode(item, field_type)
            self.leave()
            if decoded is not None and decoded is not _UNSET:
                result[name] = decoded
        return result

    def map_of(self, value: object, type_: MapOf) -> Any:
        if not isinstance(value, dict):
            return self._wrong(value, type_)
        result: dict[str, Any] = {}
        for key, item in value.items():
            name = self._key(key)
            self.keys.append(name)
            decoded = self.decode(item, type_.item)
            self.keys.pop()
            result[name] = _zero(type_.item) if decoded is None or decoded is _UNSET else decoded
        return result

    def list_of(self, value: object, type_: ListOf) -> Any:
        if not isinstance(value, (list, tuple)):
            return self._wrong(value, type_)
        result = []
        for index, item in enumerate(value):
            self.keys.append(index)
            decoded = self.decode(item, type_.item)
            self.keys.pop()
            result.append(_zero(type_.item) if decoded is None or decoded is _UNSET else decoded)
        return result

    def scalar(self, value: object, type_: Scalar) -> Any:
        if type_.base == "string":
            return _clean(value) if isinstance(value, str) else self._wrong(value, type_)
        if type_.base == "bool":
            return value if isinstance(value, bool) else self._wrong(value, type_)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return self._wrong(value, type_)
        number = _whole(value, type_.bits)
        if number is None:
            return self._wrong(value, type_, f"number {number_text(value)}")
        return number

    def special(self, value: object, type_: Special) -> Any:
        return _SPECIALS[type_.base](self, value)

    def quantity(self, value: object) -> Any:
        try:
            return str(Quantity.parse(_clean(value) if isinstance(value, str) else value))  # type: ignore[arg-type]
        except QuantityError as error:
            code = _QUANTITY_CODES[str(error)]
            raise _Abort(self._error(code, text=str(error), value=_shown(value))) from None

    def time(self, value: object) -> Any:
        if not isinstance(value, str):
            raise _Abort(self._type_error(literal(value), "string"))
        try:
            return parse_time(_clean(value))
        except TimeError as error:
            raise _Abort(self._error("decode.time", text=str(error), value=value)) from None

    def int_or_string(self, value: object) -> Any:
        if isinstance(value, str):
            return _clean(value)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise _Abort(self._type_error(literal(value), "int32"))
        number = _whole(value, 32)
        if number is None:
            raise _Abort(self._type_error(f"number {number_text(value)}", "int32"))
        return number

    def anything(self, value: object) -> Any:
        """Copy what nobody reads; its depth was measured before."""
        if isinstance(value, dict):
            return {self._key(key): self.anything(item) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.anything(item) for item in value]
        if isinstance(value, float) and not isfinite(value):
            raise _Abort(self._error("decode.not_finite", value=str(value)))
        if value is None or isinstance(value, (bool, int, float)):
            return value
        if isinstance(value, str):
            return _clean(value)
        raise _Abort(self._error("decode.unsupported", type=type(value).__name__))

    def _key(self, key: object) -> str:
        name = key_text(key)
        if name is None:
            raise _Abort(self._error("decode.unsupported", type=type(key).__name__))
        return name

    def _unknown(self, name: str) -> None:
        if len(self.unknown) <= _UNKNOWN_KEPT:
            keys = (*self.keys, name)
            self.unknown.append((strict_path(keys), keys))

    def _wrong(self, value: object, type_: Type, shown: str = "") -> object:
        if self.mismatch is None:
            self.mismatch = self._type_error(shown or literal(value), type_.go)
        return _UNSET

    def _type_error(self, value: str, go: str) -> FieldError:
        return self._error("decode.type", value=value, struct=self.structs[-1], field=".".join(self.fields), type=go)

    def _error(self, code: str, **params: object) -> FieldError:
        return plain_error(DECODE_ERROR, code, FieldPath("", tuple(self.keys)), **params)


def _whole(value: float, bits: int) -> int | None:
    """Return a number as an integer of so many bits; 1.0 is 1, as YAML's 1.0 is."""
    if isinstance(value, float):
        if not value.is_integer() or abs(value) >= 1e21:
            return None
        value = int(value)
    limit: int = 1 << (bits - 1)
    return value if -limit <= value < limit else None


def _zero(type_: Type) -> Any:
    """Return what Go keeps for null inside a list."""
    if isinstance(type_, Scalar):
        return {"string": "", "bool": False, "int": 0}[type_.base]
    if isinstance(type_, Special):
        return {"Quantity": "0", "IntOrString": 0}.get(type_.base)
    return [] if isinstance(type_, ListOf) else {}


_QUANTITY_CODES: Final = {
    FORMAT_WRONG: "decode.quantity_format",
    NUMERIC_WRONG: "decode.quantity_number",
    SUFFIX_WRONG: "decode.quantity_suffix",
}


def _shown(value: object) -> str:
    if isinstance(value, str):
        return value[:100]
    return number_text(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else literal(value)


_DECODERS: Final[dict[type, Callable[[_Decoder, object, Any], Any]]] = {
    Struct: _Decoder.struct,
    MapOf: _Decoder.map_of,
    ListOf: _Decoder.list_of,
    Scalar: _Decoder.scalar,
    Special: _Decoder.special,
}
_SPECIALS: Final[dict[str, Callable[[_Decoder, object], Any]]] = {
    "Quantity": _Decoder.quantity,
    "Time": _Decoder.time,
    "IntOrString": _Decoder.int_or_string,
    "Any": _Decoder.anything,
}
