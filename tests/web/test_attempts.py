"""How often passwords are tried and mail is asked for: one account's are counted whoever asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.test import Client

from gpuschedlab.accounts import passwords, views
from gpuschedlab.accounts.models import User
from tests.factories.accounts import PASSWORD, make_user

if TYPE_CHECKING:
    from django.core.mail import EmailMessage

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("standing_limits")]

LOG_IN, RESET, SIGN_UP = "/accounts/log-in/", "/accounts/password/", "/accounts/sign-up/"


def test_passwords_of_one_account_are_tried_so_often_with_cookies_thrown_away() -> None:
    make_user(username="ada")

    def attempt(name: str) -> int:
        return Client().post(LOG_IN, {"username": name, "password": "guess"}).status_code

    codes = [attempt(name) for name in ("ada", "Ada ", "ADA") * views.OF_NAME.count]
    assert codes.count(200) == views.OF_NAME.count
    assert set(codes[views.OF_NAME.count :]) == {429}
    assert attempt("grace") == 200


def test_another_address_is_not_shut_out_by_it() -> None:
    for _ in range(views.OF_NAME.count + 1):
        Client().post(LOG_IN, {"username": "ada", "password": "guess"})
    elsewhere = Client(REMOTE_ADDR="203.0.113.9")
    assert elsewhere.post(LOG_IN, {"username": "ada", "password": "guess"}).status_code == 200


def test_nobody_is_sent_link_after_link(mailoutbox: list[EmailMessage]) -> None:
    make_user(username="ada", email="ada@example.org")
    for email in ("ada@example.org", "nobody@example.org"):
        codes = [Client().post(RESET, {"email": email}).status_code for _ in range(passwords.OF_MAIL.count + 2)]
        assert codes == [302] * passwords.OF_MAIL.count + [429, 429]
    assert len(mailoutbox) == passwords.OF_MAIL.count


@pytest.mark.parametrize("method", ["get", "post"])
def test_admin_has_no_log_in_of_its_own(method: str, client: Client) -> None:
    make_user(username="ada", is_staff=True)
    values = {"username": "ada", "password": PASSWORD, "next": "/admin/"} if method == "post" else {}
    answer = getattr(client, method)("/admin/login/?next=/admin/", values)
    assert answer["Location"] == f"{LOG_IN}?next=/admin/"
    assert client.get("/admin/")["Location"].startswith("/admin/login/")


def test_names_that_look_like_one_another_are_one(client: Client) -> None:
    make_user(username="ada")
    values = {"username": "ａｄａ", "password1": "a-long-password-1", "password2": "a-long-password-1"}
    assert client.post(SIGN_UP, values).status_code == 200
    assert client.post(SIGN_UP, {**values, "username": "ＧＲＡＣＥ"}).status_code == 302
    assert list(User.objects.order_by("pk").values_list("username", flat=True)) == ["ada", "GRACE"]
