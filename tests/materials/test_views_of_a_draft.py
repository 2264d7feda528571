"""One draft in three views: what is changed in one shows in the others, and nothing is lost on the way."""

from __future__ import annotations

import json
import re
import uuid
from typing import TYPE_CHECKING, Any

import pytest

from gpuschedlab.materials.models import Draft
from simulator.manifests.scenario_text import read_scenario
from tests.factories.labs import make_node, make_pod
from tests.factories.materials import make_draft, scenario_text

if TYPE_CHECKING:
    from django.http import HttpResponse
    from django.test import Client

    from gpuschedlab.accounts.models import Participant

HTMX = {"HX-Request": "true"}


def address(draft: Draft, page: str) -> str:
    return f"/materials/{draft.pk}/{page}/"


def read(draft: Draft) -> dict[str, Any]:
    draft.refresh_from_db()
    value = read_scenario(draft.text).value
    assert value is not None
    return value


def fill(client: Client, draft: Draft, version: int | None = None, **typed: str) -> HttpResponse:
    """Save inputs of the form; `spec__title__en` is `spec/title/en`."""
    draft.refresh_from_db()
    values = {name.replace("__", "/"): value for name, value in typed.items()}
    return client.post(address(draft, "form"), {"version": version or draft.version, **values}, headers=HTMX)


def state(answer: HttpResponse) -> dict[str, Any]:
    found = re.search(r'id="draft-state".*?<script[^>]*>(.*?)</script>', answer.content.decode(), re.DOTALL)
    assert found
    return dict(json.loads(found[1]))


def test_form_writes_the_text_and_keeps_what_is_not_its_own(author: Client, ada: Participant) -> None:
    text = scenario_text().replace("  level: beginner", "  level: beginner # as easy as it gets")
    draft = make_draft(ada, text)
    assert fill(author, draft, spec__title__en="Another").status_code == 200
    assert read(draft)["spec"]["title"] == {"en": "Another", "zh-hans": "还回来"}
    changed = [line for line in draft.text.splitlines() if line not in text.splitlines()]
    assert changed == ["    en: Another"]
    assert "en: Another" in author.get(address(draft, "text")).content.decode()


def test_text_fills_the_form(author: Client, ada: Participant) -> None:
    draft = make_draft(ada)
    text = draft.text.replace("level: beginner", "level: advanced\n  minutes: 12")
    author.post(address(draft, "text"), {"version": 1, "text": text}, headers=HTMX)
    form = author.get(address(draft, "form")).content.decode()
    assert re.search(r'name="spec/minutes"[^>]*value="12"', form)
    assert re.search(r'<option value="advanced" selected>', form)


def test_graph_writes_the_text_and_shows_what_the_text_says(author: Client, ada: Participant) -> None:
    draft = make_draft(ada)
    lab = author.get(address(draft, "graph"), follow=True).redirect_chain[-1][0].partition("?")[0]
    token = str(uuid.uuid4())
    author.post(f"{lab}do/taint/", {"client_token": token, "kind": "Node", "name": "n1", "taints": "a=b:NoSchedule"})
    (node,) = (one for one in read(draft)["objects"] if one["kind"] == "Node")
    assert node["spec"] == {"unschedulable": True, "taints": [{"key": "a", "value": "b", "effect": "NoSchedule"}]}
    text = draft.text.replace("name: n1", "name: renamed")
    author.post(address(draft, "text"), {"version": draft.version, "text": text}, headers=HTMX)
    assert "renamed" in author.get(address(draft, "graph"), follow=True).content.decode()


def test_graph_is_there_while_the_rest_is_unfinished(author: Client, ada: Participant) -> None:
    draft = make_draft(ada, scenario_text(goals=[{"kind": "nodeEmpty"}], hints=[{}], title={}))
    assert author.get(address(draft, "graph"), follow=True).status_code == 200
    refused = author.get(address(draft, "preview"))
    assert refused.status_code == 400
    assert "Goal 1" in refused.content.decode()


def test_text_that_cannot_be_read_is_kept_and_the_other_views_wait(author: Client, ada: Participant) -> None:
    draft = make_draft(ada)
    broken = draft.text + "\n  : ["
    author.post(address(draft, "text"), {"version": 1, "text": broken}, headers=HTMX)
    draft.refresh_from_db()
    assert draft.text == broken
    for view in ("form", "translations"):
        page = author.get(address(draft, view)).content.decode()
        assert "The text cannot be read at the moment" in page
        assert "/text/?line=" in page
    assert fill(author, draft, spec__title__en="x").status_code == 400
    draft.refresh_from_db()
    assert draft.text == broken


def test_undo_and_redo_go_through_all_views(author: Client, ada: Participant) -> None:
    draft = make_draft(ada)
    fill(author, draft, spec__title__en="Two")
    author.post(
        address(draft, "text"), {"version": 2, "text": draft.text.replace("Give it back", "Three")}, headers=HTMX
    )
    titles = []
    for page in ("undo", "undo", "redo", "redo"):
        draft.refresh_from_db()
        author.post(address(draft, page), {"version": draft.version, "view": "form"})
        titles.append(read(draft)["spec"]["title"]["en"])
    assert titles == ["Two", "Give it back", "Two", "Three"]
    assert author.post(address(draft, "redo"), {"version": draft.version}).status_code == 409


