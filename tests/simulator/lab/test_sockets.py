"""Sockets of labs: who may listen, what is told, and what another process learns from the log."""

from __future__ import annotations

import asyncio
import uuid
from typing import TYPE_CHECKING, Any

import pytest
from asgiref.sync import sync_to_async
from channels.layers import channel_layers

from gpuschedlab.web.sockets.hub import get_hub
from gpuschedlab.web.sockets.topics import topic_head
from simulator.models import Lab
from simulator.selectors import histories as kept_histories
from simulator.selectors.histories import histories, open_history
from simulator.services.lab_care import lab_share
from tests.factories.accounts import make_participant
from tests.factories.labs import give, make_lab, make_node, make_pod, make_revision, run
from tests.factories.sockets import opened, run_scenario

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.factories.sockets import Tab

pytestmark = pytest.mark.django_db(transaction=True)

LABEL = {"type": "label", "kind": "Node", "name": "n1", "labels": {"a": "b"}}


@pytest.fixture(autouse=True)
def _fresh_layer() -> Iterator[None]:
    channel_layers.backends.clear()
    yield
    channel_layers.backends.clear()


def test_topics_of_labs() -> None:
    owner, other = make_participant(), make_participant()
    lab = make_lab(owner)
    assert topic_head(owner, lab.topic) is None  # not stored yet
    give(lab, LABEL)
    run(lab)
    assert topic_head(owner, lab.topic) == 2
    assert topic_head(other, lab.topic) is None
    assert topic_head(owner, "lab:nonsense") is None
    assert topic_head(owner, f"lab:{uuid.uuid4()}") is None
    assert topic_head(other, "shared-lab:nonsense") is None
    lab_share(actor=owner, lab=lab, shared=True)
    shared = f"shared-lab:{lab.share_token}"
    assert topic_head(other, shared) == 2
    lab_share(actor=owner, lab=lab, shared=False)
    assert topic_head(other, shared) is None


def test_commands_are_told_to_the_owner_and_to_readers() -> None:
    owner, reader = make_participant(), make_participant()
    lab = make_lab(owner)
    give(lab, LABEL)
    known_before_it_was_shared = Lab.objects.get()
    lab_share(actor=owner, lab=lab, shared=True)
    shared = f"shared-lab:{lab.share_token}"

    async def scenario() -> None:
        mine, theirs, stranger = await opened(owner), await opened(reader), await opened(reader)
        assert (await mine.ask(type="topic.join", topic=lab.topic))["seq"] == 1
        assert (await theirs.ask(type="topic.join", topic=shared))["seq"] == 1
        assert (await stranger.ask(type="topic.join", topic=lab.topic))["type"] == "topic.refused"
        await in_thread(lambda: run(known_before_it_was_shared))
        assert await mine.hear() == {
            "topic": lab.topic,
            "type": "lab.stepped",
            "seq": 2,
            "data": {"command": "run"},
        }
        assert await theirs.hear() == {"topic": shared, "type": "lab.stepped", "seq": 2, "data": {"command": "run"}}
        assert await stranger.hears_nothing()
        await leave(mine, theirs, stranger)

    run_scenario(scenario)


def test_who_comes_back_learns_the_newest_number() -> None:
    owner = make_participant()
    lab = make_lab(owner)
    give(lab, LABEL)

    async def scenario() -> None:
        tab = await opened(owner)
        assert (await tab.ask(type="topic.join", topic=lab.topic))["seq"] == 1
        await tab.leave()
        await in_thread(lambda: run(lab, 3))
        again = await opened(owner)
        assert (await again.ask(type="topic.join", topic=lab.topic))["seq"] == 2
        await leave(again)

    run_scenario(scenario)


@pytest.mark.parametrize("long", [1, 10_000])
def test_another_process_catches_up_from_the_log(monkeypatch: pytest.MonkeyPatch, long: int) -> None:
    """Whether it computes what it missed or takes a snapshot, it shows the same."""
    monkeypatch.setattr(kept_histories, "LONG_CATCH_UP", long)
    monkeypatch.setattr("simulator.services.labs.SNAPSHOT_ACTIONS", 1)
    revision = make_revision([make_node("n1"), *(make_pod(f"p{i}") for i in range(3))])
    lab = make_lab(make_participant(), revision)
    run(lab)
    with open_history(lab) as history:
        behind = history
    histories.clear()
    run(lab, 50)
    with histories.locked(lab.pk) as kept:
        newest = kept.history
        assert newest is not None
        kept.history = behind
    with open_history(Lab.objects.get()) as history:
        assert history is not newest
        assert (history is behind) == (long > 1)
        assert history.seq == 2
        assert history.history.head.digest == newest.history.head.digest
        assert [frame_pods(history, n) for n in range(history.count)] == [
            frame_pods(newest, n) for n in range(newest.count)
        ]


def frame_pods(history: Any, number: int) -> dict[str, str]:
    return {pod.name: pod.node_name for pod in history.frame(number).pods}


async def in_thread(work: Callable[[], object]) -> None:
    await sync_to_async(work)()


async def leave(*tabs: Tab) -> None:
    for tab in tabs:
        await tab.leave()
    await asyncio.sleep(0)
    await get_hub().close()
