from __future__ import annotations

from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

import pytest

from lessons.assessment.attempt_rules import (
    AttemptRules,
    AttemptTimes,
    LateRules,
    Refusal,
    Window,
    counted,
    due_at,
    lateness,
    start_refused,
)
from lessons.assessment.certainty import certainty_share
from lessons.assessment.generators import Subject, generated
from lessons.assessment.grades import State
from lessons.assessment.marking import Recorded, mark_attempt, mark_question, regrade
from lessons.assessment.problems import Invalid
from lessons.assessment.question import read_question
from lessons.assessment.quizzes import QuizDocument, bank_of, draw, read_quiz_document
from lessons.assessment.review_options import DEFAULTS, Aspect, Mode, Moment, moment_of
from tests.assessment.samples import SAMPLES, both, question, source, variant

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def minutes(count: float) -> timedelta:
    return timedelta(minutes=count)


def document(**changes: Any) -> QuizDocument:
    questions = [{**source("choice"), "id": f"c{n}", "topics": ["filter" if n % 2 else "score"]} for n in range(8)]
    return read_quiz_document({"id": "quiz", "title": both("测验", "Quiz"), "questions": questions, **changes})


SECTIONS = [
    {"id": "fixed", "questions": ["c7", "c0", "c3"], "marks": 2},
    {"id": "drawn", "pool": {"topics": ["filter"]}, "pick": 2},
]


def test_draw_is_repeatable_and_never_draws_twice() -> None:
    read = document(sections=SECTIONS)
    bank = bank_of([read])
    seen = set()
    for seed in range(30):
        slots = draw(read.quiz, bank, seed)
        assert slots == draw(read.quiz, bank, seed)
        assert [slot.question for slot in slots[:3]] == ["c7", "c0", "c3"]
        assert [slot.number for slot in slots] == [1, 2, 3, 4, 5]
        assert [slot.marks for slot in slots] == [2, 2, 2, 1, 1]
        assert len({slot.question for slot in slots}) == 5
        assert {slot.question for slot in slots[3:]} == {"c1", "c5"}
        seen.add(tuple(slot.seed for slot in slots))
    assert len(seen) == 30


def test_named_questions_may_be_picked_and_shuffled() -> None:
    sections = [{"id": "some", "questions": ["c0", "c1", "c2", "c3"], "pick": 2}]
    plain, shuffled = (document(sections=sections, settings={"shuffle": flag}) for flag in (False, True))
    orders = {tuple(s.question for s in draw(plain.quiz, bank_of([plain]), seed)) for seed in range(40)}
    assert all(order == tuple(sorted(order)) for order in orders)
    assert len(orders) == 6
    orders = {tuple(s.question for s in draw(shuffled.quiz, bank_of([shuffled]), seed)) for seed in range(99)}
    assert len(orders) > 6


@pytest.mark.parametrize(
    ("sections", "code", "where"),
    [
        ([{"id": "a", "questions": ["gone"]}], "quiz.unknown_question", "sections[0].questions[0]"),
        ([{"id": "a", "pool": {"topics": ["filter"]}, "pick": 9}], "quiz.pool_too_small", "sections[0].pick"),
        (
            [{"id": "a", "questions": ["c1", "c3", "c5"]}, {"id": "b", "pool": {"topics": ["filter"]}, "pick": 2}],
            "quiz.pool_too_small",
            "sections[1].pick",
        ),
    ],
)
def test_a_quiz_that_cannot_be_drawn_says_where(sections: list[Any], code: str, where: str) -> None:
    read = document(sections=sections)
    with pytest.raises(Invalid) as refused:
        draw(read.quiz, bank_of([read]), 1)
    assert [(p.code, p.where) for p in refused.value.problems] == [(code, where)]


def test_problems_of_questions_are_located_in_the_document() -> None:
    with pytest.raises(Invalid) as refused:
        document(questions=[source("choice"), {**source("choice"), "stem": 5.5j.real, "options": []}, source("choice")])
    assert {(p.code, p.where) for p in refused.value.problems} >= {("list.too_short", "questions[1].options")}


def test_repeated_question_ids_are_refused() -> None:
    with pytest.raises(Invalid) as refused:
        document(questions=[source("choice"), source("choice")])
    assert [(p.code, p.where) for p in refused.value.problems] == [("value.repeated", "questions[1]")]


def test_settings_default_to_the_modes_review_options() -> None:
    assert document(settings={"mode": "test"}).quiz.settings.review == DEFAULTS[Mode.TEST]
    own = document(settings={"mode": "test", "review": {"after": ["marks", "key"]}}).quiz.settings.review
    assert own.at(Moment.AFTER) == {Aspect.MARKS, Aspect.KEY}
    assert own.at(Moment.DURING) == frozenset()
    assert own.as_mapping() == {"during": [], "after": ["marks", "key"], "closed": []}


