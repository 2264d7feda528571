"""Steps forward and back, by every unit."""

from __future__ import annotations

import pytest

from simulator.enums import StepUnit
from simulator.selectors.histories import open_history
from simulator.selectors.lab_history import LabHistory
from simulator.selectors.positions import END, Position, back, forward, settle
from simulator.selectors.replaying import begin_history
from tests.factories.accounts import make_participant
from tests.factories.labs import load_exercise, make_lab, make_node, make_pod, make_revision, run

pytestmark = pytest.mark.django_db


def _finished(slug: str) -> LabHistory:
    history = begin_history(load_exercise(slug))
    while not history.history.head.is_idle:
        history.run(lambda _action: True, most=1)
    return history


@pytest.mark.parametrize(
    ("text", "position"),
    [("3.7", Position(3, 7)), ("3.end", Position(3, END)), ("3", Position(3, END)), ("0.0", Position(0, 0))],
)
def test_place_is_read_as_it_is_written(text: str, position: Position) -> None:
    assert Position.parse(text) == position


@pytest.mark.parametrize("text", ["", "x", "-1.0", "1.-1", "1.2.3", "1.0 ", "99999999.0", "１.0", "1.end.2"])
def test_what_is_no_place_is_none(text: str) -> None:
    assert Position.parse(text) is None


@pytest.mark.parametrize("unit", list(StepUnit))
@pytest.mark.parametrize("slug", ["preemption-by-hand", "score-by-hand", "preemption-by-replicaset"])
def test_forward_then_back_is_the_same_way(slug: str, unit: StepUnit) -> None:
    story = _finished(slug)
    way = [Position(0, 0)]
    while (found := forward(story, way[-1], unit)) is not None:
        assert found > way[-1]
        way.append(found)
    assert len(way) > 1
    at = way[-1]
    for wanted in reversed(way[:-1]):
        at = back(story, at, unit)
        assert at == wanted
    assert back(story, Position(0, 0), unit) == Position(0, 0)


def test_units_grow_from_record_to_cycle() -> None:
    story = _finished("preemption-by-hand")

    def steps(unit: StepUnit) -> int:
        count, at = 0, Position(0, 0)
        while (found := forward(story, at, unit)) is not None:
            count, at = count + 1, found
        return count

    records = sum(max(1, len(story.records(action))) for action in range(1, story.count))
    assert steps(StepUnit.RECORD) == records
    assert records >= steps(StepUnit.PLUGIN) > steps(StepUnit.POINT) > steps(StepUnit.CYCLE)
    assert steps(StepUnit.CYCLE) == sum(story.is_cycle(action) for action in range(story.count))


def test_step_by_point_ends_where_the_point_ends() -> None:
    story = _finished("preemption-by-hand")
    at = Position(0, 0)
    while (found := forward(story, at, StepUnit.POINT)) is not None and found.action == 1:
        records = story.records(1)
        last = found.record + 1 == len(records)
        assert last or records[found.record].point != records[found.record + 1].point
        at = found


def test_places_beyond_the_end_become_the_last_one() -> None:
    story = _finished("score-by-hand")
    last = Position(story.count - 1, len(story.records(story.count - 1)) - 1)
    assert settle(story, Position(9999, 0)) == last
    assert settle(story, Position(story.count - 1, END)) == last
    assert settle(story, Position(1, 9999)).record == len(story.records(1)) - 1


def test_empty_cluster_can_be_stepped_through() -> None:
    lab = make_lab(make_participant(), make_revision([make_pod("alone")]))
    run(lab)
    with open_history(lab) as story:
        at = forward(story, Position(0, 0), StepUnit.RECORD)
        assert at is not None
        assert back(story, at, StepUnit.RECORD) == Position(0, 0)
        assert "filter.no_nodes" in [record.code for record in story.records(1)]


def test_two_hundred_nodes_are_told_plugin_by_plugin() -> None:
    lab = make_lab(make_participant(), make_revision([*(make_node(f"n{i}") for i in range(200)), make_pod("one")]))
    run(lab)
    with open_history(lab) as story:
        codes = {record.code for record in story.records(1)}
    assert "filter.plugin" in codes
    assert "filter.verdict" not in codes
