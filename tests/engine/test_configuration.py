"""KubeSchedulerConfiguration: how profiles are merged, and every refusal in kube's words with its place."""

# ruff: noqa: E501 - the texts of kube stand on one line each
from __future__ import annotations

from typing import Any

import pytest

from simulator.engine.framework.build import build_frameworks
from simulator.engine.framework.config import ConfigError, Problem, read_config
from simulator.engine.framework.gates import with_defaults
from simulator.engine.framework.plugin import Point
from simulator.engine.framework.registry import REGISTRY
from simulator.engine.framework.runtime import Framework
from simulator.engine.world.setup import Setup
from simulator.engine.world.simulation import Simulation

HEAD = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
MADE = "initializing profiles: creating profile for scheduler name default-scheduler: "


def config(**fields: Any) -> dict[str, Any]:
    return {**HEAD, **fields}


def with_plugins(**points: Any) -> dict[str, Any]:
    return config(profiles=[{"plugins": points}])


def with_args(plugin: str, **args: Any) -> dict[str, Any]:
    return config(profiles=[{"pluginConfig": [{"name": plugin, "args": args}]}])


def problems(manifest: dict[str, Any]) -> list[Problem]:
    with pytest.raises(ConfigError) as caught:
        Simulation(Setup(manifest))
    return caught.value.problems


def texts(manifest: dict[str, Any]) -> list[str]:
    return [problem.text for problem in problems(manifest)]


def framework(manifest: dict[str, Any], **gates: bool) -> Framework:
    simulation = Simulation(Setup(manifest, gates))
    return next(iter(simulation.scheduler.frameworks.values()))


def named(entries: Any) -> list[str]:
    return [entry["name"] for entry in entries]


DEFAULT_FILTERS = (
    "NodeUnschedulable", "NodeName", "TaintToleration", "NodeAffinity", "NodePorts", "NodeResourcesFit",
    "VolumeRestrictions", "NodeVolumeLimits", "VolumeBinding", "VolumeZone", "PodTopologySpread", "InterPodAffinity",
    "DynamicResources", "NodeDeclaredFeatures",
)  # fmt: skip
DEFAULT_SCORES = {
    "TaintToleration": 3, "NodeAffinity": 2, "NodeResourcesFit": 1, "VolumeBinding": 1, "PodTopologySpread": 2,
    "InterPodAffinity": 2, "DynamicResources": 2, "NodeResourcesBalancedAllocation": 1, "ImageLocality": 1,
}  # fmt: skip


# merging


def test_default_profile_has_the_documented_plugins_everywhere() -> None:
    points = framework(config()).profile.points
    assert points[Point.PRE_ENQUEUE] == ("SchedulingGates", "DynamicResources", "DefaultPreemption")
    assert points[Point.FILTER] == DEFAULT_FILTERS
    assert points[Point.PRE_FILTER] == tuple(
        name for name in DEFAULT_FILTERS if name not in ("NodeUnschedulable", "NodeName", "TaintToleration")
    )
    assert points[Point.POST_FILTER] == ("DynamicResources", "DefaultPreemption")
    assert points[Point.PRE_SCORE] == (
        "TaintToleration", "NodeAffinity", "NodeResourcesFit", "VolumeBinding", "PodTopologySpread", "InterPodAffinity",
        "NodeResourcesBalancedAllocation",
    )  # fmt: skip
    assert framework(config()).profile.weights == DEFAULT_SCORES
    assert list(framework(config()).profile.weights) == list(DEFAULT_SCORES)
    assert points[Point.BIND] == ("DefaultBinder",)
    assert points[Point.PERMIT] == ()


def test_gates_bring_their_plugins() -> None:
    gates = {"GenericWorkload": True, "GangScheduling": True, "TopologyAwareWorkloadScheduling": True}
    profile = framework(config(), **gates).profile
    assert profile.points[Point.PERMIT] == ("GangScheduling",)
    assert profile.points[Point.PLACEMENT_GENERATE] == ("TopologyPlacementGenerator",)
    assert profile.placement_weights == {"NodeResourcesFit": 1, "PodGroupPodsCount": 1}


def test_an_explicit_entry_at_a_point_comes_first_with_its_weight() -> None:
    made = framework(with_plugins(score={"enabled": [{"name": "NodeResourcesFit", "weight": 5}]})).profile
    assert made.points[Point.SCORE][:3] == ("NodeResourcesFit", "TaintToleration", "NodeAffinity")
    assert made.weights["NodeResourcesFit"] == 5
    assert made.points[Point.FILTER] == DEFAULT_FILTERS


