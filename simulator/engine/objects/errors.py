"""What is wrong with an object: field errors as the API server words them, with a code for translation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from simulator.engine.objects.golang import bad_value, quote
from simulator.engine.objects.paths import ROOT, FieldPath, Key
from simulator.engine.objects.texts import Message

REQUIRED: Final = "FieldValueRequired"
INVALID: Final = "FieldValueInvalid"
NOT_SUPPORTED: Final = "FieldValueNotSupported"
DUPLICATE: Final = "FieldValueDuplicate"
FORBIDDEN: Final = "FieldValueForbidden"
NOT_FOUND: Final = "FieldValueNotFound"
TOO_LONG: Final = "FieldValueTooLong"
TOO_MANY: Final = "FieldValueTooMany"

_WORDS: Final = {
    REQUIRED: "Required value",
    INVALID: "Invalid value",
    NOT_SUPPORTED: "Unsupported value",
    DUPLICATE: "Duplicate value",
    FORBIDDEN: "Forbidden",
    NOT_FOUND: "Not found",
    TOO_LONG: "Too long",
    TOO_MANY: "Too many",
}

_KEPT: Final = 1000
"""Further errors of one object are dropped: nobody reads them, and hostile input would make millions."""


@dataclass(frozen=True)
class FieldError:
    """One defect. `text` is kube's whole wording; `code`, `params` and `keys` are for the layers above."""

    type: str
    path: FieldPath
    message: Message
    value: str = ""
    """The refused value as kube prints it; empty where the type prints none."""

    @property
    def field(self) -> str:
        return self.path.text

    @property
    def keys(self) -> tuple[Key, ...]:
        """The way through the manifest to the defect."""
        return self.path.keys

    @property
    def code(self) -> str:
        return self.message.code

    @property
    def params(self) -> Mapping[str, object]:
        return self.message.params

    @cached_property
    def detail(self) -> str:
        """The explanation after type and value; empty for errors without a field."""
        return self.message.text if self.type in _WORDS else ""

    @cached_property
    def text(self) -> str:
        if self.type not in _WORDS:
            return self.message.text
        parts = [
            self.path.text,
            _WORDS[self.type],
            *([self.value] if self.value else []),
            *([self.detail] if self.detail else []),
        ]
        return ": ".join(parts)


def plain_error(type_: str, code: str, path: FieldPath = ROOT, **params: object) -> FieldError:
    """Make an error without kube's field and value: of decoding, admission and storage."""
    return FieldError(type_, FieldPath("", path.keys), Message(code, params))


@dataclass
class Errors:
    """Collects the field errors of one object."""

    found: list[FieldError] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.found)

    def add(self, error: FieldError) -> None:
        if len(self.found) < _KEPT:
            self.found.append(error)

    def required(self, path: FieldPath, code: str = "api.required", **params: object) -> None:
        self.add(FieldError(REQUIRED, path, Message(code, params)))

    def invalid(self, path: FieldPath, value: object, code: str, **params: object) -> None:
        self.add(FieldError(INVALID, path, Message(code, params), bad_value(value)))

    def all_invalid(self, path: FieldPath, value: object, messages: Iterable[Message]) -> None:
        """Add one error for every message of a name check."""
        for message in messages:
            self.add(FieldError(INVALID, path, message, bad_value(value)))

    def not_supported(self, path: FieldPath, value: object, supported: Sequence[str]) -> None:
        """Add "Unsupported value"; `supported` in the order in which kube lists the values."""
        params = {"supported": ", ".join(quote(each) for each in supported)}
        self.add(FieldError(NOT_SUPPORTED, path, Message("api.not_supported", params), bad_value(value)))

    def duplicate(self, path: FieldPath, value: object, code: str = "api.duplicate") -> None:
        self.add(FieldError(DUPLICATE, path, Message(code), bad_value(value)))

    def forbidden(self, path: FieldPath, code: str = "api.forbidden", **params: object) -> None:
        self.add(FieldError(FORBIDDEN, path, Message(code, params)))

    def not_found(self, path: FieldPath, value: object, code: str = "api.not_found", **params: object) -> None:
        self.add(FieldError(NOT_FOUND, path, Message(code, params), bad_value(value)))

    def too_long(self, path: FieldPath, maximum: int) -> None:
        self.add(FieldError(TOO_LONG, path, Message("api.too_long", {"max": maximum})))

    def too_many(self, path: FieldPath, count: int, maximum: int) -> None:
        params = {"max": maximum, "items": "item" if maximum == 1 else "items"}
        self.add(FieldError(TOO_MANY, path, Message("api.too_many", params), str(count)))

    def in_order(self) -> tuple[FieldError, ...]:
        """Return what was found, by field, then text."""
        return tuple(sorted(self.found, key=lambda error: (error.field, error.text)))
