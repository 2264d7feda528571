"""Language, theme and time zone."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from gpuschedlab.accounts.models import Participant, time_zone_named
from tests.factories.accounts import PASSWORD, make_participant, make_user

pytestmark = pytest.mark.django_db

ZH, EN = "为什么是那里", "and why there"


@pytest.mark.parametrize(
    ("accepts", "expected"),
    [(None, ZH), ("zh-CN,zh;q=0.9", ZH), ("en-US,en;q=0.9", EN), ("fr", ZH), ("fr,en;q=0.5", EN)],
)
def test_language_is_chinese_unless_the_browser_asks_for_english(
    client: Client, accepts: str | None, expected: str
) -> None:
    headers = {"accept-language": accepts} if accepts else {}
    response = client.get("/", headers=headers)
    assert expected in response.content.decode()


def test_language_switch_beats_the_browser_and_is_kept_with_the_participant(
    client: Client, participant: Participant
) -> None:
    response = client.post("/accounts/preferences/", {"language": "zh-hans", "next": "/accounts/log-in/"})
    assert response.headers["Location"] == "/accounts/log-in/"
    assert ZH in client.get("/", headers={"accept-language": "en"}).content.decode()
    participant.refresh_from_db()
    assert participant.language == "zh-hans"


def test_log_in_brings_the_language_along(client: Client) -> None:
    make_participant(user=make_user(username="ada"), language="en")
    client.post("/accounts/log-in/", {"username": "ada", "password": PASSWORD})
    assert EN in client.get("/", headers={"accept-language": "zh-CN"}).content.decode()


def test_preference_of_somebody_unknown_stores_no_row(client: Client) -> None:
    client.post("/accounts/preferences/", {"language": "en"})
    assert not Participant.objects.exists()


@pytest.mark.parametrize("data", [{"language": "tlh"}, {"theme": "pink"}])
def test_unknown_preference_is_bad_input(client: Client, data: dict[str, str]) -> None:
    assert client.post("/accounts/preferences/", data).status_code == 400


def test_theme_is_in_the_page_from_the_start(client: Client) -> None:
    assert 'data-theme="auto"' in client.get("/").content.decode()
    client.post("/accounts/preferences/", {"theme": "dark"})
    assert 'data-theme="dark"' in client.get("/").content.decode()


@pytest.mark.parametrize("name", ["Asia/Shanghai", "Europe/Berlin", "UTC"])
def test_time_zone_is_known(name: str) -> None:
    assert str(time_zone_named(name)) == name


@pytest.mark.parametrize("name", ["", "Mars/Olympus", "../../etc/passwd", "/etc/passwd", "x" * 5000, "a\0b"])
def test_text_that_is_no_time_zone_is_none(client: Client, name: str) -> None:
    assert time_zone_named(name) is None
    client.cookies["time-zone"] = name.replace("\0", "")
    assert client.get("/").status_code == 200


def test_time_zone_of_one_request_does_not_leak_into_the_next(client: Client) -> None:
    client.cookies["time-zone"] = "Asia/Shanghai"
    client.get("/")
    assert timezone.get_current_timezone_name() == "UTC"
