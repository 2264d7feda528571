"""Quizzes: settings, sections, and the draw that gives one attempt its questions.

A quiz document is what one file of fixtures/quizzes holds, as plain values: ``{id, title, description?, settings?,
sections?, questions?}``. Its sections may name questions of any document; a document without sections only adds
questions to the bank.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lessons.assessment.attempt_rules import AttemptRules, read_attempt_rules
from lessons.assessment.dice import Dice
from lessons.assessment.digest import plain, revision_of
from lessons.assessment.localized import Text
from lessons.assessment.problems import Invalid, Problem
from lessons.assessment.question import LEVELS, Question, read_question
from lessons.assessment.question_types.registry import QUESTION_TYPES
from lessons.assessment.reading import FACT, SLUG, Fields, Node, Problems, unique
from lessons.assessment.review_options import DEFAULTS, Mode, ReviewOptions, read_review_options

MAX_QUESTIONS: Final = 300
MAX_SECTIONS: Final = 30
MAX_MARKS: Final = 100


@dataclass(frozen=True, slots=True)
class QuizSettings:
    """How a quiz is taken.

    ``certainty``: learners say how sure they are. ``pass_percent``: of the marks, to pass; or None.
    """

    mode: Mode
    attempts: AttemptRules
    review: ReviewOptions
    certainty: bool
    shuffle: bool
    pass_percent: int | None


@dataclass(frozen=True, slots=True)
class Pool:
    """Which questions of the bank a section may draw: those that meet every condition given (an empty one is none)."""

    topics: frozenset[str]
    facts: frozenset[str]
    levels: frozenset[str]
    types: frozenset[str]

    def holds(self, question: Question) -> bool:
        """True if the question belongs to the pool."""
        return (
            (not self.topics or bool(self.topics & set(question.topics)))
            and (not self.facts or bool(self.facts & set(question.facts)))
            and (not self.levels or question.level in self.levels)
            and (not self.types or question.type in self.types)
        )


@dataclass(frozen=True, slots=True)
class Section:
    """Part of a quiz: named questions, or a pool; ``pick``: how many of them are drawn (None: all).

    ``marks``: per question.
    """

    id: str
    title: Text | None
    questions: tuple[str, ...]
    pool: Pool | None
    pick: int | None
    marks: int


@dataclass(frozen=True)
class Quiz:
    """A quiz as its author set it up (an immutable revision)."""

    source: Mapping[str, Any]
    id: str
    title: Text
    description: Text | None
    settings: QuizSettings
    sections: tuple[Section, ...]

    @property
    def revision(self) -> str:
        """The digest of the quiz without its questions (they have revisions of their own)."""
        return revision_of({name: value for name, value in self.source.items() if name != "questions"})


@dataclass(frozen=True, slots=True)
class QuizDocument:
    """One file: the quiz, and the questions it adds to the bank."""

    quiz: Quiz
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Slot:
    """One place in an attempt: which question, with which seed, for how many marks. ``number`` counts from 1."""

    number: int
    section: str
    question: str
    seed: int
    marks: int


def read_quiz_document(source: object) -> QuizDocument:
    """Read one file. Raises Invalid with all problems of the quiz and of every question, located."""
    document = plain(source)
    problems = Problems()
    node = Node(document, (), problems)
    fields = node.fields(required=("id", "title"), optional=("description", "settings", "sections", "questions"))
    quiz = _read_quiz(fields, document)
    nodes = fields.children("questions", limit=MAX_QUESTIONS)
    read = [(_read_question(entry), entry) for entry in nodes]
    questions = [(question, entry) for question, entry in read if question is not None]
    unique((question.id, entry) for question, entry in questions)
    problems.check()
    return QuizDocument(quiz, tuple(question for question, _ in questions))


def read_settings(node: Node) -> QuizSettings:
    """Read ``{mode?, attempts?, review?, certainty?, shuffle?, pass_percent?}``; the mode has its own review."""
    fields = node.fields(optional=("mode", "attempts", "review", "certainty", "shuffle", "pass_percent"))
    mode_node, attempts, review, share = (fields.get(name) for name in ("mode", "attempts", "review", "pass_percent"))
    mode = Mode(mode_node.one_of(tuple(Mode))) if mode_node else Mode.PRACTICE
    return QuizSettings(
        mode=mode,
        attempts=read_attempt_rules(attempts) if attempts else AttemptRules(),
        review=read_review_options(review) if review else DEFAULTS[mode],
        certainty=fields.flag("certainty", default=False),
        shuffle=fields.flag("shuffle", default=False),
        pass_percent=share.integer(minimum=0, maximum=100) if share else None,
    )


def _read_quiz(fields: Fields, document: Any) -> Quiz:
    nodes = fields.children("sections", limit=MAX_SECTIONS)
    sections = tuple(_read_section(node) for node in nodes)
    unique(zip((section.id for section in sections), nodes, strict=True))
    settings = fields.get("settings")
    return Quiz(
        source=document if isinstance(document, Mapping) else {},
        id=fields["id"].named(SLUG),
        title=fields["title"].text(),
        description=fields.text("description"),
        settings=read_settings(settings or Node({})),
        sections=sections,
    )


def _read_section(node: Node) -> Section:
    fields = node.fields(required=("id",), optional=("title", "questions", "pool", "pick", "marks"))
    if ("questions" in fields) == ("pool" in fields):
        node.fail("field.missing", field="questions")
    pool, pick, marks = (fields.get(name) for name in ("pool", "pick", "marks"))
    entries = fields.children("questions", minimum=1, limit=MAX_QUESTIONS)
    names = tuple(entry.named(SLUG) for entry in entries)
    unique(zip(names, entries, strict=True))
    return Section(
        id=fields["id"].named(SLUG),
        title=fields.text("title"),
        questions=names,
        pool=_read_pool(pool) if pool else None,
        pick=pick.integer(minimum=1, maximum=MAX_QUESTIONS) if pick else None,
        marks=marks.integer(minimum=1, maximum=MAX_MARKS) if marks else 1,
    )


def _read_pool(node: Node) -> Pool:
    fields = node.fields(optional=("topics", "facts", "levels", "types"))
    return Pool(
        topics=frozenset(entry.named(SLUG) for entry in fields.children("topics")),
        facts=frozenset(entry.named(FACT) for entry in fields.children("facts")),
        levels=frozenset(entry.one_of(LEVELS) for entry in fields.children("levels")),
        types=frozenset(entry.one_of(tuple(QUESTION_TYPES)) for entry in fields.children("types")),
    )


def _read_question(node: Node) -> Question | None:
    try:
        return read_question(node.value)
    except Invalid as invalid:
        node.problems.found.extend(problem.below(*node.path) for problem in invalid.problems)
        return None


def check_quiz(quiz: Quiz, bank: Mapping[str, Question]) -> list[Problem]:
    """What keeps the quiz from being drawn: names the bank does not have, pools smaller than their pick."""
    found: list[Problem] = []
    for index, section in enumerate(quiz.sections):
        for place, name in enumerate(section.questions):
            if name not in bank:
                found.append(
                    Problem("quiz.unknown_question", {"question": name}, ("sections", index, "questions", place))
                )
        found += _too_small(section, len(_candidates(section, bank)), index)
    return found


def _too_small(section: Section, size: int, index: int) -> list[Problem]:
    if section.pick is None or section.pick <= size:
        return []
    return [Problem("quiz.pool_too_small", {"pick": section.pick, "size": size}, ("sections", index, "pick"))]


def draw(quiz: Quiz, bank: Mapping[str, Question], seed: int) -> tuple[Slot, ...]:
    """The questions of one attempt: the same (quiz revision, bank, seed) gives the same slots.

    Sections are drawn in order; a question drawn by one is not drawn again by a later one. Raises Invalid if
    ``check_quiz`` finds anything, or if earlier sections leave too few questions for a later one.
    """
    problems = check_quiz(quiz, bank)
    if problems:
        raise Invalid(problems)
    taken: set[str] = set()
    slots: list[Slot] = []
    for index, section in enumerate(quiz.sections):
        dice = Dice("draw", quiz.revision, seed, section.id)
        left = [name for name in _candidates(section, bank) if name not in taken]
        problems = _too_small(section, len(left), index)
        if problems:
            raise Invalid(problems)
        drawn = _drawn(section, left, dice)
        names = dice.shuffled(drawn) if quiz.settings.shuffle else drawn
        taken.update(names)
        slots += [
            Slot(len(slots) + place, section.id, name, dice.below(2**31), section.marks)
            for place, name in enumerate(names, start=1)
        ]
    return tuple(slots)


def _candidates(section: Section, bank: Mapping[str, Question]) -> list[str]:
    """The section's questions: the named ones in their order, or those of its pool by name."""
    if section.pool is None:
        return [name for name in section.questions if name in bank]
    return sorted(name for name, question in bank.items() if section.pool.holds(question))


def _drawn(section: Section, names: Sequence[str], dice: Dice) -> tuple[str, ...]:
    """``pick`` of the names; named questions keep their order, pooled ones come as drawn."""
    if section.pick is None:
        return tuple(names)
    drawn = dice.sample(names, section.pick)
    return drawn if section.pool is not None else tuple(name for name in names if name in drawn)


def bank_of(documents: Iterable[QuizDocument]) -> dict[str, Question]:
    """All questions by id. Raises Invalid if two documents use the same id."""
    bank: dict[str, Question] = {}
    for document in documents:
        for question in document.questions:
            if question.id in bank:
                raise Invalid([Problem("value.repeated", {"found": question.id}, (document.quiz.id, question.id))])
            bank[question.id] = question
    return bank
