"""What every kind of question can do.

A question's content is read once into an immutable value; all the methods are pure functions of it. Ids stay on the
server: what goes to a page carries tokens, what comes back is turned into ids again by ``parse``, and ``form_of`` is
its inverse.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Generic, TypeVar

from lessons.assessment.dice import Dice
from lessons.assessment.forms import FormReader
from lessons.assessment.grades import Grade
from lessons.assessment.reading import Fields
from lessons.assessment.responses import Response
from lessons.assessment.scenes import SceneFacts
from lessons.assessment.tokens import Tokens

Content = TypeVar("Content")
View = dict[str, Any]
Evidence = Mapping[str, Any]
NO_EVIDENCE: Final[Evidence] = MappingProxyType({})


class QuestionType(ABC, Generic[Content]):
    """One kind of question."""

    name: str
    required: tuple[str, ...]
    """The fields of its content, beside those every question has."""
    optional: tuple[str, ...] = ()

    @abstractmethod
    def read(self, fields: Fields) -> Content:
        """Check the content. Problems are noted in the fields' own list."""

    def shuffled(self, content: Content, dice: Dice) -> Content:
        """The content in the order one learner sees it."""
        del dice
        return content

    @abstractmethod
    def view(self, content: Content, tokens: Tokens) -> View:
        """What the page may show before the answer: nothing in it depends on the key."""

    @abstractmethod
    def parse(self, content: Content, form: FormReader, earlier: Response) -> Response:
        """Read a response from a form.

        ``earlier`` is the response stored so far (used by answers that come in two steps).
        """

    @abstractmethod
    def form_of(self, content: Content, response: Response, tokens: Tokens) -> dict[str, list[str]]:
        """The form that gives this response: to fill in a page again, and to show the key."""

    @abstractmethod
    def grade(self, content: Content, response: Response, evidence: Evidence) -> Grade:
        """Judge a response. Total: any stored response gets a grade, also one to an older revision."""

    @abstractmethod
    def best(self, content: Content) -> Response:
        """A response that earns the full score: the key."""

    def revealed(self, content: Content, tokens: Tokens) -> View:
        """What to show with the key beside its form: a rubric, the range of accepted numbers."""
        del content, tokens
        return {}


class SceneQuestionType(QuestionType[Content]):
    """A kind of question about a place in the lab; its key can come from the engine."""

    engine_fields: tuple[str, ...] = ()
    """The content fields that ``bind`` fills in. A content that leaves them out waits for the engine."""

    @abstractmethod
    def bind(self, source: Mapping[str, Any], facts: SceneFacts) -> dict[str, Any]:
        """A copy of the question's source with the engine's facts written into it, ready to be read and stored as a
        revision.
        """
