"""What happened: commands and their outcomes, turns of kube-scheduler, turns of all other actors, moves in the queue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from simulator.presenters.sentences.both import Both

CYCLES: Final[Mapping[str, Both]] = {
    "pod.scheduled": Both(
        "{pod} 放到 {node}：{looked_at} 个节点里 {feasible} 个放得下，它总分最高（{total}）",
        "{pod} goes to {node}: {feasible} of {looked_at:|node|nodes} fit, it has the highest total ({total})",
    ),
    "pod.scheduled.only": Both(
        "{pod} 放到 {node}：{looked_at} 个节点里只有它放得下",
        "{pod} goes to {node}, the only one of {looked_at:|node|nodes} that fits",
    ),
    "pod.scheduled.one": Both(
        "{pod} 放到 {node}：只试了这一个节点，放得下", "{pod} goes to {node}, the one node that was tried"
    ),
    "pod.scheduled.tie": Both(
        "{pod} 放到 {node}：{feasible} 个节点放得下，其中 {count} 个并列最高（{total}）",
        "{pod} goes to {node}: {feasible:|node fits|nodes fit}, {count} share the highest total ({total})",
    ),
    "pod.nominated": Both(
        "{pod} 没有位置，抢占 {node}：驱逐 {victims:list}",
        "{pod} finds no room and preempts on {node}: {victims:list} will be evicted",
    ),
    "pod.unschedulable": Both(
        "{pod} 没有放下：看了 {looked_at} 个节点，都不行（{rejectors:list}）",
        "{pod} is not placed: none of {looked_at:|node|nodes} will do ({rejectors:list})",
    ),
    "pod.unschedulable.after": Both(
        "{pod} 选中了 {node}，但之后被拒绝（{rejectors:list}）",
        "{pod} had {node}, but was rejected afterwards ({rejectors:list})",
    ),
    "pod.error": Both("{pod} 调度出错", "scheduling {pod} failed with an error"),
    "pod.waiting": Both("{pod} 占住 {node}，在 Permit 等待", "{pod} holds {node} and waits at Permit"),
    "pod.skipped": Both(
        "跳过 {pod}：它正在被删除，或已在别处", "{pod} is skipped: it is being deleted, or has a node already"
    ),
    "pod.untold": Both("轮到 {pod}，这一轮还没看完", "{pod} has its turn, which is not told to the end yet"),
    "podGroup.scheduled": Both(
        "PodGroup {group} 可以放下：{count} 个成员拿到节点（{members:list}）",
        "pod group {group} is placed: {count:|member|members} got a node ({members:list})",
    ),
    "podGroup.unschedulable": Both(
        "PodGroup {group} 放不下，{count} 个成员都退回队列",
        "pod group {group} cannot be placed: {count:|member goes|members go} back to the queue",
    ),
    "podGroup.waiting": Both(
        "PodGroup {group} 等待抢占完成：驱逐 {victims:list}",
        "pod group {group} waits for its preemption: {victims:list} will be evicted",
    ),
    "podGroup.error": Both("PodGroup {group} 调度出错", "scheduling pod group {group} failed with an error"),
    "permitTimeout": Both("{pod} 在 Permit 等待超时", "{pod} waited too long at Permit"),
    "flush": Both("退避或等待到期，队列动了 {count} 个 Pod", "time is up: {count:|Pod moves|Pods move} in the queue"),
}
"""Turns of kube-scheduler by kind and result."""

NOTES: Final[Mapping[str, Both]] = {
    "kubelet.succeeded": Both(
        "{pod} 在 {node} 上运行结束（Succeeded）", "{pod} has done its work on {node} (Succeeded)"
    ),
    "kubelet.terminated": Both(
        "{pod} 的退出宽限期已到，离开 {node}", "{pod} is gone from {node}: its grace period is over"
    ),
    "kubelet.allocated": Both(
        "kubelet 在 {node} 上启动 {pod}，分给它 GPU {gpus:list}",
        "the kubelet of {node} starts {pod} and gives it GPU {gpus:list}",
    ),
    "kubelet.rejected": Both(
        "{node} 的 kubelet 拒绝了 {pod}：{reason}", "the kubelet of {node} rejects {pod}: {reason}"
    ),
    "device_plugin.updated": Both(
        "{node} 的设备插件上报：{resources:list}", "the device plugin of {node} reports {resources:list}"
    ),
    "device_plugin.updated.failed": Both(
        "{node} 的设备插件上报：GPU {failed:list} 故障，{resources:list}",
        "the device plugin of {node} reports GPU {failed:list} as failed: {resources:list}",
    ),
    "topology_updater.published": Both("{node} 发布了 NUMA 拓扑", "{node} publishes its NUMA topology"),
    "disruption.synced": Both(
        "PDB {key} 现在允许驱逐 {allowed} 个 Pod", "PodDisruptionBudget {key} now allows {allowed:|eviction|evictions}"
    ),
    "node_lifecycle.evicted": Both(
        "{pod} 不容忍 {node} 的 NoExecute 污点，被驱逐",
        "{pod} is evicted from {node}: it does not tolerate a NoExecute taint",
    ),
    "node_lifecycle.tainted": Both("{node} 被封锁，加上污点 {taint}", "{node} is cordoned and gets the taint {taint}"),
    "node_lifecycle.untainted": Both(
        "{node} 解除封锁，去掉污点 {taint}", "{node} is uncordoned and loses the taint {taint}"
    ),
    "volumes.available": Both("卷 {key} 可以使用了", "volume {key} is available"),
    "volumes.claim_made": Both("为临时卷创建了存储声明 {key}", "claim {key} was made for an ephemeral volume"),
    "volumes.provisioned": Both("创建了卷 {key}", "volume {key} was made"),
    "volumes.bound": Both("存储声明 {key} 绑定到卷 {volume}", "claim {key} is bound to volume {volume}"),
    "synced": Both(
        "{controller} {key}：新建 {created} 个 Pod，删除 {deleted} 个",
        "{controller} {key}: {created:|new Pod|new Pods}, {deleted} deleted",
    ),
    "synced.created": Both("{controller} {key} 新建 {created} 个 Pod", "{controller} {key} makes {created:|Pod|Pods}"),
    "synced.deleted": Both(
        "{controller} {key} 删除 {deleted} 个 Pod", "{controller} {key} deletes {deleted:|Pod|Pods}"
    ),
    "synced.status": Both("{controller} {key} 更新了状态", "{controller} {key} brings its status up to date"),
}
"""Turns of other actors, by their note's code; `synced` is what every controller of Pods does."""

