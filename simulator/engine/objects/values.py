"""Manifests as they come: values of JSON."""

from __future__ import annotations

from typing import Any


def copied(value: Any) -> Any:
    """Return a copy that shares no dict and no list with `value`. Several times as fast as `copy.deepcopy`, which
    looks for what occurs twice; all else in a manifest (texts, numbers, Quantity) never changes."""
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    return [copied(item) for item in value] if isinstance(value, list | tuple) else value
