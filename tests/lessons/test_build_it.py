"""Questions that are built in the lab: only one's own labs of that scenario count, and the engine checks the goals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest
from django.test import Client

from gpuschedlab.accounts.models import Participant
from lessons.models import Answer, Attempt, Grading, Question
from lessons.services.questions import question_store
from simulator.models import Lab
from simulator.selectors.histories import histories
from simulator.services.branches import lab_solution
from tests.assessment.test_question_bank import bank
from tests.factories.accounts import be, make_participant
from tests.factories.labs import give, load_exercise, make_lab, make_revision
from tests.lessons.conftest import Page

pytestmark = pytest.mark.django_db

Get = Callable[[str], Page]
Post = Callable[..., Page]
SLUG = "selftest-06-build-the-deadlock"
PATH = f"/questions/{SLUG}/"
WAIT = {"type": "advance", "seconds": 5}


@pytest.fixture(autouse=True)
def _fresh_histories() -> Iterator[None]:
    histories.clear()
    yield
    histories.clear()


@pytest.fixture
def question() -> Question:
    load_exercise("build-the-deadlock")
    question_store(bank()[SLUG], from_catalogue=True)
    return Question.objects.get(slug=SLUG)


def solved(participant: Participant) -> Lab:
    revision = load_exercise("build-the-deadlock")
    return lab_solution(actor=participant, lab=make_lab(participant, revision), name="deadlock", new_id=uuid4())


def begun(participant: Participant) -> Lab:
    """A lab in which time has passed and nothing else."""
    lab = make_lab(participant, load_exercise("build-the-deadlock"))
    give(lab, WAIT)
    return lab


def hand_in(get: Get, post: Post, lab: Lab) -> Page:
    page = get(f"{PATH}?n=9")
    return post(PATH, {**page.hidden(), "lab": str(lab.pk)})


def test_question_offers_the_scenario_and_one_s_labs(question: Question, participant: Participant, get: Get) -> None:
    assert "/scenarios/build-the-deadlock/" in get(PATH).text
    assert "Build it in the lab first" in get(PATH).text
    lab = begun(participant)
    assert f'value="{lab.pk}"' in get(PATH).text


def test_deadlock_that_was_built_earns_the_full_mark(
    question: Question, participant: Participant, get: Get, post: Post
) -> None:
    after = hand_in(get, post, solved(participant))
    assert "Right" in after.text
    assert Answer.objects.get().evidence == {"goals": {"half-a": True, "half-b": True}}
    assert Grading.objects.get().score == 1


def test_lab_without_a_deadlock_earns_nothing(
    question: Question, participant: Participant, get: Get, post: Post
) -> None:
    after = hand_in(get, post, begun(participant))
    assert "Not right" in after.text
    assert Grading.objects.get().score == 0


def test_labs_of_others_and_of_other_scenarios_are_refused(
    question: Question, participant: Participant, get: Get, post: Post
) -> None:
    other = solved(make_participant())
    elsewhere = make_lab(participant, make_revision([]))
    give(elsewhere, {"type": "advance", "seconds": 1})
    for lab in (other, elsewhere):
        after = hand_in(get, post, lab)
        assert "That lab is not there any more" in after.text
    forged = post(PATH, {**get(PATH).hidden(), "lab": "' OR 1=1"})
    assert "That lab is not there any more" in forged.text
    assert not Attempt.objects.exists()


def test_what_was_handed_in_stays_though_the_lab_goes_on(
    question: Question, participant: Participant, get: Get, post: Post
) -> None:
    lab = solved(participant)
    hand_in(get, post, lab)
    lab.delete()
    assert "Right" in get(PATH).text


def test_other_browser_sees_no_labs(question: Question, client: Client, participant: Participant, get: Get) -> None:
    lab = begun(participant)
    be(client, make_participant())
    assert str(lab.pk) not in get(PATH).text


@pytest.mark.slow
@pytest.mark.parametrize("slug", [name for name, text in bank().items() if text.type == "build-it"])
def test_scenario_s_own_solution_meets_the_goals_and_doing_nothing_does_not(
    slug: str, participant: Participant, get: Get, post: Post
) -> None:
    text = bank()[slug]
    assert text.scene is not None
    revision = load_exercise(text.scene.scenario)
    question_store(text, from_catalogue=True)
    path = f"/questions/{slug}/"
    idle = make_lab(participant, revision)
    give(idle, WAIT)
    post(path, {**get(path).hidden(), "lab": str(idle.pk)})
    lab = lab_solution(actor=participant, lab=make_lab(participant, revision), name="solved", new_id=uuid4())
    post(path, {**get(f"{path}?n=1").hidden(), "lab": str(lab.pk)})
    nothing, everything = (grading.score for grading in Grading.objects.order_by("pk"))
    assert nothing < 1
    assert everything == 1
