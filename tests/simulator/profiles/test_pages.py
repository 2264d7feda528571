"""The profile editor's pages: buttons, arguments, what the engine refuses at its field, and a lab where it holds."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from gpuschedlab.accounts.models import Participant
from simulator.engine.framework.plugin import Point
from simulator.engine.world.setup import Setup
from simulator.models import LabCommand
from simulator.selectors.profiles.model import Parts, blank_config
from tests.factories.accounts import be, make_participant
from tests.factories.labs import give, make_lab, make_node, make_pod, make_revision, run

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
URL = "/plugins/profile/"
PARTS = Parts(Setup().registry(), Setup().read_gates())
RULE = {"name": "MyRule", "filter": "", "score": "node.name == 'n2' ? 100 : 0", "normalize": "none"}


def form(config: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    """The form as the page of a default configuration sends it."""
    sent: dict[str, Any] = {"base": json.dumps(config or blank_config()), "number": "0", "name": "default-scheduler"}
    default = PARTS.default()
    for point in Point:
        running = default.points[point]
        sent[f"order.{point.key}"] = [*running, *(name for name in PARTS.able(point) if name not in running)]
        sent[f"on.{point.key}"] = list(running)
    for name, weight in default.weights[Point.SCORE].items():
        sent[f"w.score.{name}"] = str(weight)
    return {**sent, **{key.replace("__", "."): value for key, value in fields.items()}}


def base_of(text: str) -> dict[str, Any]:
    found = re.search(r'name="base" value="([^"]*)"', text)
    assert found
    made: dict[str, Any] = json.loads(unescape(found[1]))
    return made


def person(participant: Participant) -> Client:
    client = Client(headers={"Accept-Language": "en"})
    be(client, participant)
    return client


@pytest.fixture
def client() -> Client:
    return Client(headers={"Accept-Language": "en"})


def post(client: Client, sent: dict[str, Any], url: str = URL) -> str:
    response = client.post(url, sent, headers=HTMX)
    assert response.status_code == 200, response.content.decode()
    return response.content.decode()


@pytest.mark.parametrize("language", ["zh-hans", "en"])
@pytest.mark.parametrize("preset", ["", "bin-pack", "spread", "gpu-aware"])
def test_editor_opens_with_every_preset(preset: str, language: str) -> None:
    response = Client(headers={"Accept-Language": language}).get(URL, {"preset": preset})
    assert response.status_code == 200
    assert 'data-field="' not in response.content.decode()


def test_default_form_changes_nothing(client: Client) -> None:
    text = post(client, form())
    assert "Nothing is changed." in text
    assert 'data-field="' not in text


def test_buttons_move_switch_and_add(client: Client) -> None:
    text = post(client, form(do="down:score:TaintToleration"))
    score = base_of(text)["profiles"][0]["plugins"]["score"]
    assert [item["name"] for item in score["enabled"]][:2] == ["NodeAffinity", "TaintToleration"]
    text = post(client, form(do="off:InterPodAffinity"))
    assert base_of(text)["profiles"][0]["plugins"] == {"multiPoint": {"disabled": [{"name": "InterPodAffinity"}]}}
    assert "InterPodAffinity is off" in text
    text = post(client, form(base_of(text), do="on:InterPodAffinity"))
    assert base_of(text) == blank_config()
    text = post(client, form(do="on:GPUFabricScore"))
    assert base_of(text)["profiles"][0]["plugins"] == {"multiPoint": {"enabled": [{"name": "GPUFabricScore"}]}}
    text = post(client, form(do="row:NodeResourcesFit.scoringStrategy.resources"))
    assert 'name="a.NodeResourcesFit.scoringStrategy.resources.0.name"' in text


def test_arguments_are_written_as_kube_reads_them(client: Client) -> None:
    prefix = "a.NodeResourcesFit.scoringStrategy"
    sent = form(do="row:")
    sent |= {
        "args": ["NodeResourcesFit", "NodeAffinity", "PodTopologySpread", "InterPodAffinity"],
        f"{prefix}.type": "RequestedToCapacityRatio",
        f"{prefix}.resources.0.name": "nvidia.com/gpu",
        f"{prefix}.resources.0.weight": "3",
        f"{prefix}.requestedToCapacityRatio.shape.0.utilization": "0",
        f"{prefix}.requestedToCapacityRatio.shape.0.score": "0",
        f"{prefix}.requestedToCapacityRatio.shape.1.utilization": "100",
        f"{prefix}.requestedToCapacityRatio.shape.1.score": "10",
        "a.NodeResourcesFit.ignoredResources": "example.com/a, example.com/b",
        "a.NodeAffinity.addedAffinity": "requiredDuringSchedulingIgnoredDuringExecution:\n  nodeSelectorTerms: []\n",
        "a.PodTopologySpread.defaultingType": "List",
        "a.PodTopologySpread.defaultConstraints.0.maxSkew": "2",
        "a.PodTopologySpread.defaultConstraints.0.topologyKey": "zone",
        "a.PodTopologySpread.defaultConstraints.0.whenUnsatisfiable": "ScheduleAnyway",
        "a.InterPodAffinity.hardPodAffinityWeight": "50",
        "a.InterPodAffinity.ignorePreferredTermsOfExistingPods": "1",
    }
    args = {item["name"]: item["args"] for item in base_of(post(client, sent))["profiles"][0]["pluginConfig"]}
    shape = [{"utilization": 0, "score": 0}, {"utilization": 100, "score": 10}]
    assert args["NodeResourcesFit"] == {
        "scoringStrategy": {
            "type": "RequestedToCapacityRatio",
            "resources": [{"name": "nvidia.com/gpu", "weight": 3}],
            "requestedToCapacityRatio": {"shape": shape},
        },
        "ignoredResources": ["example.com/a", "example.com/b"],
    }
    added = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": []}}
    assert args["NodeAffinity"] == {"addedAffinity": added}
    constraint = {"maxSkew": 2, "topologyKey": "zone", "whenUnsatisfiable": "ScheduleAnyway"}
    assert args["PodTopologySpread"] == {"defaultingType": "List", "defaultConstraints": [constraint]}
    assert args["InterPodAffinity"] == {"hardPodAffinityWeight": 50, "ignorePreferredTermsOfExistingPods": True}


@pytest.mark.parametrize(
    ("fields", "field", "kube"),
    [
        ({"args": "InterPodAffinity", "a.InterPodAffinity.hardPodAffinityWeight": "101"},
         "a.InterPodAffinity.hardPodAffinityWeight", "not in valid range [0, 100]"),
        ({"args": "InterPodAffinity", "a.InterPodAffinity.hardPodAffinityWeight": "many"},
         "a.InterPodAffinity.hardPodAffinityWeight", ""),
        ({"args": "NodeResourcesFit", "a.NodeResourcesFit.scoringStrategy.resources.1.name": "cpu",
          "a.NodeResourcesFit.scoringStrategy.resources.1.weight": "101"},
         "a.NodeResourcesFit.scoringStrategy.resources.0.weight", "resource weight of cpu not in valid range (0, 100]"),
        ({"args": "NodeResourcesFit", "a.NodeResourcesFit.scoringStrategy.type": "RequestedToCapacityRatio"},
         "a.NodeResourcesFit.scoringStrategy.requestedToCapacityRatio.shape", "must be specified when type is"),
        ({"args": "NodeAffinity", "a.NodeAffinity.addedAffinity": "a: [1"}, "a.NodeAffinity.addedAffinity", ""),
        ({"args": "NodeAffinity", "a.NodeAffinity.addedAffinity": "nodes: []"}, "a.NodeAffinity.addedAffinity", ""),
        ({"args": "DefaultPreemption", "a.DefaultPreemption.minCandidateNodesPercentage": "0",
          "a.DefaultPreemption.minCandidateNodesAbsolute": "0"},
         "a.DefaultPreemption.minCandidateNodesPercentage", "cannot be zero at the same time as"),
        ({"args": "DynamicResources", "a.DynamicResources.bindingTimeout": "10ms"},
         "a.DynamicResources.bindingTimeout", "must be at least 1 second"),
        ({"g.percentageOfNodesToScore": "101"}, "g.percentageOfNodesToScore", "not in valid range [0-100]"),
        ({"g.podMaxBackoffSeconds": "0"}, "g.podMaxBackoffSeconds", "must be greater than or equal to"),
        ({"on.bind": []}, "", "at least one bind plugin is needed"),
        ({"on.queueSort": []}, "", "only one queue sort plugin required"),
        ({"w.score.NodeAffinity": "x"}, "w.score.NodeAffinity", ""),
    ],
)  # fmt: skip
def test_engine_says_what_is_wrong_at_its_field(client: Client, fields: dict[str, Any], field: str, kube: str) -> None:
    text = unescape(post(client, {**form(), **fields}))
    assert f'data-field="{field}"' in text
    assert kube in text


@pytest.mark.parametrize(
    "fields",
    [
        {"base": "nonsense"}, {"base": "[]"}, {"base": '{"profiles": 3}'}, {"base": "[" * 50_000}, {"number": "7"},
        {"number": "x"}, {"base": '{"profiles": [{"plugins": {"score": {"enabled": [{"name": "Nobody"}]}}}]}'},
        {"do": "preset:none"}, {"base": "1" * 70_000},
    ],
)  # fmt: skip
def test_what_no_page_sends_is_refused(client: Client, fields: dict[str, str]) -> None:
    assert client.post(URL, {**form(), **fields}, headers=HTMX).status_code == 400


@pytest.mark.parametrize(
    "do", ["up:score:Nobody", "up:nowhere:X", "off:Nobody", "on:Nobody", "drop:x.y.0", "show:99", "row:", "<b>"]
)
def test_buttons_that_mean_nothing_do_nothing(client: Client, do: str) -> None:
    assert base_of(post(client, form(do=do))) == blank_config()


# in a lab


def lab_with_two_nodes() -> Any:
    objects = [make_node("n1"), make_node("n2")]
    lab = make_lab(make_participant(), make_revision(objects=objects))
    give(lab, {"type": "apply", "objects": [make_pod("p1")]})
    return lab


def lab_url(lab: Any, part: str) -> str:
    return f"/labs/{lab.revision.scenario.slug}/{lab.pk}/{part}/"


def test_profile_is_put_in_force_in_a_lab() -> None:
    lab = lab_with_two_nodes()
    client = person(lab.owner)
    page = client.get(lab_url(lab, "profile"), headers={"Accept-Language": "en"}).content.decode()
    assert "Put in force" in page
    sent = {**form(do="force"), "w.score.NodeResourcesFit": "9", "seq": "1", "tab": "scheduler"}
    response = client.post(lab_url(lab, "profile"), sent)
    assert response.status_code == 302, response.content.decode()
    command = LabCommand.objects.get(lab=lab, seq=2).command
    assert command["type"] == "configure"
    enabled = command["config"]["profiles"][0]["plugins"]["multiPoint"]["enabled"]
    assert enabled == [{"name": "NodeResourcesFit", "weight": 9}]
    tab = client.get(response["Location"], headers={"Accept-Language": "en"}).content.decode()
    assert "NodeResourcesFit weighs 9 instead of 1" in tab


def test_rule_changes_a_decision_and_stays_with_the_lab() -> None:
    lab = lab_with_two_nodes()
    client = person(lab.owner)
    tried = client.post(lab_url(lab, "rules"), RULE, headers=HTMX).content.decode()
    assert '<th scope="row">n2</th>' in tried
    response = client.post(lab_url(lab, "rules"), {**RULE, "do": "force", "weight": "50", "seq": "1"})
    assert response.status_code == 302, response.content.decode()
    lab.refresh_from_db()
    run(lab)
    command = LabCommand.objects.get(lab=lab, seq=2).command
    assert [rule["name"] for rule in command["plugins"]] == ["MyRule"]
    stored = [item for row in LabCommand.objects.filter(lab=lab) for item in row.record if item["kind"] == "cycle"]
    assert [binding["node"] for item in stored for binding in item["record"]["bindings"]] == ["n2"]
    removed = client.post(lab_url(lab, "rules"), {**RULE, "do": "remove", "seq": "3"})
    assert removed.status_code == 302
    assert LabCommand.objects.get(lab=lab, seq=4).command["plugins"] == []


def test_rule_that_cannot_be_used_is_refused_with_its_place() -> None:
    lab = lab_with_two_nodes()
    response = person(lab.owner).post(lab_url(lab, "rules"), {**RULE, "score": "node.", "do": "force", "seq": "1"})
    assert response.status_code == 400
    assert LabCommand.objects.filter(lab=lab).count() == 1


def test_editor_of_somebody_elses_lab_is_not_there() -> None:
    lab = lab_with_two_nodes()
    stranger = person(make_participant())
    assert stranger.get(lab_url(lab, "profile")).status_code == 404
    assert stranger.get(lab_url(lab, "rules")).status_code == 404


# the text that the form follows


def yaml_of(page: str) -> str:
    found = re.search(r'<textarea name="text"[^>]*>([^<]*)</textarea>', page)
    assert found
    return unescape(found[1])


TEXT = """apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- schedulerName: packing
  plugins:
    score:
      disabled:
      - name: ImageLocality
      enabled:
      - name: TaintToleration
        weight: 7
