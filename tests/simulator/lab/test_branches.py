"""Branches, replays and written solutions."""

from __future__ import annotations

import uuid

import pytest

from gpuschedlab.web.errors import BadInput
from simulator.models import Lab, LabCommand
from simulator.selectors.histories import histories, open_history
from simulator.selectors.labs import lab_branches, lab_find
from simulator.selectors.replaying import RecordedOtherwise
from simulator.services.branches import lab_fork, lab_move, lab_replay, lab_solution
from simulator.services.lab_care import lab_delete, labs_forget_unclaimed, labs_move
from simulator.services.scenarios import scenario_publish
from tests.factories.accounts import make_participant, make_user
from tests.factories.labs import FIXTURES, give, load_exercise, make_lab, make_node, make_pod, make_revision, run

pytestmark = pytest.mark.django_db


def _fork(lab: Lab, actions: int, **more: object) -> Lab:
    options = {"actor": lab.owner, "name": "other", "new_id": uuid.uuid4(), **more}
    return lab_fork(lab=lab, actions=actions, **options)  # type: ignore[arg-type]


def _lab_of_several_turns() -> Lab:
    lab = make_lab(make_participant(), make_revision([make_node("n1"), *(make_pod(f"p{i}") for i in range(5))]))
    give(lab, {"type": "label", "kind": "Node", "name": "n1", "labels": {"a": "b"}})
    run(lab, 100)
    give(lab, {"type": "advance", "seconds": 30})
    return lab


def test_branch_is_the_same_up_to_its_step_wherever_it_begins() -> None:
    lab = _lab_of_several_turns()
    with open_history(lab) as history:
        digests = [history.frame(count).digest for count in range(history.count + 1)]
    for actions in range(1, len(digests)):
        fork = _fork(lab, actions)
        histories.clear()
        stored = lab_find(viewer=lab.owner, lab_id=fork.pk)
        assert stored is not None
        with open_history(stored) as history:
            assert history.count == actions
            assert history.frame(actions).digest == digests[actions]
            assert stored.head_digest == digests[actions]


def test_branch_goes_on_by_itself() -> None:
    lab = _lab_of_several_turns()
    fork = _fork(lab, 3)
    give(fork, {"type": "cordon", "name": "n1", "on": True})
    run(fork, 100)
    stored = Lab.objects.get(pk=lab.pk)
    assert stored.head_digest != Lab.objects.get(pk=fork.pk).head_digest
    assert [branch.pk for branch in lab_branches(stored)] == [fork.pk]
    assert (fork.parent_id, fork.parent_actions) == (lab.pk, 3)


def test_same_form_sent_twice_branches_once() -> None:
    lab = _lab_of_several_turns()
    new_id = uuid.uuid4()
    assert _fork(lab, 3, new_id=new_id).pk == _fork(lab, 3, new_id=new_id).pk
    assert Lab.objects.count() == 2


@pytest.mark.parametrize("actions", [0, 10_000])
def test_branch_begins_at_a_step_there_is(actions: int) -> None:
    lab = _lab_of_several_turns()
    with pytest.raises(BadInput):
        _fork(lab, actions)


def test_branch_of_somebody_elses_shared_lab_is_ones_own() -> None:
    lab, other = _lab_of_several_turns(), make_participant()
    fork = _fork(lab, 3, actor=other)
    assert fork.owner_id == other.pk
    assert fork.parent_id is None


def test_lab_of_a_lab_not_yet_stored_can_be_branched() -> None:
    lab = make_lab(make_participant())
    fork = _fork(lab, 1)
    assert Lab.objects.get().pk == fork.pk
    assert run(fork).seq == 1


# -- another version of the engine --


def _recorded_otherwise(lab: Lab) -> Lab:
    LabCommand.objects.filter(lab=lab, seq=2).update(digest="0" * 64)
    histories.clear()
    found = lab_find(viewer=lab.owner, lab_id=lab.pk)
    assert found is not None
    return found


def test_log_that_gives_another_state_is_not_passed_off_as_the_same() -> None:
    lab = _recorded_otherwise(_lab_of_several_turns())
    with pytest.raises(RecordedOtherwise), open_history(lab):
        pass
    with pytest.raises(RecordedOtherwise):
        give(lab, {"type": "cordon", "name": "n1", "on": True})
    assert LabCommand.objects.filter(lab=lab).count() == 3


def test_replay_computes_the_same_commands_anew() -> None:
    lab = _lab_of_several_turns()
    digest = lab.head_digest
    replayed = lab_replay(actor=lab.owner, lab=_recorded_otherwise(lab), name="anew", new_id=uuid.uuid4())
    assert replayed.refused == 0
    assert replayed.lab.head_digest == digest
    assert run_on(replayed.lab) == lab.head_seq + 1


