"""A new password by mail."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.mail import EmailMessage
from django.test import Client

from gpuschedlab.accounts.models import User
from gpuschedlab.settings.services import mail
from gpuschedlab.settings.site import ENV
from tests.factories.accounts import make_user

NEW = "another-long-password"


@pytest.mark.django_db
def test_link_in_the_mail_sets_a_new_password_once(client: Client, mailoutbox: list[EmailMessage]) -> None:
    make_user(username="ada", email="ada@example.org")
    response = client.post("/accounts/password/", {"email": "ada@example.org"})
    assert response.headers["Location"] == "/accounts/password/sent/"
    (message,) = mailoutbox
    assert message.to == ["ada@example.org"]
    assert "ada" in message.body
    found = re.search(r"http://testserver(/accounts/password/\S+)", str(message.body))
    assert found is not None
    form = client.get(found[1], follow=True)
    assert client.post(form.request["PATH_INFO"], {"new_password1": NEW, "new_password2": NEW}).status_code == 302
    assert User.objects.get(username="ada").check_password(NEW)
    again = Client().get(found[1], follow=True, headers={"accept-language": "en"})
    assert "This link works no more" in again.content.decode()


@pytest.mark.django_db
def test_page_does_not_tell_whether_there_is_such_an_account(client: Client, mailoutbox: list[EmailMessage]) -> None:
    response = client.post("/accounts/password/", {"email": "nobody@example.org"})
    assert response.headers["Location"] == "/accounts/password/sent/"
    assert mailoutbox == []


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/accounts/password/", "/accounts/password/sent/", "/accounts/password/done/"])
def test_pages_are_there(client: Client, path: str) -> None:
    assert client.get(path).status_code == 200


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("", {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}),
        ("smtp://a%40b:pw@mail.example.org", {"EMAIL_HOST_USER": "a@b", "EMAIL_PORT": 587, "EMAIL_USE_TLS": True}),
        ("smtps://mail.example.org:4650", {"EMAIL_PORT": 4650, "EMAIL_USE_SSL": True, "EMAIL_USE_TLS": False}),
    ],
)
def test_mail_settings_follow_the_url(url: str, expected: dict[str, object]) -> None:
    found = mail(replace(ENV, email_url=url))
    assert {name: found[name] for name in expected} == expected


@pytest.mark.parametrize("url", ["http://x", "smtp://", "mail.example.org"])
def test_wrong_mail_url_is_told(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="LAB_EMAIL_URL"):
        mail(replace(ENV, email_url=url))


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "words"), [("zh-hans", "至少要 8 个字符"), ("en", "at least 8 characters")])
def test_short_password_is_refused_in_the_language_of_the_page(client: Client, language: str, words: str) -> None:
    form = {"username": "ada", "password1": "x9-", "password2": "x9-"}
    page = client.post("/accounts/sign-up/", form, headers={"accept-language": language}).content.decode()
    assert words in page.split("errorlist")[-1]
