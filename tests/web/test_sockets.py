"""The socket: who may listen to what, how one catches up, and what is refused."""

from __future__ import annotations

import asyncio
import json
import time
import uuid
from typing import TYPE_CHECKING, Any

import pytest
from asgiref.sync import sync_to_async
from channels.layers import channel_layers
from django.conf import settings

from gpuschedlab.accounts.models import Participant
from gpuschedlab.web.jobs.relay import relay_runs
from gpuschedlab.web.jobs.services import notify
from gpuschedlab.web.models import Run, RunState
from gpuschedlab.web.sockets import consumer
from gpuschedlab.web.sockets.events import group_of, publish
from gpuschedlab.web.sockets.hub import Hub, get_hub
from gpuschedlab.web.sockets.topics import topic_head
from tests.factories.accounts import make_participant
from tests.factories.sockets import Tab, opened, run_scenario

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _fresh_layer() -> Iterator[None]:
    channel_layers.backends.clear()
    yield
    channel_layers.backends.clear()


def run_of(owner: Participant, **fields: Any) -> Run:
    return Run.objects.create(kind="tests.count", owner=owner, **fields)


def test_owner_joins_and_hears_and_others_are_refused() -> None:
    owner = make_participant()
    run = run_of(owner, version=3, topic="lab:7")
    topic = f"run:{run.pk}"

    async def scenario() -> None:
        mine, other, nobody = await opened(owner), await opened(await sync_to_async(make_participant)()), await opened()
        assert await mine.ask(type="topic.join", topic=topic) == {"type": "topic.joined", "topic": topic, "seq": 3}
        refused = {"type": "topic.refused", "topic": topic}
        assert await other.ask(type="topic.join", topic=topic) == refused
        assert await nobody.ask(type="topic.join", topic=topic) == refused
        await sync_to_async(notify)(run)
        event = await mine.hear()
        assert (event["topic"], event["type"], event["seq"]) == (topic, "run.changed", 3)
        assert event["data"] == {"run": str(run.pk), "state": "queued"}
        assert await other.hears_nothing()
        assert await nobody.hears_nothing()
        await mine.tell(json.dumps({"type": "topic.leave", "topic": topic}))
        await asyncio.sleep(0.05)
        await sync_to_async(notify)(run)
        assert await mine.hears_nothing()
        for socket in (mine, other, nobody):
            await socket.leave()
        assert not get_hub().has_listeners()
        await get_hub().close()

    run_scenario(scenario)


def test_changes_made_by_another_process_arrive_through_the_rows() -> None:
    owner = make_participant()
    run = run_of(owner, topic="lab:7")

    async def scenario() -> None:
        relay = asyncio.create_task(relay_runs())
        mine = await opened(owner)
        await mine.ask(type="topic.join", topic=f"run:{run.pk}")
        await sync_to_async(Run.objects.filter(pk=run.pk).update)(state=RunState.RUNNING, version=2)
        event = await mine.hear()
        while event["seq"] < 2:
            event = await mine.hear()
        assert event["data"]["state"] == "running"
        relay.cancel()
        await mine.leave()
        await get_hub().close()

    run_scenario(scenario)


@pytest.mark.parametrize("topic", ["", "run", "run:", "run:nonsense", "nothing:1", "run:" + "x" * 200])
def test_topic_that_is_none_has_no_head(topic: str) -> None:
    assert topic_head(make_participant(), topic) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"type": "topic.join"}',
        '{"type": "topic.join", "topic": 7}',
        '{"type": "shout"}',
        "x" * 2000,
    ],
)
def test_message_that_is_none_closes_the_socket(text: str) -> None:
    async def scenario() -> None:
        socket = await opened()
        await socket.tell(text)
        assert await socket.closed_with() == consumer.CLOSE_BAD_MESSAGE
        await socket.leave()

    run_scenario(scenario)


def test_other_origin_is_refused() -> None:
    async def scenario() -> None:
        socket = Tab(origin="https://evil.example")
        assert not await socket.open()
        await socket.leave()

    run_scenario(scenario)


def test_flood_of_messages_closes_the_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumer, "MESSAGES_PER_MINUTE", 2)

    async def scenario() -> None:
        socket = await opened()
        for _ in range(2):
            await socket.ask(type="topic.join", topic="run:x")
        await socket.tell(json.dumps({"type": "topic.join", "topic": "run:x"}))
        assert await socket.closed_with() == consumer.CLOSE_TOO_MANY
        await socket.leave()

    run_scenario(scenario)


def test_too_many_topics_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumer, "MAX_TOPICS", 1)
    owner = make_participant()
    one, two = run_of(owner), run_of(owner)

    async def scenario() -> None:
        socket = await opened(owner)
        assert (await socket.ask(type="topic.join", topic=f"run:{one.pk}"))["type"] == "topic.joined"
        assert (await socket.ask(type="topic.join", topic=f"run:{two.pk}"))["type"] == "topic.refused"
        await socket.leave()
        await get_hub().close()

    run_scenario(scenario)