def test_two_tabs_that_change_different_fields_do_not_meet(author: Client, ada: Participant) -> None:
    draft = make_draft(ada)
    fill(author, draft, 1, spec__title__en="One tab")
    assert fill(author, draft, 1, spec__minutes="5").status_code == 200
    assert read(draft)["spec"]["title"]["en"] == "One tab"
    assert read(draft)["spec"]["minutes"] == 5


def test_two_tabs_that_change_the_same_field_are_told(author: Client, ada: Participant) -> None:
    draft = make_draft(ada)
    fill(author, draft, 1, spec__title__en="One tab")
    answer = fill(author, draft, 1, spec__title__en="Other tab")
    assert answer.status_code == 409
    assert state(answer)["clashes"] == ["spec/title/en"]
    assert read(draft)["spec"]["title"]["en"] == "One tab"
    late = author.post(address(draft, "text"), {"version": 1, "text": "mine"}, headers=HTMX)
    assert late.status_code == 409
    assert "One tab" in state(late)["theirs"]


def test_entries_of_lists_are_added_moved_and_removed(author: Client, ada: Participant) -> None:
    draft = make_draft(ada, scenario_text(hints=[{"en": "one"}, {"en": "two"}]))

    def change(op: str, **more: str) -> None:
        draft.refresh_from_db()
        answer = author.post(address(draft, "list"), {"version": draft.version, "op": op, **more}, headers=HTMX)
        assert answer.status_code == 200

    change("down:0:spec/hints")
    assert read(draft)["spec"]["hints"] == [{"en": "two"}, {"en": "one"}]
    change("remove:1:spec/hints")
    assert read(draft)["spec"]["hints"] == [{"en": "two"}]
    change("add:0:spec/goals", **{"kind/spec/goals": "nodeEmpty"})
    assert read(draft)["spec"]["goals"] == [{"kind": "allBound"}, {"kind": "nodeEmpty"}]


def test_value_that_cannot_be_read_is_told_at_its_field_and_the_rest_is_saved(author: Client, ada: Participant) -> None:
    draft = make_draft(ada)
    answer = fill(author, draft, spec__minutes="soon", spec__title__en="Saved")
    assert answer.status_code == 422
    assert list(state(answer)["wrong"]) == ["spec/minutes"]
    assert read(draft)["spec"]["title"]["en"] == "Saved"
    assert "minutes" not in read(draft)["spec"]


def test_all_problems_are_listed_at_once_each_with_its_place(author: Client, ada: Participant) -> None:
    text = scenario_text(
        objects=[make_node("n1"), make_pod("Bad_Name")],
        title=None,
        level="easy",
        goals=[{"kind": "nodeEmpty"}, {"kind": "winner", "pod": "p", "node": "n", "colour": "red"}],
        allowedCommands=["taint"],
        profiles=[{"name": "default", "configuration": {"apiVersion": "v0", "kind": "KubeSchedulerConfiguration"}}],
    )
    draft = make_draft(ada, text)
    page = author.get(address(draft, "form")).content.decode()
    listed = page[page.index('id="draft-checklist"') : page.index('id="draft-state"')]
    form = address(draft, "form")
    line = next(number for number, one in enumerate(draft.text.splitlines(), 1) if "Bad_Name" in one)
    wanted = [
        f"{form}#f-spec-level",
        f"{form}#f-spec-goals-0",
        f"{form}#f-spec-goals-1",
        f"{form}#f-spec-profiles-0-configuration",
        f"{form}#f-spec-solution",
        f"{address(draft, 'text')}?line={line}",
    ]
    assert [place for place in wanted if place not in listed] == []
    assert f"{form}#f-spec" in listed  # the title that is missing
    assert author.post(address(draft, "publish"), {"version": 1, "client_token": str(uuid.uuid4())}).status_code == 422


def test_earlier_version_comes_back(author: Client, ada: Participant) -> None:
    draft = make_draft(ada)
    first = draft.text
    fill(author, draft, spec__hints__0__en="x", spec__title__en="Later")
    draft.refresh_from_db()
    page = author.get(address(draft, "history/1")).content.decode()
    assert "Later" in page
    assert "Give it back" in page
    author.post(address(draft, "history"), {"version": draft.version, "wanted": 1})
    draft.refresh_from_db()
    assert draft.text == first


def test_texts_that_lack_a_language_are_listed(author: Client, ada: Participant) -> None:
    draft = make_draft(ada, scenario_text(title={"en": "Only English"}, hints=[{"zh-hans": "只有中文"}]))
    page = author.get(address(draft, "translations")).content.decode()
    lacking = re.findall(r'<li><a href="#([^"]+)" data-input="([^"]+)"', page)
    assert lacking == [
        ("f-spec-title-zh_hans", "spec/title/zh-hans"),
        ("f-spec-hints-0-en", "spec/hints/0/en"),
    ]
    assert "Only English" in page
    assert "只有中文" in page


@pytest.mark.parametrize("page", ["form", "text", "translations", "history", "publish"])
def test_pages_of_a_draft_need_no_more_queries_for_more_drafts(
    author: Client, ada: Participant, page: str, django_assert_max_num_queries: Any
) -> None:
    draft = make_draft(ada)
    with django_assert_max_num_queries(16):
        author.get(address(draft, page))
