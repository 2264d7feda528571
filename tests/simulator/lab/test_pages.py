"""The lab's pages: places, steps, commands, whose lab it is, what is refused."""

from __future__ import annotations

import re
import uuid
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from simulator.models import Lab, LabCommand
from simulator.selectors.histories import histories
from tests.factories.accounts import be, make_participant
from tests.factories.labs import give, load_exercise, make_lab, make_node, make_pod, make_revision, run

if TYPE_CHECKING:
    from django.http import HttpResponse
    from pytest_django import DjangoAssertNumQueries

    from simulator.models import ScenarioRevision

pytestmark = pytest.mark.django_db


class Page:
    """A lab's page in a browser without a screen: what its forms would send is kept from answer to answer."""

    def __init__(self, revision: ScenarioRevision, client: Client | None = None) -> None:
        self.client = client or Client(headers={"Accept-Language": "en"})
        self.url = f"/labs/{revision.scenario.slug}/{uuid.uuid4()}/"
        self.fields: dict[str, str] = {}
        self.text = ""
        self.keep(self.client.get(self.url))

    def keep(self, response: HttpResponse) -> HttpResponse:
        self.text = response.content.decode()
        state = re.search(r'id="transport-state".*?</div>', self.text, re.DOTALL)
        if state:
            self.fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', state[0]))
        return response

    def post(self, path: str, *, htmx: bool = True, **values: Any) -> HttpResponse:
        headers = {"HX-Request": "true", "Lab-Frame": "0"} if htmx else {}
        return self.keep(self.client.post(self.url + path, {**self.fields, **values}, headers=headers))

    def get(self, at: str = "", **values: str) -> HttpResponse:
        return self.keep(self.client.get(self.url, {"at": at, **values} if at else values))

    def step(self, go: str = "forward", unit: str = "record", **values: Any) -> HttpResponse:
        return self.post("step/", go=go, unit=unit, **values)

    @property
    def at(self) -> str:
        return self.fields["at"]

    @property
    def sentence(self) -> str:
        found = re.search(r'id="sentence"[^>]*>(.*?)</span>', self.text, re.DOTALL)
        assert found is not None
        return re.sub(r"<[^>]+>", "", found[1])


def small() -> ScenarioRevision:
    return make_revision([make_node("n1"), make_node("n2", cpu="1"), make_pod("p1", cpu="2")])


def test_first_visit_shows_a_cluster_and_a_pod_and_stores_nothing() -> None:
    page = Page(load_exercise("free-lab"))
    assert page.at == "0.0"
    assert "h100-1" in page.text
    assert "train-a" in page.text
    assert not Lab.objects.exists()


def test_step_by_step_every_place_has_its_address() -> None:
    page = Page(small())
    places = [page.at]
    sentences = [page.sentence]
    for _ in range(60):
        response = page.step()
        if response.status_code != 200:
            break
        places.append(page.at)
        sentences.append(page.sentence)
    assert len(set(places)) == len(places)
    assert response.status_code == 400  # nothing happens by itself any more
    assert LabCommand.objects.filter(command={"type": "run", "turns": 1}).count() == LabCommand.objects.count()
    for place, sentence in zip(places, sentences, strict=True):
        page.get(place)
        assert (page.at, page.sentence) == (place, sentence)
    for place in reversed(places[:-1]):
        page.step("back")
        assert page.at == place


def test_forward_within_what_has_happened_stores_nothing() -> None:
    page = Page(small())
    page.step(unit="cycle")
    page.step("start")
    page.step()
    page.step("head")
    assert LabCommand.objects.count() == 1


def test_next_event_and_run_to_idle() -> None:
    page = Page(load_exercise("preemption-by-hand"))
    page.step("event")
    assert "hog" in page.sentence or "important" in page.sentence
    page.post("run/")
    page.get()
    assert page.sentence == "important is bound to gpu-lab-worker"


def test_answer_is_parts_for_htmx_and_a_page_without() -> None:
    page = Page(small())
    assert "<html" not in page.step().content.decode()
    response = page.post("step/", htmx=False, go="forward", unit="record")
    assert response.status_code == 302
    assert page.client.get(response["Location"]).content.decode().count("<html") == 1