def test_a_multipoint_entry_replaces_in_place_and_loses_the_default_weight() -> None:
    made = framework(with_plugins(multiPoint={"enabled": [{"name": "TaintToleration"}]})).profile
    assert made.points[Point.SCORE][0] == "TaintToleration"
    assert made.weights["TaintToleration"] == 1


def test_disabling_all_scores_leaves_only_those_named() -> None:
    only = framework(
        with_plugins(score={"disabled": [{"name": "*"}], "enabled": [{"name": "NodeResourcesFit"}]})
    ).profile
    assert only.points[Point.SCORE] == ("NodeResourcesFit",)
    none = framework(with_plugins(score={"disabled": [{"name": "*"}]}))
    assert none.profile.points[Point.SCORE] == ()
    assert none.picks_first


def test_multipoint_order_is_that_of_the_entries_after_a_star() -> None:
    names = ["PrioritySort", "NodeResourcesFit", "TaintToleration", "DefaultBinder"]
    made = framework(
        with_plugins(multiPoint={"disabled": [{"name": "*"}], "enabled": [{"name": name} for name in names]})
    ).profile
    assert made.points[Point.FILTER] == ("NodeResourcesFit", "TaintToleration")
    assert made.weights == {"NodeResourcesFit": 1, "TaintToleration": 1}


def test_overrides_keep_the_order_of_the_point_and_new_ones_come_last() -> None:
    made = framework(
        with_plugins(
            multiPoint={"disabled": [{"name": "ImageLocality"}]},
            score={"enabled": [{"name": "ImageLocality"}, {"name": "NodeAffinity"}, {"name": "TaintToleration"}]},
        )
    ).profile
    order = made.points[Point.SCORE]
    assert order[:2] == ("NodeAffinity", "TaintToleration")
    assert order[-1] == "ImageLocality"


def test_disabled_at_a_point_stays_at_the_others() -> None:
    made = framework(with_plugins(filter={"disabled": [{"name": "TaintToleration"}]})).profile
    assert "TaintToleration" not in made.points[Point.FILTER]
    assert "TaintToleration" in made.points[Point.SCORE]


def test_weight_zero_is_one() -> None:
    made = framework(with_plugins(score={"enabled": [{"name": "ImageLocality", "weight": 0}]})).profile
    assert made.weights["ImageLocality"] == 1


def test_the_profile_percentage_wins_over_the_global_one() -> None:
    manifest = config(
        percentageOfNodesToScore=20,
        profiles=[{"schedulerName": "a", "percentageOfNodesToScore": 70}, {"schedulerName": "b"}],
    )
    frameworks = Simulation(Setup(manifest)).scheduler.frameworks
    assert {name: made.percentage_of_nodes_to_score for name, made in frameworks.items()} == {"a": 70, "b": 20}


def test_resources_an_extender_manages_alone_replace_those_ignored() -> None:
    extender = {"urlPrefix": "http://x", "managedResources": [{"name": "example.com/a", "ignoredByScheduler": True}]}
    manifest = {**with_args("NodeResourcesFit", ignoredResources=["example.com/b"]), "extenders": [extender]}
    assert framework(manifest).plugins["NodeResourcesFit"].args.ignored_resources == {"example.com/a"}


# refusals of the configuration itself

