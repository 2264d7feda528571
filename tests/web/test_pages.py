"""Home, what apps add to it, health, partials, JavaScript's sentences, static files."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings as django_settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command
from django.db import connection
from django.test import Client

from gpuschedlab.accounts.rules import is_instructor
from gpuschedlab.web import home, importmap
from gpuschedlab.web.home import (
    HomeAction,
    HomeSection,
    NavEntry,
    register_home_action,
    register_home_section,
    register_nav,
)
from gpuschedlab.web.jscatalogue import catalogue_version
from tests.factories.accounts import PASSWORD, make_participant, make_user

if TYPE_CHECKING:
    from pytest_django.fixtures import DjangoAssertNumQueries, SettingsWrapper

pytestmark = pytest.mark.django_db


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is registered."""
    monkeypatch.setattr(home, "_registry", home._Registry())


@pytest.mark.usefixtures("registry")
def test_home_itself_asks_the_database_nothing(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client.get("/")
    with django_assert_num_queries(0):
        client.get("/")


@pytest.mark.usefixtures("registry")
def test_apps_add_actions_and_entries_in_order(client: Client) -> None:
    register_home_action(HomeAction("Second", "accounts:log_in", order=20))
    register_home_action(HomeAction("First", "accounts:sign_up", order=10))
    register_nav(NavEntry("Start", "home", order=1))
    page = client.get("/").content.decode()
    assert re.findall(r'class="button( button-main)?" href="([^"]+)">(\w+)<', page) == [
        (" button-main", "/accounts/sign-up/", "First"),
        ("", "/accounts/log-in/", "Second"),
    ]
    assert '<a href="/" aria-current="page">Start</a>' in page


@pytest.mark.usefixtures("registry")
def test_section_without_content_is_left_out(client: Client) -> None:
    register_home_section(HomeSection("web/nothing.html", lambda participant: {}, order=1))
    register_home_section(HomeSection("web/_scene.html", lambda participant: {"any": 1}, order=2))
    assert client.get("/").content.decode().count('class="scene"') == 2


@pytest.mark.usefixtures("registry")
def test_entry_is_shown_to_those_it_is_for(client: Client) -> None:
    register_nav(NavEntry("Authoring", "home", order=1, visible_to=is_instructor))
    assert "Authoring" not in client.get("/").content.decode()
    make_participant(user=make_user(username="ada", role="instructor"))
    client.login(username="ada", password=PASSWORD)
    assert "Authoring" in client.get("/").content.decode()


def test_health_tells_what_does_not_answer(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    assert client.get("/health/").json() == {"ok": True, "database": True, "cache": True}

    def down() -> None:
        raise ConnectionError

    monkeypatch.setattr(connection, "ensure_connection", down)
    response = client.get("/health/")
    assert response.status_code == 503
    assert response.json() == {"ok": False, "database": False, "cache": True}


def test_import_map_names_every_module_and_is_allowed_by_the_nonce(client: Client) -> None:
    response = client.get("/")
    found = re.search(r'<script type="importmap" nonce="([^"]+)">(.*?)</script>', response.content.decode())
    assert found is not None
    nonce, text = found.groups()
    assert f"'nonce-{nonce}'" in response.headers["Content-Security-Policy"]
    imports = json.loads(text)["imports"]
    assert imports["lib/dom"] == "/static/js/lib/dom.js"
    assert imports["cytoscape"] == "/static/vendor/cytoscape.js"
    assert imports["uplot.css"] == "/static/vendor/uplot.css"


def test_nonce_is_another_one_each_time(client: Client) -> None:
    nonces = {re.search(r"nonce-([^']+)'", client.get("/").headers["Content-Security-Policy"]) for _ in range(3)}
    assert len({found.group(1) for found in nonces if found}) == 3


def test_heavy_modules_are_not_loaded_by_the_frame(client: Client) -> None:
    page = re.sub(r'<script type="importmap".*?</script>', "", client.get("/").content.decode())
    assert "vendor/" not in page


@pytest.mark.parametrize(("language", "words"), [("zh-hans", "显示键盘快捷键"), ("en", "django.catalog")])
def test_sentences_for_javascript(client: Client, language: str, words: str) -> None:
    response = client.get(f"/sentences/{language}/{catalogue_version()}.js")
    assert response.status_code == 200
    assert words in _unescaped(response.content)
    assert "immutable" in response.headers["Cache-Control"]


def _unescaped(script: bytes) -> str:
    return re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found.group(1), 16)), script.decode())


def test_sentences_of_an_old_address_are_not_kept(client: Client) -> None:
    response = client.get("/sentences/tlh/000000000000.js")
    assert response.status_code == 200
    assert "immutable" not in response.headers.get("Cache-Control", "")


def test_collected_static_files_have_hashed_addresses_in_pages(
    client: Client, settings: SettingsWrapper, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    storage = {"BACKEND": "servestatic.storage.CompressedManifestStaticFilesStorage"}
    settings.STORAGES = {**django_settings.STORAGES, "staticfiles": storage}
    settings.STATIC_ROOT = str(tmp_path)
    call_command("collectstatic", interactive=False, verbosity=0)
    monkeypatch.setattr(importmap, "import_map", importmap._fresh)
    monkeypatch.setattr("gpuschedlab.web.context.import_map", importmap._fresh)
    page = client.get("/").content.decode()
    for path in (*importmap.module_files().values(), "css/tokens.css", "js/page.js", "img/mark.svg"):
        address = staticfiles_storage.url(path)
        assert re.search(r"\.[0-9a-f]{12}\.", address), path
        assert (tmp_path / address.removeprefix("/static/")).exists()
    assert staticfiles_storage.url("css/tokens.css") in page
    assert json.dumps(staticfiles_storage.url("js/lib/dom.js")) in page


def test_admin_is_there_for_staff_and_shows_runs(client: Client, admin_client: Client) -> None:
    assert client.get("/admin/").status_code == 302
    for path in ("/admin/", "/admin/web/run/", "/admin/accounts/user/", "/admin/accounts/participant/"):
        response: Any = admin_client.get(path)
        assert response.status_code == 200, path
