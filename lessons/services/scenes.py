"""Keys from the engine: a scene question is bound to the facts of its place in a published scenario."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lessons.assessment.digest import revision_of
from lessons.assessment.problems import Invalid
from lessons.services.evidence import goals_readable
from lessons.services.telling import tell_node
from lessons.situations.facts import scene_facts
from lessons.situations.picture import picture_of
from lessons.situations.runs import NoSuchPlace, ScenarioRun
from simulator.engine.framework.shape_check import ConfigError
from simulator.engine.world.commands import CommandError
from simulator.models import Scenario
from simulator.selectors.setups import setup_of

if TYPE_CHECKING:
    from lessons.assessment.question import Question as QuestionText
    from lessons.assessment.scenes import Scene
    from lessons.situations.picture import Picture

logger = logging.getLogger(__name__)

MOST_OBJECTS: Final = 600
"""A scenario is run within a request; what a learner is asked about has a few dozen objects."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A question that can be asked, and the picture of its scene (None without one)."""

    text: QuestionText
    situation: Picture | None

    @property
    def digest(self) -> str:
        """Changes with the question and with the picture."""
        return self.text.revision if self.situation is None else revision_of([self.text.revision, self.situation])


class Unbound(Exception):
    """A question cannot get its key from its scene.

    `code`: `scenario` (there is none, it does not run, or is too large), `goals` (the engine does not know them),
    `place` (the scenario has no such cycle), `facts` (the engine says too little).
    """

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code = code


def scene_bind(text: QuestionText) -> Bound | None:
    """The question with its key; None while its scenario is not there or has no such place."""
    try:
        return scene_bound(text)
    except Unbound as problem:
        logger.warning("question %s cannot be asked: %s", text.id, problem)
        return None


def scene_bound(text: QuestionText) -> Bound:
    """The question with its key. Raises Unbound."""
    if text.scene is None:
        return Bound(text, None)
    run = scenario_run(text.scene.scenario)
    if run is None:
        raise Unbound("scenario", text.scene.scenario)
    if not goals_readable(text):
        raise Unbound("goals")
    try:
        bound = text.bind(scene_facts(run, text.scene, tell_node)) if text.waits_for_engine else text
        return Bound(bound, picture_of(run.before(text.scene), _pod_of(run, text.scene)))
    except NoSuchPlace as problem:
        raise Unbound("place", str(problem)) from problem
    except Invalid as problem:
        raise Unbound("facts", str(problem)) from problem


def _pod_of(run: ScenarioRun, scene: Scene) -> str:
    """The key of the Pod whose turn the scene shows."""
    if scene.point in {"Start", "End"}:
        return ""
    tried = run.turn_of(scene).pods
    return tried[0] if len(tried) == 1 else ""


def scenario_run(slug: str) -> ScenarioRun | None:
    """The published scenario, run until nothing moves; None where there is none that runs, or it is too large."""
    scenario = Scenario.objects.filter(slug=slug, current__isnull=False).select_related("current").first()
    if scenario is None or scenario.current is None or len(scenario.current.objects_json) > MOST_OBJECTS:
        return None
    try:
        return ScenarioRun(setup_of(scenario.current.spec), scenario.current.objects_json)
    except (ConfigError, CommandError) as problem:
        logger.warning("scenario %s does not run: %s", slug, problem)
        return None