def run_on(lab: Lab) -> int:
    return give(lab, {"type": "cordon", "name": "n1", "on": True}).seq


def test_replay_leaves_out_what_is_refused_now() -> None:
    lab = _lab_of_several_turns()
    LabCommand.objects.filter(lab=lab, seq=1).update(command={"type": "label", "name": "gone", "labels": {"a": "b"}})
    replayed = lab_replay(actor=lab.owner, lab=lab, name="anew", new_id=uuid.uuid4())
    assert replayed.refused == 1
    assert replayed.lab.head_seq == 2


# -- scenarios --


def test_lab_keeps_the_revision_it_began_with() -> None:
    first = make_revision([make_node("n1"), make_pod("p1")], slug="kept")
    lab = make_lab(make_participant(), first)
    run(lab)
    second = make_revision([make_node("other")], slug="kept")
    assert second.number == 2
    histories.clear()
    stored = lab_find(viewer=lab.owner, lab_id=lab.pk)
    assert stored is not None
    assert stored.revision_id == first.pk
    with open_history(stored) as history:
        assert [node.name for node in history.frame(history.count).nodes] == ["n1"]


def test_publishing_the_same_text_twice_changes_nothing() -> None:
    first = make_revision([make_node("n1")], slug="same")
    scenario_publish(slug="same", content=first.content, spec=first.spec, objects=first.objects_json)
    assert make_revision([make_node("n1")], slug="same").pk == first.pk


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.yaml")), ids=lambda path: path.stem)
def test_written_solution_reaches_every_goal(path: object) -> None:
    slug = path.stem.partition("-")[2]  # type: ignore[attr-defined]
    revision = load_exercise(slug)
    if not revision.spec.get("solution"):
        assert slug in {"free-lab", "paste-your-machine"}
        return
    lab = lab_solution(
        actor=make_participant(), lab=make_lab(make_participant(), revision), name="s", new_id=uuid.uuid4()
    )
    with open_history(lab) as history:
        states = [progress.is_met for progress in history.progress(history.count)]
    assert all(states), [goal for goal, met in zip(revision.spec["goals"], states, strict=True) if not met]


# -- care --


def test_deleted_lab_is_gone_with_its_log() -> None:
    lab = _lab_of_several_turns()
    lab_delete(actor=make_participant(), lab=lab)
    assert Lab.objects.count() == 1
    lab_delete(actor=lab.owner, lab=lab)
    assert not Lab.objects.exists()
    assert not LabCommand.objects.exists()


def test_old_labs_are_forgotten_unless_somebody_with_an_account_owns_them() -> None:
    unclaimed, claimed, recent = (_lab_of_several_turns() for _ in range(3))
    claimed.owner.user = make_user()
    claimed.owner.save()
    Lab.objects.exclude(pk=recent.pk).update(changed_at="2020-01-01T00:00:00Z")
    assert labs_forget_unclaimed() == 1
    assert {lab.pk for lab in Lab.objects.all()} == {claimed.pk, recent.pk}
    assert unclaimed.pk not in {lab.pk for lab in Lab.objects.all()}


def test_labs_go_along_when_two_participants_become_one() -> None:
    lab, target = _lab_of_several_turns(), make_participant()
    labs_move(lab.owner, target)
    assert Lab.objects.get().owner_id == target.pk


def test_move_takes_the_commands_to_the_new_revision_and_leaves_out_what_it_refuses() -> None:
    first = make_revision([make_node("n1"), make_node("n2"), make_pod("p1")], slug="moved")
    lab = make_lab(make_participant(), first)
    give(lab, {"type": "cordon", "name": "n1", "on": True})
    give(lab, {"type": "cordon", "name": "n2", "on": True})
    make_revision([make_node("n1"), make_node("n3"), make_pod("p1")], slug="moved")
    stored = lab_find(viewer=lab.owner, lab_id=lab.pk)
    assert stored is not None
    moved = lab_move(actor=lab.owner, lab=stored, new_id=uuid.uuid4())
    assert (moved.refused, moved.lab.head_seq, moved.lab.revision.number) == (1, 1, 2)
    with open_history(moved.lab) as history:
        nodes = history.frame(history.count).nodes
    assert [(node.name, node.unschedulable) for node in nodes] == [("n1", True), ("n3", False)]
    assert lab_find(viewer=lab.owner, lab_id=lab.pk) == lab
    again = lab_move(actor=lab.owner, lab=stored, new_id=moved.lab.pk)
    assert again.lab == moved.lab
