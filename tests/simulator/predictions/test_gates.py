"""When a lab asks, what counts as an answer, and what becomes of it."""

from __future__ import annotations

import re
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from simulator.enums import PredictionOutcome
from simulator.models import Lab, LabCommand, Prediction
from simulator.selectors.histories import histories, open_history
from tests.factories.accounts import make_participant
from tests.factories.labs import give, load_exercise, make_node, make_pod
from tests.simulator.predictions.labs import Person, asking, filtering, make_classes, preempting, queueing

pytestmark = pytest.mark.django_db

REQUIRED, OPTIONAL = "required", "optional"


def _filter_asked(mode: str = REQUIRED) -> Person:
    return Person(asking(mode, ("feasibleNodes", "train"), objects=filtering()))


# where a gate stands


@pytest.mark.parametrize("unit", ["record", "plugin", "point", "cycle", "event"])
def test_step_of_any_size_ends_where_the_question_is(unit: str) -> None:
    person = _filter_asked()
    person.step(unit=unit)
    assert person.at == "1.0"
    assert "train is taken from the queue" in person.words
    assert person.asked == ["feasibleNodes-default--train-1"]
    assert "answer to go on" in person.panel
    assert person.state["canGoOn"] is False
    for _ in range(2):
        assert person.step(unit=unit).status_code == 409
        assert "Answer the question first" in person.text
        assert person.at == "1.0"


def test_run_to_idle_stops_at_a_question_and_goes_on_after_the_answer() -> None:
    objects = [*filtering(), make_pod("later", cpu="1")]
    person = Person(asking(REQUIRED, ("feasibleNodes", "train"), objects=objects))
    person.post("run/")
    assert person.at == "1.0"
    assert person.lab.commands.count() == 1
    with open_history(person.lab) as history:
        assert history.gates.cycles == [1]  # the turn of `later` has not happened
    person.predict("feasibleNodes", "big-1", "big-2", pod="train")
    person.post("run/")
    with open_history(person.lab) as history:
        assert len(history.gates.cycles) == 2
        assert history.frame(history.count).idle


def test_run_to_idle_starts_no_job_where_it_waits_for_an_answer() -> None:
    person = _filter_asked()
    person.post("run/")
    assert "run-" not in person.text.split('id="lab-run"')[-1][:200]
    assert person.state["at"] == "1.0"


def test_next_event_passes_turns_that_are_not_asked_about() -> None:
    objects = [make_pod("before", cpu="1"), *filtering()]
    person = Person(asking(REQUIRED, ("feasibleNodes", "train"), objects=objects))
    person.step(unit="cycle")
    assert person.at.startswith("1.")
    assert not person.asked
    person.step(unit="cycle")
    assert person.asked == ["feasibleNodes-default--train-1"]


def test_who_wins_is_asked_before_filter_even_where_only_one_node_passes() -> None:
    objects = [make_node("only", cpu="8"), make_node("full", cpu="1"), make_pod("p", cpu="4")]
    person = Person(asking(REQUIRED, ("winner", "p"), objects=objects))
    person.step()
    assert person.asked == ["winner-default--p-1"]
    assert person.step().status_code == 409
    person.predict("winner", "only", pod="p")
    person.step("head")
    assert person.made[0].outcome == PredictionOutcome.RIGHT


def test_who_is_evicted_is_asked_after_filter_and_before_the_story() -> None:
    person = Person(asking(REQUIRED, ("victims", "urgent"), objects=preempting()))
    person.step(unit="cycle")
    assert "2 → 0" in person.text
    assert person.asked == ["victims-default--urgent-1"]
    stopped_at = person.at
    assert person.step().status_code == 409
    person.predict("victims", "default/low", pod="urgent")
    person.step()
    assert person.at > stopped_at
    person.step("head")
    assert person.made[0].outcome == PredictionOutcome.RIGHT
    assert person.made[0].key == ["default/low"]