"""


def test_form_follows_the_text_and_the_text_the_form(client: Client) -> None:
    page = post(client, form(do="yaml", text=TEXT))
    assert 'value="packing"' in page
    assert base_of(page)["profiles"][0]["plugins"]["score"]["enabled"] == [{"name": "TaintToleration", "weight": 7}]
    assert re.search(r'name="w.score.TaintToleration"[^>]*value="7"', page)
    assert not re.search(r'name="on.score" value="ImageLocality" checked', page)
    page = post(client, form(base_of(page), name="other", w__score__TaintToleration="9"))
    assert "schedulerName: other" in yaml_of(page)
    assert "weight: 9" in yaml_of(page)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("kind: [", "Line 1"),
        ("just words", "Write one KubeSchedulerConfiguration"),
        ("kind: Pod\n", "Write one KubeSchedulerConfiguration"),
        ("kind: KubeSchedulerConfiguration\nprofiles: 7\n", "Write one KubeSchedulerConfiguration"),
        (TEXT.replace("    score:", "    scores:"), "Line 7"),
        (TEXT.replace("weight: 7", "weight: seven"), "Line 11"),
    ],
)
def test_text_that_cannot_be_used_is_told_with_its_line_and_kept(client: Client, text: str, said: str) -> None:
    page = post(client, form(do="yaml", text=text))
    assert said in unescape(page)
    if "seven" not in text and "scores" not in text:
        assert base_of(page) == blank_config()
        assert yaml_of(page) == text
