"""Nothing that an instructor writes can run a script: known vectors in every field, on every page that shows it."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from gpuschedlab.accounts.models import Role
from simulator.models import Lab
from simulator.presenters.tabs.registry import TABS
from tests.factories.accounts import make_user
from tests.factories.labs import make_node, make_pod
from tests.factories.materials import make_draft, make_instructor, publish, scenario_text
from tests.materials.dangers import VECTORS, dangers
from tests.materials.hostile import both, hostile_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gpuschedlab.accounts.models import Participant
    from gpuschedlab.materials.models import Draft

pytestmark = pytest.mark.django_db

VIEWS = ("form", "text", "translations", "publish", "share", "figures", "history", "history/1")
vectors = pytest.mark.parametrize("vector", VECTORS)


@pytest.fixture(autouse=True)
def _fresh_cache() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def ada() -> Participant:
    return make_instructor()


@pytest.fixture
def author(ada: Participant) -> Client:
    client = Client()
    assert ada.user is not None
    client.force_login(ada.user)
    return client


def looked_at(client: Client, *urls: str) -> dict[str, list[str]]:
    """What is dangerous on each page, as far as anything is; every page has to be there."""
    found = {}
    for url in urls:
        answer = client.get(url, follow=True)
        assert answer.status_code in {200, 400, 410, 422}, (url, answer.status_code)
        html = answer.content.decode()
        assert "<html" in html
        if told := dangers(html):
            found[url] = told
    return found


def test_dangers_are_seen() -> None:
    """The checker itself: each vector with markup, put into a page as it is, is told of."""
    markup = [vector for vector in VECTORS if "<" in vector]
    assert [vector for vector in markup if not dangers(f"<p>{vector}</p>")] == []
    assert dangers('<a href="java\nscript:x">x</a>')
    assert not dangers('<script nonce="x"></script><script type="application/json">{}</script><img src="/x.svg">')


@vectors
def test_author_is_safe_on_every_page_of_a_draft(author: Client, ada: Participant, vector: str) -> None:
    draft = publish(make_draft(ada, hostile_text(vector)))
    base = f"/materials/{draft.pk}/"
    pages = [*(f"{base}{view}/" for view in VIEWS), f"{base}graph/", f"{base}preview/", "/materials/"]
    assert looked_at(author, *pages, "/accounts/audit/") == {}


@vectors
def test_learner_is_safe_in_every_tab_of_the_lab(ada: Participant, vector: str) -> None:
    draft = publish(make_draft(ada, hostile_text(vector)))
    learner = Client()
    lab = _lab(learner, draft)
    shown = [f"{lab}?tab={tab.name}" for tab in TABS]
    chosen = [f"{lab}?tab=objects&ref={ref}" for ref in ("Pod/default/p1", "Node//n1")]
    assert looked_at(learner, "/scenarios/", *shown, *chosen, f"{lab}?tab=task&hints=1") == {}
    assert learner.get(f"{lab}export/")["Content-Disposition"].startswith("attachment")


def _lab(client: Client, draft: Draft) -> str:
    """The address of a lab of the published scenario in which one step was made."""
    url = f"/labs/{draft.published}/{uuid.uuid4()}/"
    client.post(f"{url}step/", {"client_token": str(uuid.uuid4()), "go": "forward", "unit": "cycle"})
    assert Lab.objects.count() == 1
    return url


@vectors
def test_what_cannot_be_published_is_safe_to_look_at(author: Client, ada: Participant, vector: str) -> None:
    node = make_node(vector, labels={vector: vector})
    node["spec"] = {"taints": [{"key": vector, "value": vector, "effect": vector}]}
    text = scenario_text(
        name="x",
        objects=[node, make_pod(vector, nodeName=vector), {"apiVersion": vector, "kind": vector}],
        topics=[vector],
        level=vector,
        allowedCommands=[vector],
        goals=[{"kind": vector, vector: vector}, {"kind": "nodeEmpty", "node": vector}],
        predictions={"mode": vector, "gates": [{"predict": vector, "pod": vector}]},
        profiles=[{"name": vector, "configuration": {vector: vector}}],
        solution=[{"command": vector, vector: vector}],
        rules={vector: vector},
    )
    draft = make_draft(ada, text)
    base = f"/materials/{draft.pk}/"
    views = [view for view in VIEWS if view not in {"share", "figures"}]
    pages = [*(f"{base}{view}/" for view in views), f"{base}graph/", f"{base}preview/", "/materials/"]
    assert looked_at(author, *pages) == {}


@vectors
def test_texts_that_are_no_scenario_are_safe_to_look_at(author: Client, ada: Participant, vector: str) -> None:
    for text in (vector, f"{vector}: [", f"kind: {vector}\n---\n{vector}"):
        base = f"/materials/{make_draft(ada, text).pk}/"
        assert looked_at(author, f"{base}form/", f"{base}text/", f"{base}publish/", f"{base}graph/") == {}


@vectors
def test_names_of_files_and_titles_are_safe(author: Client, vector: str) -> None:
    upload = SimpleUploadedFile(f"{vector}.yaml", scenario_text().encode())
    brought = author.post("/materials/bring/", {"kind": "scenario", "files": upload})
    assert brought.status_code == 200
    assert dangers(brought.content.decode()) == []
    made = author.post(
        "/materials/new/scenario/",
        {"title": vector, "start": "small", "client_token": str(uuid.uuid4())},
        follow=True,
    )
    assert made.status_code == 200
    assert dangers(made.content.decode()) == []


@vectors
def test_administrators_are_safe_from_names(vector: str) -> None:
    boss = make_user(role=Role.ADMINISTRATOR, is_staff=True, is_superuser=True, username=vector[:150])
    client = Client()
    client.force_login(boss)
    answer = client.post("/accounts/people/invite/", {"note": vector[:80], "days": "7"})
    assert answer.status_code == 200
    assert dangers(answer.content.decode()) == []
    assert looked_at(client, "/accounts/people/", "/accounts/audit/", "/accounts/my-data/") == {}


def test_values_of_the_page_are_not_read_as_templates(ada: Participant, author: Client) -> None:
    draft = make_draft(ada, scenario_text(title=both("{{ 7|add:7 }}")))
    page: Any = author.get(f"/materials/{draft.pk}/form/").content.decode()
    assert "{{ 7|add:7 }}" in page