def test_too_many_sockets_of_one_participant_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumer, "MAX_SOCKETS", 1)
    owner = make_participant()

    async def scenario() -> None:
        first, second = await opened(owner), await opened(owner)
        assert await second.closed_with() == consumer.CLOSE_TOO_MANY
        await second.leave()
        await first.leave()

    run_scenario(scenario)
    assert not consumer._open_sockets


def test_slow_tab_is_sent_away_to_catch_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumer, "MAX_WAITING", 2)
    owner = make_participant()
    run = run_of(owner)
    topic = f"run:{run.pk}"

    async def scenario() -> None:
        socket = await opened(owner)
        await socket.ask(type="topic.join", topic=topic)
        for seq in range(2, 6):
            get_hub().deliver({"topic": topic, "type": "run.changed", "seq": seq, "data": {}})
        assert await socket.closed_with() == consumer.CLOSE_TOO_SLOW
        await socket.leave()
        await get_hub().close()

    run_scenario(scenario)


class _Listener:
    def __init__(self) -> None:
        self.heard: list[int] = []

    def hear(self, event: Any) -> None:
        self.heard.append(event["seq"])


def test_hub_joins_a_group_once_for_all_its_listeners() -> None:
    class Layer:
        """A channel layer that only notes what is asked of it."""

        def __init__(self) -> None:
            self.calls: list[tuple[str, str]] = []

        async def new_channel(self) -> str:
            return "mine"

        async def group_add(self, group: str, channel: str) -> None:
            self.calls.append(("add", group))

        async def group_discard(self, group: str, channel: str) -> None:
            self.calls.append(("discard", group))

        async def receive(self, channel: str) -> Any:
            await asyncio.sleep(60)

    async def scenario() -> None:
        layer = Layer()
        hub = Hub(layer)
        one, two = _Listener(), _Listener()
        await hub.join("lab:1", one)
        await hub.join("lab:1", two)
        assert layer.calls == [("add", "topic.lab.1")]
        hub.deliver({"topic": "lab:1", "type": "lab.stepped", "seq": 9, "data": {}})
        hub.deliver({"topic": "lab:2", "type": "lab.stepped", "seq": 10, "data": {}})
        assert one.heard == two.heard == [9]
        await hub.leave("lab:1", one)
        assert layer.calls[1:] == []
        await hub.leave("lab:1", two)
        await hub.leave("lab:1", two)
        assert layer.calls[1:] == [("discard", "topic.lab.1")]
        await hub.close()

    run_scenario(scenario)


def test_publishing_never_fails(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    class Down:
        async def group_send(self, group: str, message: Any) -> None:
            raise ConnectionError

    monkeypatch.setattr("gpuschedlab.web.sockets.events.get_channel_layer", Down)
    publish("lab:1", "lab.stepped", 4)
    assert "could not tell the listeners of lab:1" in caplog.text


def test_group_names_are_what_channel_layers_accept() -> None:
    assert group_of(f"run:{uuid.UUID(int=1)}") == "topic.run.00000000-0000-0000-0000-000000000001"
    assert len(group_of("x" * 80)) < 100
    assert settings.CHANNEL_LAYERS


def test_too_many_sockets_of_one_address_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumer, "MAX_OF_ADDRESS", 2)

    async def scenario() -> None:
        first, second = await opened(), await opened()
        third = Tab()
        assert await third.open()
        assert await third.closed_with() == consumer.CLOSE_TOO_MANY
        for socket in (first, second, third):
            await socket.leave()
        assert not consumer._open_sockets

    run_scenario(scenario)


def test_who_is_refused_is_told_nothing_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    owner, topic = make_participant(), "run:11111111-1111-4111-8111-111111111111"

    def slow_head(_participant: Participant, _topic: str) -> int | None:
        time.sleep(0.2)
        return None

    monkeypatch.setattr(consumer, "topic_head", slow_head)

    async def scenario() -> None:
        other = await opened(owner)
        await other.tell(json.dumps({"type": "topic.join", "topic": topic}))
        await asyncio.sleep(0.05)
        get_hub().deliver({"topic": topic, "type": "run.changed", "seq": 1, "data": {}})
        assert (await other.hear())["type"] == "topic.refused"
        assert await other.hears_nothing()
        await other.leave()
        await get_hub().close()

    run_scenario(scenario)


def test_topic_with_a_very_long_name_is_refused() -> None:
    async def scenario() -> None:
        tab = await opened()
        assert (await tab.ask(type="topic.join", topic="run:" + "x" * 900))["type"] == "topic.refused"
        await tab.leave()

    run_scenario(scenario)
