"""The lab around a question: scenarios one may point at, and the steps of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from lessons.assessment.scenes import POINTS
from lessons.presenters.authoring.inputs import Around
from lessons.presenters.languages import localized
from lessons.selectors.scenes import scenario_names, scenarios_known
from lessons.services.scenes import scenario_run
from lessons.situations.runs import shown_name

if TYPE_CHECKING:
    from gpuschedlab.accounts.models import Participant
    from lessons.situations.runs import ScenarioRun

MOST_STEPS: Final = 60


def scenario_choices(viewer: Participant) -> list[tuple[str, str]]:
    """The scenarios that a scene may name: (slug, title)."""
    return [(slug, localized(title) or slug) for slug, title in scenarios_known(viewer)]


def around_of(document: Mapping[str, Any]) -> Around:
    """What the scenario of a question's scene has in it."""
    scene = document.get("scene")
    slug = scene.get("scenario") if isinstance(scene, Mapping) else None
    names = scenario_names(slug) if isinstance(slug, str) else None
    return Around(tuple(names["Pod"]), tuple(names["Node"]), PLUGINS) if names is not None else Around()


PLUGINS: Final = (
    "NodeResourcesFit",
    "NodeResourcesBalancedAllocation",
    "ImageLocality",
    "TaintToleration",
    "NodeAffinity",
    "PodTopologySpread",
    "InterPodAffinity",
)
"""Those of kube-scheduler's default profile that score."""


@dataclass(frozen=True, slots=True)
class StepView:
    """A step one can ask at. `values` are what the form would say; `node`, `victims`: what became of it."""

    number: int
    pod: str
    cycle: int
    node: str
    victims: str
    is_chosen: bool


def present_steps(document: Mapping[str, Any]) -> Sequence[StepView]:
    """The steps of the scene's scenario that come to its point; nothing where there are none."""
    scene = document.get("scene")
    if not isinstance(scene, Mapping) or not isinstance(scene.get("scenario"), str):
        return ()
    point = scene.get("point", "Filter")
    run = scenario_run(scene["scenario"]) if point in POINTS and point not in {"Start", "End"} else None
    return _steps(run, str(point), scene) if run is not None else ()


def _steps(run: ScenarioRun, point: str, scene: Mapping[str, Any]) -> Sequence[StepView]:
    found = run.steps(point)[:MOST_STEPS]
    pod, cycle = scene.get("pod"), scene.get("cycle", 1)
    views = []
    for number, step in enumerate(found, start=1):
        tried = next((one for one in step.turn.cycle.tries if shown_name(one.pod) == step.pod), None)
        victims = ", ".join(shown_name(victim) for victim in step.turn.cycle.victims)
        chosen = (pod == step.pod and cycle == step.cycle) if pod else number == cycle
        views.append(StepView(number, step.pod, step.cycle, tried.node if tried else "", victims, chosen))
    return views
