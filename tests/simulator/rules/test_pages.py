"""The pages about plugins: they answer in both languages, keep keys to themselves, and take anything without a 500."""

from __future__ import annotations

import io
import zipfile

import pytest
from django.test import Client
from django.urls import reverse

from simulator.selectors.rule_exercises import exercise_list

pytestmark = pytest.mark.django_db
HTMX = {"HTTP_HX_REQUEST": "true"}
PAGES = (
    "/plugins/", "/plugins/rule/", "/plugins/exercises/", "/plugins/exercises/score-by-model/", "/extender/",
    "/extender/cost/", "/reference/", "/reference/points/filter/", "/reference/plugins/NodeResourcesFit/",
    "/plugins/go/?name=X&score=1",
)  # fmt: skip


@pytest.fixture
def client() -> Client:
    return Client()


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_page_answers_in_both_languages(client: Client, path: str, language: str) -> None:
    client.cookies["language"] = language
    response = client.get(path)
    assert response.status_code == 200
    assert f'lang="{"zh-Hans" if language == "zh-hans" else "en"}"' in response.content.decode()


def test_table_shows_what_the_rule_gives_for_every_node(client: Client) -> None:
    form = {"name": "X", "score": "freeGpus(node)", "normalize": "largest", "pod": "default/notebook"}
    text = client.post("/plugins/rule/", form, **HTMX).content.decode()
    assert text.count("<tr class=") == 10
    assert "freeGpus(node)" in text
    assert "<html" not in text


def test_flaw_is_told_with_its_place_and_what_was_meant(client: Client) -> None:
    client.cookies["language"] = "en"
    text = client.post("/plugins/rule/", {"filter": "true &&\nnode.lables.size() > 0"}, **HTMX).content.decode()
    assert 'data-point="filter" data-line="2" data-column="6"' in text
    assert "Line 2, column 6: Node has no field lables. Perhaps labels is meant." in text


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"score": "1" * 4500},
        {"score": "(" * 3000},
        {"score": "'" + "1," * 900 + "1'.split(',').map(a, 'x'.matches('(x*)*y') ? 1 : 0).sum()"},
        {"score": "node.labels['nothing'].size()"},
        {"score": "9223372036854775807"},
        {"score": "1", "pod": "default/nobody"},
        {"score": "<script>alert(1)</script>"},
        {"filter": "'<b>' + node.name + '</b>'"},
    ],
)
def test_anything_can_be_tried(client: Client, form: dict[str, str]) -> None:
    response = client.post("/plugins/rule/", form, **HTMX)
    assert response.status_code == 200
    assert "<script>alert" not in response.content.decode()
    assert "<b>" not in response.content.decode()


def test_what_a_form_cannot_hold_is_refused_with_a_sentence(client: Client) -> None:
    assert client.post("/plugins/rule/", {"score": "1" * 9000}, **HTMX).status_code == 400
    assert client.post("/plugins/rule/", {"score": "1", "normalize": "odd"}, **HTMX).status_code == 400
    assert client.post("/plugins/rule/", {"filter": "\x00"}, **HTMX).status_code == 400


def test_solution_and_hidden_scenarios_are_never_on_the_page(client: Client) -> None:
    for exercise in exercise_list():
        for response in (
            client.get(f"/plugins/exercises/{exercise.slug}/"),
            client.post(f"/plugins/exercises/{exercise.slug}/grade/", {exercise.point: exercise.starter}, **HTMX),
            client.post(f"/plugins/exercises/{exercise.slug}/", {exercise.point: exercise.starter}, **HTMX),
        ):
            text = response.content.decode()
            assert exercise.solution not in text
            for case in exercise.hidden:
                assert str(case.expect) not in text
                assert not any(f">{item['metadata']['name']}<" in text for item in case.objects)


def test_grading_tells_scenario_by_scenario(client: Client) -> None:
    client.cookies["language"] = "en"
    url = "/plugins/exercises/no-cpu-pods/grade/"
    text = client.post(url, {"filter": "gpus(pod) > 0"}, **HTMX).content.decode()
    assert "4 of 5 hidden scenarios" in text
    assert "A CPU-only Pod belongs on the CPU node." in text
    solved = client.post(url, {"filter": "gpus(pod) > 0 || gpuCount(node) == 0"}, **HTMX).content.decode()
    assert "Solved." in solved
    refused = client.post(url, {"filter": "gpus(pod) >"}, **HTMX)
    assert refused.status_code == 200
    assert 'role="alert"' in refused.content.decode()


def test_package_comes_as_a_zip_and_file_by_file(client: Client) -> None:
    query = {"name": "ModelScore", "score": 'gpuModel(node).contains("H100") ? 100 : 0'}
    response = client.get("/plugins/go/package.zip", query)
    assert response["Content-Type"] == "application/zip"
    assert response["Content-Disposition"] == 'attachment; filename="model-score.zip"'
    with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
        assert "model-score/plugin/plugin.go" in archive.namelist()
    page = client.get("/plugins/go/", {**query, "file": "plugin/rule.go"}).content.decode()
    assert "strings.Contains(gpuModel(node.Node()), &quot;H100&quot;)" in page


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({}, 404),
        ({"name": "x", "score": "1"}, 400),
        ({"name": "X", "score": "1.5"}, 400),
        ({"name": "NodeName", "score": "1"}, 400),
    ],
)
def test_rule_that_cannot_be_exported_is_refused(client: Client, query: dict[str, str], status: int) -> None:
    assert client.get("/plugins/go/package.zip", query).status_code == status


def test_without_a_rule_there_is_where_one_is_written(client: Client) -> None:
    assert client.get("/plugins/go/")["Location"] == reverse("simulator:rule_bench")


def test_unknown_parts_are_not_found(client: Client) -> None:
    for path in (
        "/plugins/exercises/nothing/",
        "/reference/points/nothing/",
        "/reference/plugins/Nothing/",
        "/extender/cost/figures.csv?run=x",
    ):
        assert client.get(path).status_code == 404


def test_extender_page_shows_the_wire(client: Client) -> None:
    text = client.get("/extender/").content.decode()
    for words in (
        "POST /gpushare/filter HTTP/1.1",
        "POST /gpushare/prioritize HTTP/1.1",
        "POST /gpushare/bind HTTP/1.1",
        "&quot;NodeNames&quot;: null",
        "&quot;Host&quot;: &quot;gpu-1&quot;",
    ):
        assert words in text


def test_recorded_figures_come_as_csv(client: Client) -> None:
    text = client.get("/extender/cost/figures.csv").content.decode()
    assert text.splitlines()[0] == "nodes,way,pods,pods_per_second,engine,encode,travel,wait,decode,sent,received"
    assert "schedulers,mode,pods,bound,pending,rounds,attempts,conflicts,speedup" in text


@pytest.mark.usefixtures("standing_limits")
def test_trying_is_limited(client: Client) -> None:
    statuses = [client.post("/plugins/rule/", {"score": "1"}, **HTMX).status_code for _ in range(185)]
    assert statuses.count(429) == 5
