"""Names for new objects that nobody has yet."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection
from typing import Final

from django.utils.translation import gettext as _

from gpuschedlab.web.errors import BadInput

PLACE: Final = "{n}"
_NUMBERED: Final = re.compile(r"(.+?)(-?)(\d+)")


def names_by_pattern(pattern: str, count: int, taken: Collection[str]) -> list[str]:
    """`count` names `h100-1`, `h100-2` … from `h100-{n}`, passing over those that are taken.

    A pattern without `{n}` is a name; of it there can be one.
    """
    if PLACE not in pattern:
        if count > 1:
            raise BadInput(_("Several nodes need several names: write {n} where their number goes."))
        return [pattern]
    numbered = (pattern.replace(PLACE, str(number)) for number in itertools.count(1))
    return list(itertools.islice((name for name in numbered if name not in taken), count))


def free_name(name: str, taken: Collection[str]) -> str:
    """The name itself, or the next free one counted on from it: `h100-3` after `h100-1` and `h100-2`, `train-a-2`."""
    if name not in taken:
        return name
    numbered = _NUMBERED.fullmatch(name)
    stem, separator, number = (numbered[1], numbered[2], int(numbered[3])) if numbered else (name, "-", 1)
    following = (f"{stem}{separator}{later}" for later in itertools.count(number + 1))
    return next(candidate for candidate in following if candidate not in taken)