def test_form_sent_twice_steps_once() -> None:
    page = Page(small())
    before = dict(page.fields)
    page.step()
    first = page.at
    page.fields = before
    page.step()
    assert page.at == first
    assert LabCommand.objects.count() == 1


def test_page_that_is_behind_gets_409_and_what_is_new() -> None:
    page = Page(small())
    page.step(unit="cycle")
    behind = dict(page.fields)
    page.post("do/cordon/", kind="Node", name="n1")
    page.fields = {**behind, "client_token": str(uuid.uuid4())}
    response = page.post("do/cordon/", kind="Node", name="n2")
    assert response.status_code == 409
    assert page.fields["seq"] == "2"
    assert page.at == behind["at"]
    assert "decide again" in page.text
    assert LabCommand.objects.count() == 2


@pytest.mark.parametrize("at", ["nonsense", "99999.0", "0.99", "-1.0", "1.end", "%00", "9" * 40])
def test_address_that_names_no_place_shows_the_nearest(at: str) -> None:
    page = Page(small())
    page.step()
    assert page.get(at).status_code == 200


# -- whose it is --


def test_labs_of_others_do_not_exist() -> None:
    page = Page(small())
    page.step()
    stranger = Client()
    assert stranger.get(page.url).status_code == 404
    for path in (
        "step/",
        "run/",
        "do/apply/",
        "do/undo/",
        "do/label/",
        "fork/",
        "share/",
        "delete/",
        "places/",
        "solution/",
    ):
        assert stranger.post(page.url + path, {"text": "x", "labels": "a=b", "name": "n1"}).status_code == 404, path
    assert stranger.get(f"{page.url}explain/", {"at": "1.1", "node": "n1", "plugin": "x"}).status_code == 404
    assert LabCommand.objects.count() == 1


def test_address_with_another_scenario_is_no_lab() -> None:
    page = Page(small())
    page.step()
    other = small().scenario.slug
    assert page.client.get(re.sub(r"/labs/[^/]+/", f"/labs/{other}/", page.url)).status_code == 404


def test_unknown_scenario_is_not_found() -> None:
    assert Client().get(f"/labs/nothing/{uuid.uuid4()}/").status_code == 404
    assert Client().get("/scenarios/nothing/").status_code == 404


def test_shared_link_shows_everything_and_changes_nothing() -> None:
    page = Page(small())
    page.step(unit="cycle")
    page.post("share/", shared="yes")
    token = Lab.objects.get().share_token
    assert token is not None
    assert len(token) >= 40
    stranger = Client(headers={"Accept-Language": "en"})
    shown = stranger.get(f"/shared/{token}/", {"at": "1.3"})
    assert shown.status_code == 200
    text = shown.content.decode()
    assert "do/apply" not in text
    assert page.url not in text
    assert stranger.post(f"{page.url}step/", {"go": "forward"}).status_code == 404
    made = stranger.post(f"/shared/{token}/fork/", {"at": "1.3"})
    assert made.status_code == 302
    assert stranger.get(made["Location"]).status_code == 200
    page.post("share/", shared="no")
    assert stranger.get(f"/shared/{token}/").status_code == 404


def test_reader_steps_within_what_has_happened() -> None:
    page = Page(small())
    page.step(unit="cycle")
    page.post("share/", shared="yes")
    shared = f"/shared/{Lab.objects.get().share_token}/"
    reader = Client(headers={"Accept-Language": "en"})
    end = reader.get(shared, {"go": "head"})["Location"]
    assert end == f"{shared}?at={page.at}"
    assert reader.get(shared, {"at": "1.3", "go": "forward", "unit": "record"})["Location"] == f"{shared}?at=1.4"
    assert reader.get(shared, {"at": "1.3", "go": "back"})["Location"] == f"{shared}?at=1.2"
    assert reader.get(shared, {"at": page.at, "go": "forward", "unit": "cycle"})["Location"] == end
    assert reader.get(shared, {"at": "1.3", "go": "sideways"}).status_code == 400
    assert LabCommand.objects.count() == 1


def test_lab_that_is_not_stored_cannot_be_shared() -> None:
    page = Page(small())
    assert page.post("share/", shared="yes").status_code == 400


