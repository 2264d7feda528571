"""Labs as texts: the same digest, the same history, whatever was done in them."""

from __future__ import annotations

import uuid
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from simulator.engine.world.commands import CommandError
from simulator.manifests.bundle import read_bundle
from simulator.manifests.documents import parse
from simulator.models import Lab, Scenario, ScenarioRevision
from simulator.selectors.bundles import read_command
from simulator.selectors.histories import open_history
from simulator.selectors.replaying import begin_history
from simulator.services import bundles
from simulator.services.branches import solution_command
from simulator.services.labs import lab_undo
from tests.factories.accounts import be, make_participant
from tests.factories.labs import FIXTURES, give, load_exercise, make_lab, make_node, make_pod, make_revision, run

if TYPE_CHECKING:
    from django.http import HttpResponse

pytestmark = pytest.mark.django_db

SCENARIOS = sorted(path.stem[4:] for path in FIXTURES.glob("*.yaml"))
EVERY = 3


def browser(lab: Lab) -> Client:
    client = Client(headers={"Accept-Language": "en"})
    be(client, lab.owner)
    return client


def exported(lab: Lab, **query: str) -> str:
    address = f"/labs/{lab.revision.scenario.slug}/{lab.pk}/export/"
    response = browser(lab).get(address, query)
    assert response.status_code == 200, response.content[:500]
    assert response["Content-Disposition"].startswith("attachment; filename=")
    return response.content.decode()


def opened(lab: Lab, text: str) -> HttpResponse:
    return browser(lab).post("/labs/open/text/", {"text": text, "client_token": str(uuid.uuid4())})


def newest(lab: Lab) -> Lab:
    return Lab.objects.filter(owner=lab.owner).order_by("-created_at").first() or lab


def digest_of(lab: Lab) -> str:
    with open_history(lab) as history:
        return history.history.head.digest


def solving(lab: Lab) -> list[dict[str, object]]:
    """The scenario's solution, and turns between its commands."""
    commands: list[dict[str, object]] = [{"type": "run", "turns": 2}]
    for step in lab.revision.spec.get("solution") or ():
        commands += [dict(solution_command(step)), {"type": "run", "turns": 3}]
    return commands


@pytest.mark.slow
@pytest.mark.parametrize("slug", SCENARIOS)
def test_every_scenario_comes_back_with_the_same_digest_at_several_steps(slug: str) -> None:
    owner = make_participant()
    owner.save()
    revision = load_exercise(slug)
    lab = make_lab(owner, revision)
    commands = solving(lab)
    for number, command in enumerate(commands):
        with suppress(CommandError):  # some of it comes too late after the turns between
            give(lab, command)
        if number % EVERY and number != len(commands) - 1:
            continue
        text = exported(lab)
        bundle = read_bundle(text)
        assert (bundle.errors, bundle.notices, bundle.kind) == ((), (), "Lab")
        answer = opened(lab, text)
        assert answer.status_code == 302, answer.content[:500]
        copy = Lab.objects.get(pk=answer["Location"].rstrip("/").rpartition("/")[2])
        assert copy.head_digest == lab.head_digest == bundle.spec["digest"]
        assert copy.revision_id == revision.pk
        assert exported(copy) == text
        copy.delete()


def busy_lab() -> Lab:
    owner = make_participant()
    owner.save()
    lab = make_lab(owner, make_revision([make_node("n1"), make_pod("p1")]))
    give(lab, {"type": "apply", "objects": [make_node("n2", gpus=2)]})
    give(lab, {"type": "cordon", "name": "n1", "on": True})
    lab_undo(actor=owner, lab=lab, client_token=uuid.uuid4(), expected_seq=lab.head_seq)
    run(lab, 4)
    give(lab, {"type": "rename", "name": "n2", "to": "n3"})
    give(lab, {"type": "batch", "commands": [{"type": "cordon", "name": "n3", "on": True}] * 2})
    give(lab, {"type": "advance", "seconds": 1.5})
    return lab


