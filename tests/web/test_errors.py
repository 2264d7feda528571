"""Error pages and parts, headers, and the limits on what arrives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.test import Client, RequestFactory

from gpuschedlab.web import errors
from gpuschedlab.web.bodylimit import TOO_LARGE, BodyLimit
from tests.factories.sockets import run_scenario

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _demo_pages(settings: SettingsWrapper) -> None:
    settings.ROOT_URLCONF = "tests.demo.urls"


def test_missing_page_says_so_in_both_languages(client: Client) -> None:
    for language, words in (("zh-hans", "这里什么也没有"), ("en", "There is nothing here")):
        response = client.get("/nowhere/", headers={"accept-language": language})
        assert response.status_code == 404
        assert words in response.content.decode()


def test_conflict_is_a_page_and_for_htmx_a_notice(client: Client) -> None:
    page = client.get("/demo/conflict/")
    assert page.status_code == 409
    assert "<html" in page.content.decode()
    notice = client.get("/demo/conflict/", headers={"hx-request": "true"})
    assert notice.status_code == 409
    assert "<html" not in notice.content.decode()
    assert "h100-1 was deleted meanwhile." in notice.content.decode()
    assert notice.headers["HX-Retarget"] == "#notices"
    assert notice.headers["HX-Reswap"] == "innerHTML"


def test_refused_input_is_no_unreadable_request(rf: RequestFactory) -> None:
    told = errors.render_error(rf.get("/"), 400, "Choose a node.").content.decode()
    assert "Choose a node." in told
    assert str(errors.TOLD) in told
    assert str(errors.TITLES[400]) not in told
    assert str(errors.TITLES[400]) in errors.render_error(rf.get("/"), 400).content.decode()


def test_history_restore_gets_the_whole_page(client: Client) -> None:
    headers = {"hx-request": "true", "hx-history-restore-request": "true"}
    assert "<html" in client.get("/demo/conflict/", headers=headers).content.decode()


def test_unexpected_error_is_a_page(client: Client) -> None:
    client.raise_request_exception = False
    response = client.get("/demo/broken/", headers={"accept-language": "en"})
    assert response.status_code == 500
    assert "Something broke on our side" in response.content.decode()
    assert "broken on purpose" not in response.content.decode()


def test_error_page_that_breaks_itself_is_words(rf: RequestFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(errors, "render_error", broken)
    response = errors.server_error(rf.get("/"))
    assert response.status_code == 500
    assert response.headers["Content-Type"].startswith("text/plain")


def test_form_without_token_is_refused_with_advice() -> None:
    response = Client(enforce_csrf_checks=True).post("/accounts/preferences/", {"theme": "dark"})
    assert response.status_code == 403
    assert "Cookie" in response.content.decode()


def test_too_many_fields_are_too_large(client: Client) -> None:
    response = client.post(
        "/accounts/preferences/", {f"f{n}": "" for n in range(settings.DATA_UPLOAD_MAX_NUMBER_FIELDS + 1)}
    )
    assert response.status_code == 413


def test_wrong_host_is_a_bad_request(client: Client) -> None:
    assert client.get("/", headers={"host": "evil.example"}).status_code == 400


def test_every_answer_names_its_request_and_forbids_what_pages_do_not_need(client: Client) -> None:
    response = client.get("/")
    assert len(response.headers["X-Request-ID"]) == 12
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Referrer-Policy"] == "same-origin"
    assert response.headers["X-Frame-Options"] == "DENY"
    assert response.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "script-src 'self' 'nonce-" in policy
    assert "unsafe" not in policy
    assert "http" not in policy


def test_page_varies_by_htmx(client: Client) -> None:
    assert "HX-Request" in client.get("/").headers["Vary"]


def test_error_for_every_status_has_a_title_and_advice() -> None:
    assert set(errors.TITLES) == set(errors.ADVICE) == {400, 403, 404, 409, 413, 429, 500}


def _through_body_limit(chunks: list[bytes], limit: int) -> tuple[bytes, bool, int]:
    """(body the application got, whether it was marked too large, chunks read) for a body sent in chunks."""
    sent = iter(chunks)
    left = len(chunks)
    got = bytearray()
    seen: dict[str, Any] = {}

    async def receive() -> dict[str, Any]:
        nonlocal left
        left -= 1
        return {"type": "http.request", "body": next(sent), "more_body": left > 0}

    async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
        while True:
            message = await receive()
            got.extend(message["body"])
            if not message["more_body"]:
                break
        seen.update(scope)

    run_scenario(lambda: BodyLimit(app, limit)({"type": "http"}, receive, None))
    return bytes(got), bool(seen.get(TOO_LARGE)), len(chunks) - left


def test_body_within_the_limit_passes_whole() -> None:
    assert _through_body_limit([b"ab", b"cd"], 4) == (b"abcd", False, 2)


def test_longer_body_is_cut_off_and_read_to_its_end() -> None:
    assert _through_body_limit([b"ab", b"cd", b"ef", b"gh"], 4) == (b"abcd", True, 4)