# -- commands --


def test_commands_as_kubectl_takes_them() -> None:
    page = Page(small())
    sent = [
        ("label", {"name": "n1", "labels": "gpu-type=a100 tier=fast"}),
        ("label", {"name": "n1", "labels": "tier-"}),
        ("taint", {"name": "n1", "taints": "gpu=true:NoSchedule other:NoExecute"}),
        ("taint", {"name": "n1", "taints": "other-"}),
        ("cordon", {"name": "n2"}),
        ("uncordon", {"name": "n2"}),
        ("drain", {"name": "n2"}),
        ("advance", {"seconds": "5"}),
        ("delete", {"kind": "Pod", "namespace": "default", "name": "p1"}),
    ]
    for name, values in sent:
        assert page.post(f"do/{name}/", **values).status_code == 200, name
    page.get(tab="objects", object="Node//n1")
    assert "gpu-type: a100" in page.text
    assert "tier: fast" not in page.text
    assert "effect: NoSchedule" in page.text
    assert "NoExecute" not in page.text
    assert page.get(tab="objects").content.decode().count("SchedulingDisabled") == 1


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("label", {"name": "n1", "labels": "a=b=c"}),
        ("label", {"name": "n1", "labels": ""}),
        ("label", {"name": "n1", "labels": "=x"}),
        ("label", {"name": "nobody", "labels": "a=b"}),
        ("label", {"labels": "a=b"}),
        ("taint", {"name": "n1", "taints": "a=b"}),
        ("taint", {"name": "n1", "taints": "a=b:Sometimes"}),
        ("advance", {"seconds": "-1"}),
        ("advance", {"seconds": "nan"}),
        ("advance", {"seconds": "1e300"}),
        ("scale", {"kind": "ReplicaSet", "name": "x", "replicas": "-1"}),
        ("delete", {"kind": "Nonsense", "name": "x"}),
        ("delete", {"kind": "Pod", "name": "x" * 400}),
    ],
)
def test_wrong_command_is_told_and_stores_nothing(name: str, values: dict[str, str]) -> None:
    page = Page(small())
    response = page.post(f"do/{name}/", **values)
    assert response.status_code == 400
    assert 'role="alert"' in response.content.decode()
    assert not Lab.objects.exists()


def test_unknown_command_is_not_found() -> None:
    assert Page(small()).post("do/explode/").status_code == 404


GOOD = """\
apiVersion: v1
kind: Pod
metadata: {name: added}
spec:
  containers:
  - {name: main, image: example/main:1}
"""
BAD = {
    "bomb": "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n"
    "d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e,*e]\n",
    "deep": "[" * 500 + "]" * 500,
    "syntax": GOOD + " x: y: z\n",
    "unknown kind": GOOD.replace("kind: Pod", "kind: Spaceship"),
    "no kind": "metadata: {name: x}\n",
    "wrong type": GOOD.replace("name: added", "name: [1]"),
    "unknown field": GOOD.replace("spec:", "spek:"),
    "negative": GOOD.replace("image: example/main:1", 'image: i, resources: {requests: {cpu: "-1"}}'),
    "bad name": GOOD.replace("added", "Not_A_Name"),
    "duplicate key": GOOD.replace("kind: Pod", "kind: Pod\nkind: Node"),
    "duplicate container": GOOD + "  - {name: main, image: other}\n",
    "nothing": "   \n# only a comment\n",
    "binary": "\x00\x01\x02",
    "emoji": "kind: 🙂\n",
    "a number": "42",
    "matrix": "\tGPU0\tGPU1\nGPU0\t X \tNV4\nGPU1\tNV4\t X \n",
    "configuration": "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles: 7\n",
    "one of two": GOOD + "---\n" + GOOD.replace("added", "Wrong Name"),
}


