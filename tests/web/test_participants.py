"""Participants: born at the first write, kept by their own cookie, attached to users, never mixed up."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from gpuschedlab.accounts import merging
from gpuschedlab.accounts.cookies import COOKIE, read_participant_cookie
from gpuschedlab.accounts.middleware import participant_for
from gpuschedlab.accounts.models import Participant, User
from gpuschedlab.accounts.rules import is_administrator, is_instructor
from gpuschedlab.accounts.services import participant_ensure, participant_merge
from gpuschedlab.web.models import Run
from tests.factories.accounts import PASSWORD, be, make_participant, make_user, participant_cookie

pytestmark = pytest.mark.django_db

SIGN_UP = {"username": "ada", "password1": PASSWORD, "password2": PASSWORD}


@pytest.fixture
def run_belongings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs as the only belongings."""
    monkeypatch.setattr(merging, "_registered", [])
    merging.register_belongings(
        merging.Belongings(
            name="runs",
            count=lambda participant: Run.objects.filter(owner=participant).count(),
            move=lambda source, target: Run.objects.filter(owner=source).update(owner=target) and None,
        )
    )


def test_looking_around_stores_nothing(client: Client) -> None:
    for path in ("/", "/accounts/log-in/", "/accounts/my-data/"):
        assert client.get(path).status_code == 200
    assert not Participant.objects.exists()


def test_asking_for_the_participant_sets_the_cookie_before_the_row(client: Client) -> None:
    response = client.get("/runs/00000000-0000-0000-0000-000000000001/")
    assert response.status_code == 404
    cookie = response.cookies[COOKIE]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert read_participant_cookie({COOKIE: cookie.value}) is not None
    assert not Participant.objects.exists()


def test_second_request_keeps_the_cookie(client: Client) -> None:
    client.get("/runs/00000000-0000-0000-0000-000000000001/")
    assert COOKIE not in client.get("/runs/00000000-0000-0000-0000-000000000001/").cookies


@pytest.mark.parametrize("value", ["", "nonsense", "00000000-0000-0000-0000-000000000001:1abc:forged"])
def test_forged_cookie_is_nobody(value: str) -> None:
    assert read_participant_cookie({COOKIE: value}) is None


def test_first_write_stores_the_id_of_the_cookie_once() -> None:
    one, other = Participant(), Participant()
    other.id = one.id
    assert participant_ensure(one).pk == participant_ensure(other).pk
    assert not other.is_new
    assert Participant.objects.count() == 1


def test_sign_up_attaches_what_was_done_before(client: Client, participant: Participant) -> None:
    response = client.post("/accounts/sign-up/", SIGN_UP)
    assert response.status_code == 302
    participant.refresh_from_db()
    assert participant.user == User.objects.get(username="ada")
    assert client.get("/").context["user"].username == "ada"


def test_sign_up_of_a_new_browser_stores_its_participant(client: Client) -> None:
    client.post("/accounts/sign-up/", SIGN_UP)
    assert Participant.objects.get().user.username == "ada"  # type: ignore[union-attr]


def test_log_out_issues_a_new_participant(client: Client, participant: Participant) -> None:
    client.post("/accounts/sign-up/", SIGN_UP)
    response = client.post("/accounts/log-out/")
    assert read_participant_cookie({COOKIE: response.cookies[COOKIE].value}) != participant.pk


def test_cookie_of_a_user_is_worth_nothing_without_the_session(client: Client) -> None:
    mine = make_participant(user=make_user())
    assert participant_for(AnonymousUser(), mine.pk).pk != mine.pk


def test_session_counts_whatever_the_cookie_says(client: Client) -> None:
    user = make_user()
    mine = make_participant(user=user)
    assert participant_for(user, make_participant().pk).pk == mine.pk


@pytest.mark.usefixtures("run_belongings")
def test_log_in_offers_to_bring_the_work_along(client: Client, participant: Participant) -> None:
    mine = make_participant(user=make_user(username="ada"))
    Run.objects.create(kind="tests.count", owner=participant)
    response = client.post("/accounts/log-in/", {"username": "ada", "password": PASSWORD})
    assert response.headers["Location"] == "/accounts/merge/"
    assert b"runs: 1" in client.get("/accounts/merge/").content
    client.post("/accounts/merge/", {"decision": "bring"})
    assert Run.objects.get().owner == mine
    assert not Participant.objects.filter(pk=participant.pk).exists()


@pytest.mark.usefixtures("run_belongings")
def test_merge_that_is_declined_moves_nothing(client: Client, participant: Participant) -> None:
    make_participant(user=make_user(username="ada"))
    Run.objects.create(kind="tests.count", owner=participant)
    client.post("/accounts/log-in/", {"username": "ada", "password": PASSWORD})
    client.post("/accounts/merge/", {"decision": "leave"})
    assert Run.objects.get().owner == participant
    assert client.get("/accounts/merge/").status_code == 302


def test_log_in_without_work_goes_straight_on(client: Client) -> None:
    make_user(username="ada")
    response = client.post("/accounts/log-in/?next=/x/", {"username": "ada", "password": PASSWORD, "next": "/x/"})
    assert response.headers["Location"] == "/x/"


@pytest.mark.parametrize("next_", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"])
def test_log_in_never_leads_off_the_site(client: Client, next_: str) -> None:
    make_user(username="ada")
    response = client.post("/accounts/log-in/", {"username": "ada", "password": PASSWORD, "next": next_})
    assert response.headers["Location"] == "/"


def test_wrong_password_says_so(client: Client) -> None:
    response = client.post("/accounts/log-in/", {"username": "nobody", "password": "x"}, HTTP_ACCEPT_LANGUAGE="en")
    assert response.status_code == 200
    assert b"errorlist" in response.content


@pytest.mark.usefixtures("standing_limits")
def test_guessing_passwords_is_slowed_down(client: Client) -> None:
    codes = [client.post("/accounts/log-in/", {"username": "ada", "password": "x"}).status_code for _ in range(22)]
    assert codes[0] == 200
    assert codes[-1] == 429


def test_participant_with_a_user_cannot_be_merged_away() -> None:
    source = make_participant(user=make_user())
    with pytest.raises(ValueError, match="without a user"):
        participant_merge(source=source, target=make_participant())


def test_user_without_participant_gets_the_same_one_each_time(client: Client) -> None:
    user = make_user()
    assert participant_for(user, None).pk == participant_for(user, None).pk


def test_signed_cookie_makes_the_client_that_participant(client: Client, participant: Participant) -> None:
    run = Run.objects.create(kind="tests.count", owner=participant)
    assert client.get(f"/runs/{run.pk}/").status_code == 200
    other = Client()
    be(other, make_participant())
    assert other.get(f"/runs/{run.pk}/").status_code == 404
    assert participant_cookie(participant) != str(participant.pk)


@pytest.mark.parametrize(
    ("role", "instructs", "administers"),
    [("learner", False, False), ("instructor", True, False), ("administrator", True, True)],
)
def test_roles(role: str, instructs: bool, administers: bool) -> None:
    participant: Any = make_participant(user=make_user(role=role))
    assert is_instructor(participant) is instructs
    assert is_administrator(participant) is administers
    assert not is_instructor(make_participant())
