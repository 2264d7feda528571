"""The reveal horizon: no door of a lab tells what its scenario asks to predict first."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest
from django.utils import translation

from lessons.services.evidence import goals_met
from simulator.engine.actors.kube_scheduler.cycle import Cycle
from simulator.engine.framework.messages import status_text
from simulator.models import Lab
from simulator.presenters.sentences.happenings import present_action
from simulator.presenters.sentences.story import present_record
from simulator.selectors.bench import lab_bench
from simulator.selectors.histories import open_history
from simulator.selectors.horizon import asked_of
from simulator.selectors.lab_history import LabHistory
from simulator.selectors.positions import Position
from simulator.services.lab_care import lab_share
from tests.factories.labs import make_node, make_pod
from tests.simulator.predictions.doors import doors_of, lab_patterns
from tests.simulator.predictions.labs import Person, asking, filtering, preempting, queueing

if TYPE_CHECKING:
    from lessons.assessment.question_types.build_it import BuildItContent

pytestmark = pytest.mark.django_db

PLACE = re.compile(r"[?&\"']at(?:=|\"?:\s*\")(\d+)\.(\d+|end)")
ENDED = re.compile(r'class="mark-(bound|failed|preempted|waiting|error)')
SCENES = {
    "feasibleNodes": (filtering, "train", ["default/train", "default/holder"], ["big-1", "big-2", "small", "busy"]),
    "winner": (filtering, "train", ["default/train", "default/filler"], ["big-1", "big-2", "small", "busy"]),
    "victims": (preempting, "urgent", ["default/urgent", "default/low", "default/mid"], ["one", "two"]),
    "nextPod": (queueing, "", ["default/zeta", "default/alpha"], ["one"]),
}


def _at_the_question(kind: str) -> tuple[Person, str]:
    """A lab that has gone as far as it may, shared."""
    objects, pod, _, _ = SCENES[kind]
    person = Person(asking("required", (kind, pod), objects=objects()))
    person.step(unit="cycle")
    lab = person.lab
    lab_share(actor=lab.owner, lab=lab, shared=True)
    assert lab.share_token
    return person, lab.share_token


def _secrets(lab: Lab) -> Iterator[str]:
    """What only somebody knows who has been shown more than the lab may show: every sentence beyond the horizon in both
    languages, kube's own words, Events. Sentences that are told before as well are no secrets."""
    with open_history(lab) as history:
        horizon = asked_of(lab).horizon(history.gates)
        assert horizon is not None
        before = set(_sentences(history, Position(0), horizon))
        beyond = set(_sentences(history, horizon, None))
        yield from beyond - before
        known = len(history.frame(horizon.action).events)
        yield from (str(event.message) for event in history.frame(history.count).events[known:] if event.message)


def _sentences(history: LabHistory, first: Position, last: Position | None) -> Iterator[str]:
    for action in history.history.actions[first.action :]:
        trace = history.trace(action.index)
        for record in trace.records:
            place = Position(action.index, record.index)
            if (first == Position(0) or place > first) and (last is None or place <= last):
                for language in ("zh-hans", "en"):
                    with translation.override(language):
                        detail = trace.attempts[record.attempt] if record.attempt < len(trace.attempts) else None
                        yield present_record(record, detail=detail).text
                        yield status_text(record.status)
        if last is None and isinstance(action.record, Cycle):
            yield from (failure.message for failure in action.record.failures)
            for language in ("zh-hans", "en"):
                with translation.override(language):
                    yield present_action(action).headline.text


@pytest.mark.slow
@pytest.mark.parametrize("kind", SCENES)
def test_no_door_tells_what_is_to_be_predicted(kind: str) -> None:
    person, token = _at_the_question(kind)
    secrets = [secret for secret in set(_secrets(person.lab)) if len(secret) > 3]
    assert secrets
    with open_history(person.lab) as history:
        horizon = asked_of(person.lab).horizon(history.gates)
        assert horizon is not None
    _, _, pods, nodes = SCENES[kind]
    names = 0
    for door, answer in doors_of(person, token, pods=pods, nodes=nodes):
        names += 1
        told = [secret for secret in secrets if secret in answer]
        assert not told, (door, told)
        for action, record in PLACE.findall(answer):
            place = Position(int(action), 0 if record == "end" else int(record))
            echoed = f"'at': '{action}.{record}'" in door  # the address one asked for
            assert echoed or place <= horizon, (door, str(place))
        assert '"victims": ["' not in answer, door
        assert not ENDED.search(answer), door
        assert "chosen" not in re.findall(r'"state": "(\w+)"', answer), door
    assert names > 300


def test_every_address_of_a_lab_is_a_door() -> None:
    """What the walk above goes through: it must not shrink when addresses are written differently."""
    names = {pattern.name for pattern in lab_patterns()}
    assert {"lab", "lab_explain", "lab_step", "lab_run", "lab_fork", "lab_command"} <= names
    assert {"lab_predict", "lab_predict_mode", "lab_picture", "lab_dialog", "lab_edit"} <= names
    assert {"shared_lab", "shared_explain", "shared_fork"} <= names


