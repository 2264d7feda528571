"""A lesson's scene opens as a lab of one's own, just before the cycle that it is about."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client

from gpuschedlab.accounts.models import Participant
from lessons.models import Lesson
from lessons.presenters.lesson_text import present_text
from lessons.services.scene_labs import scene_lab_open
from lessons.situations.runs import shown_name
from simulator.engine.actors.kube_scheduler.cycle import Cycle
from simulator.models import Lab
from simulator.selectors.histories import open_history
from simulator.services.labs import lab_run
from tests.factories.accounts import be, make_participant
from tests.factories.catalogue import catalogue_load, forget
from tests.lessons.conftest import Page

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

Post = Callable[..., Page]
PATH = "/lessons/queue-and-preemption/scenes/preemption-story/"


@pytest.fixture(autouse=True)
def _catalogue() -> Iterator[None]:
    catalogue_load()
    yield
    forget()


def scenes() -> list[tuple[str, dict[str, Any]]]:
    lessons = Lesson.objects.filter(current__isnull=False).select_related("current")
    return [
        (lesson.slug, dict(piece.data))
        for lesson in lessons
        if lesson.current is not None
        for section in present_text(lesson.current, "en", []).sections
        for piece in section.pieces
        if piece.kind == "scene"
    ]


def tried_next(lab: Lab, actor: Participant) -> set[str]:
    """Pods of the next scheduling cycle."""
    lab_run(
        actor=actor,
        lab=lab,
        client_token=lab.pk.__class__(int=lab.pk.int ^ 1),
        expected_seq=lab.head_seq,
        stop=lambda action: isinstance(action.record, Cycle) and action.record.kind in {"pod", "podGroup"},
    )
    with open_history(lab) as history:
        cycle = history.history.actions[-1].record
    assert isinstance(cycle, Cycle)
    return {shown_name(key) for key in (cycle.pod, *(one.pod for one in cycle.tries))}


def test_every_scene_begins_with_the_pod_it_is_about(participant: Participant) -> None:
    found = scenes()
    assert len(found) > 25
    for lesson, scene in found:
        lab, action = scene_lab_open(actor=participant, lesson=lesson, scene=scene)
        assert (action > 0) is bool(Lab.objects.filter(pk=lab.pk).exists())
        if scene["start"]["pod"] and scene["start"]["point"] != "end":
            assert scene["start"]["pod"] in tried_next(lab, participant), (lesson, scene["id"])


def test_scene_at_the_end_of_a_cycle_begins_after_it(participant: Participant) -> None:
    lesson, scene = next(found for found in scenes() if found[1]["start"]["point"] == "end")
    lab, action = scene_lab_open(actor=participant, lesson=lesson, scene=scene)
    with open_history(lab) as history:
        cycle = history.history.actions[-1].record
        assert history.history.count == action + 1
    assert isinstance(cycle, Cycle)
    assert shown_name(cycle.pod) == scene["start"]["pod"]


def test_scene_leads_to_its_lab_and_back_to_the_same(client: Client, participant: Participant) -> None:
    first = client.post(PATH)
    assert first.status_code == 302
    address = first.headers["Location"]
    assert address.startswith("/labs/preemption/")
    page = client.get(address)
    assert page.status_code == 200
    assert client.post(PATH).headers["Location"] == address
    be(client, make_participant())
    assert client.post(PATH).headers["Location"] != address


@pytest.mark.parametrize("path", ["/lessons/nothing/scenes/preemption-story/", "/lessons/topology/scenes/nothing/"])
def test_unknown_scene_is_not_found(client: Client, path: str) -> None:
    assert client.post(path).status_code == 404
    assert client.get(PATH).status_code == 405


def test_only_this_site_may_frame_a_lab_and_nobody_a_lesson(client: Client, participant: Participant) -> None:
    lab = client.get(client.post(PATH).headers["Location"])
    lesson = client.get("/lessons/queue-and-preemption/")
    assert "frame-ancestors 'self'" in lab.headers["Content-Security-Policy"]
    assert lab.headers["X-Frame-Options"] == "SAMEORIGIN"
    assert "frame-ancestors 'none'" in lesson.headers["Content-Security-Policy"]
    assert lesson.headers["X-Frame-Options"] == "DENY"


def test_frame_has_neither_header_nor_footer_of_its_own(client: Client, participant: Participant) -> None:
    address = client.post(PATH).headers["Location"]
    assert "data-framed" in client.get(address, headers={"sec-fetch-dest": "iframe"}).content.decode()
    assert "data-framed" not in client.get(address, headers={"sec-fetch-dest": "document"}).content.decode()
