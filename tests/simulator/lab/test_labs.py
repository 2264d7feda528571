"""The lab's contract: compute first, store second; nothing is lost, doubled or poisoned."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connections

from gpuschedlab.accounts.models import Participant
from gpuschedlab.web.errors import BadInput, Conflict
from simulator.engine.objects.node import Node
from simulator.engine.objects.pod import Pod
from simulator.engine.world.commands import CommandError
from simulator.engine.world.world import manifest_of
from simulator.models import Lab, LabCommand, LabSnapshot
from simulator.selectors import histories as histories_module
from simulator.selectors.histories import histories, open_history
from simulator.selectors.lab_history import LabHistory
from simulator.selectors.labs import lab_find
from simulator.selectors.undoing import undoing_of
from simulator.services import labs as labs_module
from simulator.services.labs import lab_redo, lab_run, lab_run_for, lab_undo
from tests.factories.accounts import make_participant
from tests.factories.labs import give, make_lab, make_node, make_pod, make_revision, run

if TYPE_CHECKING:
    from simulator.engine.world.history import Applied

pytestmark = pytest.mark.django_db

LABEL = {"type": "label", "kind": "Node", "name": "n1", "labels": {"gpu-type": "a100"}}


def _fresh(lab: Lab) -> Lab:
    found = lab_find(viewer=lab.owner, lab_id=lab.pk)
    assert found is not None
    return found


def _labels(lab: Lab, node: str = "n1") -> dict[str, str]:
    with open_history(lab) as history:
        item = history.history.head.world.get("Node", "", node)
    return dict(item.labels)


def test_lab_is_born_with_its_first_command() -> None:
    owner = Participant()
    lab = make_lab(owner)
    with open_history(lab) as history:
        assert history.count == 1
    assert lab.is_unborn
    assert not Lab.objects.exists()
    answer = give(lab, LABEL)
    assert (answer.seq, answer.first, answer.last) == (1, 1, 2)
    stored = Lab.objects.get()
    assert (stored.pk, stored.owner_id, stored.head_seq) == (lab.pk, owner.pk, 1)
    assert not lab.is_unborn
    assert not owner.is_new


def test_refused_command_stores_nothing_and_changes_nothing() -> None:
    lab = make_lab(make_participant())
    with pytest.raises(CommandError):
        give(lab, {"type": "label", "kind": "Node", "name": "nobody", "labels": {"a": "b"}})
    assert not Lab.objects.exists()
    give(lab, LABEL)
    with open_history(lab) as history:
        before = history.history.head.digest
    with pytest.raises(CommandError):
        give(lab, {"type": "apply", "objects": [make_pod("good"), make_pod("Bad Name")]})
    with open_history(lab) as history:
        assert history.history.head.digest == before
        assert history.history.head.world.pod("default/good") is None
    assert give(lab, LABEL).seq == 2


def test_command_that_breaks_the_engine_poisons_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    lab = make_lab(make_participant())
    give(lab, LABEL)
    digest = _fresh(lab).head_digest
    whole = LabHistory.apply

    def broken(self: LabHistory, command: Any) -> Applied:
        whole(self, command)  # half done: the state in memory has moved on
        raise RuntimeError("a bug")

    monkeypatch.setattr(LabHistory, "apply", broken)
    with pytest.raises(RuntimeError):
        give(lab, {"type": "cordon", "name": "n1", "on": True})
    monkeypatch.undo()
    assert LabCommand.objects.count() == 1
    with open_history(_fresh(lab)) as history:
        assert history.history.head.digest == digest
        assert not history.history.head.world.get("Node", "", "n1").unschedulable
    assert give(lab, {"type": "cordon", "name": "n1", "on": True}).seq == 2


def test_same_token_gives_the_first_answer_again() -> None:
    lab = make_lab(make_participant())
    token = uuid.uuid4()
    first = give(lab, LABEL, token=token, seq=0)
    again = give(_fresh(lab), LABEL, token=token, seq=0)
    assert (again.seq, again.first, again.last) == (first.seq, first.first, first.last)
    assert LabCommand.objects.count() == 1


def test_what_is_no_longer_the_newest_state_is_refused() -> None:
    lab = make_lab(make_participant())
    give(lab, LABEL)
    give(lab, {"type": "cordon", "name": "n1", "on": True})
    with pytest.raises(Conflict):
        give(lab, LABEL, seq=1)
    assert LabCommand.objects.count() == 2


def test_stranger_can_give_no_command_to_a_stored_lab() -> None:
    lab = make_lab(make_participant())
    give(lab, LABEL)
    assert lab_find(viewer=make_participant(), lab_id=lab.pk) is None


def test_run_is_one_command_with_its_exact_number_of_turns() -> None:
    lab = make_lab(make_participant(), make_revision([make_node("n1"), *(make_pod(f"p{i}") for i in range(6))]))
    answer, idle = lab_run_for(actor=lab.owner, lab=lab, client_token=uuid.uuid4(), expected_seq=0, seconds=10)
    row = LabCommand.objects.get()
    assert idle
    assert row.command == {"type": "run", "turns": answer.last - answer.first}
    assert len(row.record) == row.command["turns"]
    with pytest.raises(BadInput):
        run(lab)
    assert LabCommand.objects.count() == 1


def test_run_stops_when_its_time_is_over() -> None:
    lab = make_lab(make_participant(), make_revision([make_node("n1"), *(make_pod(f"p{i}") for i in range(6))]))
    answer, idle = lab_run_for(actor=lab.owner, lab=lab, client_token=uuid.uuid4(), expected_seq=0, seconds=-1)
    assert not idle
    assert answer.last - answer.first == 1


def test_stopped_by_an_exception_a_run_leaves_nothing() -> None:
    class Stop(Exception):
        pass

    def stop(_action: object) -> bool:
        raise Stop

    lab = make_lab(make_participant())
    with pytest.raises(Stop):
        lab_run(actor=lab.owner, lab=lab, client_token=uuid.uuid4(), expected_seq=0, stop=stop)
    assert not Lab.objects.exists()
    assert run(lab).seq == 1


def test_undo_and_redo_are_commands_of_the_log() -> None:
    lab = make_lab(make_participant())
    before = _labels(lab)
    give(lab, LABEL)
    give(lab, {"type": "cordon", "name": "n2", "on": True})

    def back_and_forth(service: Any) -> None:
        service(actor=lab.owner, lab=lab, client_token=uuid.uuid4(), expected_seq=lab.head_seq)

    back_and_forth(lab_undo)
    back_and_forth(lab_undo)
    assert _labels(lab) == before
    with pytest.raises(Conflict):
        back_and_forth(lab_undo)
    back_and_forth(lab_redo)
    assert _labels(lab) == before | {"gpu-type": "a100"}
    back_and_forth(lab_redo)
    with pytest.raises(Conflict):
        back_and_forth(lab_redo)
    with open_history(lab) as history:
        assert history.history.head.world.get("Node", "", "n2").unschedulable
        assert undoing_of(history).undo == 2
    rows = LabCommand.objects.order_by("seq").values_list("undoes", "redoes")
    assert list(rows) == [(None, None), (None, None), (2, None), (1, None), (None, 1), (None, 2)]
    histories.clear()
    with open_history(_fresh(lab)) as history:
        assert undoing_of(history).undo == 2


def test_after_a_turn_the_way_back_is_a_branch() -> None:
    lab = make_lab(make_participant())
    give(lab, LABEL)
    run(lab)
    with open_history(lab) as history:
        state = undoing_of(history)
    assert (state.undo, state.redo, state.branch) == (None, None, 1)


def test_scenario_says_which_commands_may_be_used() -> None:
    lab = make_lab(make_participant(), make_revision([make_node("n1"), make_pod("p")], allowedCommands=["label"]))
    give(lab, LABEL)
    with pytest.raises(BadInput):
        give(lab, {"type": "delete", "kind": "Node", "name": "n1"})
    run(lab)
    give(lab, {"type": "advance", "seconds": 1})


def test_lab_that_is_too_long_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    lab = make_lab(make_participant())
    give(lab, LABEL)
    monkeypatch.setattr(labs_module, "MAX_COMMANDS", 1)
    with pytest.raises(BadInput):
        give(lab, LABEL)


def test_one_participant_has_so_many_labs(monkeypatch: pytest.MonkeyPatch) -> None:
    owner = make_participant()
    give(make_lab(owner), LABEL)
    monkeypatch.setattr(labs_module, "MAX_LABS", 1)
    with pytest.raises(BadInput):
        give(make_lab(owner), LABEL)
    assert Lab.objects.count() == 1


# -- replay --


def _busy_lab() -> Lab:
    objects = [make_node("n1", cpu="8"), make_node("n2", cpu="8"), *(make_pod(f"p{i}") for i in range(20))]
    lab = make_lab(make_participant(), make_revision(objects))
    for number in range(12):
        run(lab)
        give(lab, {"type": "label", "kind": "Node", "name": "n1", "labels": {"step": str(number)}})
    run(lab, 100)
    give(lab, {"type": "delete", "kind": "Pod", "namespace": "default", "name": "p3"})
    run(lab, 100)
    return lab


def _plain(value: Any) -> Any:
    """Frames and what they hold as plain values; engine objects of two simulations are never identical."""
    if isinstance(value, Pod | Node):
        return manifest_of(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def _everything(lab: Lab) -> dict[str, Any]:
    """All that a page could ask of a lab, of every moment of it."""
    with open_history(_fresh(lab)) as history:
        return {
            "digest": history.history.head.digest,
            "frames": [_plain(history.frame(count)) for count in range(history.count + 1)],
            "told": list(history.told),
            "actions": history.history.actions,
            "log": _plain(history.pod_log(history.count)),
            "trace": history.trace(1),
        }


def test_history_built_from_the_log_is_the_one_that_wrote_it() -> None:
    lab = _busy_lab()
    written = _everything(lab)
    histories.clear()
    assert _everything(lab) == written


def test_history_resumed_from_a_snapshot_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labs_module, "SNAPSHOT_COMMANDS", 10)
    lab = _busy_lab()
    written = _everything(lab)
    assert LabSnapshot.objects.count() == 2
    histories.clear()
    with open_history(_fresh(lab)) as history:
        assert history.history.applied[2].effect.outcomes == []  # taken over, not carried out again
    assert _everything(lab) == written


def test_story_written_while_it_happens_is_the_one_derived_later() -> None:
    lab = make_lab(make_participant())
    run(lab)
    with open_history(lab) as history:
        live = history.trace(1)
    histories.clear()
    with open_history(_fresh(lab)) as history:
        assert history.trace(1) == live
        assert live.records


def test_another_process_catches_up() -> None:
    lab = make_lab(make_participant())
    give(lab, LABEL)
    other = histories_module.Histories()
    with other.locked(lab.pk) as kept:
        histories_module.up_to_date(kept, _fresh(lab))
    give(lab, {"type": "cordon", "name": "n1", "on": True})
    run(lab)
    with other.locked(lab.pk) as kept:
        caught = histories_module.up_to_date(kept, _fresh(lab))
        assert caught.seq == 3
        assert caught.history.head.digest == _fresh(lab).head_digest


def test_loser_of_a_race_between_processes_gets_a_conflict() -> None:
    lab = make_lab(make_participant())
    give(lab, LABEL)
    stale = _fresh(lab)
    row = LabCommand.objects.get()
    # another process appends while this one still holds the older history
    Lab.objects.filter(pk=lab.pk).update(head_seq=2)
    LabCommand.objects.create(
        lab=lab, seq=2, client_token=uuid.uuid4(), command={"type": "run", "turns": 1}, first=2, last=3, digest="0"
    )
    stale.head_seq = 1
    with pytest.raises(Conflict):
        give(stale, {"type": "cordon", "name": "n1", "on": True}, seq=1)
    assert LabCommand.objects.count() == 2
    assert row.seq == 1


def test_histories_are_forgotten_when_memory_is_short() -> None:
    kept = histories_module.Histories(max_memory=1)
    labs = [make_lab(make_participant()) for _ in range(3)]
    for lab in labs:
        give(lab, LABEL)
        with kept.locked(lab.pk) as place:
            histories_module.up_to_date(place, lab)
    assert len(kept._kept) == 1
    with kept.locked(labs[0].pk) as place:
        assert place.history is None
        assert histories_module.up_to_date(place, labs[0]).seq == 1


@pytest.mark.django_db(transaction=True)
def test_of_commands_at_once_each_number_is_given_once() -> None:
    lab = make_lab(make_participant())
    give(lab, LABEL)
    barrier = threading.Barrier(6)
    outcomes: list[str] = []

    def act(number: int) -> None:
        try:
            mine = _fresh(lab)
            barrier.wait()
            give(mine, {"type": "label", "kind": "Node", "name": "n1", "labels": {"by": str(number)}}, seq=1)
            outcomes.append("stored")
        except Conflict:
            outcomes.append("conflict")
        finally:
            connections.close_all()

    threads = [threading.Thread(target=act, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["conflict"] * 5 + ["stored"]
    assert list(LabCommand.objects.order_by("seq").values_list("seq", flat=True)) == [1, 2]
    histories.clear()
    with open_history(_fresh(lab)) as history:
        assert history.seq == 2


@pytest.mark.django_db(transaction=True)
def test_first_commands_at_once_bear_one_lab() -> None:
    owner = Participant()
    revision = make_revision([make_node("n1"), make_pod("p1")])
    lab_id, token = uuid.uuid4(), uuid.uuid4()
    barrier = threading.Barrier(4)
    answers: list[int] = []

    def act() -> None:
        try:
            mine = Lab(id=lab_id, owner=Participant(id=owner.pk), revision=revision)
            barrier.wait()
            answers.append(give(mine, LABEL, token=token, seq=0).seq)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=act) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [1, 1, 1, 1]
    assert LabCommand.objects.count() == 1