def test_nobody_is_asked_about_evictions_where_a_node_has_room() -> None:
    objects = [make_node("free", cpu="32", gpus=8), *preempting()]
    person = Person(asking(REQUIRED, ("victims", "urgent"), objects=objects))
    person.step(unit="cycle")
    assert not person.asked
    assert person.response.status_code == 200


def test_which_pod_is_next_is_asked_before_its_turn() -> None:
    person = Person(asking(REQUIRED, ("nextPod", ""), objects=queueing()))
    assert person.asked == ["nextPod-queue-1"]
    assert person.state["canGoOn"] is True  # the turn has not happened: the cluster may still be changed
    person.step()
    assert person.at == "0.0"
    assert person.state["canGoOn"] is False
    person.predict("nextPod", "default/zeta")
    person.step()
    assert person.at == "1.0"
    assert person.made[0].is_right
    assert "As you said." in person.panel


def test_a_single_pod_is_no_choice() -> None:
    person = Person(asking(REQUIRED, ("nextPod", ""), objects=[make_node("one"), make_pod("alone")]))
    assert not person.asked
    assert person.step().status_code == 200
    assert person.at == "1.0"


def test_several_questions_one_after_the_other() -> None:
    gates = (("feasibleNodes", "train"), ("winner", "train"))
    person = Person(asking(REQUIRED, *gates, objects=filtering()))
    person.step()
    assert person.asked == ["feasibleNodes-default--train-1", "winner-default--train-1"]
    person.predict("feasibleNodes", "big-1", "big-2", pod="train")
    assert person.asked == ["winner-default--train-1"]
    assert person.step().status_code == 409
    person.predict("winner", "big-1", pod="train")
    assert person.step().status_code == 200
    person.step("head")
    assert [made.outcome for made in person.made] == [PredictionOutcome.RIGHT, PredictionOutcome.WRONG]


def test_later_attempts_may_be_predicted_and_need_not_be() -> None:
    objects = [make_node("one", gpus=1), make_pod("train", gpus=4)]
    person = Person(asking(REQUIRED, ("feasibleNodes", "train"), objects=objects))
    person.step()
    person.predict("feasibleNodes", pod="train")
    person.post("run/")
    person.post(
        "do/apply/",
        text="""
apiVersion: v1
kind: Node
metadata: {name: two}
status: {capacity: {cpu: "8", memory: 8Gi, pods: "110", nvidia.com/gpu: "8"}}
""",
    )
    while person.asked != ["feasibleNodes-default--train-2"]:
        assert person.step().status_code == 200
    assert "answer to go on" not in person.panel
    assert person.state["canGoOn"] is True
    assert person.step().status_code == 200


# answers


def test_answer_is_stored_before_anything_is_shown() -> None:
    person = _filter_asked()
    person.step()
    person.predict("feasibleNodes", "big-2", "small", pod="train")
    made = person.made[0]
    assert (made.kind, made.pod, made.attempt) == ("feasibleNodes", "default/train", 1)
    assert made.answer == ["big-2", "small"]
    assert made.horizon == "1.0"
    assert made.key is None
    assert made.outcome == PredictionOutcome.WAITING
    assert "You said: big-2, small" in person.panel


def test_answer_survives_a_reload_and_another_process() -> None:
    person = _filter_asked()
    person.step()
    person.predict("feasibleNodes", "big-1", pod="train")
    histories.clear()
    person.get(person.at)
    assert "You said: big-1" in person.panel
    assert not person.asked
    assert person.step().status_code == 200


def test_key_is_filled_in_when_all_of_it_is_told() -> None:
    person = _filter_asked()
    person.step()
    person.predict("feasibleNodes", "big-1", "big-2", pod="train")
    while person.made[0].key is None:
        assert "You said: big-1, big-2 Step on, and compare." in person.panel
        person.step()
    assert "4 → 2" in person.text
    assert person.made[0].key == ["big-1", "big-2"]
    assert person.made[0].is_right
    assert person.made[0].revealed_at is not None


