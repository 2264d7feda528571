"""From a draft to revisions, retired and back; what proves it; copies, files, link, figures, the log."""

from __future__ import annotations

import io
import re
import uuid
import zipfile
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from gpuschedlab.materials import archives
from gpuschedlab.materials.models import Draft
from gpuschedlab.materials.services import draft_note
from gpuschedlab.web.models import AuditEntry
from simulator.manifests.scenario_text import read_scenario
from simulator.models import Lab, Scenario, ScenarioRevision
from tests.factories.accounts import make_participant
from tests.factories.labs import make_lab, make_node, make_pod, run
from tests.factories.materials import make_draft, make_instructor, publish, scenario_text
from tests.simulator.predictions.labs import Person, asking, filtering

if TYPE_CHECKING:
    from django.http import HttpResponse

    from gpuschedlab.accounts.models import Participant

UNCORDON = {"command": "cordon", "name": "n1", "on": False}
TAINT = {"command": "taint", "name": "n1", "taints": [{"key": "a", "value": "b", "effect": "NoSchedule"}]}


def address(draft: Draft, page: str) -> str:
    return f"/materials/{draft.pk}/{page}/"


def press_publish(client: Client, draft: Draft, listed: str = "yes") -> HttpResponse:
    draft.refresh_from_db()
    sent = {"version": draft.version, "client_token": str(uuid.uuid4()), "listed": listed}
    return client.post(address(draft, "publish"), sent)


def rewrite(client: Client, draft: Draft, before: str, after: str) -> None:
    draft.refresh_from_db()
    assert before in draft.text
    client.post(address(draft, "text"), {"version": draft.version, "text": draft.text.replace(before, after)})
    draft.refresh_from_db()


# the proof


def test_what_its_solution_solves_is_published(author: Client, ada: Participant) -> None:
    draft = make_draft(ada)
    answer = press_publish(author, draft)
    assert answer.url == address(draft, "share")
    assert Scenario.objects.get().slug == "give-it-back"


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ({"solution": None}, "Show that the goals can be reached"),
        ({"solution": [TAINT]}, "The solution does not reach goal 1"),
        ({"solution": [{**UNCORDON, "name": "n9"}]}, "The solution’s command 1 is refused"),
        ({"solution": [UNCORDON], "allowedCommands": ["taint"]}, "is not among those learners may give"),
        ({"goals": [{"kind": "nodeCount", "atLeast": 1}]}, "All goals are met by doing nothing"),
        ({"text": None}, "Tell the learner what there is to see and to do"),
    ],
)
def test_what_is_not_proved_is_not_published(author: Client, ada: Participant, spec: dict[str, Any], why: str) -> None:
    draft = make_draft(ada, scenario_text(**spec))
    answer = press_publish(author, draft)
    assert answer.status_code == 422
    html = answer.content.decode().replace("&#x27;", "’")
    assert why in html
    assert not Scenario.objects.exists()
    assert not AuditEntry.objects.exists()


def test_goals_that_are_met_by_letting_it_run_are_not_published(author: Client, ada: Participant) -> None:
    draft = make_draft(ada, scenario_text(objects=[make_node("n1"), make_pod("p1")]))
    assert "All goals are met by doing nothing" in press_publish(author, draft).content.decode()


def test_solution_is_what_was_done_in_the_preview(author: Client, ada: Participant) -> None:
    draft = make_draft(ada, scenario_text(solution=None))
    lab = author.get(address(draft, "preview"), follow=True).redirect_chain[-1][0].partition("?")[0]
    nothing = author.post(address(draft, "solution"), {"lab": lab.split("/")[-2]})
    assert nothing.status_code == 400
    author.post(f"{lab}do/uncordon/", {"client_token": str(uuid.uuid4()), "kind": "Node", "name": "n1"})
    author.post(f"{lab}run/", {"client_token": str(uuid.uuid4())})
    answer = author.post(address(draft, "solution"), {"lab": lab.split("/")[-2]})
    assert answer.url == address(draft, "publish")
    draft.refresh_from_db()
    value = read_scenario(draft.text).value
    assert value is not None
    assert [step["command"] for step in value["spec"]["solution"]] == ["cordon"]
    assert press_publish(author, draft).status_code == 302


