"""A prediction beside what came of it: name by name, and why, with the numbers; worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from gpuschedlab.accounts.models import Participant
from simulator.enums import PredictKind
from simulator.models import Prediction, Scenario
from simulator.presenters.predictions.record import present_record
from simulator.presenters.sentences.both import LANGUAGES
from simulator.presenters.sentences.say import parameters
from simulator.presenters.sentences.tables.predictions import PREDICTIONS
from simulator.selectors.predictions import commonest_wrong, predictions_of
from tests.factories.accounts import make_participant
from tests.factories.labs import load_exercise, make_node, make_pod
from tests.simulator.predictions.labs import Person, asking, filtering, make_classes, preempting, queueing

pytestmark = pytest.mark.django_db


def told(
    kind: str, *names: str, pod: str, objects: list[dict[str, Any]], language: str = "en", unit: str = "cycle"
) -> Person:
    """Somebody who has predicted, and looks at what came of it."""
    person = Person(asking("required", (kind, pod), objects=objects), language=language)
    person.step(unit=unit)
    assert person.predict(kind, *names, pod=pod).status_code == 200
    while person.made[0].key is None:
        person.step()
    return person


# which nodes pass


def test_every_node_stands_beside_what_was_said_of_it() -> None:
    person = told("feasibleNodes", "big-1", "small", pod="train", objects=filtering())
    assert "2 of 4 nodes as you said." in person.panel
    assert "You said big-1, small It was big-1, big-2" in person.panel
    assert "big-1 yes yes" in person.panel
    assert "big-2 – no yes otherwise" in person.panel
    assert "small yes – no otherwise" in person.panel
    assert "busy – no – no" in person.panel


def test_node_that_was_said_to_pass_is_explained_with_its_numbers() -> None:
    person = told("feasibleNodes", "big-1", "big-2", "small", "busy", pod="train", objects=filtering())
    assert "small drops out: it has 2 GPUs, train asks for 4" in person.panel
    assert "busy drops out: train asks for 4 GPUs, 2 of 8 are free" in person.panel
    assert "Insufficient nvidia.com/gpu" in person.panel
    assert "Look at NodeResourcesFit on busy" in person.panel


def test_node_that_was_said_to_fail_is_explained_by_what_holds() -> None:
    person = told("feasibleNodes", "big-1", pod="train", objects=filtering())
    assert "big-2 passes: 4 Filter plugins have nothing against it" in person.panel
    assert "train asks for 4 GPUs, big-2 has 8 of 8 free" in person.panel
    assert "cordoned" not in person.panel
    assert "Pod slot" not in person.panel


def test_what_to_look_at_next_is_there() -> None:
    person = told("feasibleNodes", "small", pod="train", objects=filtering())
    address = person.text.split('class="verdict-look"><a href="')[1].split('"')[0]
    response = person.client.get(address)
    assert response.status_code == 200
    assert "NodeResourcesFit" in response.content.decode()


def test_right_answer_needs_no_reasons() -> None:
    person = told("feasibleNodes", "big-1", "big-2", pod="train", objects=filtering())
    assert "As you said." in person.panel
    assert "drops out" not in person.panel
    assert "Look at" not in person.panel


def test_nodes_that_were_not_looked_at_do_not_count() -> None:
    """Of 120 equal nodes the search ends after 100 (kube-scheduler's least); nobody is wrong about the others."""
    objects = [make_node(f"n{index:03}") for index in range(120)] + [make_pod("p")]
    everything = [f"n{index:03}" for index in range(120)]
    person = told("feasibleNodes", *everything, pod="p", objects=objects)
    assert len(person.made[0].key or []) == 100
    assert person.made[0].is_right


# who wins


def test_node_with_fewer_points_is_compared_plugin_by_plugin() -> None:
    """LeastAllocated, CPU and memory: big-2 (93 + 98) / 2 = 95; big-1 with filler's 16 cores (43 + 97) / 2 = 70."""
    person = told("winner", "big-1", pod="train", objects=filtering())
    assert "You said big-1 It was big-2" in person.panel
    assert "big-2 has 468, 25 more" in person.panel
    assert "NodeResourcesFit: big-2 has 95, big-1 has 70, a difference of +25" in person.panel
    assert "Look at the table of scores" in person.panel


def test_node_that_does_not_even_pass_is_explained_by_filter() -> None:
    person = told("winner", "small", pod="train", objects=filtering())
    assert "small drops out: it has 2 GPUs, train asks for 4" in person.panel
    assert "Look at NodeResourcesFit on small" in person.panel
    address = person.text.split('class="verdict-look"><a href="')[1].split('"')[0]
    assert person.client.get(address).status_code == 200


def test_only_node_left_wins_without_points() -> None:
    objects = [make_node("only", cpu="8"), make_node("full", cpu="1"), make_pod("p", cpu="4")]
    person = told("winner", "full", pod="p", objects=objects)
    assert "only is the only node left after Filter" in person.panel


def test_pod_that_stays_without_a_node() -> None:
    objects = [make_node("one", cpu="1"), make_pod("p", cpu="4")]
    assert "It was none: it stays without a node" in told("winner", "one", pod="p", objects=objects).panel
    assert told("winner", pod="p", objects=objects).made[0].is_right


def test_pod_that_was_said_to_stay_without_a_node() -> None:
    person = told("winner", pod="train", objects=filtering())
    assert "there is room for train: 2 nodes pass Filter, and big-2 wins" in person.panel


# who is evicted


def test_victim_on_another_node_is_explained_by_the_criterion_that_chose() -> None:
    person = told("victims", "default/mid", pod="urgent", objects=preempting())
    assert "It was low" in person.panel
    assert "mid is on two, and preemption chose one" in person.panel
    assert "low (priority 0) is put back on one: urgent" in person.panel
    assert "its most important victim has the lowest priority" in person.panel


def test_pod_of_no_lower_priority_cannot_be_evicted() -> None:
    person = told("victims", "default/peer", pod="urgent", objects=preempting())
    assert "peer has priority 100, which is not below the 100 of urgent" in person.panel


def test_pod_that_may_stay_is_explained_by_its_reprieve() -> None:
    """urgent needs 1 of the 2 GPUs that low and lower hold: low (1) is put back first and stays."""
    objects = [
        *make_classes(0, 1, 9),
        make_node("one", gpus=2),
        make_pod("low", gpus=1, nodeName="one", priorityClassName="p1"),
        make_pod("lower", gpus=1, nodeName="one", priorityClassName="p0"),
        make_pod("urgent", gpus=1, priorityClassName="p9"),
    ]
    person = told("victims", "default/low", "default/lower", pod="urgent", objects=objects)
    assert "low (priority 1) is put back on one: urgent still fits, so it stays" in person.panel
    assert "low yes – no otherwise" in person.panel


def test_preemption_that_is_not_allowed() -> None:
    objects = preempting()
    objects[-1]["spec"]["preemptionPolicy"] = "Never"
    objects[2]["preemptionPolicy"] = "Never"
    person = told("victims", "default/low", pod="urgent", objects=objects)
    assert "It was nobody" in person.panel
    assert "Never" in person.panel
    assert told("victims", pod="urgent", objects=objects).made[0].is_right


# who is next


def test_higher_priority_comes_first() -> None:
    person = told("nextPod", "default/alpha", pod="", objects=queueing(), unit="record")
    assert "You said alpha It was zeta" in person.panel
    assert "zeta has priority 1000, above the 0 of alpha" in person.panel
    assert "Look at the queue just before" in person.panel


def test_equal_priorities_come_in_order() -> None:
    objects = [make_node("one"), make_pod("first"), make_pod("second")]
    person = told("nextPod", "default/second", pod="", objects=objects, unit="record")
    assert "It was first" in person.panel
    assert "same priority and time; first came into the queue before" in person.panel


def test_pod_behind_a_gate_is_in_no_hurry() -> None:
    objects = [*queueing(), make_pod("gated", schedulingGates=[{"name": "example.com/wait"}])]
    person = told("nextPod", "default/gated", pod="", objects=objects, unit="record")
    assert "gated is held back by SchedulingGates" in person.panel


def test_group_has_its_turn_as_one() -> None:
    person = Person(load_exercise("gang-native"))
    assert "nextPod-queue-1" in person.asked
    person.predict("nextPod", "default/job-a-3")
    person.step()
    assert person.made[0].key == ["default/job-a-0"]
    assert person.made[0].is_right
    assert "the whole pod group of job-a-0 has its turn at once" in person.panel


# how it is said


def test_same_in_chinese() -> None:
    person = told("feasibleNodes", "small", pod="train", objects=filtering(), language="zh-hans")
    assert "small 出局：train 要 4 张卡，它总共只有 2 张卡" in person.panel


def test_every_sentence_has_the_same_parameters_in_both_languages() -> None:
    for code, both in PREDICTIONS.items():
        used = [parameters(both.template(language)) for language in LANGUAGES]
        assert used[0] == used[1], code


def test_drawing_is_told_what_was_said_and_how_it_came() -> None:
    person = Person(asking("required", ("feasibleNodes", "train"), objects=filtering()))
    person.step()
    person.predict("feasibleNodes", "big-1", "small", pod="train")
    assert person.state["predicted"]["nodes"] == {"big-1": "said", "small": "said"}
    while person.made[0].key is None:
        person.step()
    assert person.state["predicted"]["nodes"] == {"big-1": "right", "big-2": "missed", "small": "extra"}


# records


def test_ones_own_record_counts_every_answer_once() -> None:
    person = told("feasibleNodes", "small", pod="train", objects=filtering())
    told("winner", "big-2", pod="train", objects=filtering())
    record = present_record(person.participant)
    assert (record.right, record.told) == (0, 1)
    assert [(line.label, line.right, line.told, line.percent) for line in record.tallies] == [
        (PredictKind.FEASIBLE_NODES.label, 0, 1, 0)
    ]
    assert [line.said for line in record.latest] == ["small"]
    assert person.client.get(record.latest[0].url).status_code == 200
    assert not predictions_of(make_participant())


def test_branches_do_not_count_twice() -> None:
    person = told("feasibleNodes", "small", pod="train", objects=filtering())
    person.post("fork/", htmx=False)
    assert Prediction.objects.count() == 2
    assert present_record(person.participant).told == 1


def test_lab_shows_its_predictions() -> None:
    person = told("feasibleNodes", "small", pod="train", objects=filtering())
    person.get(person.at, tab="predictions")
    assert "0 of 1 as you said" in person.words
    assert "Which nodes pass Filter for train?" in person.words
    assert 'class="outcome outcome-wrong"' in person.text


def test_commonest_wrong_predictions_of_those_who_meet_a_question_first() -> None:
    revision = asking("required", ("winner", "train"), objects=filtering())
    people: list[Participant] = []
    for answers in (["big-1"], ["big-1"], ["small"], ["big-2"], ["busy", "big-2"]):
        participant = make_participant()
        people.append(participant)
        for answer in answers:  # the second lab of the last one shows what somebody says who has seen it
            person = Person(revision, participant=participant)
            person.step()
            person.predict("winner", answer, pod="train")
            person.step("head")
    scenario = Scenario.objects.get(slug=revision.scenario.slug)
    found = commonest_wrong(scenario)
    assert [(answers.kind, answers.pod, answers.people, answers.right) for answers in found] == [
        (PredictKind.WINNER, "default/train", 5, 1)
    ]
    assert found[0].wrong == ((("big-1",), 2), (("busy",), 1), (("small",), 1))
    some = commonest_wrong(scenario, among=[people[0].pk, people[3].pk])
    assert (some[0].people, some[0].right, some[0].wrong) == (2, 1, ((("big-1",), 1),))


def test_predictions_can_be_taken_along() -> None:
    person = told("feasibleNodes", "small", pod="train", objects=filtering())
    response = person.client.get(reverse("accounts:my_data_export"))
    exported = response.json()["predictions"]
    assert [(row["answer"], row["key"], row["outcome"]) for row in exported] == [
        (["small"], ["big-1", "big-2"], "wrong")
    ]


def test_what_waits_is_not_exported_with_its_answer() -> None:
    person = Person(asking("required", ("feasibleNodes", "train"), objects=filtering()))
    person.step()
    person.predict("feasibleNodes", "small", pod="train")
    assert person.client.get(reverse("accounts:my_data_export")).json()["predictions"] == []
