"""What the API server fills in. Figures by hand from Kubernetes 1.36's rules."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.engine.objects.api import Admitted, ApiServer, Rules
from simulator.engine.objects.scheme import list_items
from tests.engine.objects.manifests import ALL_GATES, Store, manifest, pod


def admitted(made: dict[str, Any], server: ApiServer | None = None, store: Store | None = None) -> Any:
    answer = (server or ApiServer()).admit(made, store or Store())
    assert isinstance(answer, Admitted), answer.errors
    return answer.manifest


def with_resources(**resources: Any) -> dict[str, Any]:
    return pod(containers=[{"name": "c", "image": "i", "resources": resources}])


def test_plain_pod() -> None:
    made = admitted(pod())
    spec = made["spec"]
    assert made["metadata"]["namespace"] == "default"
    assert {
        name: spec[name]
        for name in (
            "restartPolicy",
            "schedulerName",
            "terminationGracePeriodSeconds",
            "dnsPolicy",
            "priority",
            "preemptionPolicy",
            "securityContext",
            "enableServiceLinks",
        )
    } == {
        "restartPolicy": "Always",
        "schedulerName": "default-scheduler",
        "terminationGracePeriodSeconds": 30,
        "dnsPolicy": "ClusterFirst",
        "priority": 0,
        "preemptionPolicy": "PreemptLowerPriority",
        "securityContext": {},
        "enableServiceLinks": True,
    }
    assert spec["containers"][0]["imagePullPolicy"] == "IfNotPresent"
    assert made["status"] == {"phase": "Pending", "qosClass": "BestEffort"}


@pytest.mark.parametrize(
    ("image", "policy"),
    [
        ("img", "Always"),
        ("img:latest", "Always"),
        ("img:1", "IfNotPresent"),
        ("host:5000/img", "Always"),
        ("host:5000/img:2", "IfNotPresent"),
        ("img@sha256:" + "0" * 64, "IfNotPresent"),
    ],
)
def test_image_pull_policy(image: str, policy: str) -> None:
    made = admitted(pod(containers=[{"name": "c", "image": image}]))
    assert made["spec"]["containers"][0]["imagePullPolicy"] == policy


def test_requests_come_from_limits_but_an_explicit_zero_stays() -> None:
    made = admitted(with_resources(limits={"cpu": "1", "memory": "1Gi"}, requests={"cpu": "0"}))
    assert made["spec"]["containers"][0]["resources"]["requests"] == {"cpu": "0", "memory": "1Gi"}


def test_templates_keep_their_requests() -> None:
    made = manifest(
        "Deployment",
        spec__template__spec__containers=[{"name": "c", "image": "i", "resources": {"limits": {"cpu": 1}}}],
    )
    assert "requests" not in admitted(made)["spec"]["template"]["spec"]["containers"][0]["resources"]


def test_quantities_are_rounded_up_to_thousandths_and_canonical() -> None:
    made = admitted(with_resources(requests={"cpu": "0.1m", "memory": "1.5Gi", "ephemeral-storage": "1000e3"}))
    assert made["spec"]["containers"][0]["resources"]["requests"] == {
        "cpu": "1m",
        "memory": "1536Mi",
        "ephemeral-storage": "1e6",
    }


def test_host_ports_on_the_host_network() -> None:
    ports = [{"containerPort": 80}, {"containerPort": 81, "hostPort": 81}]
    made = admitted(pod(hostNetwork=True, containers=[{"name": "c", "image": "i", "ports": ports}]))
    assert [port["hostPort"] for port in made["spec"]["containers"][0]["ports"]] == [80, 81]
    assert {port["protocol"] for port in made["spec"]["containers"][0]["ports"]} == {"TCP"}


def pod_level(resources: dict[str, Any], *containers: dict[str, Any]) -> dict[str, str]:
    made = pod(
        resources=resources,
        containers=[{"name": f"c{i}", "image": "i", "resources": each} for i, each in enumerate(containers)],
    )
    return admitted(made)["spec"]["resources"].get("requests")  # type: ignore[no-any-return]


def test_pod_level_requests_come_from_containers_then_limits() -> None:
    found = pod_level(
        {"limits": {"cpu": "3", "memory": "1Gi"}}, {"requests": {"cpu": "1"}}, {"requests": {"cpu": "500m"}}
    )
    assert found == {"cpu": "1500m", "memory": "1Gi"}


def test_pod_level_requests_without_limits_stay() -> None:
    assert pod_level({"requests": {"memory": "1Gi"}}, {"requests": {"cpu": "1"}}) == {"memory": "1Gi"}


def test_pod_level_huge_pages_come_from_containers() -> None:
    made = pod(
        resources={"limits": {"cpu": "1"}},
        containers=[{"name": "c", "image": "i", "resources": {"limits": {"cpu": "1", "hugepages-2Mi": "4Mi"}}}],
    )
    assert admitted(made)["spec"]["resources"] == {
        "limits": {"cpu": "1", "hugepages-2Mi": "4Mi"},
        "requests": {"cpu": "1", "hugepages-2Mi": "4Mi"},
    }


def test_node_allocatable_is_its_capacity() -> None:
    made = admitted(manifest("Node", status={"capacity": {"cpu": 8}}))
    assert made["status"]["allocatable"] == {"cpu": "8"}
    assert admitted(manifest("Node", status={"capacity": {"cpu": 8}, "allocatable": {}}))["status"]["allocatable"] == {}


def test_namespace_gets_its_label() -> None:
    assert admitted(manifest("Namespace"))["metadata"]["labels"] == {"kubernetes.io/metadata.name": "team-a"}


def test_replication_controller_selects_its_template() -> None:
    made = admitted(manifest("ReplicationController"))
    assert made["spec"]["selector"] == {"app": "web"}
    assert made["spec"]["template"]["spec"]["restartPolicy"] == "Always"


def test_job_runs_once() -> None:
    made = admitted(manifest("Job", spec__completions=None, spec__parallelism=None, spec__completionMode=None))
    spec = made["spec"]
    assert (spec["completions"], spec["parallelism"], spec["backoffLimit"], spec["suspend"]) == (1, 1, 6, False)
    only_parallel = admitted(manifest("Job", spec__completions=None, spec__completionMode=None))
    assert "completions" not in only_parallel["spec"]


def test_nulls_are_absent_and_whole_floats_are_integers() -> None:
    made = admitted(pod(nodeName=None, terminationGracePeriodSeconds=5.0, tolerations=None))
    assert "nodeName" not in made["spec"]
    assert "tolerations" not in made["spec"]
    assert made["spec"]["terminationGracePeriodSeconds"] == 5
    assert isinstance(made["spec"]["terminationGracePeriodSeconds"], int)


def test_times_are_kept_in_utc() -> None:
    made = admitted({**pod(), "status": {"startTime": "2030-01-01T00:30:00.5+02:00"}})
    assert made["status"]["startTime"] == "2029-12-31T22:30:00Z"


def test_gated_pod_says_so_in_its_status() -> None:
    made = admitted(
        {**pod(schedulingGates=[{"name": "g"}]), "status": {"conditions": [{"type": "Ready", "status": "False"}]}}
    )
    assert made["status"]["conditions"][1] == {
        "type": "PodScheduled",
        "status": "False",
        "reason": "SchedulingGated",
        "message": "Scheduling is blocked due to non-empty scheduling gates",
    }


@pytest.mark.parametrize(
    ("resources", "qos"),
    [
        ({}, "BestEffort"),
        ({"requests": {"nvidia.com/gpu": 1}, "limits": {"nvidia.com/gpu": 1}}, "BestEffort"),
        ({"requests": {"cpu": "1"}}, "Burstable"),
        ({"limits": {"cpu": "1"}}, "Burstable"),
        ({"limits": {"cpu": "1", "memory": "1Gi"}}, "Guaranteed"),
        ({"limits": {"cpu": "1", "memory": "1Gi"}, "requests": {"cpu": "500m"}}, "Burstable"),
    ],
)
def test_qos_class(resources: dict[str, Any], qos: str) -> None:
    assert admitted(with_resources(**resources))["status"]["qosClass"] == qos


def test_label_keys_are_merged_into_selectors() -> None:
    made = admitted(manifest("Pod"))["spec"]
    term = made["affinity"]["podAntiAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"][0]
    assert term["labelSelector"] == {
        "matchLabels": {"app": "train"},
        "matchExpressions": [
            {"key": "version", "operator": "In", "values": ["v1"]},
            {"key": "tenant", "operator": "NotIn", "values": ["blue"]},
        ],
    }
    spread = made["topologySpreadConstraints"][0]["labelSelector"]["matchExpressions"]
    assert spread[1] == {"key": "version", "operator": "In", "values": ["v1"]}


def test_label_keys_of_spread_constraints_wait_for_their_gate() -> None:
    server = ApiServer({"MatchLabelKeysInPodTopologySpreadSelectorMerge": False})
    made = admitted(manifest("Pod"), server)["spec"]
    assert len(made["topologySpreadConstraints"][0]["labelSelector"]["matchExpressions"]) == 1


def test_equal_specs_are_shared_and_labels_keep_them_apart() -> None:
    server = ApiServer()
    first, second = (admitted({**pod(), "metadata": {"name": name}}, server) for name in ("a", "b"))
    assert first["spec"] is second["spec"]
    blue, red = manifest("Pod"), manifest("Pod", metadata__labels__version="v2")
    assert admitted(blue, server)["spec"] != admitted(red, server)["spec"]


def test_admission_never_changes_what_it_was_given() -> None:
    for kind in ("Pod", "Node", "Namespace", "Deployment", "PodGroup", "Workload", "ReplicationController"):
        made = manifest(kind)
        ApiServer(ALL_GATES).admit(made, Store())
        assert made == manifest(kind)


def test_priority_comes_from_the_class() -> None:
    store = Store()
    for name, value, default in (("low", 5, True), ("lower", 3, True), ("high", 1000, False)):
        made = manifest("PriorityClass", metadata__name=name, value=value, globalDefault=default)
        answer = ApiServer(rules=Rules(one_default_class=False)).admit(made, store)
        assert isinstance(answer, Admitted)
        store.add(answer)
    spec = admitted(pod(), store=store)["spec"]
    assert (spec["priority"], spec["priorityClassName"], spec["preemptionPolicy"]) == (3, "lower", "Never")
    assert admitted(pod(priorityClassName="high"), store=store)["spec"]["priority"] == 1000
    system = admitted(pod(priorityClassName="system-node-critical"), store=store)["spec"]
    assert (system["priority"], system["preemptionPolicy"]) == (2000001000, "PreemptLowerPriority")
    group = admitted(
        manifest("PodGroup", spec__priority=None, spec__priorityClassName="high"), ApiServer(ALL_GATES), store
    )
    assert group["spec"]["priority"] == 1000


def test_fields_of_closed_gates_are_dropped() -> None:
    made = pod(schedulingGroup={"podGroupName": "g"}, resources={"limits": {"cpu": "1"}})
    assert "schedulingGroup" not in admitted(made)["spec"]
    assert "resources" in admitted(made)["spec"]
    assert "resources" not in admitted(made, ApiServer({"PodLevelResources": False}))["spec"]
    assert admitted(made, ApiServer(ALL_GATES))["spec"]["schedulingGroup"] == {"podGroupName": "g"}
    plain = ApiServer({"GenericWorkload": True})
    assert set(admitted(manifest("PodGroup"), plain)["spec"]) == {"schedulingPolicy"}


def test_tolerations_of_a_real_cluster() -> None:
    server = ApiServer(rules=Rules(default_tolerations=True, extended_resource_tolerations=True))
    made = admitted(with_resources(limits={"nvidia.com/gpu": 1}), server)["spec"]["tolerations"]
    assert made == [
        {"key": "nvidia.com/gpu", "operator": "Exists"},
        {"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300},
        {
            "key": "node.kubernetes.io/unreachable",
            "operator": "Exists",
            "effect": "NoExecute",
            "tolerationSeconds": 300,
        },
    ]


def test_generated_names_are_chosen_by_number_and_free() -> None:
    made = pod()
    made["metadata"] = {"generateName": "web-"}
    server, store = ApiServer(), Store()
    first = server.admit(made, store, number=7)
    assert isinstance(first, Admitted)
    assert first.name.startswith("web-")
    assert len(first.name) == 9
    store.add(first)
    second = server.admit(made, store, number=7)
    assert isinstance(second, Admitted)
    assert second.name != first.name


def test_list_items() -> None:
    assert list_items({"apiVersion": "v1", "kind": "List", "items": [pod()]}) == [pod()]
    assert list_items({"apiVersion": "v1", "kind": "PodList", "items": []}) == []
    assert list_items(pod()) is None
    assert list_items([]) is None