def test_same_answer_sent_twice_is_one_and_another_one_comes_too_late() -> None:
    person = _filter_asked()
    person.step()
    assert person.predict("feasibleNodes", "big-1", pod="train").status_code == 200
    assert person.predict("feasibleNodes", "big-1", pod="train").status_code == 200
    assert person.predict("feasibleNodes", "small", pod="train").status_code == 409
    assert "Your first answer stands" in person.text
    assert [made.answer for made in person.made] == [["big-1"]]


def test_two_tabs() -> None:
    person = _filter_asked()
    person.step()
    other = Person(person.lab.revision, participant=person.participant, lab=person.lab_id)
    assert other.asked == ["feasibleNodes-default--train-1"]
    person.predict("feasibleNodes", "big-1", pod="train")
    assert other.step().status_code == 200
    assert "You said: big-1" in other.panel


@pytest.mark.parametrize(
    ("kind", "names", "says"),
    [
        ("feasibleNodes", ["nowhere"], "There is no “nowhere” to choose here."),
        ("victims", ["default/train"], "This lab does not ask that now."),
        ("nonsense", ["big-1"], "kind"),
    ],
)
def test_what_is_no_answer_is_refused_with_a_sentence(kind: str, names: list[str], says: str) -> None:
    person = _filter_asked()
    person.step()
    assert person.predict(kind, *names, pod="train").status_code == 400
    assert says in person.text
    assert not person.made


def test_nothing_chosen_is_no_answer() -> None:
    person = _filter_asked()
    person.step()
    response = person.post("predict/", kind="feasibleNodes", pod="default/train", attempt=1)
    assert response.status_code == 400
    assert "Choose something first" in person.text


def test_two_winners_are_refused() -> None:
    person = Person(asking(REQUIRED, ("winner", "train"), objects=filtering()))
    person.step()
    assert person.predict("winner", "big-1", "big-2", pod="train").status_code == 400
    assert "Choose one of them." in person.text


def test_question_that_has_not_come_up_cannot_be_answered() -> None:
    """Whether it is accepted would tell whether it will come up."""
    gates = (("feasibleNodes", "urgent"), ("victims", "urgent"))
    person = Person(asking(REQUIRED, *gates, objects=preempting()))
    person.step()
    response = person.predict("victims", "default/low", pod="urgent")
    assert response.status_code == 400
    assert "This lab does not ask that now." in person.text


def test_node_of_several_equally_good_ones_counts_whichever_it_is() -> None:
    objects = [make_node("first"), make_node("second"), make_pod("p")]
    for choice in ("first", "second"):
        person = Person(asking(REQUIRED, ("winner", "p"), objects=objects))
        person.step()
        person.predict("winner", choice, pod="p")
        person.step("head")
        assert person.made[0].key == ["first"]
        assert person.made[0].is_right
        assert "share the highest total" in person.panel


def test_victims_of_equally_good_choices_count() -> None:
    objects = [make_node("a", gpus=1), make_node("b", gpus=1)]
    objects += [make_pod(f"on-{node}", gpus=1, nodeName=node) for node in ("a", "b")]
    objects += [*make_classes(9), make_pod("urgent", gpus=1, priorityClassName="p9")]
    for choice in ("on-a", "on-b"):
        person = Person(asking(REQUIRED, ("victims", "urgent"), objects=objects))
        person.step(unit="cycle")
        person.predict("victims", f"default/{choice}", pod="urgent")
        person.step("head")
        assert person.made[0].is_right


# changing the cluster


def test_lab_waits_with_everything_that_changes_it() -> None:
    person = _filter_asked()
    person.step()
    for path, values in (
        ("do/cordon/", {"name": "big-1"}),
        ("do/label/", {"name": "big-1", "labels": "a=b"}),
        ("do/advance/", {"seconds": "60"}),
        ("do/undo/", {}),
        ("do/apply/", {"text": "apiVersion: v1\nkind: Node\nmetadata: {name: x}\n"}),
        ("run/", {}),
    ):
        assert person.post(path, **values).status_code == 409, path
        assert "Answer the question first" in person.text
    assert LabCommand.objects.count() == 1