def test_history_undo_and_places_come_along() -> None:
    lab = busy_lab()
    Lab.objects.filter(pk=lab.pk).update(positions={"n1": [10.0, 20.5]})
    lab.refresh_from_db()
    opened(lab, exported(lab))
    copy = newest(lab)
    assert copy.pk != lab.pk
    assert copy.positions == {"n1": [10.0, 20.5]}
    stored, expected = (
        list(each.commands.order_by("seq").values_list("seq", "command", "first", "last", "digest", "undoes", "record"))
        for each in (copy, lab)
    )
    assert stored == expected


def test_every_step_of_an_opened_lab_is_the_same() -> None:
    lab = busy_lab()
    opened(lab, exported(lab))
    copy = newest(lab)
    with open_history(lab) as one:
        frames = [one.frame(count) for count in range(1, one.count + 1)]
    with open_history(copy) as other:
        assert [other.frame(count).digest for count in range(1, other.count + 1)] == [frame.digest for frame in frames]


def test_site_that_does_not_know_the_scenario_opens_the_lab_all_the_same() -> None:
    lab = busy_lab()
    text = exported(lab).replace(f"name: {lab.revision.scenario.slug}", "name: from-elsewhere")
    opened(lab, text)
    copy = newest(lab)
    assert copy.revision_id != lab.revision_id
    assert copy.head_digest == lab.head_digest
    assert copy.revision.title == "Scenario"
    assert copy.revision.scenario.current is None
    page = browser(lab).get(f"/labs/{copy.revision.scenario.slug}/{copy.pk}/")
    assert page.status_code == 200
    listed = browser(lab).get("/scenarios/").content.decode()
    assert copy.revision.scenario.slug not in listed


def test_two_who_open_the_same_text_share_its_beginning() -> None:
    lab = busy_lab()
    text = exported(lab).replace(f"name: {lab.revision.scenario.slug}", "name: from-elsewhere")
    opened(lab, text)
    opened(lab, text)
    revisions = set(Lab.objects.exclude(pk=lab.pk).values_list("revision_id", flat=True))
    assert len(revisions) == 1


def test_changed_beginning_is_another_one() -> None:
    lab = busy_lab()
    text = exported(lab).replace("cpu: '4'", "cpu: '8'").replace('cpu: "4"', 'cpu: "8"')
    opened(lab, text)
    assert newest(lab).revision_id != lab.revision_id
    assert newest(lab).head_digest == newest(lab).commands.last().digest


def test_start_anew_begins_where_an_opened_lab_began() -> None:
    lab = busy_lab()
    opened(lab, exported(lab).replace(f"name: {lab.revision.scenario.slug}", "name: from-elsewhere"))
    copy = newest(lab)
    answer = browser(lab).post(f"/labs/{copy.revision.scenario.slug}/{copy.pk}/reset/", {})
    assert answer.status_code == 302
    fresh = newest(lab)
    assert (fresh.revision_id, fresh.head_seq) == (copy.revision_id, 0)


def test_scenario_text_opens_as_a_lab_with_its_goals() -> None:
    lab = busy_lab()
    opened(lab, (FIXTURES / "100-first-fit-gpu.yaml").read_text(encoding="utf-8"))
    copy = newest(lab)
    with open_history(copy) as history:
        assert len(history.goals) == len(load_exercise("first-fit-gpu").spec["goals"])


def test_objects_as_they_are_now_are_plain_manifests() -> None:
    lab = busy_lab()
    documents = parse(exported(lab, objects="now")).documents
    kinds = [(item.value["kind"], item.value["metadata"]["name"]) for item in documents]
    assert kinds == [("Node", "n1"), ("Node", "n3"), ("Pod", "p1")]
    pod = documents[2].value
    assert (pod["spec"]["nodeName"], pod["status"]["phase"]) == ("n1", "Running")


def test_lab_nothing_was_done_in_can_be_exported() -> None:
    owner = make_participant()
    owner.save()
    lab = make_lab(owner, make_revision([make_node("n1")]))
    text = exported(lab)
    opened(lab, text)
    assert digest_of(newest(lab)) == read_bundle(text).spec["digest"]


def test_nobody_exports_another_ones_lab() -> None:
    lab = busy_lab()
    stranger = Client()
    assert stranger.get(f"/labs/{lab.revision.scenario.slug}/{lab.pk}/export/").status_code == 404


