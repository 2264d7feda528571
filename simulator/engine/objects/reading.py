"""From a manifest to a decoded, defaulted object: the first half of the API server's way.

Equal parts (the spec of Pods from one template) are read once and shared: nobody may change an object that was read.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

from simulator.engine.objects.decode import (
    DECODE_ERROR,
    Decoded,
    check_size,
    decode,
    key_text,
    literal,
    strict_path,
    unknown_fields_error,
)
from simulator.engine.objects.defaults import default_node_status, default_object, default_pod_status
from simulator.engine.objects.defaults_pod import default_pod_spec
from simulator.engine.objects.errors import FieldError, plain_error
from simulator.engine.objects.golang import to_json
from simulator.engine.objects.paths import ROOT, Key
from simulator.engine.objects.scheme import KINDS, Kind

_SHOWN: Final = 200
_KEY_MAX: Final = 16 * 1024
_TYPE_META: Final = ("apiVersion", "kind")

Value = TypeVar("Value")


class Memory(Generic[Value]):
    """A bounded cache that forgets the oldest entry."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._found: dict[Hashable, Value] = {}

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        found = self._found.get(key)
        if found is None:
            found = make()
            if len(self._found) >= self._size:
                del self._found[next(iter(self._found))]
            self._found[key] = found
        return found


@dataclass
class Section:
    """A top-level field of a manifest, decoded and, for the kinds that come in thousands, defaulted."""

    decoded: Decoded
    key: bytes | None
    """Equal for equal content; None where the content cannot be keyed."""


@dataclass
class Read:
    """A manifest that could be decoded."""

    kind: Kind
    manifest: dict[str, Any]
    keys: dict[str, bytes | None] = field(default_factory=dict)


@dataclass(frozen=True)
class Unreadable:
    """A manifest that could not, with what is known of it."""

    error: FieldError
    kind: str = ""
    api_version: str = ""
    namespace: str = ""
    name: str = ""


_SECTION_DEFAULTS: Final[dict[tuple[str, str], Callable[[dict[str, Any]], None]]] = {
    ("Pod", "spec"): default_pod_spec,
    ("Pod", "status"): default_pod_status,
    ("Node", "status"): default_node_status,
}