# previews


def test_preview_writes_nothing(author: Client, ada: Participant) -> None:
    draft = make_draft(ada)
    author.get("/materials/")
    before = _rows()
    lab = author.get(address(draft, "preview"), follow=True).redirect_chain[-1][0].partition("?")[0]
    author.post(f"{lab}do/uncordon/", {"client_token": str(uuid.uuid4()), "kind": "Node", "name": "n1"})
    stepped = author.post(f"{lab}run/", {"client_token": str(uuid.uuid4())}, follow=True)
    assert "p1" in stepped.content.decode()
    objects = author.get(f"{lab}?tab=objects").content.decode()
    assert "Running" in objects  # the preview itself remembers
    assert _rows() == before
    assert Client().get("/scenarios/").content.decode().count("Give it back") == 0


def test_preview_offers_no_account(author: Client, ada: Participant) -> None:
    """Who looks at it is nobody there: an account of one's own is a matter of the pages around it."""
    page = author.get(address(make_draft(ada), "preview"), follow=True).content.decode()
    assert "data-preview" in page
    addresses = [reverse(f"accounts:{name}") for name in ("log_in", "log_out", "sign_up", "my_data")]
    assert [found for found in addresses if found in page] == []


def _rows() -> dict[str, int]:
    own = (model for model in apps.get_models() if model.__module__.partition(".")[0] != "django")
    return {model._meta.label: model._default_manager.count() for model in own}


# revisions


def test_published_revision_never_changes_and_labs_keep_theirs(author: Client, ada: Participant) -> None:
    draft = publish(make_draft(ada))
    first = ScenarioRevision.objects.get()
    lab = make_lab(make_participant(), first)
    run(lab)
    rewrite(author, draft, "Give the node back.", "Please.")
    assert "Give the node back." in first.content
    page = author.get(address(draft, "publish")).content.decode()
    difference = re.search(r"<dt>([^<]*)</dt>.*?<del>([^<]*)</del>.*?<ins>([^<]*)</ins>", page, re.DOTALL)
    assert difference
    assert difference.groups() == ("Task › English", "Give the node back.", "Please.")
    assert press_publish(author, draft).status_code == 302
    scenario = Scenario.objects.get()
    assert scenario.current is not None
    assert scenario.current.number == 2
    first.refresh_from_db()
    assert "Give the node back." in first.content
    lab.refresh_from_db()
    assert lab.revision_id == first.pk


def test_difference_of_an_object_shows_its_lines(author: Client, ada: Participant) -> None:
    draft = publish(make_draft(ada))
    rewrite(author, draft, "unschedulable: true", "unschedulable: false")
    page = author.get(address(draft, "publish")).content.decode()
    assert "<dt>Node n1</dt>" in page
    assert "unschedulable: true" in page


def test_name_stays_once_it_is_published(author: Client, ada: Participant) -> None:
    draft = publish(make_draft(ada))
    rewrite(author, draft, "name: give-it-back", "name: another")
    assert press_publish(author, draft).status_code == 422
    assert [one.slug for one in Scenario.objects.all()] == ["give-it-back"]


def test_name_of_somebody_else_is_not_taken(ada: Participant) -> None:
    publish(make_draft(ada))
    bob = make_instructor("bob")
    client = Client()
    assert bob.user is not None
    client.force_login(bob.user)
    assert press_publish(client, make_draft(bob)).status_code == 422
    scenario = Scenario.objects.get()
    assert scenario.owner_id == ada.pk


def test_same_press_twice_publishes_once(author: Client, ada: Participant) -> None:
    draft = make_draft(ada)
    sent = {"version": 1, "client_token": str(uuid.uuid4()), "listed": "yes"}
    for _ in range(2):
        assert author.post(address(draft, "publish"), sent).status_code == 302
    assert ScenarioRevision.objects.count() == 1