BAD = [
    (config(parallelism=0), "parallelism: Invalid value: 0: should be an integer value greater than zero"),
    (
        config(percentageOfNodesToScore=101),
        "percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100]",
    ),
    (
        config(profiles=[{"percentageOfNodesToScore": -1}]),
        "profiles[0].percentageOfNodesToScore: Invalid value: -1: not in valid range [0-100]",
    ),
    (config(podInitialBackoffSeconds=0), "podInitialBackoffSeconds: Invalid value: 0: must be greater than 0"),
    (
        config(podInitialBackoffSeconds=20),
        "podMaxBackoffSeconds: Invalid value: 10: must be greater than or equal to PodInitialBackoffSeconds",
    ),
    (
        config(leaderElection={"resourceLock": "endpoints"}),
        'leaderElection.resourceLock: Invalid value: "endpoints": resourceLock value must be "leases"',
    ),
    (config(profiles=[]), "profiles: Required value"),
    (config(profiles=[{"schedulerName": "a"}, {}]), "profiles[1].schedulerName: Required value"),
    (
        config(profiles=[{"schedulerName": "a"}, {"schedulerName": "a"}]),
        'profiles[1].schedulerName: Duplicate value: "a"',
    ),
    (config(profiles=[{"nope": 1}]), 'strict decoding error: unknown field "profiles[0].nope"'),
    (with_plugins(nope={}), 'strict decoding error: unknown field "profiles[0].plugins.nope"'),
    (config(parallelism="x"), "parallelism: must be of type integer"),
    (config(parallelism=2**70), "parallelism: must be of type integer"),
    (
        {"apiVersion": "v2", "kind": "Pod"},
        'no kind "Pod" is registered for version "v2"',
    ),
    (
        with_plugins(score={"enabled": [{"name": "EBSLimits"}]}),
        (
            'profiles[0].plugins.score.enabled[0]: Invalid value: "EBSLimits": was invalid in version '
            '"kubescheduler.config.k8s.io/v1" (KubeSchedulerConfiguration is version "kubescheduler.config.k8s.io/v1")'
        ),
    ),
    (
        config(profiles=[{"pluginConfig": [{"name": "NodeAffinity"}, {"name": "NodeAffinity"}]}]),
        "repeated config for plugin NodeAffinity",
    ),
    (
        config(profiles=[{"pluginConfig": [{"name": "NodeAffinity", "args": {"kind": "InterPodAffinityArgs"}}]}]),
        (
            "decoding .profiles[0].pluginConfig[0]: args for plugin NodeAffinity were not of type "
            "NodeAffinityArgs.kubescheduler.config.k8s.io, got InterPodAffinityArgs.kubescheduler.config.k8s.io"
        ),
    ),
    (
        config(extenders=[{"urlPrefix": "http://x", "prioritizeVerb": "p"}]),
        "extenders[0].weight: Invalid value: 0: must have a positive weight applied to it",
    ),
    (
        config(extenders=[{"urlPrefix": "http://x", "bindVerb": "b"}] * 2),
        'extenders: Invalid value: "found 2 extenders implementing bind": only one extender can implement bind',
    ),
    (
        config(extenders=[{"urlPrefix": "http://x", "managedResources": [{"name": "a.b/c"}, {"name": "a.b/c"}]}]),
        'extenders[0].managedResources[1].name: Invalid value: "a.b/c": duplicate extender managed resource name',
    ),
    (
        config(extenders=[{"urlPrefix": "http://x", "managedResources": [{"name": "cpu"}]}]),
        'extenders[0].managedResources[0].name: Invalid value: "cpu": is an invalid extended resource name',
    ),
    (
        config(extenders=[{"urlPrefix": "http://x", "httpTimeout": "5 s"}]),
        'time: invalid duration "5 s"',
    ),
]


@pytest.mark.parametrize(("manifest", "text"), BAD, ids=[text[:40] for _, text in BAD])
def test_refusal_of_the_configuration(manifest: dict[str, Any], text: str) -> None:
    assert texts(manifest) == [text]


def test_all_problems_are_told_with_their_places() -> None:
    found = problems(config(parallelism=0, podInitialBackoffSeconds=-1, profiles=[{"percentageOfNodesToScore": 500}]))
    assert [problem.path for problem in found] == [
        ("profiles", 0, "percentageOfNodesToScore"),
        ("parallelism",),
        ("podInitialBackoffSeconds",),
    ]
    assert all(problem.code.startswith("config.") for problem in found)


def test_queue_sort_must_be_the_same_in_all_profiles() -> None:
    own = {"queueSort": {"enabled": [{"name": "PrioritySort"}]}}
    manifest = config(profiles=[{"schedulerName": "a"}, {"schedulerName": "b", "plugins": own}])
    [problem] = problems(manifest)
    assert problem.path == ("profiles", 1, "plugins", "queueSort")
    assert problem.text.endswith(": must be the same for all profiles")


# refusals when profiles are made

UNMADE = [
    (with_plugins(score={"enabled": [{"name": "Nope"}]}), 'ScorePlugin "Nope" does not exist'),
    (with_plugins(multiPoint={"enabled": [{"name": "EBSLimits"}]}), 'PreFilterPlugin "EBSLimits" does not exist'),
    (
        with_plugins(score={"enabled": [{"name": "NodeName"}]}),
        'plugin "NodeName" does not extend ScorePlugin plugin',
    ),
    (
        with_plugins(filter={"enabled": [{"name": "NodeName"}, {"name": "NodeName"}]}),
        'plugin "NodeName" already registered as "FilterPlugin"',
    ),
    (
        with_plugins(multiPoint={"enabled": [{"name": "NodePorts"}], "disabled": [{"name": "*"}]}),
        'only one queue sort plugin required for profile with scheduler name "default-scheduler", but got 0',
    ),
    (
        with_plugins(bind={"disabled": [{"name": "*"}]}),
        'at least one bind plugin is needed for profile with scheduler name "default-scheduler"',
    ),
    (
        with_plugins(score={"enabled": [{"name": "ImageLocality", "weight": 2**62}]}),
        "total score of Score plugins could overflow",
    ),
]