@pytest.mark.parametrize("language", ["zh-hans", "en"])
@pytest.mark.parametrize("what", BAD)
def test_text_that_cannot_be_applied_is_explained_and_nothing_is_lost(what: str, language: str) -> None:
    page = Page(small(), Client(headers={"Accept-Language": language}))
    response = page.post("do/apply/", text=BAD[what])
    text = response.content.decode()
    assert response.status_code == 422, text
    assert 'id="editor-result"' in text
    assert "data-line" in text
    sentence = re.search(r"data-goto[^>]*>([^<]+)<", text)
    assert sentence is not None
    has_chinese = re.search(r"[\u4e00-\u9fff]", sentence[1]) is not None
    assert has_chinese == (language == "zh-hans"), sentence[1]
    assert not Lab.objects.exists()


@pytest.mark.parametrize(("what", "line"), [("negative", 6), ("bad name", 3), ("duplicate key", 3), ("one of two", 10)])
def test_problem_is_told_at_its_line(what: str, line: int) -> None:
    page = Page(small())
    text = page.post("do/apply/", text=BAD[what]).content.decode()
    assert f'data-line="{line}"' in text
    assert f"Line {line}" in text


def test_applying_says_what_became_of_every_object() -> None:
    page = Page(small())
    assert page.post("do/apply/", text=GOOD).status_code == 200
    assert "pod/added created" in page.text
    assert page.post("do/apply/", text=GOOD).status_code == 200
    assert "pod/added unchanged" in page.text
    labelled = GOOD.replace("{name: added}", "{name: added, labels: {a: b}}")
    assert page.post("do/apply/", text=labelled).status_code == 200
    assert "pod/added configured" in page.text


def test_large_text_is_too_large() -> None:
    page = Page(small())
    for size in (1_100_000, 1_900_000):
        response = page.post("do/apply/", text="a: " + "x" * size)
        assert response.status_code == 422
        assert "data-goto" in response.content.decode()
    assert page.client.post(page.url + "do/apply/", b"x" * 5_000_000, content_type="text/plain").status_code in {
        400,
        413,
    }
    assert not Lab.objects.exists()


def test_scheduler_is_configured_by_its_own_kind_of_text() -> None:
    page = Page(small())
    configuration = (
        "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n"
        "- plugins:\n    multiPoint:\n      disabled:\n      - {name: ImageLocality}\n"
    )
    assert page.post("do/apply/", text=configuration).status_code == 200
    page.step(unit="cycle")
    assert "ImageLocality" not in page.text


NODE_DUMP = """\
apiVersion: v1
kind: Node
metadata:
  annotations: {node.alpha.kubernetes.io/ttl: '0'}
  creationTimestamp: '2024-01-02T03:04:05Z'
  labels:
    kubernetes.io/arch: amd64
    kubernetes.io/hostname: worker-t4
    nvidia.com/gpu.count: '2'
    nvidia.com/gpu.product: Tesla-T4
  managedFields: [{manager: kubelet, operation: Update}]
  name: worker-t4
  resourceVersion: '123456'
  selfLink: /api/v1/nodes/worker-t4
  uid: 0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d
spec: {podCIDR: 10.244.1.0/24, providerID: 'gce://project/zone/worker-t4'}
status:
  addresses: [{address: 10.0.0.5, type: InternalIP}]
  allocatable: {cpu: '8', ephemeral-storage: '93492209510', memory: 30759748Ki, nvidia.com/gpu: '2', pods: '110'}
  capacity: {cpu: '8', ephemeral-storage: 101445540Ki, memory: 30862148Ki, nvidia.com/gpu: '2', pods: '110'}
  conditions: [{type: Ready, status: 'True', reason: KubeletReady}]
  nodeInfo: {architecture: amd64, kubeletVersion: v1.24.3, operatingSystem: linux}
"""


def test_dump_of_a_real_node_takes_a_gpu_pod() -> None:
    page = Page(make_revision([make_pod("tiny", cpu="100m")]))
    assert page.post("do/apply/", text=NODE_DUMP).status_code == 200
    assert (
        page.post(
            "do/apply/",
            text=GOOD.replace("image: example/main:1", "image: i, resources: {limits: {nvidia.com/gpu: 2}}"),
        ).status_code
        == 200
    )
    page.post("run/")
    page.get(tab="events", show="pods")
    assert re.search(r"added\s+1/1\s+Running\s+0\s+\S+\s+worker-t4", page.text), page.text[-3000:]


