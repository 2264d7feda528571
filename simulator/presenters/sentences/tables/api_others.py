"""What the API server objects to, part 3: storage, disruption budgets, priority classes, workloads, services."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from simulator.presenters.sentences.both import Both

OTHERS: Final[Mapping[str, Both]] = {
    # storage
    "claim.access_modes": Both("至少要写一种访问模式", "needs an access mode"),
    "claim.once_pod": Both(
        "ReadWriteOncePod 不能与别的访问模式一起用", "ReadWriteOncePod takes no other mode beside it"
    ),
    "claim.data_source_kind": Both(
        "默认 apiGroup 下只能引用 PersistentVolumeClaim", "must be PersistentVolumeClaim in the default apiGroup"
    ),
    "claim.spec_immutable": Both(
        "创建之后只能改请求的容量和 volumeAttributesClassName",
        "only the requested size and volumeAttributesClassName can change after creation",
    ),
    "claim.shrink": Both("不能小于现有容量", "must not be less than the present capacity"),
    "persistent_volume.local_affinity": Both("本地卷必须写节点亲和性", "a local volume needs a node affinity"),
    "persistent_volume.affinity_required": Both("节点亲和性必须写 required", "the node affinity needs required"),
    "persistent_volume.recycle_root": Both("挂载 / 的 hostPath 不能用 recycle", "a hostPath of / cannot be recycled"),
    "persistent_volume.source_immutable": Both(
        "卷的来源创建之后不能修改", "the volume's source cannot be changed after creation"
    ),
    "persistent_volume.affinity_immutable": Both(
        "节点亲和性不能修改（只能把 beta 标签换成正式标签）",
        "the node affinity cannot be changed, but for beta labels to their successors",
    ),
    # disruption budgets, priority classes
    "budget.both": Both(
        "minAvailable 和 maxUnavailable 只能写一个", "minAvailable and maxUnavailable exclude each other"
    ),
    "budget.over_100": Both("不能超过 100%", "must be 100% at most"),
    "priority_class.system": Both("system- 开头的名字是系统保留的", "names that begin with system- are reserved"),
    "priority_class.maximum": Both("自定义优先级最大是 {max}", "a priority of your own is {max} at most"),
    "priority_class.value": Both("优先级的值创建之后不能修改", "the value cannot be changed after creation"),
    # workloads
    "workload.active_deadline": Both("{kind} 不支持 activeDeadlineSeconds", "a {kind} has no activeDeadlineSeconds"),
    "workload.deadline_and_ready": Both("必须大于 minReadySeconds", "must be greater than minReadySeconds"),
    "workload.recreate": Both("strategy 是 Recreate 时不能写", "is not allowed with strategy Recreate"),
    "workload.both_zero": Both("maxSurge 是 0 时不能也是 0", "must not be 0 when maxSurge is 0"),
    "workload.completions_indexed": Both("Indexed 模式下最多 {max}", "must be {max} at most in Indexed mode"),
    "workload.indexed_completions": Both("Indexed 模式必须写 completions", "Indexed mode needs completions"),
    "workload.valid_restart": Both(
        "Job 的 restartPolicy 只能是 OnFailure 或 Never", "the restartPolicy of a Job is OnFailure or Never"
    ),
    "workload.choice": Both("必须是 {choices}", "must be {choices}"),
    "workload.indexed_only": Both("只能用于 Indexed 模式", "goes only with Indexed mode"),
    "workload.stateful_update": Both(
        "StatefulSet 只能改副本数、模板、更新策略等少数字段；要改别的，请删除后重建",
        "only replicas, template, update strategy and little else of a StatefulSet can change; delete it and create it anew",
    ),
    # services
    "service.headless": Both(
        "{type} 类型的 Service 不能把 clusterIP 设为 None", "a Service of type {type} cannot have clusterIP: None"
    ),
    "service.external_name": Both(
        "ExternalName 类型的 Service 不能写", "a Service of type ExternalName cannot have it"
    ),
    "service.cluster_ip_port": Both(
        "ClusterIP 类型的 Service 不能写 nodePort", "a Service of type ClusterIP has no nodePort"
    ),
    "service.ips_first": Both("第一个值必须与 clusterIP 相同", "the first must equal clusterIP"),
    "service.ips_empty": Both("没有写 clusterIP 时必须为空", "must be empty without clusterIP"),
    "service.affinity_config": Both("会话保持是 None 时不能写", "is not allowed when the session affinity is None"),
    "service.load_balancer_only": Both("只能用于 LoadBalancer 类型", "goes only with type LoadBalancer"),
    "service.external_policy": Both("只能用于对外的 Service", "goes only with Services reachable from outside"),
    "service.ip_immutable": Both("设置之后不能修改", "cannot be changed once it is set"),
}