@pytest.mark.parametrize(("manifest", "text"), UNMADE, ids=[text[:40] for _, text in UNMADE])
def test_refusal_of_a_profile(manifest: dict[str, Any], text: str) -> None:
    [problem] = problems(manifest)
    assert problem.text == MADE + text
    assert problem.path[:2] == ("profiles", 0)


# arguments

SHAPE = "scoringStrategy.requestedToCapacityRatio.shape"


def ratio(*points: tuple[int, int]) -> dict[str, Any]:
    shape = [{"utilization": utilization, "score": score} for utilization, score in points]
    return {"type": "RequestedToCapacityRatio", "requestedToCapacityRatio": {"shape": shape}}


FIT = [
    (
        {"scoringStrategy": {"resources": [{"name": "cpu", "weight": 101}]}},
        "scoringStrategy.resources[0].weight: Invalid value: 101: resource weight of cpu not in valid range (0, 100]",
    ),
    (
        {"scoringStrategy": {"type": "Nope"}},
        (
            'scoringStrategy.type: Unsupported value: "Nope": supported values: "LeastAllocated", "MostAllocated", '
            '"RequestedToCapacityRatio"'
        ),
    ),
    (
        {"scoringStrategy": {"type": "RequestedToCapacityRatio"}},
        (
            "scoringStrategy.requestedToCapacityRatio: Required value: must be specified when type is "
            "RequestedToCapacityRatio"
        ),
    ),
    (
        {"scoringStrategy": {"requestedToCapacityRatio": {"shape": []}}},
        "scoringStrategy.requestedToCapacityRatio: Forbidden: must be nil when type is not RequestedToCapacityRatio",
    ),
    ({"scoringStrategy": ratio()}, f"{SHAPE}: Required value: at least one point must be specified"),
    (
        {"scoringStrategy": ratio((50, 1), (50, 2))},
        f"{SHAPE}[1].utilization: Invalid value: 50: values must be sorted in increasing order",
    ),
    ({"scoringStrategy": ratio((101, 1))}, f"{SHAPE}[0].utilization: Invalid value: 101: not in valid range [0-100]"),
    ({"scoringStrategy": ratio((0, 11))}, f"{SHAPE}[0].score: Invalid value: 11: not in valid range [0-10]"),
    (
        {"ignoredResourceGroups": ["a/b"]},
        "ignoredResourceGroups[0]: Invalid value: \"a/b\": resource group name can't contain '/'",
    ),
    ({"nope": 1}, 'strict decoding error: unknown field "nope"'),
]


@pytest.mark.parametrize(("args", "text"), FIT, ids=[text[:40] for _, text in FIT])
def test_fit_arguments_are_checked_when_the_plugin_is_made(args: dict[str, Any], text: str) -> None:
    [problem] = problems(with_args("NodeResourcesFit", **args))
    assert problem.text == f'{MADE}initializing plugin "NodeResourcesFit": {text}'
    assert problem.path[:5] == ("profiles", 0, "pluginConfig", 0, "args")