CONTROLLERS: Final[Mapping[str, str]] = {
    "replica_set.synced": "ReplicaSet",
    "job.synced": "Job",
    "deployment.synced": "Deployment",
    "stateful_set.synced": "StatefulSet",
    "daemon_set.synced": "DaemonSet",
}
"""Kinds of the controllers that keep Pods, by their note's code."""

COMMANDS: Final[Mapping[str, Both]] = {
    "apply": Both("提交了 {count} 个对象：{objects:list}", "{count:|object|objects} applied: {objects:list}"),
    "delete": Both("删除了 {objects:list}", "{objects:list} deleted"),
    "deleteMany": Both("删除了 {count} 个对象：{objects:list}", "{count:|object|objects} deleted: {objects:list}"),
    "restore": Both("撤销了上一步：{objects:list}", "a step was taken back: {objects:list}"),
    "label": Both("修改了 {objects:list} 的标签", "labels of {objects:list} changed"),
    "annotate": Both("修改了 {objects:list} 的注解", "annotations of {objects:list} changed"),
    "taint": Both("修改了 {objects:list} 的污点", "taints of {objects:list} changed"),
    "cordon": Both("修改了 {objects:list} 的封锁状态", "{objects:list} cordoned or uncordoned"),
    "drain": Both("排空节点：驱逐了 {evicted} 个 Pod", "node drained: {evicted:|Pod|Pods} evicted"),
    "drain.kept": Both(
        "排空节点：驱逐了 {evicted} 个 Pod，{kept:list} 因 PDB 留下",
        "node drained: {evicted:|Pod|Pods} evicted, {kept:list} kept by disruption budgets",
    ),
    "scale": Both("调整了 {objects:list} 的副本数", "{objects:list} scaled"),
    "patch": Both("修改了 {objects:list}", "{objects:list} changed"),
    "rename": Both("节点改名（删除后按新名字创建）：{objects:list}", "a node has another name: {objects:list}"),
    "batch": Both("一次改了 {count} 处：{objects:list}", "{count:|change|changes} at once: {objects:list}"),
    "failGpu": Both("GPU 故障：{objects:list}", "a GPU fails: {objects:list}"),
    "repairGpu": Both("GPU 修复：{objects:list}", "a GPU is repaired: {objects:list}"),
    "setLink": Both("链路变化：{objects:list}", "links change: {objects:list}"),
    "failNic": Both("网卡故障：{objects:list}", "a network card fails: {objects:list}"),
    "repairNic": Both("网卡修复：{objects:list}", "a network card is repaired: {objects:list}"),
    "advance": Both("时钟拨到 {now:clock}", "the clock is set to {now:clock}"),
    "configure": Both("更换了调度器配置", "the scheduler has another configuration"),
    "": Both("执行了命令 {command}", "command {command} carried out"),
}
"""What a person did, by the command's type; "" for types without a sentence of their own."""

OUTCOMES: Final[Mapping[str, Both]] = {
    "created": Both("{object} 已创建", "{object} created"),
    "configured": Both("{object} 已更新", "{object} configured"),
    "unchanged": Both("{object} 没有变化", "{object} unchanged"),
    "deleted": Both("{object} 已删除", "{object} deleted"),
    "evicted": Both("{object} 已驱逐", "{object} evicted"),
    "kept": Both(
        "{object} 留下：PDB {reason} 不允许驱逐", "{object} kept: the disruption budget {reason} allows no eviction"
    ),
}
"""What became of one object."""

MOVED: Final = Both(
    "{pod} 被唤醒：{event:event}，{plugin} 认为值得再试；现在在{queue:queue}",
    "{pod} is woken: {event:event}, and {plugin} finds another try worth while; it is now in {queue:queue}",
)
MOVED_WITHOUT: Final = Both("{pod} 移到{queue:queue}：{event:event}", "{pod} moves to {queue:queue}: {event:event}")
