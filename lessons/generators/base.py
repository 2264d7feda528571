"""What generators have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from lessons.assessment.dice import Dice
from lessons.assessment.generators import Subject
from lessons.situations.facts import Say, in_kubes_words
from lessons.situations.picture import Picture

TRIES: Final = 60


@dataclass(frozen=True, slots=True)
class Made:
    """A question's source with its key (without an id), and the picture that stands beside it."""

    source: Mapping[str, Any]
    situation: Picture | None = None


class EngineGenerator(ABC):
    """Makes questions about one subject. `revision` changes whenever a seed would give another question."""

    subject: Subject
    revision: str = "1"

    def make(self, seed: int, say: Say = in_kubes_words) -> Made:
        """The question of a seed: the first of its draws that makes a fair question. `say` words the feedback."""
        for dice in self._draws(seed):
            made = self.attempt(dice, say)
            if made is not None:
                return made
        raise RuntimeError(f"{self.subject} {self.revision} made nothing of seed {seed}")

    def source(self, seed: int, _engine: object = None) -> Mapping[str, Any]:
        """As `Generator` of lessons.assessment wants it."""
        return self.make(seed).source

    def _draws(self, seed: int) -> Iterator[Dice]:
        return (Dice("made", self.subject, self.revision, seed, number) for number in range(TRIES))

    @abstractmethod
    def attempt(self, dice: Dice, say: Say) -> Made | None:
        """A question of this draw; None where it would be too easy, or have no clear answer."""


def both(zh: str, en: str) -> dict[str, str]:
    """A text in both languages."""
    return {"zh-hans": zh, "en": en}