def test_what_was_said_of_the_next_turn_is_withdrawn_when_the_cluster_changes_before_it() -> None:
    person = Person(asking(REQUIRED, ("nextPod", ""), objects=queueing()))
    person.predict("nextPod", "default/zeta")
    assert not person.asked
    person.post("do/delete/", kind="Pod", name="zeta")
    assert [made.outcome for made in person.made] == [PredictionOutcome.WITHDRAWN]
    assert person.asked == ["nextPod-queue-1"]
    person.predict("nextPod", "default/alpha")
    person.step()
    assert [made.outcome for made in person.made] == [PredictionOutcome.WITHDRAWN, PredictionOutcome.RIGHT]


def test_prediction_can_be_the_first_thing_one_does_in_a_lab() -> None:
    person = Person(asking(OPTIONAL, ("nextPod", ""), objects=queueing()))
    assert not Lab.objects.exists()
    assert person.predict("nextPod", "default/alpha").status_code == 200
    assert (person.lab.head_seq, person.lab.commands.count()) == (0, 0)
    person.step()
    assert person.at == "1.0"
    assert person.made[0].outcome == PredictionOutcome.WRONG


# offered


def test_offered_question_can_be_passed_by() -> None:
    person = _filter_asked(OPTIONAL)
    person.step()
    assert person.asked == ["feasibleNodes-default--train-1"]
    assert "Skip" in person.panel
    assert person.state["canGoOn"] is True
    assert person.step().status_code == 200
    assert not person.asked
    assert not person.made


def test_what_has_been_shown_cannot_be_predicted_any_more() -> None:
    person = _filter_asked(OPTIONAL)
    person.step()
    person.step()
    person.get("1.0")
    assert not person.asked
    response = person.predict("feasibleNodes", "big-1", pod="train")
    assert response.status_code == 409
    assert "shown already" in person.text
    assert not person.made


def test_who_wins_may_be_said_until_scores_are_told() -> None:
    person = Person(asking(OPTIONAL, ("winner", "train"), objects=filtering()))
    person.step()
    person.step(unit="point")
    person.step(unit="point")
    assert "→ 2" in person.text
    assert person.asked == ["winner-default--train-1"]
    person.predict("winner", "big-2", pod="train")
    person.step("head")
    assert person.made[0].is_right


def test_offered_questions_spoil_nothing_of_the_turn() -> None:
    """No stage that will run, no sign of how the turn ends, before one has come to it."""
    objects = [make_node("one", gpus=1), make_pod("train", gpus=4)]
    person = Person(asking(OPTIONAL, ("feasibleNodes", "train"), objects=objects))
    person.step()
    assert "mark-failed" not in person.text
    assert "Back to the queue" not in person.text
    person.step("head")
    assert "mark-failed" in person.text
    person.get("1.0")
    assert "Back to the queue" in person.text  # known by now


def test_free_lab_offers_without_asking() -> None:
    person = Person(load_exercise("free-lab"))
    person.step()
    assert person.asked == ["feasibleNodes-default--train-a-1", "winner-default--train-a-1"]
    assert "<details" in person.text
    assert not re.search(r"<details[^>]*data-prompt[^>]* open", person.text)


def test_predictions_can_be_switched_off_and_on() -> None:
    person = _filter_asked(OPTIONAL)
    person.post("predict/mode/", mode="none")
    person.step()
    assert not person.asked
    person.post("predict/mode/", mode="optional")
    assert not person.asked, "all of the turn may have been seen while predictions were off"
    person.get("0.0")
    assert person.get("1.0").status_code == 200


def test_asked_for_predictions_cannot_be_switched_off() -> None:
    person = _filter_asked()
    person.step()
    assert person.post("predict/mode/", mode="none").status_code == 400
    assert person.post("predict/mode/", mode="required").status_code == 400
    assert person.step().status_code == 409


def test_scenario_without_predictions_can_be_switched_to_offer_them() -> None:
    person = Person(asking("none", objects=filtering()))
    person.post("predict/mode/", mode="optional")
    person.step()
    assert "feasibleNodes-default--train-1" in person.asked


