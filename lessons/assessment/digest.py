"""Content digests: two contents have the same revision if and only if they say the same."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from lessons.assessment.problems import Invalid, Path, Problem

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

MAX_DEPTH = 12


def plain(value: object, path: Path = ()) -> Json:
    """Copy ``value`` as JSON values.

    Raises Invalid for anything else (dates, sets, NaN) and beyond ``MAX_DEPTH`` levels.
    """
    if len(path) > MAX_DEPTH:
        raise Invalid([Problem("value.too_deep", {"limit": MAX_DEPTH}, path)])
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float) and value == value and abs(value) != float("inf"):  # noqa: PLR0124 - not NaN
        return value
    if isinstance(value, list | tuple):
        return [plain(item, (*path, index)) for index, item in enumerate(value)]
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise Invalid([Problem("value.not_string", {"found": type(key).__name__}, (*path, str(key)))])
        return {key: plain(item, (*path, key)) for key, item in value.items()}
    raise Invalid([Problem("value.not_plain", {"found": type(value).__name__}, path)])


def revision_of(content: object) -> str:
    """The content's digest: SHA-256 of its canonical JSON (keys sorted, UTF-8), 64 hexadecimal digits.

    The order of keys and the way a file was written (comments, quoting) do not change it; any change of meaning does.
    """
    canonical = json.dumps(plain(content), ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()
