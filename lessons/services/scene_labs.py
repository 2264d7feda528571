"""A lesson's scene as a lab of the learner's own, at the place that the scene names."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid5

from lessons.services.scenes import scenario_run
from lessons.situations.runs import NoSuchPlace, scene_place
from simulator.selectors.labs import lab_open
from simulator.services.labs import lab_run

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gpuschedlab.accounts.models import Participant
    from simulator.models import Lab

NAMES = UUID("6b1b6d37-6d0a-4f0c-9c60-57d7d4f1d2a4")


def scene_lab_open(*, actor: Participant, lesson: str, scene: Mapping[str, Any]) -> tuple[Lab, int]:
    """The lab of a scene, the same each time, and the action after which the scene begins.

    It is stored only where turns have to happen before. Raises Http404 where the scenario is gone.
    """
    slug = scene["scenario"]
    begun = lab_open(viewer=actor, slug=slug, lab_id=UUID(int=0)).revision
    lab_id = uuid5(NAMES, f"{actor.pk} {begun.pk} {lesson} {scene['id']}")
    lab = lab_open(viewer=actor, slug=slug, lab_id=lab_id)
    start = scene["start"]
    turns = _turns_before(begun.pk, slug, start["pod"] or "", start["point"] or "", start["cycle"])
    if lab.is_unborn and turns:
        lab_run(actor=actor, lab=lab, client_token=lab_id, expected_seq=0, stop=lambda _action: False, most=turns)
    return lab, turns


@lru_cache(maxsize=256)
def _turns_before(_revision: int, slug: str, pod: str, point: str, cycle: int) -> int:
    """How many turns of the scenario happen before its cycle, with it at the point `end`; 0 where it has none such."""
    run = scenario_run(slug)
    if run is None:
        return 0
    try:
        turn = run.turn_of(scene_place(slug, pod, point, cycle))
    except NoSuchPlace:
        return 0
    return turn.action - run.start + (point == "end")