# branches


def test_branch_from_before_asks_anew_and_the_old_answer_stays() -> None:
    objects = [make_pod("before", cpu="1"), *filtering()]
    person = Person(asking(REQUIRED, ("winner", "train"), objects=objects))
    person.step(unit="cycle")
    before = person.at
    person.step(unit="cycle")
    person.predict("winner", "big-1", pod="train")
    person.step("head")
    person.get(before)
    branch = _branch(person)
    assert not branch.made
    branch.step(unit="cycle")
    assert branch.asked == ["winner-default--train-1"]
    branch.predict("winner", "big-2", pod="train")
    branch.step("head")
    assert [made.answer for made in person.made] == [["big-1"]]
    assert [made.answer for made in branch.made] == [["big-2"]]


def test_branch_from_after_knows_what_was_predicted() -> None:
    person = _filter_asked()
    person.step()
    person.predict("feasibleNodes", "big-1", pod="train")
    person.step("head")
    branch = _branch(person)
    assert [(made.answer, made.taken_over) for made in branch.made] == [(["big-1"], True)]
    assert branch.step("back").status_code == 200
    assert branch.state["canGoOn"] is True
    assert "from before the branch" in branch.get(branch.at, tab="predictions").content.decode()


def test_branch_at_an_open_question_waits_for_an_answer_too() -> None:
    person = _filter_asked()
    person.step()
    branch = _branch(person)
    assert branch.at == "1.0"
    assert branch.step().status_code == 409


def test_undoing_a_command_leaves_predictions_alone() -> None:
    person = _filter_asked()
    person.post("do/label/", name="big-1", labels="a=b")
    person.post("do/undo/")
    person.step()
    person.predict("feasibleNodes", "big-1", pod="train")
    assert [made.outcome for made in person.made] == [PredictionOutcome.WAITING]


def _branch(person: Person) -> Person:
    response = person.post("fork/", htmx=False, client_token=str(uuid.uuid4()))
    assert response.status_code == 302
    lab = Lab.objects.exclude(pk=person.lab_id).latest("created_at")
    branch = Person(person.lab.revision, participant=person.participant, lab=str(lab.pk))
    branch.keep(branch.client.get(response["Location"]))
    return branch


# at the same time


@pytest.mark.django_db(transaction=True)
def test_answers_sent_at_the_same_time_are_one() -> None:
    person = _filter_asked()
    person.step()

    def send(name: str) -> int:
        try:
            other = Person.__new__(Person)
            other.__dict__ = {**person.__dict__}
            return other.predict("feasibleNodes", name, pod="train").status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        codes = list(pool.map(send, ["big-1", "big-2", "big-1", "big-2"]))
    assert Prediction.objects.count() == 1
    assert sorted(set(codes)) == [200, 409]
    winner = Prediction.objects.get().answer
    assert codes == [200 if [name] == winner else 409 for name in ["big-1", "big-2", "big-1", "big-2"]]


def test_somebody_else_can_neither_see_nor_answer() -> None:
    person = _filter_asked()
    person.step()
    stranger = make_participant()
    other = Person(asking(REQUIRED, objects=filtering()), participant=stranger)
    response = other.client.post(person.url + "predict/", {"kind": "feasibleNodes", "attempt": 1, "choice": "big-1"})
    assert response.status_code == 404
    assert not Prediction.objects.exists()


def test_commands_given_in_one_lab_withdraw_nothing_in_another() -> None:
    revision = asking(REQUIRED, ("nextPod", ""), objects=queueing())
    person = Person(revision)
    person.predict("nextPod", "default/zeta")
    other = Person(revision)
    other.step()
    lab = Person(revision)
    lab.predict("nextPod", "default/zeta")
    give(lab.lab, {"type": "delete", "kind": "Pod", "namespace": "default", "name": "zeta"})
    assert person.made[0].outcome == PredictionOutcome.WAITING
    assert lab.made[0].outcome == PredictionOutcome.WITHDRAWN
