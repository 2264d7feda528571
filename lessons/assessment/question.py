"""A question: what all kinds share (id, facts, level, texts, scene, open form) around the content of its own kind.

A question is made from a source of plain values and never changes; its ``revision`` is the digest of that source.
What one learner gets is a ``Variant``: the same (revision, seed) gives the same numbers, the same order, on every
machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from lessons.assessment.dice import Dice
from lessons.assessment.digest import plain, revision_of
from lessons.assessment.localized import Text
from lessons.assessment.problems import Invalid, Problem
from lessons.assessment.question_types.base import QuestionType, SceneQuestionType
from lessons.assessment.question_types.registry import QUESTION_TYPES
from lessons.assessment.question_types.short_text import Criterion, read_rubric
from lessons.assessment.reading import FACT, SLUG, Fields, Node, Problems
from lessons.assessment.scenes import Scene, SceneFacts, read_scene
from lessons.assessment.templates import Variables, fill, read_variables

LEVELS: Final = ("beginner", "intermediate", "advanced")
SHARED_REQUIRED: Final = ("id", "type", "stem")
SHARED_OPTIONAL: Final = (
    "facts",
    "level",
    "topics",
    "title",
    "explanation",
    "hints",
    "open",
    "scene",
    "variables",
    "selftest",
    "category",
)
UNFILLED: Final = frozenset({"id", "type", "facts", "topics", "scene", "variables", "category"})
"""Fields in which ``{{ … }}`` has no meaning."""

TRIALS: Final = 12
"""How many variants of a template question are tried out when it is read."""

SELFTEST_QUESTIONS: Final = 12
_OPEN_KEEPS: Final = ("facts", "level", "topics", "selftest", "variables")


@dataclass(frozen=True, slots=True)
class OpenForm:
    """The question in open form: what is asked, the rubric, a model answer."""

    prompt: Text
    rubric: tuple[Criterion, ...]
    answer: Text | None


@dataclass(frozen=True)
class Question:
    """One question as its author wrote it (an immutable revision)."""

    source: Mapping[str, Any]
    id: str
    type: str
    facts: tuple[str, ...]
    level: str
    topics: tuple[str, ...]
    title: Text | None
    stem: Text
    explanation: Text | None
    hints: tuple[Text, ...]
    open: OpenForm | None
    scene: Scene | None
    variables: Variables | None
    selftest: int | None
    category: str

    @property
    def kind(self) -> QuestionType[Any]:
        """What its type can do."""
        return QUESTION_TYPES[self.type]

    @cached_property
    def revision(self) -> str:
        """The digest of its source."""
        return revision_of(self.source)

    @property
    def waits_for_engine(self) -> bool:
        """True if the key has to come from the engine (``bind``) before it can be asked."""
        kind = self.kind
        return isinstance(kind, SceneQuestionType) and not all(name in self.source for name in kind.engine_fields)

    def bind(self, facts: SceneFacts) -> Question:
        """The question with the engine's facts about its scene as its key: a new revision, ready to be asked."""
        kind = self.kind
        if not isinstance(kind, SceneQuestionType):
            return self
        return read_question(kind.bind(self.source, facts))

    def variant(self, seed: int, *, drawn_as: str = "") -> Variant:
        """The variant of this seed. Raises Invalid for a question that waits for the engine.

        ``drawn_as``: the revision whose draw is repeated (numbers and order); a regrade gives the one that was
        answered.
        """
        if self.waits_for_engine:
            raise Invalid([Problem("question.needs_scene", {"type": self.type}, ("scene",))])
        dice = Dice("variant", drawn_as or self.revision, seed)
        source = _filled(self.source, self.variables, dice)
        problems = Problems()
        fields = _fields(Node(source, (), problems), self.kind)
        content = self.kind.read(fields)
        stem, explanation = fields["stem"].text(), fields.text("explanation")
        hints = tuple(node.text() for node in fields.children("hints"))
        problems.check()
        return Variant(
            question=self,
            seed=seed,
            content=self.kind.shuffled(content, dice),
            stem=stem,
            explanation=explanation,
            hints=hints,
        )

    def open_form(self) -> Question | None:
        """The question's open form as a question of its own (type short-text), or None."""
        form = self.source.get("open")
        if self.open is None or not isinstance(form, Mapping):
            return None
        shared = {name: self.source[name] for name in _OPEN_KEEPS if name in self.source}
        content = {name: form[name] for name in ("rubric", "answer") if name in form}
        return read_question(
            {"id": f"{self.id}-open", "type": "short-text", "stem": form["prompt"], **shared, **content}
        )


