"""What belongs to an attempt before it is stored: its id, its seed, and the secret of its tokens.

A page may ask a single question without storing anything. The id of that attempt follows from who asks, what and for
which time, so that the answer finds it again, from whichever tab it comes, and makes one attempt of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from django.utils.crypto import salted_hmac

from lessons.assessment.tokens import Tokens

if TYPE_CHECKING:
    from gpuschedlab.accounts.models import Participant

SEEDS = 2**31


def attempt_id(participant: Participant, context: str, question: str, turn: int) -> UUID:
    """The id of somebody's attempt number `turn` (from 0) at a question in a context."""
    words = "\x1f".join((str(participant.pk), context, question, str(turn)))
    return UUID(bytes=_digest("lessons.attempt", words)[:16], version=4)


def seed_of(attempt: UUID) -> int:
    """The seed of the variant of a single question."""
    return int.from_bytes(_digest("lessons.seed", str(attempt))[:8], "big") % SEEDS


def tokens_of(attempt: UUID, number: int) -> Tokens:
    """The tokens of a question in an attempt; nobody without the site's key can make them."""
    return Tokens(_digest("lessons.tokens", str(attempt)), str(number))


def _digest(salt: str, words: str) -> bytes:
    return salted_hmac(salt, words, algorithm="sha256").digest()