HEAD = "apiVersion: gpuschedlab.io/v1alpha1\nkind: {kind}\nmetadata: {{name: x}}\nspec: {spec}\n"
TITLE = "title: {zh-hans: 题, en: t}, level: beginner"
WRONG = {
    "empty": "",
    "broken": "a: [",
    "no front matter": "apiVersion: v1\nkind: Node\nmetadata: {name: n}\n",
    "command": HEAD.format(kind="Lab", spec="{commands: [{turns: 3}]}"),
    "rule": HEAD.format(kind="Lab", spec="{rules: {tieRule: dice}}"),
    "reply": HEAD.format(kind="Lab", spec="{replies: [{no: field}]}"),
    "object": HEAD.format(kind="Lab", spec="{}") + "---\napiVersion: v1\nkind: Node\nmetadata: {name: Not a name}\n",
    "goal": HEAD.format(kind="Scenario", spec=f"{{{TITLE}, goals: [{{kind: nodeEmpty, node: n, pods: 3}}]}}"),
}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_text_that_is_no_lab_is_refused_with_a_sentence(text: str) -> None:
    lab = busy_lab()
    before = (Lab.objects.count(), Scenario.objects.count())
    response = opened(lab, text)
    assert response.status_code == 400
    assert (Lab.objects.count(), Scenario.objects.count()) == before
    partial = browser(lab).post("/labs/open/text/", {"text": text}, headers={"HX-Request": "true"})
    assert partial.status_code in {400, 422}


def test_commands_that_are_refused_this_time_are_left_out() -> None:
    owner = make_participant()
    owner.save()
    lab = make_lab(owner, make_revision([make_node("n1")]))
    give(lab, {"type": "cordon", "name": "n1", "on": True})
    text = exported(lab).replace("name: n1\n", "name: other\n", 1)
    opened(lab, text)
    assert newest(lab).head_seq in {0, 1}


def test_text_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    lab = busy_lab()
    text = exported(lab)
    monkeypatch.setattr(bundles, "SECONDS", -1.0)
    assert opened(lab, text).status_code == 400
    assert Lab.objects.filter(owner=lab.owner).count() == 1


def test_form_sent_twice_opens_one_lab() -> None:
    lab = busy_lab()
    values = {"text": exported(lab), "client_token": str(uuid.uuid4())}
    client = browser(lab)
    assert client.post("/labs/open/text/", values)["Location"] == client.post("/labs/open/text/", values)["Location"]
    assert Lab.objects.filter(owner=lab.owner).count() == 2


def test_file_is_opened_from_the_page_for_it(tmp_path: Path) -> None:
    lab = busy_lab()
    client = browser(lab)
    assert client.get("/labs/open/").status_code == 200
    path = tmp_path / "lab.yaml"
    path.write_text(exported(lab), encoding="utf-8")
    with path.open("rb") as file:
        assert client.post("/labs/open/text/", {"file": file}).status_code == 302
    assert newest(lab).head_digest == lab.head_digest


def test_file_that_is_no_lab_comes_back_with_the_form() -> None:
    lab = busy_lab()
    page = opened(lab, "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n").content.decode()
    assert 'type="file"' in page
    assert 'role="alert"' in page
    assert "Objects tab" in page


def test_beginning_of_an_opened_lab_is_that_of_the_text() -> None:
    lab = busy_lab()
    opened(lab, exported(lab).replace(f"name: {lab.revision.scenario.slug}", "name: from-elsewhere"))
    revision = ScenarioRevision.objects.get(pk=newest(lab).revision_id)
    with open_history(lab) as history:
        start = history.frame(1).digest
    assert begin_history(revision).history.head.digest == start


@pytest.mark.parametrize("marks", [{"undoes": -5}, {"redoes": 2**62}, {"undoes": "1"}, {"redoes": 0}])
def test_marks_that_name_no_command_are_left_out(marks: dict[str, Any]) -> None:
    assert read_command({"command": "run", "turns": 1, **marks}) == ({"type": "run", "turns": 1}, None, None)
