"""What goals say, how far they are, and what is wrong with their parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from simulator.presenters.sentences.both import Both

STATEMENTS: Final[Mapping[str, Both]] = {
    "allBound": Both("{pods}都有了节点", "{pods} {one:?has|have} a node"),
    "boundToNode": Both("{pods}在 {node} 上", "{pods} {one:?is|are} on {node}"),
    "boundToNodeWith": Both(
        "{pods}在带标签 {node_labels:labels} 的节点上",
        "{pods} {one:?is on a node|are on nodes} with {node_labels:labels}",
    ),
    "notBound": Both("{pods}仍在等待，没有节点", "{pods} {one:?waits and has|wait and have} no node"),
    "finished": Both("{pods}运行成功结束", "{pods} {one:?has|have} succeeded"),
    "podCount": Both("{where}上有{pods}：{range}个", "on {where}: {range} of {pods}"),
    "sameDomain": Both("{pods}在同一个节点上", "{pods} {one:?is|are} on one node"),
    "sameDomain.key": Both("{pods}在同一个 {topology_key} 里", "{pods} {one:?is|are} in one {topology_key}"),
    "maxPerDomain": Both("{pods}每个节点最多 {at_most} 个", "{pods}: at most {at_most} on each node"),
    "maxPerDomain.key": Both(
        "{pods}每个 {topology_key} 最多 {at_most} 个", "{pods}: at most {at_most} in each {topology_key}"
    ),
    "binpacked": Both(
        "{pods}一共只用 {at_most_nodes} 个节点", "{pods} {one:?uses|use} {at_most_nodes:|node|nodes} at most"
    ),
    "gangComplete": Both("{gang}全部到位", "{gang} is complete"),
    "gangComplete.size": Both("{gang}有 {size} 个成员拿到节点", "{size:|member|members} of {gang} have a node"),
    "gangDeadlock": Both(
        "{gang}卡住：一部分占着节点，其余没有位置", "{gang} is stuck: some hold nodes, the rest find no room"
    ),
    "gangDeadlock.bound": Both(
        "{gang}卡住：正好 {bound} 个占着节点，其余没有位置",
        "{gang} is stuck: exactly {bound} hold nodes, the rest find no room",
    ),
    "noneEvicted": Both("{pods}没有被驱逐", "{pods} {one:?is|are} not evicted"),
    "evicted": Both("{pods}里有 {at_least} 个被驱逐", "{at_least} of {pods} evicted"),
    "preemptedFor": Both("为{pods}抢占了{victims}", "{victims} preempted for {pods}"),
    "preemptedFor.most": Both(
        "为{pods}抢占了{victims}，最多 {at_most} 个", "{victims} preempted for {pods}, {at_most} at most"
    ),
    "gpuNodesKeptFromCpuPods": Both("GPU 节点上没有不用 GPU 的 Pod", "no Pod without GPUs is on a GPU node"),
    "bandwidth": Both(
        "{pods}的卡一起 all-reduce，总线带宽至少 {at_least} GB/s（单向）",
        "the GPUs of {pods} reach a bus bandwidth of {at_least} GB/s at least (per direction)",
    ),
    "wholeGpusFree": Both("至少空出 {at_least} 张卡", "at least {at_least:|GPU is|GPUs are} free"),
    "wholeNodesFree": Both(
        "至少有 {at_least} 个 GPU 节点整机空闲", "at least {at_least:|GPU node is|GPU nodes are} wholly free"
    ),
    "wholeNodesFree.gpus": Both(
        "至少有 {at_least} 个节点各空出 {gpus} 张卡", "at least {at_least:|node has|nodes have} {gpus:|GPU|GPUs} free"
    ),
    "nodeEmpty": Both("{node} 上没有 Pod", "{node} has no Pods"),
    "nodeCount": Both("集群里至少有 {at_least} 个{which}节点", "there are at least {at_least} {which}nodes"),
    "nodeTainted": Both("{where}有污点 {taint}", "{where} has the taint {taint}"),
    "winner": Both("{pod} 按总分选中 {node}", "{node} wins {pod} by its total"),
    "totalScore": Both("{pod} 的最高总分{range}", "the highest total for {pod} is {range}"),
    "eventSeen": Both("出现事件 {reason}", "an Event {reason} was written"),
    "eventSeen.pods": Both("{pods}出现事件 {reason}", "an Event {reason} about {pods} was written"),
    "usedProfile": Both("调度器配置启用了 {plugin}", "a profile has {plugin} enabled"),
    "usedProfile.off": Both("调度器配置停用了 {plugin}", "a profile has {plugin} disabled"),
    "usedProfile.weight": Both(
        "调度器配置里 {plugin} 的权重是 {weight}", "a profile gives {plugin} the weight {weight}"
    ),
    "withinTime": Both("在 {seconds:seconds}内完成", "done within {seconds:seconds}"),
}

PODS: Final[Mapping[str, Both]] = {
    "every": Both("所有 Pod", "all Pods"),
    "name": Both("Pod {name}", "Pod {name}"),
    "labels": Both("带 {labels:labels} 的 Pod", "Pods with {labels:labels}"),
    "namespace": Both("命名空间 {namespace} 的 Pod", "Pods of namespace {namespace}"),
}
"""Which Pods a goal means."""

PIECES: Final[Mapping[str, Both]] = {
    "gang": Both("PodGroup {pod_group}", "pod group {pod_group}"),
    "gang.pods": Both("{pods}这一组", "the gang of {pods}"),
    "at_least": Both("至少 {least}", "at least {least}"),
    "at_most": Both("至多 {most}", "at most {most}"),
    "between": Both("{least} 到 {most}", "{least} to {most}"),
    "equals": Both("是 {equals}", "{equals}"),
    "node": Both("{node}", "{node}"),
    "nodes.labels": Both("带 {labels:labels} 的节点", "nodes with {labels:labels}"),
    "nodes.every": Both("任意节点", "any node"),
    "nodes.all": Both("每个节点都", "every node"),
    "which.gpus": Both("有 {gpus} 张卡的", "{gpus}-GPU "),
    "which.labels": Both("带 {labels:labels} 的", "{labels:labels} "),
}
"""Pieces of statements."""

PROGRESS: Final[Mapping[str, Both]] = {
    "goal.no_pods": Both("还没有这样的 Pod", "there are no such Pods yet"),
    "goal.pods_left": Both("还差 {pods:list}", "still missing: {pods:list}"),
    "goal.pods_bound": Both("{pods:list} 已有节点", "{pods:list} has a node"),
    "goal.evicted": Both("被驱逐的有 {pods:list}", "evicted: {pods:list}"),
    "goal.nobody_evicted": Both("还没有谁为它被驱逐", "nobody was evicted for it yet"),
    "goal.in_the_way": Both("碍事的是 {pods:list}", "in the way: {pods:list}"),
    "goal.no_gpu_nodes": Both("还没有 GPU 节点", "there are no GPU nodes yet"),
    "goal.gang": Both(
        "{size} 个里到位 {bound} 个，还差 {pods:list}", "{bound} of {size} have a node, still missing: {pods:list}"
    ),
    "goal.deadlock": Both(
        "{size} 个里 {bound} 个占着节点，{waiting} 个在等，其中 {stuck} 个是因为资源不够",
        "{bound} of {size} hold nodes, {waiting} wait, {stuck} of them for lack of room",
    ),
    "goal.bandwidth": Both("现在 {have:decimal} GB/s", "{have:decimal} GB/s now"),
    "goal.one_gpu": Both("只有一张卡，不需要通信", "a single GPU has nobody to talk to"),
    "goal.number": Both("现在是 {have}，要 {wanted}", "{have} now, {wanted} wanted"),
    "goal.number_most": Both("现在是 {have}，最多 {most}", "{have} now, {most} at most"),
    "goal.no_node": Both("没有节点 {node}", "there is no node {node}"),
    "goal.too_many": Both("{domain} 里有 {have} 个，最多 {most} 个", "{domain} has {have}, {most} at most"),
    "goal.domains": Both("分散在 {domains:list}", "spread over {domains:list}"),
    "goal.not_seen": Both("还没有出现事件 {reason}", "no Event {reason} so far"),
    "goal.not_tried": Both("{pod} 还没有被调度过", "{pod} has not been tried yet"),
    "goal.other_winner": Both("还没有节点选中它", "no node has won it yet"),
    "goal.other_winner.unscored": Both("它去了 {node}，但不是按总分选的", "it went to {node}, but not by its total"),
    "goal.other_winner.other": Both("总分最高的是 {node}", "{node} had the highest total"),
    "goal.not_scored": Both("{pod} 上次调度没有打分", "{pod} was not scored at its last attempt"),
    "goal.total": Both("最高总分是 {score}", "the highest total is {score}"),
    "goal.elapsed": Both("已经过了 {elapsed:duration}", "{elapsed:duration} have passed"),
    "goal.profile": Both("现在的配置里不是这样", "no profile has it so now"),
}
"""How far a goal is."""

STATES: Final[Mapping[str, Both]] = {
    "open": Both("未达成", "open"),
    "reached": Both("已达成", "reached"),
    "kept": Both("目前满足", "kept so far"),
    "lost": Both("已无法达成", "lost"),
}

PROBLEMS: Final[Mapping[str, Both]] = {
    "goal.unknown_kind": Both("没有这种目标；可用的有 {kinds}", "there is no such kind of goal; known are {kinds}"),
    "goal.unknown_field": Both("没有字段 {field}，请检查拼写", "there is no field {field} here; check its spelling"),
    "goal.missing_field": Both("缺少字段 {field}", "the field {field} is missing"),
    "goal.type": Both("类型不对，应为{wanted:wanted}", "of the wrong type, should be {wanted:wanted}"),
    "goal.length": Both("长度要在 1 到 {most} 个字符之间", "must have 1 to {most} characters"),
    "goal.range": Both("要在 {least} 到 {most} 之间", "must be from {least} to {most}"),
    "goal.empty": Both("不能为空", "must not be empty"),
    "goal.one_of": Both("至少要写 {fields} 之一", "needs one of {fields}"),
}
"""What is wrong with a goal."""

WANTED: Final[Mapping[str, Both]] = {
    "text": Both("文本", "a text"),
    "string": Both("文本", "a text"),
    "number": Both("整数", "a whole number"),
    "integer": Both("整数", "a whole number"),
    "truth": Both("true 或 false", "true or false"),
    "boolean": Both("true 或 false", "true or false"),
    "mapping": Both("键值映射", "a mapping"),
    "object": Both("键值映射", "a mapping"),
    "list": Both("列表", "a list"),
    "array": Both("列表", "a list"),
    "null": Both("空值", "null"),
}
"""Names of the types of parameters."""