def test_settings_are_read() -> None:
    settings = document(
        settings={
            "mode": "test",
            "certainty": True,
            "pass_percent": 60,
            "attempts": {
                "allowed": 2,
                "wait_seconds": 60,
                "time_limit_seconds": 600,
                "counts": "mean",
                "late": {"kind": "penalty", "per_hour": 0.25, "floor": 0.5, "grace_seconds": 0},
            },
        }
    ).quiz.settings
    assert settings.attempts == AttemptRules(
        2, minutes(1), minutes(10), "mean", LateRules("penalty", timedelta(0), Fraction(1, 4), Fraction(1, 2))
    )
    assert (settings.certainty, settings.pass_percent) == (True, 60)


def test_no_default_shows_the_key_before_the_answer() -> None:
    for options in DEFAULTS.values():
        assert options.at(Moment.DURING) == {Aspect.RESPONSE}


@pytest.mark.parametrize(
    ("mode", "answered", "finished", "closed", "moment"),
    [
        (Mode.PRACTICE, False, False, False, Moment.DURING),
        (Mode.PRACTICE, True, False, False, Moment.AFTER),
        (Mode.TEST, True, False, False, Moment.DURING),
        (Mode.TEST, True, False, True, Moment.DURING),
        (Mode.TEST, True, True, False, Moment.AFTER),
        (Mode.TEST, False, True, True, Moment.CLOSED),
        (Mode.REVIEW, True, False, False, Moment.AFTER),
    ],
)
def test_moments(mode: Mode, answered: bool, finished: bool, closed: bool, moment: Moment) -> None:
    assert moment_of(mode, answered=answered, finished=finished, closed=closed) is moment


WINDOW = Window(opens_at=NOON, closes_at=NOON + minutes(60))
DONE = AttemptTimes(NOON, NOON + minutes(10))


@pytest.mark.parametrize(
    ("rules", "earlier", "now", "refusal"),
    [
        (AttemptRules(), [], NOON - minutes(1), Refusal("not_open_yet", NOON)),
        (AttemptRules(), [], NOON, None),
        (AttemptRules(), [], NOON + minutes(60), Refusal("closed")),
        (AttemptRules(), [AttemptTimes(NOON)], NOON + minutes(1), Refusal("unfinished")),
        (AttemptRules(allowed=1), [DONE], NOON + minutes(30), Refusal("none_left")),
        (AttemptRules(allowed=2), [DONE], NOON + minutes(30), None),
        (AttemptRules(wait=minutes(15)), [DONE], NOON + minutes(20), Refusal("wait", NOON + minutes(25))),
        (AttemptRules(wait=minutes(15)), [DONE], NOON + minutes(25), None),
    ],
)
def test_when_an_attempt_may_start(
    rules: AttemptRules, earlier: list[AttemptTimes], now: datetime, refusal: Refusal | None
) -> None:
    assert start_refused(rules, WINDOW, earlier, now) == refusal


def test_due_is_the_earlier_of_limit_and_close_plus_extra_time() -> None:
    limited = AttemptRules(time_limit=minutes(20))
    assert due_at(limited, WINDOW, NOON) == NOON + minutes(20)
    assert due_at(limited, WINDOW, NOON + minutes(50)) == NOON + minutes(60)
    more = Window(WINDOW.opens_at, WINDOW.closes_at, extra=minutes(10))
    assert due_at(limited, more, NOON) == NOON + minutes(30)
    assert due_at(limited, more, NOON + minutes(50)) == NOON + minutes(70)
    assert due_at(AttemptRules(), Window(), NOON) is None


@pytest.mark.parametrize(
    ("rules", "late_minutes", "accepted", "factor"),
    [
        (LateRules("reject"), 0.5, True, Fraction(1)),
        (LateRules("reject"), 0.6, False, Fraction(0)),
        (LateRules("accept"), 999, True, Fraction(1)),
        (LateRules("penalty", minutes(0)), 0, True, Fraction(1)),
        (LateRules("penalty", minutes(0)), 1, True, Fraction(9, 10)),
        (LateRules("penalty", minutes(0)), 60, True, Fraction(9, 10)),
        (LateRules("penalty", minutes(0)), 61, True, Fraction(8, 10)),
        (LateRules("penalty", minutes(0), floor=Fraction(1, 2)), 6000, True, Fraction(1, 2)),
    ],
)
def test_lateness(rules: LateRules, late_minutes: float, accepted: bool, factor: Fraction) -> None:
    judged = lateness(rules, NOON, NOON + minutes(late_minutes))
    assert (judged.accepted, judged.factor) == (accepted, factor)


def test_without_due_time_nothing_is_late() -> None:
    assert lateness(LateRules(), None, NOON).accepted


def test_which_attempt_counts() -> None:
    shares = [Fraction(1, 2), Fraction(1), Fraction(1, 4)]
    found = {name: counted(AttemptRules(counts=name), shares) for name in ("best", "last", "first", "mean")}
    assert found == {"best": 1, "last": Fraction(1, 4), "first": Fraction(1, 2), "mean": Fraction(7, 12)}
    assert counted(AttemptRules(), []) is None