@dataclass(frozen=True)
class Variant:
    """What one learner gets: content in its shuffled order, texts with their numbers.

    Holds the key: never leaves the server.
    """

    question: Question
    seed: int
    content: Any
    stem: Text
    explanation: Text | None
    hints: tuple[Text, ...]

    @property
    def kind(self) -> QuestionType[Any]:
        """What the question's type can do."""
        return self.question.kind


def read_question(source: object) -> Question:
    """Read and check one question. Raises Invalid with all problems, located."""
    document = plain(source)
    problems = Problems()
    node = Node(document, (), problems)
    kind = _kind_of(node)
    fields = _fields(node, kind)
    variables = read_variables(fields["variables"]) if "variables" in fields else None
    question = _read_shared(fields, kind, variables, document)
    if variables is None and not question.waits_for_engine:
        kind.read(fields)
    problems.check()
    if question.waits_for_engine and question.scene is None:
        raise Invalid(_no_key(question))
    for seed in _trial_seeds(question):
        question.variant(seed)
    return question


def _no_key(question: Question) -> list[Problem]:
    """Neither a key of its own nor a scene to take it from."""
    kind = question.kind
    fields = kind.engine_fields if isinstance(kind, SceneQuestionType) else ()
    missing = [Problem("field.missing", {"field": name}) for name in fields if name not in question.source]
    return [Problem("question.needs_scene", {"type": question.type}), *missing]


def _trial_seeds(question: Question) -> range:
    if question.waits_for_engine:
        return range(0)
    return range(TRIALS if question.variables else 1)


def _kind_of(node: Node) -> QuestionType[Any]:
    name = node.value.get("type") if isinstance(node.value, Mapping) else None
    kind = QUESTION_TYPES.get(name) if isinstance(name, str) else None
    if kind is None:
        found, known = str(name)[:60], list(QUESTION_TYPES)
        where = ("type",) if isinstance(node.value, Mapping) else ()
        raise Invalid([Problem("question.unknown_type", {"found": found, "known": known}, where)])
    return kind


def _fields(node: Node, kind: QuestionType[Any]) -> Fields:
    """The fields all questions share, and those of the type."""
    later = kind.engine_fields if isinstance(kind, SceneQuestionType) else ()
    required = [*SHARED_REQUIRED, *(name for name in kind.required if name not in later)]
    return node.fields(required=required, optional=(*SHARED_OPTIONAL, *kind.optional, *later))


def _filled(source: Mapping[str, Any], variables: Variables | None, dice: Dice) -> Mapping[str, Any]:
    if variables is None:
        return source
    values = variables.values(dice)
    return {name: value if name in UNFILLED else fill(plain(value), values, (name,)) for name, value in source.items()}


def _read_shared(fields: Fields, kind: QuestionType[Any], variables: Variables | None, document: Any) -> Question:
    level, scene, selftest, category = (fields.get(name) for name in ("level", "scene", "selftest", "category"))
    return Question(
        source=document,
        id=fields["id"].named(SLUG),
        type=kind.name,
        facts=tuple(node.named(FACT) for node in fields.children("facts")),
        level=level.one_of(LEVELS) if level else LEVELS[1],
        topics=tuple(node.named(SLUG) for node in fields.children("topics")),
        title=fields.text("title"),
        stem=fields["stem"].text(),
        explanation=fields.text("explanation"),
        hints=tuple(node.text() for node in fields.children("hints", limit=5)),
        open=_read_open(fields["open"]) if "open" in fields else None,
        scene=read_scene(scene) if scene else None,
        variables=variables,
        selftest=selftest.integer(minimum=1, maximum=SELFTEST_QUESTIONS) if selftest else None,
        category=category.string() if category else "",
    )


def _read_open(node: Node) -> OpenForm:
    fields = node.fields(required=("prompt", "rubric"), optional=("answer",))
    return OpenForm(fields["prompt"].text(), read_rubric(fields), fields.text("answer"))


def missing_translations(source: object, path: tuple[str | int, ...] = ()) -> list[tuple[str, str]]:
    """Where a question's texts lack a language: pairs of place and language, in document order."""
    if isinstance(source, Mapping):
        languages = {"zh-hans", "en"}
        if languages & set(source) and set(source) <= languages:
            where = Problem("text.no_language", {}, path).where
            return [(where, language) for language in sorted(languages - set(source))]
        return [found for key, item in source.items() for found in missing_translations(item, (*path, str(key)))]
    if isinstance(source, list | tuple):
        return [found for index, item in enumerate(source) for found in missing_translations(item, (*path, index))]
    return []
