"""Reading a GIFT file: every question becomes a question of this course, or a note says why not."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from lessons.assessment.gift.kinds import answers_of
from lessons.assessment.gift.markup import split_format, to_markdown
from lessons.assessment.gift.notes import Effect, Note
from lessons.assessment.gift.syntax import (
    Block,
    Parts,
    UnbalancedBraces,
    blocks,
    release,
    split_answers,
    take_apart,
    without_private,
)
from lessons.assessment.localized import LANGUAGES, Text
from lessons.assessment.problems import Invalid, Problem
from lessons.assessment.question import LEVELS, Question, read_question
from lessons.assessment.reading import FACT, MAX_NAME, SLUG

MAX_LENGTH: Final = 1_000_000
MAX_QUESTIONS: Final = 1_000
MAX_ANSWERS: Final = 26
SHOWN: Final = 60


@dataclass(frozen=True, slots=True)
class GiftImport:
    """The questions read, in the file's order, and the report."""

    questions: tuple[Question, ...]
    notes: tuple[Note, ...]

    @property
    def skipped(self) -> tuple[Note, ...]:
        """Notes about questions that could not be read."""
        return tuple(note for note in self.notes if note.effect is Effect.SKIPPED)


def import_gift(text: str, language: str, *, prefix: str = "gift") -> GiftImport:
    """Read a GIFT file whose texts are in ``language`` (``zh-hans`` or ``en``); the other language stays to be
    translated.

    ``prefix``: how ids begin that the file does not give. Raises Invalid only if the file as a whole is too large.
    """
    if language not in LANGUAGES:
        msg = f"unknown language {language!r}"
        raise ValueError(msg)
    if len(text) > MAX_LENGTH:
        raise Invalid([Problem("gift.too_large", {"limit": MAX_LENGTH, "length": len(text)})])
    reading = _Reading(language, prefix)
    plain = without_private(text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))
    for number, block in enumerate(blocks(plain), start=1):
        if number > MAX_QUESTIONS:
            reading.note(Effect.SKIPPED, Problem("gift.too_many_questions", {"limit": MAX_QUESTIONS}), block)
            break
        reading.take(block)
    return GiftImport(tuple(reading.questions), tuple(reading.notes))


@dataclass(slots=True)
class _Reading:
    """One import under way."""

    language: str
    prefix: str
    questions: list[Question] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    names: set[str] = field(default_factory=set)

    def note(self, effect: Effect, problem: Problem, block: Block, line: int = 0) -> None:
        shown = " ".join(release(block.text).split())[:SHOWN]
        self.notes.append(Note(effect, problem, line or block.line, shown))

    def take(self, block: Block) -> None:
        """Read one block; on trouble leave a note and nothing else."""
        try:
            parts = take_apart(block.text)
            if parts.answers is None:
                self.note(Effect.SKIPPED, Problem("gift.description_dropped"), block)
                return
            source = self._source(block, parts, parts.answers)
            self.questions.append(read_question(source))
            self.names.add(source["id"])
        except UnbalancedBraces:
            self.note(Effect.SKIPPED, Problem("gift.brace_unbalanced"), block)
        except Invalid as invalid:
            for problem in invalid.problems:
                self.note(Effect.SKIPPED, _as_gift(problem), block)

    def _source(self, block: Block, parts: Parts, section: str) -> dict[str, Any]:
        style, _ = split_format(parts.before, "moodle")
        reported: list[Problem] = []

        def text(written: str) -> str:
            return to_markdown(written, style, reported.append)

        answers = split_answers(section.removeprefix("#"))
        if len(answers) > MAX_ANSWERS:
            raise Invalid([Problem("gift.too_many_answers", {"limit": MAX_ANSWERS})])
        around = _around(parts, text, style)
        made = answers_of(section, answers, around, self._localized(text), reported.append)
        stem = f"{around[0]}_____{around[1]}" if around[1].strip() else around[0].rstrip()
        source = {**self._envelope(block, parts, stem, reported), **made}
        feedback = text(parts.general_feedback)
        if feedback:
            source["explanation"] = Text.in_one(self.language, feedback).as_mapping()
        for index, problem in enumerate(reported):
            if problem not in reported[:index]:
                self.note(_effect(problem), problem, block)
        return source

    def _localized(self, text: Callable[[str], str]) -> Callable[[str], dict[str, str]]:
        return lambda written: Text.in_one(self.language, text(written)).as_mapping()

    def _envelope(self, block: Block, parts: Parts, stem: str, reported: list[Problem]) -> dict[str, Any]:
        if not stem:
            raise Invalid([Problem("gift.empty_question")])
        title = release(parts.title)
        source: dict[str, Any] = {
            "id": self._id(block.name or title, block),
            "stem": Text.in_one(self.language, stem).as_mapping(),
        }
        if title:
            source["title"] = Text.in_one(self.language, title).as_mapping()
        if block.category:
            source["category"] = block.category
        return {**source, **_sorted_tags(block.tags, reported)}

    def _id(self, wanted: str, block: Block) -> str:
        """An id that is a slug and not taken: the wanted one, or one like it."""
        slug = re.sub(r"[^a-z0-9]+", "-", wanted.lower()).strip("-")[: MAX_NAME - 10]
        base = slug if SLUG.fullmatch(slug) else f"{self.prefix}-{len(self.questions) + 1}"
        name, number = base, 2
        while name in self.names:
            name, number = f"{base}-{number}", number + 1
        if block.name and name != block.name:
            self.note(Effect.CHANGED, Problem("gift.id_changed", {"wanted": block.name, "used": name}), block)
        return name


def _around(parts: Parts, text: Callable[[str], str], style: str) -> tuple[str, str]:
    """The Markdown before and behind the answers, with the blanks that divide it from them."""
    before, after = release(parts.before), release(parts.after)
    gap_before, gap_after = before[len(before.rstrip()) :], after[: len(after) - len(after.lstrip())]
    return text(parts.before) + gap_before, gap_after + text(f"[{style}]{parts.after}")


def _sorted_tags(tags: tuple[str, ...], reported: list[Problem]) -> dict[str, Any]:
    """Facts, a level and topics from Moodle's tags."""
    facts = [tag for tag in tags if FACT.fullmatch(tag)]
    levels = [tag for tag in tags if tag in LEVELS]
    topics = [tag for tag in tags if SLUG.fullmatch(tag) and tag not in LEVELS]
    reported += [Problem("gift.tag_dropped", {"tag": tag}) for tag in tags if tag not in (*facts, *levels, *topics)]
    found: dict[str, Any] = {"facts": facts, "topics": topics}
    return {name: value for name, value in found.items() if value} | ({"level": levels[0]} if levels else {})


_CHANGES: Final = ("gift.weight_out_of_range", "gift.essay_needs_rubric")


def _effect(problem: Problem) -> Effect:
    return Effect.CHANGED if problem.code in _CHANGES else Effect.DROPPED


def _as_gift(problem: Problem) -> Problem:
    """Problems of the question itself are told as such: the author sees a GIFT file, not our fields."""
    if problem.code.startswith("gift."):
        return problem
    return Problem("gift.question_invalid", {"code": problem.code, "where": problem.where})