ARGS = [
    ("InterPodAffinity", {"hardPodAffinityWeight": 101}, "hardPodAffinityWeight: Invalid value: 101: not in valid range [0, 100]"),
    ("DefaultPreemption", {"minCandidateNodesPercentage": -1}, "minCandidateNodesPercentage: Invalid value: -1: not in valid range [0, 100]"),
    ("DefaultPreemption", {"minCandidateNodesAbsolute": -1}, "minCandidateNodesAbsolute: Invalid value: -1: not in valid range [0, inf)"),
    ("NodeResourcesBalancedAllocation", {"resources": [{"name": "cpu", "weight": 2}]}, "resources[0].weight: Invalid value: 2: must be 1"),
    ("NodeResourcesBalancedAllocation", {"resources": [{"name": "cpu"}, {"name": "cpu"}]}, 'resources[1].name: Duplicate value: "cpu"'),
    ("PodTopologySpread", {"defaultConstraints": [{"maxSkew": 1, "topologyKey": "z", "whenUnsatisfiable": "DoNotSchedule"}]}, 'defaultingType: Invalid value: "System": when .defaultConstraints are not empty'),
    ("PodTopologySpread", {"defaultingType": "Some"}, 'defaultingType: Unsupported value: "Some": supported values: "System", "List"'),
    ("VolumeBinding", {"bindTimeoutSeconds": -1}, "bindTimeoutSeconds: Invalid value: -1: invalid BindTimeoutSeconds, should not be a negative value"),
    (
        "NodeAffinity",
        {"addedAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "Near"}]}]}}},
        'addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].operator: Unsupported value: "Near": not a valid selector operator',
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("plugin", "args", "text"), ARGS, ids=[f"{plugin}-{i}" for i, (plugin, _, _) in enumerate(ARGS)]
)
def test_other_arguments_are_checked_with_the_configuration(plugin: str, args: dict[str, Any], text: str) -> None:
    [problem] = problems(with_args(plugin, **args))
    assert problem.text == f"profiles[0].pluginConfig[0].args.{text}"
    assert problem.path[:5] == ("profiles", 0, "pluginConfig", 0, "args")


@pytest.mark.parametrize(
    ("args", "text"),
    [
        ({"filterTimeout": "-1s"}, "filterTimeout: Invalid value: -1s: must be zero or positive"),
        ({"bindingTimeout": "500ms"}, "bindingTimeout: Invalid value: 500ms: must be at least 1 second"),
        ({"bindingTimeout": "soon"}, 'time: invalid duration "soon"'),
    ],
)
def test_timeouts_of_dynamic_resources(args: dict[str, Any], text: str) -> None:
    [problem] = problems(with_args("DynamicResources", **args))
    assert problem.text == f'{MADE}initializing plugin "DynamicResources": {text}'
    assert framework(with_args("DynamicResources", filterTimeout="0s", bindingTimeout="1m30s"))


def test_both_candidate_arguments_zero_name_each_other() -> None:
    here = "profiles[0].pluginConfig[0].args."
    found = texts(with_args("DefaultPreemption", minCandidateNodesPercentage=0, minCandidateNodesAbsolute=0))
    clash = "Invalid value: 0: cannot be zero at the same time as"
    assert found == [
        f"{here}minCandidateNodesPercentage: {clash} {here}minCandidateNodesAbsolute",
        f"{here}minCandidateNodesAbsolute: {clash} {here}minCandidateNodesPercentage",
    ]


def test_default_spread_constraints_are_checked_one_by_one() -> None:
    items = [
        {"maxSkew": 0, "topologyKey": "", "whenUnsatisfiable": ""},
        {"maxSkew": 1, "topologyKey": "z", "whenUnsatisfiable": "Never", "labelSelector": {}},
        {"maxSkew": 1, "topologyKey": "z", "whenUnsatisfiable": "Never"},
    ]
    here = "profiles[0].pluginConfig[0].args.defaultConstraints"
    supported = 'supported values: "DoNotSchedule", "ScheduleAnyway"'
    assert texts(with_args("PodTopologySpread", defaultingType="List", defaultConstraints=items)) == [
        f"{here}[0].maxSkew: Invalid value: 0: not in valid range (0, inf)",
        f"{here}[0].topologyKey: Required value: can not be empty",
        f"{here}[0].whenUnsatisfiable: Required value: can not be empty",
        f'{here}[1].whenUnsatisfiable: Unsupported value: "Never": {supported}',
        f"{here}[1].labelSelector: Forbidden: constraint must not define a selector, as they deduced for each pod",
        f'{here}[2].whenUnsatisfiable: Unsupported value: "Never": {supported}',
        f'{here}[2]: Duplicate value: "{{z, Never}}"',
    ]


def test_arguments_of_unknown_plugins_are_left_alone() -> None:
    kept = framework(with_args("SomebodyElses", anything=[1, 2])).profile.config.args
    assert kept == {"SomebodyElses": {"anything": [1, 2]}}


def test_a_configuration_read_alone_does_not_need_its_plugins() -> None:
    read = read_config(with_plugins(score={"enabled": [{"name": "Nope"}]}))
    with pytest.raises(ConfigError):
        build_frameworks(read, REGISTRY, with_defaults(None), lambda: None)  # type: ignore[arg-type,return-value]


# gates


@pytest.mark.parametrize(
    ("gates", "text"),
    [
        ({"Nope": True}, "unrecognized feature gate: Nope"),
        ({"GangScheduling": True}, "GangScheduling requires GenericWorkload to be enabled"),
        ({"TopologyAwareWorkloadScheduling": True}, "TopologyAwareWorkloadScheduling requires GenericWorkload to be enabled"),
        ({"GenericWorkload": True, "WorkloadAwarePreemption": True}, "WorkloadAwarePreemption requires GangScheduling to be enabled"),
    ],
)  # fmt: skip
def test_gates_are_known_and_have_what_they_need(gates: dict[str, bool], text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Setup.from_mapping({"gates": gates})
    assert [problem.text for problem in caught.value.problems] == [text]
