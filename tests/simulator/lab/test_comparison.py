"""Two branches side by side: what differs is what came of the Pods, in figures worked out by hand."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from simulator.models import Lab
from simulator.presenters.comparison import Comparison, compare_moments
from simulator.presenters.lab_tools import present_tools
from simulator.presenters.lab_urls import own_urls
from simulator.selectors.histories import histories
from simulator.selectors.labs import lab_family
from simulator.selectors.moments import moment_get
from simulator.selectors.positions import Position
from simulator.services.branches import lab_fork
from tests.factories.accounts import make_participant
from tests.factories.labs import give, make_lab, make_node, make_pod, make_revision, run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from simulator.models import ScenarioRevision

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh_histories() -> Iterator[None]:
    histories.clear()
    yield
    histories.clear()


def _revision() -> ScenarioRevision:
    """Room for one of the Pods on each node."""
    goals = [{"kind": "allBound", "title": {"zh-hans": "都有节点", "en": "All are bound"}}]
    nodes = [make_node("n1", cpu="64", gpus=8), make_node("n2", cpu="64", gpus=8)]
    return make_revision([*nodes, make_pod("p1", gpus=8), make_pod("p2", gpus=8)], goals=goals)


def _two() -> tuple[Lab, Lab]:
    """The main line, on which both Pods have a node, and a branch on which n1 was cordoned first."""
    lab = make_lab(make_participant(), _revision())
    run(lab, 10)
    fork = lab_fork(actor=lab.owner, lab=lab, actions=1, name="what if", new_id=uuid.uuid4())
    give(fork, {"type": "cordon", "name": "n1", "on": True})
    run(fork, 10)
    return lab, fork


def _compared(one: Lab, other: Lab) -> Comparison:
    return compare_moments(moment_get(one, None), moment_get(other, None), lab_family(one))


def test_place_is_compared_with_the_end_unless_it_is_the_end() -> None:
    lab = make_lab(make_participant(), _revision())
    run(lab, 10)
    before, end = (present_tools(moment_get(lab, at), own_urls(lab)) for at in (Position(0, 0), None))
    assert before.compare
    assert not end.compare


def test_what_came_of_both_in_figures() -> None:
    found = _compared(*_two())
    in_use, without_node, *_rest = ((figure.first, figure.second, figure.change) for figure in found.figures)
    assert in_use == ("16 / 16", "8 / 16", "\u22128")  # p1 and p2, then p1 alone
    assert without_node == ("0", "1", "+1")
    (goal,) = found.goals
    assert goal.differs


def test_pods_and_nodes_that_came_otherwise_are_marked() -> None:
    found = _compared(*_two())
    nodes = {row.name: (row.first.node, row.second.node) for row in found.pods if row.first and row.second}
    assert nodes == {"p1": ("n1", "n2"), "p2": ("n2", "")}
    assert [row.differs for row in found.pods] == [True, True]
    assert [[node.differs for node in drawing] for drawing in found.drawings] == [[True, True], [True, True]]


def test_lab_is_as_itself_however_long_it_waits() -> None:
    lab, fork = _two()
    same = _compared(fork, fork)
    assert (same.differing, any(figure.differs for figure in same.figures)) == (0, False)
    give(fork, {"type": "advance", "seconds": 90})
    later = compare_moments(moment_get(fork, moment_get(lab, None).at), moment_get(fork, None), [fork])
    assert later.sides[1].clock.startswith("1:30")


def test_only_ones_own_labs_are_compared() -> None:
    lab, _fork = _two()
    address = f"/labs/{lab.revision.scenario.slug}/{lab.pk}/compare/"
    assert Client().get(address).status_code == 404
    own = Client()
    mine = f"/labs/{lab.revision.scenario.slug}/{uuid.uuid4()}/compare/"
    assert own.get(mine).status_code == 200
    for other in (str(lab.pk), str(uuid.uuid4()), "nonsense"):
        assert own.get(mine, {"with": other}).status_code == 404
