"""Questions that the engine makes."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from lessons.generators.registry import GENERATORS
from lessons.services.telling import tell_node

if TYPE_CHECKING:
    from collections.abc import Mapping


@lru_cache(maxsize=256)
def make_question(subject: str, seed: int) -> Mapping[str, Any]:
    """What a slot keeps of a made question: its source with the key, and its picture."""
    generator = GENERATORS[subject]
    made = generator.make(seed, tell_node)
    name = f"made-{subject}-{seed}"
    return {
        "subject": subject,
        "revision": generator.revision,
        "source": {**made.source, "id": name},
        "situation": made.situation,
    }