class Reader:
    """Reads manifests; keeps what it read for equal parts to come."""

    def __init__(
        self, gates: frozenset[str], after_default: Callable[[str, str, dict[str, Any]], dict[str, Any]]
    ) -> None:
        """`after_default(kind, field, value)` may replace a shared section once, after it was defaulted."""
        self._gates = gates
        self._after_default = after_default
        self._sections: Memory[Section] = Memory(4096)

    def read(self, manifest: object) -> Read | Unreadable:
        """Decode and default a manifest; never raises."""
        problem = check_size(manifest)
        if problem is not None:
            return Unreadable(problem)
        kind = self.kind_of(manifest)
        if isinstance(kind, Unreadable):
            return kind
        assert isinstance(manifest, dict)
        read = self._decode(manifest, kind)
        if isinstance(read, FieldError):
            namespace, name = _place(manifest)
            return Unreadable(read, kind.kind, kind.api_version, namespace, name)
        self._default_parts(read)
        if (kind.kind, "spec") not in _SECTION_DEFAULTS:
            default_object(kind.kind, read.manifest)
        return read

    def kind_of(self, manifest: object) -> Kind | Unreadable:
        """Find the kind a manifest names."""
        if manifest is None:
            return Unreadable(plain_error(DECODE_ERROR, "decode.kind_missing", body="null"))
        if not isinstance(manifest, dict):
            return Unreadable(plain_error(DECODE_ERROR, "decode.no_object", value=literal(manifest)))
        names: dict[str, str] = {}
        for field_name in _TYPE_META:
            value = manifest.get(field_name)
            if value is not None and not isinstance(value, str):
                code, shown = "decode.bad_type_meta", literal(value)
                path = ROOT.child(field_name)
                return Unreadable(plain_error(DECODE_ERROR, code, path, value=shown, name=field_name))
            names[field_name] = value or ""
        version, name = names["apiVersion"], names["kind"]
        if not name or not version:
            code = "decode.version_missing" if name else "decode.kind_missing"
            return Unreadable(plain_error(DECODE_ERROR, code, body=_body(manifest)), name, version)
        kind = KINDS.get((version, name))
        if kind is None or (kind.gate and kind.gate not in self._gates):
            path = ROOT.child("kind" if any(known == version for known, _ in KINDS) else "apiVersion")
            error = plain_error(DECODE_ERROR, "decode.unknown_kind", path, kind=name, version=version)
            return Unreadable(error, name, version, *_place(manifest))
        return kind

    def _decode(self, manifest: dict[Any, Any], kind: Kind) -> Read | FieldError:
        read = Read(kind, {"apiVersion": kind.api_version, "kind": kind.kind})
        unknown: list[tuple[str, tuple[Key, ...]]] = []
        mismatch: FieldError | None = None
        for key, value in manifest.items():
            name = key_text(key)
            if name is None:
                return plain_error(DECODE_ERROR, "decode.unsupported", type=type(key).__name__)
            if name in _TYPE_META:
                continue
            if name not in kind.struct.fields:
                unknown.append((strict_path((name,)), (name,)))
                continue
            section = self._section(kind, name, value)
            if section.decoded.abort is not None:
                return section.decoded.abort
            mismatch = mismatch or section.decoded.mismatch
            unknown.extend(section.decoded.unknown)
            if section.decoded.value is not None:
                read.manifest[name] = section.decoded.value
                read.keys[name] = section.key
        if mismatch is not None:
            return mismatch
        return unknown_fields_error(unknown) if unknown else read

    def _default_parts(self, read: Read) -> None:
        metadata = read.manifest.setdefault("metadata", {})
        if read.kind.namespaced and not metadata.get("namespace"):
            metadata["namespace"] = "default"
        if "spec" in read.kind.struct.fields and "spec" not in read.manifest:
            section = self._section(read.kind, "spec", {})
            read.manifest["spec"], read.keys["spec"] = section.decoded.value, section.key

    def _section(self, kind: Kind, name: str, value: object) -> Section:
        if (kind.kind, name) not in _SECTION_DEFAULTS:
            return Section(decode(value, kind.struct.fields[name], kind.struct.name, name), None)
        key = content_key(value)
        if key is None:
            return self._make_section(kind, name, value, None)
        return self._sections.get((kind.kind, name, key), lambda: self._make_section(kind, name, value, key))

    def _make_section(self, kind: Kind, name: str, value: object, key: bytes | None) -> Section:
        decoded = decode(value, kind.struct.fields[name], kind.struct.name, name)
        if decoded.abort is None and decoded.mismatch is None and decoded.value is not None:
            _SECTION_DEFAULTS[kind.kind, name](decoded.value)
            decoded.value = self._after_default(kind.kind, name, decoded.value)
        return Section(decoded, key)


def content_key(value: Any) -> bytes | None:
    """Return bytes that are equal for equal content; None where there are none (or too many)."""
    try:
        key = marshal.dumps(value, 2)
    except ValueError:
        return None
    return key if len(key) <= _KEY_MAX else None


def _place(manifest: dict[Any, Any]) -> tuple[str, str]:
    """Return (namespace, name) as far as they can be told."""
    metadata = manifest.get("metadata")
    if not isinstance(metadata, dict):
        return "", ""
    namespace, name = (metadata.get(key) for key in ("namespace", "name"))
    return (namespace if isinstance(namespace, str) else ""), (name if isinstance(name, str) else "")


def _body(manifest: dict[Any, Any]) -> str:
    try:
        shown = to_json(manifest)
    except (TypeError, ValueError, RecursionError):
        return "..."
    return shown if len(shown) <= _SHOWN else shown[:_SHOWN] + "..."
