"""The catalogue's lessons as a whole: every link, term, question, figure and scene leads somewhere, and what a scene
says comes true in the engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from lessons.manifests.faults import Fault, Faulty
from lessons.manifests.glossary_file import TermText, read_glossary
from lessons.manifests.lesson_folder import LessonDocument, read_lesson_folder
from lessons.manifests.quiz_file import read_quiz_file
from lessons.situations.runs import NoSuchPlace, ScenarioRun, scene_place, shown_name
from simulator.manifests.bundle import read_bundle
from simulator.selectors.setups import setup_of

FIGURES: Final = "templates/lessons/figures"


@dataclass
class Course:
    """All of fixtures/ that lessons need. `faults`: what could not be read."""

    root: Path
    site: Path

    def __post_init__(self) -> None:
        self.faults: list[Fault] = []
        self.lessons: dict[str, LessonDocument] = {}
        for folder in sorted({path.parent for path in self.root.glob("lessons/*/*.md")}):
            try:
                self.lessons[folder.name] = read_lesson_folder(folder)
            except Faulty as faulty:
                self.faults.extend(faulty.faults)

    @cached_property
    def terms(self) -> tuple[TermText, ...]:
        path = self.root / "glossary.yaml"
        return read_glossary(path.read_text(encoding="utf-8"), path.name) if path.exists() else ()

    @cached_property
    def names(self) -> frozenset[str]:
        """Everything that a link can lead to."""
        quizzes = [read_quiz_file(path.read_text(encoding="utf-8"), path.name) for path in self._files("quizzes")]
        return frozenset(
            [
                *(f"lesson:{slug}" for slug in self.lessons),
                *(f"lesson:{slug}#{place}" for slug, lesson in self.lessons.items() for place in _places(lesson)),
                *(f"term:{term.slug}" for term in self.terms),
                *(f"lab:{name}" for name in self.scenarios),
                *(f"quiz:{document.quiz.id}" for document in quizzes),
                *(f"question:{question.id}" for document in quizzes for question in document.questions),
                *(f"figure:{path.stem}" for path in (self.site / FIGURES).glob("*.html")),
            ]
        )

    @cached_property
    def scenarios(self) -> Mapping[str, Path]:
        """Scenario -> its file; the name stands behind the file's number."""
        return {path.stem.partition("-")[2]: path for path in self._files("scenarios")}

    def run(self, scenario: str) -> ScenarioRun:
        bundle = read_bundle(self.scenarios[scenario].read_text(encoding="utf-8"))
        return ScenarioRun(setup_of(bundle.spec), bundle.objects)

    def _files(self, folder: str) -> list[Path]:
        return sorted(self.root.glob(f"{folder}/*.yaml"))


def course_faults(course: Course) -> list[Fault]:
    """Every fault of the lessons and the glossary."""
    if course.faults:
        return list(course.faults)
    found = [fault for slug, lesson in course.lessons.items() for fault in _lesson_faults(course, slug, lesson)]
    for term in course.terms:
        found += [_missing("glossary.yaml", 0, link) for link in term.links if link not in course.names]
    return found


def _lesson_faults(course: Course, slug: str, lesson: LessonDocument) -> Iterator[Fault]:
    for language, text in lesson.texts.items():
        file = f"{slug}/{language}.md"
        for needed in text.front["prerequisites"]:
            if f"lesson:{needed}" not in course.names:
                yield _missing(file, 0, f"lesson:{needed}")
        for address, line in text.references:
            reference = f"lesson:{slug}{address}" if address.startswith("#") else address
            if reference not in course.names:
                yield _missing(file, line, address)
        for piece in (piece for section in text.sections for piece in section.pieces):
            for name in _named(piece.kind, piece.data):
                if name not in course.names:
                    yield _missing(file, piece.line, name)


def _named(kind: str, data: Mapping[str, Any]) -> list[str]:
    """What a box names."""
    if kind == "check":
        return [f"question:{name}" for name in data["questions"]]
    if kind == "figure":
        return [f"figure:{data['name']}"]
    if kind == "scene":
        asked = [f"question:{data['question']}"] if data["question"] else []
        return [f"lab:{data['scenario']}", *asked]
    return []


def _missing(file: str, line: int, reference: str) -> Fault:
    return Fault(file, line, "lesson.unknown_reference", {"reference": reference})


def _places(lesson: LessonDocument) -> set[str]:
    """The places of a lesson that a link can name."""
    text = next(iter(lesson.texts.values()))
    ids = {section.id for section in text.sections if section.id}
    for section in text.sections:
        for piece in section.pieces:
            ids |= {str(token.attrGet("id")) for token in piece.tokens if token.type == "heading_open"}
    return ids | {f"scene-{piece.data['id']}" for piece in text.pieces("scene")}


def outcome_found(run: ScenarioRun, scene: Mapping[str, Any]) -> dict[str, Any]:
    """What the engine has to say to a scene's `outcome`, field by field. Raises NoSuchPlace."""
    start, outcome = scene["start"], scene["outcome"]
    place = scene_place(scene["scenario"], start["pod"] or "", start["point"] or "", start["cycle"])
    end = {shown_name(pod.key): pod.node_name for pod in run.end.world.list("Pod")}
    found: dict[str, Any] = {
        "bound": {name: end.get(name, "") for name in outcome.get("bound", {})},
        "pending": sorted(name for name in outcome.get("pending", []) if name in end and not end[name]),
        "evicted": sorted({shown_name(victim) for turn in run.turns() for victim in turn.cycle.victims}),
    }
    if {"passing", "winner", "victims"} & set(outcome):
        turn = run.turn_of(place)
        detail = run.detail(turn, place.pod)
        found["passing"] = sorted(detail.feasible) if detail else []
        found["winner"] = detail.chosen if detail else ""
        found["victims"] = sorted(shown_name(victim) for victim in turn.cycle.victims)
    return {name: found[name] for name in outcome}


def scene_differs(run: ScenarioRun, scene: Mapping[str, Any]) -> str:
    """How the engine's outcome differs from the one a scene states; empty where they are the same."""
    stated = {name: sorted(value) if isinstance(value, list) else value for name, value in scene["outcome"].items()}
    try:
        found = outcome_found(run, scene)
    except NoSuchPlace as problem:
        return str(problem)
    return "" if found == stated else f"stated {stated}, found {found}"
