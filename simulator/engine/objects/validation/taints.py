"""Tolerations and taints.

Source: Kubernetes 1.36 `pkg/apis/core/validation`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from simulator.engine.objects.errors import Errors
from simulator.engine.objects.names import joined, label_key_problems, label_value_problems
from simulator.engine.objects.paths import FieldPath

_EFFECTS: Final = ("NoSchedule", "PreferNoSchedule", "NoExecute")
_COMPARISONS: Final = ("Lt", "Gt")
_DECIMAL: Final = re.compile(r"0|-?[1-9][0-9]*")


def validate_tolerations(
    errors: Errors, tolerations: Sequence[Mapping[str, Any]] | None, path: FieldPath, *, comparisons: bool
) -> None:
    """Check tolerations; `comparisons`: operators Lt and Gt are allowed (gate TaintTolerationComparisonOperators)."""
    for index, toleration in enumerate(tolerations or ()):
        place = path.index(index)
        key, effect = toleration.get("key") or "", toleration.get("effect") or ""
        if key:
            errors.all_invalid(place.child("key"), key, label_key_problems(key))
        elif toleration.get("operator") != "Exists":
            errors.invalid(place.child("operator"), toleration.get("operator") or "", "toleration.no_key")
        if toleration.get("tolerationSeconds") is not None and effect != "NoExecute":
            errors.invalid(place.child("effect"), effect, "toleration.seconds")
        _operator(errors, toleration, place, comparisons=comparisons)
        if effect:
            _effect(errors, effect, place.child("effect"))


def _operator(errors: Errors, toleration: Mapping[str, Any], path: FieldPath, *, comparisons: bool) -> None:
    operator, value = toleration.get("operator") or "", toleration.get("value") or ""
    place = path.child("operator")
    if operator in ("", "Equal"):
        errors.all_invalid(place.at(*path.keys, "value"), value, joined(label_value_problems(value)))
    elif operator == "Exists":
        if value:
            errors.invalid(place.at(*path.keys, "value"), value, "toleration.exists_value")
    elif operator not in _COMPARISONS:
        errors.not_supported(place, operator, ("Equal", "Exists", *(_COMPARISONS if comparisons else ())))
    elif not comparisons:
        errors.not_supported(place, operator, ("Equal", "Exists", *_COMPARISONS))
    elif not _DECIMAL.fullmatch(value):
        errors.invalid(path.child("value"), value, "toleration.numeric")


def validate_taints(errors: Errors, taints: Sequence[Mapping[str, Any]] | None, path: FieldPath) -> None:
    seen: set[tuple[str, str]] = set()
    for index, taint in enumerate(taints or ()):
        place = path.index(index)
        key, value, effect = (taint.get(name) or "" for name in ("key", "value", "effect"))
        errors.all_invalid(place.child("key"), key, label_key_problems(key))
        errors.all_invalid(place.child("value"), value, joined(label_value_problems(value)))
        if effect:
            _effect(errors, effect, place.child("effect"))
        else:
            errors.required(place.child("effect"))
        if (key, effect) in seen:
            shown = {"Key": key, "Value": value, "Effect": effect, "TimeAdded": taint.get("timeAdded")}
            errors.duplicate(place, shown, "taint.duplicate")
        seen.add((key, effect))


def _effect(errors: Errors, effect: str, path: FieldPath) -> None:
    if effect not in _EFFECTS:
        errors.not_supported(path, effect, _EFFECTS)