def _alike(tie_rule: str) -> Person:
    """Two nodes that are equally good; which of them wins depends on a rule that no page shows."""
    objects = [make_node("b-node"), make_node("a-node"), make_pod("p"), make_pod("q")]
    rules = {"preset": "lab", "tieRule": tie_rule}
    return Person(asking("required", ("winner", "p"), objects=objects, rules=rules))


@pytest.mark.slow
def test_labs_that_differ_only_beyond_the_horizon_look_the_same() -> None:
    """Whatever it is that a page shows: if it were different for another answer, it would tell the answer."""
    pages = []
    for tie_rule in ("clusterOrder", "name"):
        person = _alike(tie_rule)
        person.step(unit="cycle")
        lab = person.lab
        lab_share(actor=lab.owner, lab=lab, shared=True)
        assert lab.share_token
        doors = doors_of(person, lab.share_token, pods=["default/p", "default/q"], nodes=["a-node", "b-node"])
        own = [person.lab_id, lab.share_token, person.slug]
        pages.append([(_plain(door, own), _plain(answer, own)) for door, answer in doors])
        person.predict("winner", "a-node", pod="p")
    for (door, one), (_, other) in zip(*pages, strict=True):
        if one == other:
            continue
        changed = [line for line in difflib.ndiff(one.splitlines(), other.splitlines()) if line[0] in "+-"]
        assert not changed, (door, changed[:6])


def _plain(text: str, own: list[str]) -> str:
    """Without what differs from page to page by itself: names of the lab, tokens, times of day."""
    for name in own:
        text = text.replace(name, "…")
    text = re.sub(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", "…", text)
    return re.sub(r"(csrf\w*\W{1,12}(?:value=\W)?|nonce=\W?)[\w/+=-]+", r"\1", text)


def test_answers_of_those_labs_differ() -> None:
    """Else the test above would show nothing."""
    keys = []
    for tie_rule in ("clusterOrder", "name"):
        person = _alike(tie_rule)
        person.step()
        person.predict("winner", "a-node", pod="p")
        person.step("head")
        keys.append(person.made[0].key)
    assert keys == [["b-node"], ["a-node"]]


def test_socket_tells_only_that_there_is_something_newer(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []
    monkeypatch.setattr("simulator.services.labs.publish", lambda *args: told.append(args))
    monkeypatch.setattr("simulator.services.predictions.publish", lambda *args: told.append(args))
    person, _ = _at_the_question("winner")
    person.predict("winner", "big-1", pod="train")
    topic = f"lab:{person.lab_id}"
    assert told == [(topic, "lab.stepped", 1, {"command": "run"}), (topic, "lab.predicted", 0)]


def test_why_says_nothing_of_pods_that_are_asked_about_and_of_what_would_come() -> None:
    objects = [*filtering(), make_pod("twin", cpu="2", gpus=4)]
    person = Person(asking("required", ("feasibleNodes", "train"), objects=objects))
    person.get("0.0", tab="why", pod="default/train", node="small")
    assert "Answer the question first, then ask." in person.words
    person.get("0.0", tab="why", pod="default/twin", node="small")
    assert "If it were tried now" not in person.words
    person.step()
    person.predict("feasibleNodes", pod="train")
    person.step("head")
    person.get(person.at, tab="why", pod="default/twin", node="small")
    assert "If it were tried now" in person.words
    assert "2 GPUs" in person.words or "has 2" in person.words


def test_queue_is_told_without_its_order_until_one_has_said_who_is_next() -> None:
    person = Person(asking("required", ("nextPod", ""), objects=queueing()))

    def order() -> list[str]:
        person.get("0.0", tab="queue")
        part = person.text.split('id="queue-active"')[1].split("</section>")[0]
        return re.findall(r'class="pod-name">(\w+)<', part)

    assert order() == ["alpha", "beta", "zeta"]
    person.predict("nextPod", "default/alpha")
    assert order() == ["zeta", "alpha", "beta"]


def test_goals_handed_in_are_those_that_may_be_seen() -> None:
    person = Person(asking("required", ("winner", "train"), objects=filtering(), goals=[{"kind": "allBound"}]))
    person.step()
    goal = SimpleNamespace(id="bound", statement={"kind": "allBound"})
    content = cast("BuildItContent", SimpleNamespace(goals=[goal]))
    assert goals_met(person.lab, content) == {"bound": False}
    person.predict("winner", "big-2", pod="train")
    assert goals_met(person.lab, content) == {"bound": True}


def test_the_bench_of_a_lab_asks_about_no_pod_whose_turn_is_not_shown_yet() -> None:
    """The Pod it begins with is that of the turn at the place; the turn that is asked about is none."""
    person, _token = _at_the_question("nextPod")
    with open_history(person.lab) as history:
        horizon = asked_of(person.lab).horizon(history.gates)
        assert horizon is not None
        hidden = history.history.actions[horizon.action + 1].record
    assert isinstance(hidden, Cycle)
    assert hidden.pod == "default/zeta"
    for at in (None, Position(horizon.action + 1), Position(99)):
        with lab_bench(person.lab, at) as bench:
            assert bench.pod == "default/alpha"
            assert bench.is_quiet