def test_undo_says_what_it_takes_back() -> None:
    page = Page(small())
    page.post("do/label/", name="n1", labels="a=b")
    assert "Undo: label n1" in page.text
    page.post("do/undo/")
    assert "Redo: label n1" in page.text
    page.post("do/redo/")
    assert "Undo: label n1" in page.text
    page.step(unit="cycle")
    assert "Back before: label n1" in page.text
    assert page.post("do/undo/").status_code == 409


def test_places_of_cards_are_kept() -> None:
    page = Page(small())
    assert page.post("places/", places='{"n1": [10, 20.5]}').status_code == 204
    page.step()
    assert page.post("places/", places='{"n1": [10, 20.5]}').status_code == 204
    assert Lab.objects.get().positions == {"n1": [10.0, 20.5]}
    for wrong in ("", "[]", '{"n1": 1}', '{"n1": [1]}', '{"n1": ["a", 2]}', '{"n1": [1e9, 2]}', "{" * 2000):
        assert page.post("places/", places=wrong).status_code == 400


# -- what is told when --


def test_what_is_ahead_is_not_told() -> None:
    page = Page(load_exercise("score-by-hand"))
    page.step(unit="cycle")
    whole = page.text
    assert "gpu-lab-worker with 615" in whole
    page.get("1.14")
    for told_later in ("with 615", "is bound to"):
        assert told_later not in page.text, told_later


def test_explanation_of_a_cell_is_given_only_once_it_is_told() -> None:
    page = Page(load_exercise("preemption-by-hand"))
    page.step(unit="cycle")
    ask = {"node": "gpu-lab-worker", "plugin": "NodeResourcesFit"}
    assert page.client.get(f"{page.url}explain/", {"at": "1.12", **ask}).status_code == 404
    told = page.client.get(f"{page.url}explain/", {"at": "1.19", **ask})
    assert told.status_code == 200
    assert "hog" in told.content.decode()
    assert page.client.get(f"{page.url}explain/", {"at": "1.19", **ask, "node": "nobody"}).status_code == 404
    assert page.client.get(f"{page.url}explain/", {"at": "0.0", **ask}).status_code == 404


def test_score_is_explained_with_its_numbers() -> None:
    page = Page(load_exercise("score-by-hand"))
    page.step(unit="cycle")
    select = next(place for place in range(60) if "with 615" in page.get(f"1.{place}").content.decode())
    ask = {"at": f"1.{select}", "node": "gpu-lab-worker", "plugin": "NodeAffinity"}
    told = page.client.get(f"{page.url}explain/", ask).content.decode()
    assert "50" in told
    assert "200" in told


@pytest.mark.parametrize("tab", ["task", "queue", "objects", "events", "metrics", "why"])
@pytest.mark.parametrize("at", ["0.0", "1.20", "2.0", ""])
def test_every_tab_shows_every_place(tab: str, at: str) -> None:
    page = Page(load_exercise("preemption-by-hand"))
    page.post("run/")
    response = page.get(at, tab=tab, object="Pod/default/hog", pod="default/important", node="gpu-lab-worker")
    assert response.status_code == 200


def test_why_says_why_with_numbers() -> None:
    page = Page(load_exercise("preemption-by-hand"))
    page.step(unit="cycle")
    page.get("1.end", tab="why", pod="default/important", node="gpu-lab-control-plane")
    assert "node-role.kubernetes.io/control-plane" in page.text


def test_events_are_printed_as_kubectl_does() -> None:
    page = Page(load_exercise("preemption-by-hand"))
    page.post("run/")
    page.get("3.end", tab="events")
    lines = [line.split() for line in page.text.splitlines() if "Preempted" in line or "FailedScheduling" in line]
    assert ["30s", "Normal", "Preempted", "pod/hog"] in [line[:4] for line in lines]
    page.get("3.end", tab="events", show="watch")
    watched = re.search(r"kubectl get pods -w</span>\n(.*?)</pre>", page.text, re.DOTALL)
    assert watched is not None
    hog = [line.split()[2] for line in watched[1].splitlines() if line.startswith("hog")]
    assert hog[0] == "Running"
    assert hog[-1] == "Terminating"


