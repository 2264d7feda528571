"""Stored responses: plain mappings with the content's own ids, as they are kept with an attempt.

Grading reads them with these functions, which never fail: a regrade meets responses given to an older revision, whose
options may be gone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Response = Mapping[str, Any]
"""What a learner answered, as JSON values. Its keys depend on the question type; an empty mapping is no answer."""


def word(response: Response, key: str) -> str:
    """The string at ``key``, or an empty one."""
    value = response.get(key)
    return value if isinstance(value, str) else ""


def words(response: Response, key: str) -> list[str]:
    """The strings of the list at ``key``, each once, in order."""
    value = response.get(key)
    if not isinstance(value, list | tuple):
        return []
    return list(dict.fromkeys(entry for entry in value if isinstance(entry, str)))


def pairs(response: Response, key: str) -> dict[str, str]:
    """The string-to-string mapping at ``key``."""
    value = response.get(key)
    if not isinstance(value, Mapping):
        return {}
    return {left: right for left, right in value.items() if isinstance(left, str) and isinstance(right, str)}


def counts(response: Response, key: str) -> dict[str, int]:
    """The string-to-integer mapping at ``key``."""
    value = response.get(key)
    if not isinstance(value, Mapping):
        return {}
    return {name: count for name, count in value.items() if isinstance(name, str) and type(count) is int}
