"""Cluster events that may wake waiting Pods, by kube's label: what happened to which kind of object."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from simulator.presenters.sentences.both import Both

EVENTS: Final[Mapping[str, Both]] = {
    "NodeAdd": Both("有节点加入", "a node was added"),
    "NodeDelete": Both("有节点被删除", "a node was deleted"),
    "NodeUpdateNodeAllocatable": Both("节点的可分配资源有变化", "a node's allocatable resources changed"),
    "NodeUpdateNodeLabel": Both("节点的标签有变化", "a node's labels changed"),
    "NodeUpdateNodeTaint": Both("节点的污点或封锁状态有变化", "a node's taints changed, or it was uncordoned"),
    "NodeUpdateNodeCondition": Both("节点的状况有变化", "a node's conditions changed"),
    "NodeUpdateNodeAnnotation": Both("节点的注解有变化", "a node's annotations changed"),
    "NodeUpdateNodeDeclaredFeature": Both("节点声明的特性有变化", "a node's declared features changed"),
    "PodAdd": Both("有 Pod 出现或拿到节点", "a Pod appeared or got its node"),
    "PodDelete": Both("有 Pod 离开节点", "a Pod left its node"),
    "PodUpdatePodLabel": Both("有 Pod 的标签变化", "a Pod's labels changed"),
    "PodUpdatePodScaleDown": Both("有 Pod 缩小了资源请求", "a Pod's requests were reduced"),
    "PodUpdatePodToleration": Both("Pod 的容忍有变化", "the Pod's tolerations changed"),
    "PodUpdatePodSchedulingGatesEliminated": Both("Pod 的调度门全部移除", "the Pod's last scheduling gate was removed"),
    "PodUpdatePodGeneratedResourceClaim": Both("Pod 的 ResourceClaim 已生成", "the Pod's ResourceClaim was made"),
    "PodUpdate": Both("Pod 有更新", "the Pod was updated"),
    "AssignedPodAdd": Both("有 Pod 拿到了节点", "a Pod got its node"),
    "AssignedPodDelete": Both("有 Pod 离开了节点", "a Pod left its node"),
    "AssignedPodUpdate": Both("节点上的 Pod 有更新", "a Pod on a node was updated"),
    "AssignedPodUpdatePodLabel": Both("节点上的 Pod 标签有变化", "the labels of a Pod on a node changed"),
    "AssignedPodUpdatePodScaleDown": Both("节点上的 Pod 缩小了资源请求", "a Pod on a node reduced its requests"),
    "AssignedPodUpdatePodToleration": Both("节点上的 Pod 容忍有变化", "the tolerations of a Pod on a node changed"),
    "AssignedPodUpdatePodSchedulingGatesEliminated": Both(
        "节点上的 Pod 移除了调度门", "a Pod on a node lost its gates"
    ),
    "UnschedulablePodAdd": Both("有新的待调度 Pod", "a Pod without a node appeared"),
    "UnschedulablePodUpdate": Both("这个 Pod 有更新", "the Pod itself was updated"),
    "UnschedulablePodUpdatePodLabel": Both("这个 Pod 的标签有变化", "the Pod's own labels changed"),
    "UnschedulablePodUpdatePodScaleDown": Both("这个 Pod 缩小了资源请求", "the Pod reduced its own requests"),
    "UnschedulablePodUpdatePodToleration": Both("这个 Pod 的容忍有变化", "the Pod's own tolerations changed"),
    "UnschedulablePodUpdatePodSchedulingGatesEliminated": Both(
        "这个 Pod 的调度门全部移除", "the Pod's last scheduling gate was removed"
    ),
    "*All": Both("任何事件", "anything that happens"),
    "ForceActivate": Both("有插件要求立即重试", "a plugin asked for another try at once"),
    "BackoffComplete": Both("退避时间结束", "its backoff is over"),
    "UnschedulableTimeout": Both("等待超过 5 分钟，定期重试", "nothing has woken it for 5 minutes"),
}

OTHER_KIND: Final[Mapping[str, Both]] = {
    "Add": Both("有 {kind} 创建", "a {kind} was created"),
    "Update": Both("有 {kind} 更新", "a {kind} was changed"),
    "Delete": Both("有 {kind} 删除", "a {kind} was deleted"),
}
"""Events of all other kinds of objects, by action."""
