"""Why a plugin or the framework said no: a clause for every reason code of `framework/messages.py`.

Clauses about nodes go on from the node's name; the others stand alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from simulator.presenters.sentences.both import Both

REASONS: Final[Mapping[str, Both]] = {
    "scheduling_gates.gated": Both(
        "调度门（scheduling gate）还没有全部移除：{gates}", "its scheduling gates are not all removed: {gates}"
    ),
    "node_unschedulable.cordoned": Both("节点已被封锁（cordon）", "the node is cordoned"),
    "node_name.other": Both("Pod 指定了另一个节点", "the Pod names another node"),
    "taint_toleration.untolerated": Both(
        "节点有 Pod 不容忍的污点", "the node has a taint that the Pod does not tolerate"
    ),
    "node_affinity.pod": Both(
        "节点不满足 Pod 的 nodeSelector 或节点亲和性", "the node does not match the Pod's node selector or affinity"
    ),
    "node_affinity.enforced": Both(
        "节点不满足调度器配置里附加的节点亲和性", "the node does not match the affinity that the profile adds"
    ),
    "node_affinity.conflict": Both(
        "Pod 的亲和性条件互相矛盾，没有节点名能同时满足",
        "the Pod's affinity terms contradict each other: no node name meets them",
    ),
    "node_affinity.invalid": Both(
        "Pod 的节点亲和性无法读取：{error}", "the Pod's node affinity cannot be read: {error}"
    ),
    "node_ports.conflict": Both("Pod 要的主机端口已被占用", "a host port that the Pod wants is taken"),
    "node_resources_fit.too_many_pods": Both("节点的 Pod 名额已满", "the node has no Pod slot left"),
    "node_resources_fit.insufficient": Both("剩余的 {resource:name} 不够", "there is not enough {resource:name} left"),
    "volume_restrictions.claim_not_found": Both(
        "找不到 PersistentVolumeClaim {claim}", "PersistentVolumeClaim {claim} does not exist"
    ),
    "volume_restrictions.disk": Both(
        "Pod 要独占的磁盘正被该节点上的另一个 Pod 使用", "a disk that the Pod needs for itself is in use by a Pod there"
    ),
    "volume_restrictions.in_use": Both(
        "ReadWriteOncePod 的存储声明正被另一个 Pod 使用",
        "another Pod uses the claim that only one Pod may use (ReadWriteOncePod)",
    ),
    "volume_restrictions.no_state": Both(
        "VolumeRestrictions 缺少 PreFilter 阶段的数据", "VolumeRestrictions lacks what PreFilter should have left it"
    ),
    "node_volume_limits.exceeded": Both(
        "挂载的卷会超过节点上限", "the node would have more volumes than it may attach"
    ),
    "node_volume_limits.claim_not_found": Both(
        "找不到 PersistentVolumeClaim {namespace}/{claim}", "PersistentVolumeClaim {namespace}/{claim} does not exist"
    ),
    "node_volume_limits.claim_without_name": Both("存储声明没有名字", "a volume claim has no name"),
    "node_volume_limits.not_owner": Both(
        "存储声明 {namespace}/{claim} 不是为这个 Pod 创建的", "claim {namespace}/{claim} was not made for this Pod"
    ),
    "node_volume_limits.not_translated": Both(
        "卷 {volume} 无法转换为 CSI：{error}", "volume {volume} cannot be translated to CSI: {error}"
    ),
    "node_volume_limits.no_driver": Both("节点没有安装 CSI 驱动 {driver}", "the node lacks the CSI driver {driver}"),
    "volume_binding.claim_not_found": Both(
        "找不到 PersistentVolumeClaim {claim}", "PersistentVolumeClaim {claim} does not exist"
    ),
    "volume_binding.ephemeral": Both(
        "临时卷的 PersistentVolumeClaim {claim} 尚未创建", "the claim {claim} of an ephemeral volume is not there yet"
    ),
    "volume_binding.lost": Both(
        "存储声明 {claim} 绑定的卷 {volume} 已不存在", "claim {claim} is bound to the volume {volume}, which is gone"
    ),
    "volume_binding.deleting": Both("存储声明 {claim} 正在被删除", "claim {claim} is being deleted"),
    "volume_binding.not_owner": Both(
        "存储声明 {namespace}/{claim} 不是为这个 Pod 创建的", "claim {namespace}/{claim} was not made for this Pod"
    ),
    "volume_binding.no_binding_mode": Both(
        "StorageClass {storage_class} 没有设置 volumeBindingMode",
        "StorageClass {storage_class} has no volumeBindingMode",
    ),
    "volume_binding.not_translated": Both("卷无法转换为 CSI：{error}", "a volume cannot be translated to CSI: {error}"),
    "volume_binding.no_state": Both(
        "VolumeBinding 缺少 PreFilter 阶段的数据", "VolumeBinding lacks what PreFilter should have left it"
    ),
    "volume_binding.unbound_immediate": Both(
        "有立即绑定模式的存储声明还没有绑定到卷", "a claim that should be bound at once has no volume yet"
    ),
    "volume_binding.node_conflict": Both("该节点访问不到已绑定的卷", "a bound volume is out of the node's reach"),
    "volume_binding.no_volume": Both(
        "没有可用的卷，也无法在该节点创建新卷", "there is no free volume, and none can be made for this node"
    ),
    "volume_binding.no_space": Both("存储空间不足，无法创建新卷", "there is not enough free storage for a new volume"),
    "volume_binding.volume_not_found": Both(
        "存储声明绑定的卷不存在", "a claim is bound to a volume that does not exist"
    ),
    "volume_zone.conflict": Both("卷与节点不在同一个可用区", "a volume is in another zone than the node"),
    "volume_zone.claim_without_name": Both("存储声明没有名字", "a volume claim has no name"),
    "volume_zone.claim_without_volume": Both(
        "存储声明既没有卷，也没有 StorageClass", "a claim has neither a volume nor a StorageClass"
    ),
    "volume_zone.no_binding_mode": Both(
        "StorageClass {storage_class} 没有设置 volumeBindingMode",
        "StorageClass {storage_class} has no volumeBindingMode",
    ),
    "volume_zone.volume_without_name": Both(
        "立即绑定模式的存储声明还没有卷", "a claim that should be bound at once names no volume"
    ),
    "volume_zone.not_found": Both("找不到 {kind} {name}", "{kind} {name} does not exist"),
    "pod_topology_spread.skew": Both(
        "放在这里会使拓扑分布偏差超过 maxSkew", "placing the Pod here would spread its kind too unevenly (maxSkew)"
    ),
    "pod_topology_spread.missing_label": Both(
        "节点没有拓扑分布约束要求的标签", "the node lacks the label of a topology spread constraint"
    ),
    "inter_pod_affinity.affinity": Both(
        "所在拓扑域里没有 Pod 要求靠近的 Pod", "its domain has no Pod of the kind that the Pod wants to be near"
    ),
    "inter_pod_affinity.anti_affinity": Both(
        "所在拓扑域里有 Pod 要求远离的 Pod", "its domain has a Pod that the Pod wants to be away from"
    ),
    "inter_pod_affinity.existing_anti_affinity": Both(
        "所在拓扑域里已有的 Pod 要求远离这个 Pod", "a Pod in its domain wants to be away from this Pod"
    ),
    "node_declared_features.missing": Both(
        "节点没有声明 Pod 需要的 kubelet 特性", "the node does not declare a kubelet feature that the Pod needs"
    ),
    "dynamic_resources.no_claim": Both(
        "Pod {pod} 的 ResourceClaim 还没有创建", "the ResourceClaim of Pod {pod} is not created yet"
    ),
    "dynamic_resources.no_claims": Both("没有可以释放的 ResourceClaim", "there is no ResourceClaim to deallocate"),
    "dynamic_resources.no_state": Both(
        "DynamicResources 缺少 PreFilter 阶段的数据", "DynamicResources lacks what PreFilter should have left it"
    ),
    "default_preemption.never": Both(
        "Pod 的 preemptionPolicy 是 Never，不允许抢占", "the Pod may not preempt: its preemptionPolicy is Never"
    ),
    "default_preemption.terminating": Both(
        "提名节点上已有被抢占的 Pod 正在退出，先等它",
        "a victim on the nominated node is still terminating; the Pod waits for it",
    ),
    "default_preemption.no_victims": Both(
        "节点上没有优先级更低的 Pod 可以驱逐", "the node has no Pod of lower priority to evict"
    ),
    "default_preemption.not_helpful": Both("驱逐 Pod 也无济于事", "evicting Pods would not help there"),
    "default_preemption.running": Both("正在等待它发起的抢占完成", "its own preemption is still being carried out"),
    "default_preemption.prefixed": Both("抢占：{message}", "preemption: {message}"),
    "default_preemption.group_missing": Both("Pod 所属的 PodGroup 不存在", "the Pod's PodGroup does not exist"),
    "default_preemption.group_placement": Both(
        "有拓扑约束的 PodGroup 不支持抢占", "pod groups with topology constraints cannot preempt"
    ),
    "default_preemption.group_aware": Both(
        "已启用整组抢占，单个 Pod 不再抢占", "whole groups preempt here, single members do not"
    ),
    "default_preemption.group_running": Both(
        "正在等待该组发起的抢占完成", "the group's preemption is still being carried out"
    ),
    "default_preemption.no_victim_left": Both("节点 {node} 上没有剩下要驱逐的 Pod", "no victim is left on node {node}"),
    "default_preemption.no_candidate": Both("没有可供抢占的候选节点", "there is no candidate node for preemption"),
    "gang_scheduling.no_group": Both("PodGroup {group} 还没有创建", "PodGroup {group} is not there yet"),
    "gang_scheduling.too_few": Both(
        "这一组到齐的 Pod 还不到 minCount", "fewer Pods than minCount of its gang are there"
    ),
    "gang_scheduling.waiting": Both(
        "等待同组至少 minCount 个 Pod 都拿到节点", "it waits until minCount Pods of its gang have a node"
    ),
    "topology_placement.no_group": Both("找不到 PodGroup {group}", "PodGroup {group} does not exist"),
    "topology_placement.no_node": Both(
        "Pod 组成员 {pod} 所在的节点 {node} 已经不在了", "the node {node} of the member {pod} is gone"
    ),
    "topology_placement.two_domains": Both(
        "该组已调度的 Pod 分散在多个域里：{first}、{second}",
        "scheduled Pods of the group are in several domains: {first}, {second}",
    ),
    "topology_placement.no_domain": Both(
        "已调度的 Pod {pod} 所在的节点没有该组要求的拓扑标签",
        "the node of the scheduled Pod {pod} lacks the topology label of its group",
    ),
    "pod_group.unschedulable": Both("整个 PodGroup 放不下", "the pod group as a whole cannot be placed"),
    "pod_group.waiting_on_preemption": Both(
        "PodGroup 正在等待抢占完成", "the pod group waits for its preemption to complete"
    ),
    "pod_group.no_placements": Both("找不到可行的放置域", "no placement is feasible"),
    "pod_group.placements": Both(
        "{count} 个放置域都不行，第一个的原因：{status}", "none of {count} placements will do; the first says: {status}"
    ),
    "pod_group.scheduler_names": Both(
        "同一个 PodGroup 里的 Pod 用了不同的调度器：{first} 和 {second}",
        "Pods of one group name different schedulers: {first} and {second}",
    ),
    "pod_group.other_failed": Both("同组另一个 Pod 调度出错：{error}", "another Pod of the group failed: {error}"),
    "pod_group.no_preemption_plugin": Both(
        "没有启用 DefaultPreemption，不能整组抢占", "DefaultPreemption is off, so the group cannot preempt"
    ),
    "pod_group.no_preemption_constraints": Both(
        "有调度约束的 PodGroup 不支持整组抢占", "groups with scheduling constraints cannot preempt"
    ),
    "pod_group.never": Both(
        "组内有 Pod 的 preemptionPolicy 是 Never，不允许抢占",
        "the group may not preempt: a member's preemptionPolicy is Never",
    ),
    "pod_group.no_victims": Both("没有优先级更低、可以驱逐的 Pod", "there are no Pods of lower priority to evict"),
    "extender.failed": Both("扩展器（extender）调用失败：{message}", "an extender failed: {message}"),
    "extender.rejected": Both("扩展器（extender）拒绝了该节点：{message}", "an extender rejected the node: {message}"),
    "framework.permit_wait": Both("有插件要求等待，没有插件拒绝", "some plugin asks to wait and none rejects the Pod"),
    "framework.unsatisfied": Both("节点不在 {plugins} 圈定的范围内", "the node is outside what {plugins} allows"),
    "framework.disjoint": Both("{plugins} 圈定的节点没有交集", "the nodes that {plugins} allow have nothing in common"),
    "framework.disjoint_one": Both("{plugin} 没有留下任何节点", "{plugin} leaves no node"),
    "framework.no_nodes": Both("集群里没有节点", "the cluster has no nodes"),
    "framework.pre_filter": Both("PreFilter 插件 {plugin} 出错：{error}", "PreFilter plugin {plugin} failed: {error}"),
    "framework.filter": Both("Filter 插件 {plugin} 出错：{error}", "Filter plugin {plugin} failed: {error}"),
    "framework.pre_score": Both("PreScore 插件 {plugin} 出错：{error}", "PreScore plugin {plugin} failed: {error}"),
    "framework.score": Both("Score 插件 {plugin} 出错：{error}", "Score plugin {plugin} failed: {error}"),
    "framework.invalid_score": Both(
        "插件 {plugin} 给出了 0 到 100 以外的分数 {score}",
        "plugin {plugin} gave the score {score}, which is not in 0..100",
    ),
    "framework.reserve": Both("Reserve 插件 {plugin} 出错：{error}", "Reserve plugin {plugin} failed: {error}"),
    "framework.permit": Both("Permit 插件 {plugin} 出错：{error}", "Permit plugin {plugin} failed: {error}"),
    "framework.pre_bind": Both("PreBind 插件 {plugin} 出错：{error}", "PreBind plugin {plugin} failed: {error}"),
    "framework.bind": Both("Bind 插件 {plugin} 出错：{error}", "Bind plugin {plugin} failed: {error}"),
    "framework.permit_timeout": Both(
        "在 {plugin} 处等待 {duration} 后超时", "it waited {duration} at {plugin}, which is too long"
    ),
    "framework.preempted_while_waiting": Both("在 Permit 等待时被抢占", "it was preempted while it waited at Permit"),
    "framework.removed_while_waiting": Both("在 Permit 等待时被删除", "it was deleted while it waited at Permit"),
    "taint_toleration.no_state": Both(
        "TaintToleration 缺少 PreScore 阶段的数据", "TaintToleration lacks what PreScore should have left it"
    ),
    "node_ports.no_state": Both(
        "NodePorts 缺少 PreFilter 阶段的数据", "NodePorts lacks what PreFilter should have left it"
    ),
    "node_resources_fit.no_state": Both(
        "NodeResourcesFit 缺少 PreFilter 阶段的数据", "NodeResourcesFit lacks what PreFilter should have left it"
    ),
    "pod_topology_spread.no_state": Both(
        "PodTopologySpread 缺少 PreFilter 阶段的数据", "PodTopologySpread lacks what PreFilter should have left it"
    ),
    "pod_topology_spread.no_score_state": Both(
        "PodTopologySpread 缺少 PreScore 阶段的数据", "PodTopologySpread lacks what PreScore should have left it"
    ),
    "inter_pod_affinity.no_state": Both(
        "InterPodAffinity 缺少 PreFilter 阶段的数据", "InterPodAffinity lacks what PreFilter should have left it"
    ),
    "inter_pod_affinity.no_score_state": Both(
        "InterPodAffinity 缺少 PreScore 阶段的数据", "InterPodAffinity lacks what PreScore should have left it"
    ),
    "node_declared_features.no_state": Both(
        "NodeDeclaredFeatures 缺少 PreFilter 阶段的数据",
        "NodeDeclaredFeatures lacks what PreFilter should have left it",
    ),
    "node_resource_topology_match.init_container": Both(
        "初始化容器要的资源不能都在一个 NUMA 节点上", "the resources of an init container are not free on one NUMA node"
    ),
    "node_resource_topology_match.container": Both(
        "容器要的资源不能都在一个 NUMA 节点上", "the resources of a container are not free on one NUMA node"
    ),
    "node_resource_topology_match.pod": Both(
        "Pod 要的资源不能都在一个 NUMA 节点上", "the Pod's resources are not free on one NUMA node"
    ),
    "user_rule.rejected": Both("自定义规则拒绝了该节点：{message}", "a rule of this lab rejected the node: {message}"),
    "user_rule.failed": Both("自定义规则出错：{message}", "a rule of this lab failed: {message}"),
}