@pytest.mark.parametrize(
    ("score", "certainty", "share"),
    [
        (1, 1, Fraction(1, 3)), (1, 2, Fraction(2, 3)), (1, 3, Fraction(1)),
        (0, 1, Fraction(0)), (0, 2, Fraction(-2, 3)), (0, 3, Fraction(-2)),
        (1, None, Fraction(1, 3)), (0, None, Fraction(0)), (1, 9, Fraction(1, 3)),
        (Fraction(1, 2), 3, Fraction(-1, 2)), (Fraction(1, 2), 2, Fraction(0)),
    ],
)  # fmt: skip
def test_certainty_table(score: Fraction | int, certainty: int | None, share: Fraction) -> None:
    assert certainty_share(Fraction(score), certainty) == share


def test_honesty_pays_best_in_each_range() -> None:
    for chance, best in ((Fraction(1, 2), 1), (Fraction(7, 10), 2), (Fraction(9, 10), 3)):
        expected = {
            c: chance * certainty_share(Fraction(1), c) + (1 - chance) * certainty_share(Fraction(0), c)
            for c in (1, 2, 3)
        }
        assert max(expected, key=lambda c: expected[c]) == best


def test_marks_of_an_attempt() -> None:
    asked = variant("choice")
    marks = [
        mark_question(asked, {"choice": "a"}, marks=2),
        mark_question(asked, {"choice": "c"}),
        mark_question(asked, {}),
        mark_question(variant("short-text"), {"text": "x"}),
    ]
    total = mark_attempt(marks)
    assert (total.mark, total.maximum, total.unmarked, total.share) == (Fraction(5, 2), 5, 1, Fraction(1, 2))
    assert mark_attempt(marks, late_factor=Fraction(1, 2)).share == Fraction(1, 4)
    assert mark_attempt([]).share == 0


def test_certainty_can_cost_but_an_attempt_never_goes_below_zero() -> None:
    asked = variant("choice")
    wrong = mark_question(asked, {"choice": "b"}, marks=3, certainty=3, uses_certainty=True)
    assert wrong.mark == -6
    assert mark_attempt([wrong]).mark == 0
    assert mark_question(asked, {}, certainty=3, uses_certainty=True).mark == 0


def recorded(attempt: str, choice: str, score: int, revision: str) -> Recorded:
    response = {"choice": choice} if choice else {}
    return Recorded(attempt, 1, revision, 1, response, Fraction(score))


def test_regrade_shows_old_and_new_and_stores_nothing() -> None:
    old = question("choice")
    options = [
        {**option, "correct": index == 1, "weight": int(index == 1)}
        for index, option in enumerate(SAMPLES["choice"]["options"])
    ]
    new = question("choice", options=options)
    answers = [
        recorded("x", "a", 1, old.revision),
        recorded("y", "b", 0, old.revision),
        recorded("z", "d", 0, old.revision),
        recorded("w", "", 0, old.revision),
        recorded("v", "gone", 0, old.revision),
    ]
    dry_run = regrade(answers, new)
    assert [(c.attempt, c.before, c.after) for c in dry_run.differing] == [("x", 1, 0), ("y", 0, 1)]
    assert dry_run.summary() == {"up": 1, "down": 1, "same": 3}
    assert dry_run.changes[3].state is State.UNANSWERED


def test_regrade_to_the_same_revision_changes_nothing() -> None:
    asked = question("choice")
    assert regrade([recorded("x", "a", 1, asked.revision)], asked).differing == ()


def test_regrade_of_a_template_meets_the_numbers_that_were_asked() -> None:
    def doubling(tolerance: int) -> dict[str, Any]:
        return {
            "id": "t",
            "type": "numeric",
            "stem": "{{a}} * 2",
            "variables": {"a": {"from": 1, "to": 500}},
            "answers": [{"value": "{{a * 2}}", "tolerance": {"absolute": tolerance}}],
        }

    old, new = read_question(doubling(0)), read_question(doubling(1))
    asked = int(old.variant(4).stem.en.split()[0])
    answer = Recorded("x", 1, old.revision, 4, {"value": str(asked * 2 + 1)}, Fraction(0))
    assert [(c.before, c.after) for c in regrade([answer], new).changes] == [(0, 1)]


class Doubler:
    """A generator whose engine is a function."""

    subject = Subject.SCORE
    revision = "1"

    def source(self, seed: int, engine: Any) -> dict[str, Any]:
        return {"type": "numeric", "stem": f"double {seed}", "answers": [{"value": engine(seed)}]}


def test_generated_questions_are_checked_and_repeatable() -> None:
    made = generated(Doubler(), 21, lambda seed: seed * 2)
    assert made.id == "made-score-21"
    asked = made.variant(0)
    assert asked.kind.best(asked.content) == {"value": "42"}
    assert generated(Doubler(), 21, lambda seed: seed * 2).revision == made.revision
    with pytest.raises(Invalid):
        generated(Doubler(), 21, lambda _: "no number")