def test_retired_is_on_no_list_and_goes_on_for_those_who_began(author: Client, ada: Participant) -> None:
    draft = publish(make_draft(ada))
    learner = Client()
    lab = learner.get("/scenarios/give-it-back/").url
    learner.post(f"{lab}step/", {"client_token": str(uuid.uuid4()), "go": "forward"})
    author.post(address(draft, "retire"))
    assert learner.get("/scenarios/give-it-back/").status_code == 404
    assert "give-it-back" not in learner.get("/scenarios/").content.decode()
    assert learner.get(lab).status_code == 200
    author.post(address(draft, "retire"), {"back": "yes"})
    assert learner.get("/scenarios/give-it-back/").status_code == 302


def test_unlisted_is_found_by_its_link_alone(author: Client, ada: Participant) -> None:
    press_publish(author, make_draft(ada), listed="no")
    assert "give-it-back" not in Client().get("/scenarios/").content.decode()
    assert Client().get("/scenarios/give-it-back/").status_code == 302


def test_published_draft_is_not_deleted(author: Client, ada: Participant) -> None:
    draft = publish(make_draft(ada))
    assert author.post(address(draft, "delete")).status_code == 400
    other = make_draft(ada, scenario_text("other"))
    author.post(address(other, "delete"))
    assert list(Draft.objects.all()) == [draft]


# copies and files


def bring(client: Client, content: bytes) -> HttpResponse:
    """Upload a zip."""
    return client.post("/materials/bring/", {"kind": "scenario", "files": SimpleUploadedFile("x.zip", content)})


def test_duplicate_has_a_name_of_its_own(author: Client, ada: Participant) -> None:
    draft = publish(make_draft(ada))
    author.post(address(draft, "duplicate"), {"client_token": str(uuid.uuid4())})
    copy = Draft.objects.exclude(pk=draft.pk).get()
    assert (copy.name, copy.published, copy.owner_id) == ("give-it-back-2", "", ada.pk)
    assert copy.text == draft.text.replace("name: give-it-back\n", "name: give-it-back-2\n")


def test_fork_names_whom_it_goes_on_from(ada: Participant) -> None:
    publish(make_draft(ada))
    bob = make_instructor("bob")
    client = Client()
    assert bob.user is not None
    client.force_login(bob.user)
    client.cookies["language"] = "en"
    assert 'action="/materials/fork/scenario/give-it-back/"' in client.get("/scenarios/").content.decode()
    client.post("/materials/fork/scenario/give-it-back/", {"client_token": str(uuid.uuid4())})
    fork = publish(Draft.objects.get(owner=bob))
    learner = Client()
    learner.cookies["language"] = "en"
    page = learner.get(f"/scenarios/{fork.published}/", follow=True).content.decode()
    assert "By bob. Made from “Give it back” by ada (revision 1)." in page
    assert "materials/fork" not in learner.get("/scenarios/").content.decode()


def test_what_is_exported_comes_back_as_it_was(author: Client, ada: Participant) -> None:
    texts = [make_draft(ada, scenario_text(name)).text for name in ("one", "two")]
    one = author.get(address(Draft.objects.get(name="one"), "file"))
    assert one.content.decode() == texts[0]
    assert 'filename="one.yaml"' in one["Content-Disposition"]
    exported = author.get("/materials/take/").content
    Draft.objects.all().delete()
    assert bring(author, exported).status_code == 200
    assert sorted(draft.text for draft in Draft.objects.all()) == sorted(texts)


def test_files_that_cannot_be_read_become_drafts_or_are_told(author: Client) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("folder/broken.yaml", "a: [")
        archive.writestr("picture.yaml", b"\xff\xfe\x00")
        archive.writestr("__MACOSX/._x.yaml", "x")
    answer = bring(author, buffer.getvalue())
    page = answer.content.decode()
    assert "<code>broken.yaml</code>" in page
    assert "It is not UTF-8 text." in page
    assert [draft.text for draft in Draft.objects.all()] == ["a: ["]


