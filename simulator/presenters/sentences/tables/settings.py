"""What is wrong with scheduler configurations, setups, commands and patches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from simulator.presenters.sentences.both import Both

SETTINGS: Final[Mapping[str, Both]] = {
    # KubeSchedulerConfiguration
    "config.kind": Both(
        "apiVersion 要写 kubescheduler.config.k8s.io/v1，kind 要写 KubeSchedulerConfiguration",
        "apiVersion must be kubescheduler.config.k8s.io/v1 and kind KubeSchedulerConfiguration",
    ),
    "config.type": Both("类型不对，应为{wanted:wanted}", "of the wrong type, should be {wanted:wanted}"),
    "config.unknown_field": Both("没有这个字段，请检查拼写", "there is no such field; check its spelling"),
    "config.required": Both("必须填写", "must be given"),
    "config.duplicate": Both("{value} 重复了", "{value} is there twice"),
    "config.duration": Both(
        "时长写法不对：{value}，例如 5s、1m30s", "{value} is no duration; write for example 5s or 1m30s"
    ),
    "config.timeout": Both("时长太短：{value}", "{value} is too short"),
    "config.percentage": Both("要在 0 到 100 之间，现在是 {value}", "must be from 0 to 100, it is {value}"),
    "config.parallelism": Both("必须大于 0", "must be greater than 0"),
    "config.initial_backoff": Both("必须大于 0", "must be greater than 0"),
    "config.max_backoff": Both("不能小于 podInitialBackoffSeconds", "must not be less than podInitialBackoffSeconds"),
    "config.resource_lock": Both("只能是 leases", "must be leases"),
    "config.queue_sort": Both(
        "所有 profile 要用同一个 QueueSort 插件", "all profiles must have the same QueueSort plugin"
    ),
    "config.queue_sort_count": Both(
        "profile {name} 要有且只有一个 QueueSort 插件", "profile {name} needs exactly one QueueSort plugin"
    ),
    "config.no_bind": Both("profile {name} 至少要有一个 Bind 插件", "profile {name} needs a Bind plugin"),
    "config.placement_generators": Both(
        "profile {name} 最多只能有一个 PlacementGenerate 插件",
        "profile {name} can have one PlacementGenerate plugin at most",
    ),
    "config.no_plugin": Both("没有插件 {name}，请检查名字", "there is no plugin {name}; check its name"),
    "config.wrong_point": Both("插件 {name} 没有这个扩展点", "plugin {name} does not have this extension point"),
    "config.registered_twice": Both("插件 {name} 启用了两次", "plugin {name} is enabled twice"),
    "config.removed_plugin": Both("插件 {plugin} 已从 Kubernetes 移除", "plugin {plugin} was removed from Kubernetes"),
    "config.repeated_args": Both("插件 {plugin} 的参数写了两次", "the arguments of plugin {plugin} are there twice"),
    "config.args_kind": Both(
        "参数的 kind 是 {kind}，不属于这个插件", "arguments of kind {kind} do not belong to this plugin"
    ),
    "config.overflow": Both(
        "profile {name} 的权重太大，总分会溢出", "the weights of profile {name} are too large, totals could overflow"
    ),
    "config.extender_weight": Both(
        "有 prioritizeVerb 的扩展器权重必须大于 0", "an extender with a prioritizeVerb needs a weight greater than 0"
    ),
    "config.extender_binders": Both("最多只能有一个扩展器负责绑定", "one extender at most can bind"),
    "config.extender_duplicate": Both("扩展器管理的资源重复了", "a managed resource is there twice"),
    "config.extender_resource": Both(
        "{value} 不是扩展资源名，例如 nvidia.com/gpu",
        "{value} is no name of an extended resource, such as nvidia.com/gpu",
    ),
    # arguments of plugins
    "config.strategy_type": Both(
        "没有打分策略 {value}，可用 LeastAllocated、MostAllocated、RequestedToCapacityRatio",
        "there is no strategy {value}; use LeastAllocated, MostAllocated or RequestedToCapacityRatio",
    ),
    "config.resource_weight": Both(
        "资源权重要在 1 到 100 之间，现在是 {value}", "a resource's weight must be from 1 to 100, it is {value}"
    ),
    "config.resource_group": Both("资源组名 {value} 里不能有 /", "a resource group must not have / in it: {value}"),
    "config.ratio_missing": Both(
        "类型是 RequestedToCapacityRatio 时必须写曲线 shape", "RequestedToCapacityRatio needs a shape"
    ),
    "config.ratio_not_asked": Both(
        "类型不是 RequestedToCapacityRatio 时不能写这一段", "goes only with type RequestedToCapacityRatio"
    ),
    "config.resource_name": Both("{value} 不是合法的资源名", "{value} is no name of a resource"),
    "config.topology_key": Both("{value} 不是合法的标签键", "{value} is no label key"),
    "config.shape_empty": Both("曲线至少要有一个点", "a shape needs a point"),
    "config.shape_order": Both(
        "曲线的 utilization 要递增，{value} 没有变大", "utilizations must increase, {value} does not"
    ),
    "config.shape_utilization": Both(
        "utilization 要在 0 到 100 之间，现在是 {value}", "a utilization must be from 0 to 100, it is {value}"
    ),
    "config.shape_score": Both(
        "曲线的 score 要在 0 到 10 之间，现在是 {value}", "a shape's score must be from 0 to 10, it is {value}"
    ),
    "config.shape_gate": Both(
        "要打开特性门控 StorageCapacityScoring 才能写 shape", "shape needs the feature gate StorageCapacityScoring"
    ),
    "config.balanced_weight": Both("这里的权重只能是 1，现在是 {value}", "the weight must be 1 here, it is {value}"),
    "config.defaulting_type": Both(
        "defaultingType 只能是 System 或 List，现在是 {value}", "defaultingType is System or List, not {value}"
    ),
    "config.defaulting_system": Both(
        "写了 defaultConstraints 时 defaultingType 要是 List", "with defaultConstraints the defaultingType must be List"
    ),
    "config.default_selector": Both(
        "默认约束不能写 labelSelector，它由每个 Pod 推出",
        "default constraints take no labelSelector, it follows from each Pod",
    ),
    "config.max_skew": Both("maxSkew 必须大于 0，现在是 {value}", "maxSkew must be greater than 0, it is {value}"),
    "config.unsatisfiable": Both(
        "whenUnsatisfiable 只能是 DoNotSchedule 或 ScheduleAnyway，现在是 {value}",
        "whenUnsatisfiable is DoNotSchedule or ScheduleAnyway, not {value}",
    ),
    "config.affinity_weight": Both("要在 0 到 100 之间，现在是 {value}", "must be from 0 to 100, it is {value}"),
    "config.selector": Both("附加的亲和性无法读取：{error}", "the added affinity cannot be read: {error}"),
    "config.candidates_percentage": Both("要在 0 到 100 之间，现在是 {value}", "must be from 0 to 100, it is {value}"),
    "config.candidates_absolute": Both("不能是负数，现在是 {value}", "must not be negative, it is {value}"),
    "config.candidates_zero": Both(
        "不能与 minCandidateNodesAbsolute 同时为 0", "must not be 0 together with minCandidateNodesAbsolute"
    ),
    "config.bind_timeout": Both("不能是负数，现在是 {value}", "must not be negative, it is {value}"),
    # setups
    "setup.tie_rule": Both(
        "没有这种平局规则，可用 clusterOrder、name、heap", "there is no such tie rule; use clusterOrder, name or heap"
    ),
    "setup.start": Both(
        "{value} 不是时间，例如 2026-01-01T00:00:00Z", "{value} is no time; write for example 2026-01-01T00:00:00Z"
    ),
    "setup.gates": Both("特性门控不对：{error}", "the feature gates are wrong: {error}"),
    # commands
    "command.unknown": Both("没有命令 {type}", "there is no command {type}"),
    "command.field": Both("{field} 应为{wanted:wanted}", "{field} should be {wanted:wanted}"),
    "command.not_found": Both("没有名为 {name} 的 {kind}", "there is no {kind} {name}"),
    "command.exists": Both("已经有名为 {name} 的 {kind}", "there is a {kind} {name} already"),
    "command.too_many": Both("一次最多 {limit} 处修改", "there can be at most {limit} changes at once"),
    "command.pods_on_node": Both(
        "{node} 上还有 {count} 个 Pod（{pods:list}），改名等于删掉节点再新建。先排空它，或删掉这些 Pod",
        "{count:|Pod is|Pods are} on {node} ({pods:list}), and a new name means a new node. Drain it first, or delete them",
    ),
    "command.unmanaged_pods": Both(
        "{node} 上有 {count} 个没有控制器的 Pod（{pods:list}），驱逐后不会再回来。允许强制，或先删掉它们",
        "{count:|Pod|Pods} without a controller would be lost with {node} ({pods:list}). Allow it, or delete them first",
    ),
    "command.not_scalable": Both("{kind} 不能调整副本数", "a {kind} cannot be scaled"),
    "command.no_machine": Both("不知道节点 {name} 里面有什么硬件", "nothing is known of the inside of node {name}"),
    "command.no_gpu": Both("{node} 的 GPU 编号是 0 到 {last}，没有 {gpu}", "{node} has GPUs 0 to {last}, not {gpu}"),
    "command.no_nic": Both("{node} 的网卡有 {cards:list}，没有 {nic}", "{node} has the cards {cards:list}, not {nic}"),
    "command.no_links": Both(
        "{node} 的 GPU {gpu} 最多有 {most} 条这样的链路", "GPU {gpu} of {node} has {most:|such link|such links} at most"
    ),
    "command.turns": Both("步数要在 0 到 {limit} 之间", "the number of turns must be from 0 to {limit}"),
    "command.seconds": Both("秒数要在 0 到 {limit} 之间", "the seconds must be from 0 to {limit}"),
    # patches
    "patch.no_merge_key": Both("列表里的每一项都要写 {key}", "every entry of the list needs {key}"),
    "patch.directive": Both("补丁指令不对：{directive}", "not a directive of patches: {directive}"),
    "patch.wrong_type": Both("{field} 的类型与现有的对不上", "{field} is of another type than what is there"),
}
