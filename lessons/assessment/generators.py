"""Engine-made questions: a generator turns a seed into a question whose key the engine computes.

This floor only says what a generator is and checks what it makes; the generators themselves know the engine and live
above. A generator must be a pure function of (its revision, seed, engine): the same three give the same question.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Protocol, TypeVar

from lessons.assessment.problems import Invalid, Problem
from lessons.assessment.question import Question, read_question

Engine_contra = TypeVar("Engine_contra", contravariant=True)


class Subject(StrEnum):
    """What engine-made questions are about."""

    FILTER_SET = "filter-set"
    WINNER = "winner"
    SCORE = "score"
    VICTIMS = "victims"
    QUEUE_ORDER = "queue-order"
    GANG_OUTCOME = "gang-outcome"
    MATRIX_READING = "matrix-reading"


class Generator(Protocol[Engine_contra]):
    """Makes questions about one subject. ``revision`` changes whenever the same seed would give another question."""

    @property
    def subject(self) -> Subject:
        """What its questions are about."""
        ...

    @property
    def revision(self) -> str:
        """The generator's own revision."""
        ...

    def source(self, seed: int, engine: Engine_contra) -> Mapping[str, Any]:
        """The question's source as in a quiz file, key included, except ``id``."""
        ...


def generated(generator: Generator[Engine_contra], seed: int, engine: Engine_contra) -> Question:
    """The generator's question for ``seed``, checked like any other; its id is ``made-<subject>-<seed>``.

    Raises Invalid if the generator made something that is not a question (a fault of the generator, not of a learner).
    """
    question = read_question({**generator.source(seed, engine), "id": f"made-{generator.subject}-{seed}"})
    if question.waits_for_engine:
        raise Invalid([Problem("question.needs_scene", {"type": question.type}, ("scene",))])
    return question