def test_zip_that_unpacks_to_too_much_is_refused(author: Client) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(archives.MOST_BYTES // archives.MOST_FILE + 1):
            archive.writestr(f"{number}.yaml", b"a" * archives.MOST_FILE)
    assert len(buffer.getvalue()) < archives.MOST_FILE
    answer = bring(author, buffer.getvalue())
    assert answer.status_code == 400
    assert bring(author, buffer.getvalue()[:200]).status_code == 400


# the link, the figures, the log


def test_link_and_its_code(author: Client, ada: Participant) -> None:
    draft = publish(make_draft(ada))
    page = author.get(address(draft, "share")).content.decode()
    link = re.search(r'id="public-link" value="([^"]+)"', page)
    assert link
    assert urlsplit(link[1])[:3] == ("http", "testserver", "/scenarios/give-it-back/")
    svg = author.get(f"/materials/{draft.pk}/share/code.svg")
    root = ET.fromstring(svg.content)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert {one.tag.rpartition("}")[2] for one in root.iter()} <= {"svg", "path", "g"}
    assert not any(name.startswith(("on", "style")) for one in root.iter() for name in one.attrib)


def test_figures_count_learners_and_not_the_author(author: Client, ada: Participant) -> None:
    draft = publish(make_draft(ada))
    solves, looks = Client(), Client()
    for client in (solves, looks, author):
        lab = client.get("/scenarios/give-it-back/").url
        if client is solves:
            sent = {"kind": "Node", "name": "n1"}
            client.post(f"{lab}do/uncordon/", {"client_token": str(uuid.uuid4()), **sent})
        client.post(f"{lab}run/", {"client_token": str(uuid.uuid4())})
    assert Lab.objects.count() == 3
    page = author.get(address(draft, "figures")).content.decode()
    figures = dict(re.findall(r'<dt>([^<]+)</dt><dd class="numbers">([^<]+)</dd>', page))
    assert figures == {
        "Runs": "2",
        "Learners": "2",
        "Goal reached": "1 (50%)",
        "Median commands until then": "2",
    }


def test_figures_tell_what_is_predicted_wrong_most_often(author: Client, ada: Participant) -> None:
    revision = asking("required", ("winner", "train"), objects=filtering())
    Scenario.objects.filter(pk=revision.scenario_id).update(owner=ada)
    draft = make_draft(ada, scenario_text(revision.scenario.slug))
    draft_note(draft, published=revision.scenario.slug)
    for answer in ("busy", "small", "small", "big-1"):
        person = Person(revision, participant=make_participant())
        person.step()
        person.predict("winner", answer, pod="train")
        person.step("head")
    Lab.objects.filter(predictions__answer=["busy"]).update(owner=ada)  # the author's own
    page = author.get(address(draft, "figures")).content.decode()
    cells = re.findall(r"<t[hd](?: scope=\"row\")?>([^<]*)</t[hd]>", page)
    assert cells == ["which node wins", "train", "3", "0 (0%)", "small (2); big-1 (1)"]


def test_log_tells_what_was_published_and_retired(author: Client, ada: Participant) -> None:
    draft = make_draft(ada)
    press_publish(author, draft)
    author.post(address(draft, "retire"))
    page = author.get("/accounts/audit/").content.decode()
    assert "published the scenario give-it-back, revision 1" in page
    assert "retired the scenario give-it-back" in page
    assert page.count("<td>ada</td>") == 2


def test_workbench_asks_the_database_as_often_for_three_as_for_one(author: Client, ada: Participant) -> None:
    publish(make_draft(ada, scenario_text("one")))
    author.get("/materials/")
    before = _queries(author)
    for name in ("two", "three"):
        publish(make_draft(ada, scenario_text(name)))
    author.get("/materials/")
    assert _queries(author) == before


def _queries(client: Client) -> int:
    with CaptureQueriesContext(connection) as captured:
        client.get("/materials/")
    return len(captured)
