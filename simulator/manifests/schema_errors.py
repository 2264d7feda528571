"""What a JSON Schema finds wrong in a document, as our errors with lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from jsonschema import Draft202012Validator, ValidationError  # type: ignore[import-untyped]  # it has no types

from simulator.manifests.documents import Document
from simulator.manifests.lists import type_name
from simulator.manifests.remarks import ManifestError, Param, Path, shorten

_LIMITS: Final = {
    "minimum": "schema.too_small",
    "maximum": "schema.too_big",
    "minLength": "schema.too_short",
    "minItems": "schema.too_short",
    "minProperties": "schema.too_short",
    "maxLength": "schema.too_long",
    "maxItems": "schema.too_long",
    "maxProperties": "schema.too_long",
}


def schema_errors(document: Document, schema: Mapping[str, Any]) -> list[ManifestError]:
    """Return every error in the order of the text; an unknown field is pointed at by its key."""
    found: dict[tuple[str, Path], ManifestError] = {}
    for problem in Draft202012Validator(schema).iter_errors(document.value):
        for code, path, params in _told(problem):
            place = document.marks.key(path) if code == "schema.unknown_field" else None
            error = ManifestError(code, params, *(place or document.marks.nearest(path)), path)
            found.setdefault((code, path), error)
    return sorted(found.values(), key=lambda error: (error.line, error.column, error.code))


def _told(problem: ValidationError) -> Iterator[tuple[str, Path, dict[str, Param]]]:
    path: Path = tuple(problem.absolute_path)
    rule, wanted, value = problem.validator, problem.validator_value, problem.instance
    if rule == "additionalProperties":
        allowed = problem.schema.get("properties", {})
        for key in value:
            if key not in allowed:
                yield "schema.unknown_field", (*path, key), {"field": shorten(key), "allowed": ", ".join(allowed)}
    elif rule == "required":
        for key in wanted:
            if key not in value:
                yield "schema.missing_field", (*path, key), {"field": key}
    elif rule == "type":
        yield "schema.wrong_type", path, {"expected": str(wanted), "found": type_name(value)}
    elif rule in ("enum", "const"):
        allowed_values = wanted if rule == "enum" else [wanted]
        yield "schema.not_allowed", path, {"found": _printed(value), "allowed": ", ".join(map(str, allowed_values))}
    elif rule == "pattern":
        yield "schema.pattern", path, {"found": _printed(value), "pattern": wanted}
    elif rule in _LIMITS:
        yield _LIMITS[rule], path, {"limit": wanted}
    elif rule == "uniqueItems":
        yield "schema.not_unique", path, {}
    else:
        yield "schema.invalid", path, {"problem": shorten(problem.message)}


def _printed(value: Any) -> str:
    return shorten(value if isinstance(value, str) else str(value))