def test_goals_tick_when_they_are_reached() -> None:
    page = Page(load_exercise("affinity-by-hand"))
    page.step(unit="cycle")
    assert "goal-open" in page.get(tab="task").content.decode()
    page.post("do/label/", name="gpu-lab-worker", labels="gpu-type=a100")
    page.post("run/")
    assert "goal-reached" in page.get(tab="task").content.decode()


def test_hints_come_one_by_one_and_then_the_solution() -> None:
    page = Page(load_exercise("preemption-by-hand"))
    assert "solution/" not in page.text
    first = page.get(tab="task", hints="1").content.decode()
    assert first.count("<li>") >= 1
    assert "Show a hint" in first
    last = page.get(tab="task", hints="9").content.decode()
    assert "Show a hint" not in last
    assert "Show me how" in last
    shown = page.post("solution/")
    assert shown["HX-Redirect"].endswith("at=0.0&tab=task")


# -- languages, lists, costs --


def test_page_speaks_both_languages() -> None:
    for language, words in (("zh-hans", ("动手做：抢占", "集群")), ("en", ("By hand: preemption", "Cluster"))):
        page = Page(load_exercise("preemption-by-hand"), Client(headers={"Accept-Language": language}))
        for word in words:
            assert word in page.text
        for _ in range(3):
            page.step(unit="point")
        assert (re.search(r"[\u4e00-\u9fff]", page.sentence) is not None) == (language == "zh-hans")
        histories.clear()


def test_scenarios_are_filtered_by_topic_and_level() -> None:
    make_revision([make_node("n1")], slug="easy", topics=["gpu"], level="beginner")
    make_revision([make_node("n1")], slug="hard", topics=["gpu", "gang"], level="advanced")
    client = Client()

    def listed(**query: str) -> set[str]:
        return set(re.findall(r'href="/scenarios/([a-z-]+)/"', client.get("/scenarios/", query).content.decode()))

    assert listed() == {"easy", "hard"}
    assert listed(topic="gang") == {"hard"}
    assert listed(level="beginner") == {"easy"}
    assert listed(topic="gang", level="beginner") == set()
    assert listed(topic="<nonsense>") == {"easy", "hard"}


def test_scenario_begun_is_offered_to_be_continued() -> None:
    page = Page(small())
    page.step()
    assert page.url in page.client.get("/scenarios/").content.decode()
    assert page.url in page.client.get("/labs/").content.decode()
    assert page.url in page.client.get("/").content.decode()
    assert page.url not in Client().get("/scenarios/").content.decode()


@pytest.mark.parametrize("pods", [1, 30])
def test_step_costs_the_same_few_queries_whatever_the_size(
    pods: int, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    page = Page(make_revision([make_node("n1", cpu="64"), *(make_pod(f"p{i}") for i in range(pods))]))
    page.step()
    page.step()
    with django_assert_max_num_queries(5):
        page.step()
    page.step(unit="cycle")
    with django_assert_max_num_queries(12):
        page.step()


@pytest.mark.parametrize("count", [1, 3])
def test_lists_cost_the_same_queries_however_long(
    count: int, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    owner = make_participant()
    for _ in range(count):
        run(make_lab(owner, small()))
    client = Client()
    be(client, owner)
    for address in ("/labs/", "/scenarios/"):
        with django_assert_max_num_queries(4):
            client.get(address)


def test_lab_computed_by_another_engine_is_shown_as_recorded() -> None:
    owner = make_participant()
    lab = make_lab(owner, small())
    give(lab, {"type": "label", "kind": "Node", "name": "n1", "labels": {"a": "b"}})
    run(lab, 9)
    LabCommand.objects.filter(seq=2).update(digest="0" * 64)
    histories.clear()
    client = Client(headers={"Accept-Language": "en"})
    be(client, owner)
    address = f"/labs/{lab.revision.scenario.slug}/{lab.pk}/"
    shown = client.get(address).content.decode()
    assert "computed by another version" in shown
    assert "p1" in shown
    assert client.post(f"{address}step/", {"go": "forward"}).status_code == 409
    made = client.post(f"{address}replay/", {"client_token": str(uuid.uuid4())})
    assert made.status_code == 302
    assert client.get(made["Location"]).status_code == 200
    assert LabCommand.objects.filter(lab=lab).count() == 2
