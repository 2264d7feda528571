"""Rate limits and tokens for doing a thing once."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

import pytest
from django.db import IntegrityError
from django.http import HttpResponse

from gpuschedlab.accounts.models import Participant
from gpuschedlab.web import limits
from gpuschedlab.web.errors import TooManyRequests
from gpuschedlab.web.idempotency import forget_old_tokens, once
from gpuschedlab.web.limits import Rate, limit_rate, take
from gpuschedlab.web.models import ClientToken
from tests.factories.accounts import make_participant

if TYPE_CHECKING:
    from django.test import RequestFactory

    from gpuschedlab.web.http import LabRequest


def test_window_lets_through_what_it_allows_and_opens_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 6_000.0
    monkeypatch.setattr(limits.time, "time", lambda: now)
    rate = Rate(3, seconds=60)
    for _ in range(3):
        take("thing", "me", rate)
    now = 6_045.0
    with pytest.raises(TooManyRequests) as caught:
        take("thing", "me", rate)
    assert caught.value.retry_after == 15
    take("thing", "you", rate)
    take("other", "me", rate)
    now = 6_060.0
    take("thing", "me", rate)


@pytest.mark.django_db
def test_what_takes_long_is_several_uses(rf: RequestFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 1000, 5))  # a view takes five seconds
    monkeypatch.setattr(limits.time, "thread_time", lambda: float(next(clock)))
    monkeypatch.setattr(limits.time, "time", lambda: 6_000.0)
    asked = rf.get("/")
    asked.participant = make_participant()  # type: ignore[attr-defined]

    @limit_rate("slow", participant=Rate(60), address=Rate(1000))
    def slow(_request: LabRequest) -> HttpResponse:
        return HttpResponse()

    for _ in range(6):  # of half a minute
        slow(asked)
    with pytest.raises(TooManyRequests):
        slow(asked)


@pytest.mark.parametrize(
    ("address", "network"),
    [("203.0.113.7", "203.0.113.7"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"), ("unknown", "unknown")],
)
def test_address_counts_as_what_one_connection_owns(address: str, network: str) -> None:
    assert limits.network_of(address) == network


@pytest.mark.django_db
def test_same_token_does_the_work_once() -> None:
    token, me = uuid.uuid4(), uuid.uuid4()
    done = []

    def work() -> str:
        done.append(1)
        return f"made-{len(done)}"

    assert once(scope="class.create", participant_id=me, token=token, work=work) == "made-1"
    assert once(scope="class.create", participant_id=me, token=token, work=work) == "made-1"
    assert once(scope="class.create", participant_id=uuid.uuid4(), token=token, work=work) == "made-2"


@pytest.mark.django_db
def test_failed_work_may_be_tried_again_with_its_token() -> None:
    key = {"scope": "class.create", "participant_id": uuid.uuid4(), "token": uuid.uuid4()}

    def broken() -> str:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        once(**key, work=broken)  # type: ignore[arg-type]
    assert once(**key, work=lambda: "made") == "made"  # type: ignore[arg-type]


@pytest.mark.django_db
def test_conflict_of_the_work_itself_is_not_taken_for_a_second_use() -> None:
    there = make_participant()

    def work() -> str:
        Participant.objects.create(pk=there.pk)
        return ""

    with pytest.raises(IntegrityError):
        once(scope="x", participant_id=uuid.uuid4(), token=uuid.uuid4(), work=work)


@pytest.mark.django_db
def test_old_tokens_are_forgotten() -> None:
    once(scope="x", participant_id=uuid.uuid4(), token=uuid.uuid4(), work=lambda: "")
    forget_old_tokens()
    assert ClientToken.objects.count() == 1
    ClientToken.objects.update(created_at="2020-01-01T00:00:00Z")
    forget_old_tokens()
    assert not ClientToken.objects.exists()
