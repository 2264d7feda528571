"""What the API server objects to, part 2: resources, containers, Pods and their volumes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from simulator.presenters.sentences.both import Both

PODS: Final[Mapping[str, Both]] = {
    # resources
    "resource.not_standard": Both(
        "要写标准资源名，或带前缀的名字，例如 nvidia.com/gpu",
        "write a standard resource, or one with a prefix such as nvidia.com/gpu",
    ),
    "resource.not_container": Both("容器不能请求这种资源", "containers cannot request this resource"),
    "resource.not_extended": Both(
        "扩展资源名的写法不对，例如 nvidia.com/gpu", "not the name of an extended resource, such as nvidia.com/gpu"
    ),
    "resource.equal_limit": Both(
        "{resource} 的请求必须等于上限 {limit}", "the request of {resource} must equal its limit {limit}"
    ),
    "resource.over_limit": Both(
        "{resource} 的请求不能超过上限 {limit}", "the request of {resource} must not exceed its limit {limit}"
    ),
    "resource.limit_required": Both(
        "这种资源（例如 GPU）必须写 limits", "this resource (a GPU, for example) needs a limit"
    ),
    "resource.huge_pages_alone": Both("请求大页时还要请求 cpu 或 memory", "huge pages need cpu or memory beside them"),
    "resource.huge_pages_multiple": Both(
        "{quantity} 不是 {resource} 页大小的正整数倍", "{quantity} is no whole multiple of {resource}"
    ),
    "resource.pod_claims": Both("Pod 级的 resources 里不能写 claims", "claims cannot be given at Pod level"),
    "resource.below_aggregate": Both(
        "不能小于各容器请求之和 {aggregate}", "must not be less than what the containers request together, {aggregate}"
    ),
    "resource.limit_below_aggregate": Both(
        "不能小于各容器上限之和 {aggregate}", "must not be less than the containers' limits together, {aggregate}"
    ),
    "resource.over_pod_limit": Both("不能超过 Pod 的上限 {limit}", "must not exceed the Pod's limit {limit}"),
    "resource.claim_unknown": Both(
        "要写 spec.resourceClaims 里有的名字{names}", "must be a name of spec.resourceClaims{names}"
    ),
    "resource.claim_both": Both(
        "resourceClaimName 和 resourceClaimTemplateName 只能写一个",
        "resourceClaimName and resourceClaimTemplateName exclude each other",
    ),
    "resource.claim_neither": Both(
        "要写 resourceClaimName 或 resourceClaimTemplateName", "needs resourceClaimName or resourceClaimTemplateName"
    ),
    "resource.valid_quantity": Both("要写资源数量，例如 1、500m、16Gi", "write a quantity, such as 1, 500m or 16Gi"),
    "resource.exactly_or_first": Both(
        "exactly 和 firstAvailable 要写且只写一个", "needs exactly one of exactly and firstAvailable"
    ),
    "resource.count_with_all": Both("allocationMode 是 All 时不能写 count", "allocationMode: All takes no count"),
    # containers
    "container.host_port": Both(
        "hostNetwork 为 true 时 hostPort 必须等于 containerPort",
        "with hostNetwork the host port must equal the container port",
    ),
    "container.whitespace": Both("开头和结尾不能有空白", "must not begin or end with white space"),
    "container.rules_need_policy": Both("写重启规则时要写 restartPolicy", "restart rules need a restartPolicy"),
    "container.exit_codes": Both("必须写 exitCodes", "needs exitCodes"),
    "container.rules_with_always": Both(
        "restartPolicy 是 Always 时不能写重启规则", "restartPolicy: Always takes no restart rules"
    ),
    "container.init_only": Both(
        "只有 restartPolicy: Always 的初始化容器才能写", "only init containers with restartPolicy: Always may have it"
    ),
    "container.resize_never": Both(
        "restartPolicy 是 Never 时必须是 NotRequired", "with restartPolicy: Never it must be NotRequired"
    ),
    "container.one_handler": Both("只能写一种处理方式", "only one kind of handler can be given"),
    "container.no_handler": Both(
        "要写一种处理方式（exec、httpGet、tcpSocket、grpc）", "needs a handler (exec, httpGet, tcpSocket or grpc)"
    ),
    "container.sleep": Both(
        "不能是负数，且要小于 terminationGracePeriodSeconds（{grace}）",
        "must not be negative and less than terminationGracePeriodSeconds ({grace})",
    ),
    "container.success_threshold": Both("必须是 1", "must be 1"),
    "container.readiness_grace": Both("就绪探针不能写这个", "readiness probes cannot have it"),
    "container.env_source": Both("valueFrom 要写一种来源", "valueFrom needs a source"),
    "container.env_value": Both("value 不为空时不能写 valueFrom", "valueFrom cannot stand beside a value"),
    "container.one_source": Both("只能写一种来源", "only one source can be given"),
    "container.env_from": Both("要写 configMapRef 或 secretRef", "needs configMapRef or secretRef"),
    "container.subscript": Both("这个字段不支持下标", "this field takes no subscript"),
    "container.divisor_cpu": Both("cpu 的 divisor 只能是 1m 或 1", "for cpu the divisor is 1m or 1"),
    "container.divisor_memory": Both(
        "memory 的 divisor 只能是 1、1k、1Mi 这样的单位", "for memory the divisor is a unit such as 1, 1k or 1Mi"
    ),
    "container.divisor_storage": Both(
        "临时存储的 divisor 只能是 1、1k、1Mi 这样的单位",
        "for ephemeral storage the divisor is a unit such as 1, 1k or 1Mi",
    ),
    "container.divisor_huge_pages": Both(
        "大页的 divisor 只能是 1、1k、1Mi 这样的单位", "for huge pages the divisor is a unit such as 1, 1k or 1Mi"
    ),
    "container.unique": Both("不能重复", "must be unique"),
    "container.in_devices": Both("已经在 volumeDevices 里了", "is among the volumeDevices already"),
    "container.path_in_devices": Both(
        "这个路径已经在 volumeDevices 里了", "this path is among the volumeDevices already"
    ),
    "container.in_mounts": Both("已经在 volumeMounts 里了", "is among the volumeMounts already"),
    "container.path_in_mounts": Both("这个路径已经在 volumeMounts 里了", "this path is among the volumeMounts already"),
    "container.image_sub_path": Both("镜像卷不能写 subPath", "image volumes take no subPath"),
    "container.sub_path_both": Both("subPath 和 subPathExpr 只能写一个", "subPath and subPathExpr exclude each other"),
    "container.device_source": Both(
        "块设备只能来自 PersistentVolumeClaim 或临时卷",
        "a block device comes from a PersistentVolumeClaim or an ephemeral volume",
    ),
    "container.backsteps": Both("路径里不能有 ..", "the path must not have .. in it"),
    "container.ephemeral_field": Both("临时容器不能写这个字段", "ephemeral containers cannot have it"),
    "container.privileged_escalation": Both(
        "privileged 为 true 时不能把 allowPrivilegeEscalation 设为 false",
        "allowPrivilegeEscalation cannot be false with privileged: true",
    ),
    "container.admin_escalation": Both(
        "加了 CAP_SYS_ADMIN 时不能把 allowPrivilegeEscalation 设为 false",
        "allowPrivilegeEscalation cannot be false with CAP_SYS_ADMIN",
    ),
    "container.unmasked": Both(
        "procMount 是 Unmasked 时 hostUsers 必须是 false", "procMount: Unmasked needs hostUsers: false"
    ),
    "container.propagation": Both(
        "只有特权容器能用 Bidirectional 挂载传播", "only privileged containers can have Bidirectional propagation"
    ),
    "container.recursive_read_only": Both("只有 readOnly 为 true 时才能写", "needs readOnly: true"),
    # Pods
    "pod.host_users": Both("hostUsers 是 false 时不能用", "is not possible with hostUsers: false"),
    "pod.gates_and_node": Both(
        "还有调度门时不能写 nodeName", "nodeName cannot be set while there are scheduling gates"
    ),
    "pod.ephemeral_on_create": Both("创建 Pod 时不能带临时容器", "a Pod cannot be created with ephemeral containers"),
    "pod.ephemeral_in_template": Both("Pod 模板里不能有临时容器", "a Pod template cannot have ephemeral containers"),
    "pod.cannot_be_empty": Both("不能为空", "must not be empty"),
    "pod.share_and_host_pid": Both(
        "shareProcessNamespace 和 hostPID 不能同时为 true", "shareProcessNamespace and hostPID exclude each other"
    ),
    "pod.sysctl": Both("sysctl 名字的写法不对", "not the name of a sysctl"),
    "pod.deletion_cost": Both("要写 32 位整数", "must be a 32-bit number"),
    "pod.mirror": Both("镜像 Pod 必须写 nodeName", "a mirror Pod needs a nodeName"),
    "pod.profile_type": Both("写了 {profile} 就要写 type", "{profile} needs a type"),
    "pod.localhost_required": Both(
        "{profile} 的 type 是 Localhost 时必须写", "must be given when the type of {profile} is Localhost"
    ),
    "pod.localhost_only": Both(
        "只有 {profile} 的 type 是 Localhost 时才能写", "goes only with type Localhost of {profile}"
    ),
    "pod.dns_required": Both("dnsPolicy 是 None 时必须写 dnsConfig", "dnsPolicy: None needs dnsConfig"),
    "pod.nameserver_required": Both(
        "dnsPolicy 是 None 时至少要写一个 nameserver", "dnsPolicy: None needs a nameserver"
    ),
    "pod.nameservers": Both("nameserver 最多 {max} 个", "{max} nameservers at most"),
    "pod.search_paths": Both("搜索域最多 {max} 个", "{max} search paths at most"),
    "pod.search_chars": Both("搜索域一共最多 {max} 个字符", "the search paths have {max} characters at most"),
    "pod.token_needs_account": Both("要先写 serviceAccountName", "needs a serviceAccountName"),
    "pod.hostname_override": Both("写了 {other} 就不能写", "cannot stand beside {other}"),
    # volumes
    "volume.none": Both("要写一种卷类型", "needs a type of volume"),
    "volume.second": Both("一个卷只能有一种类型", "a volume has only one type"),
    "volume.size_limit": Both("sizeLimit 要写数量，例如 1Gi", "sizeLimit must be a quantity such as 1Gi"),
    "volume.created_claim": Both(
        "不能引用为临时卷自动创建的 PVC", "must not refer to a claim that is made for an ephemeral volume"
    ),
    "volume.claim_name": Both(
        "自动创建的 PVC 名字 {name} 不合法：{text}", "the claim's name {name} is not allowed: {text}"
    ),
    "volume.relative": Both("要写相对路径", "must be a relative path"),
    "volume.no_backsteps": Both("路径里不能有 ..", "must not have .. in it"),
    "volume.no_backstep_start": Both("不能以 .. 开头", "must not begin with .."),
    "volume.absolute": Both("要写绝对路径", "must be an absolute path"),
    "volume.both_references": Both(
        "fieldRef 和 resourceFieldRef 只能写一个", "fieldRef and resourceFieldRef exclude each other"
    ),
    "volume.no_reference": Both("要写 fieldRef 或 resourceFieldRef", "needs fieldRef or resourceFieldRef"),
    "volume.mode": Both("权限要在 0 到 0777（八进制）之间", "must be from 0 to 0777 (octal)"),
    "volume.one_projection": Both("每个来源只能有一种类型", "each source has only one type"),
    "volume.token_seconds": Both("不能少于 10 分钟（600 秒）", "must be 10 minutes (600 s) at least"),
    "volume.token_seconds_max": Both("不能超过 2^32 秒", "must be 2^32 seconds at most"),
    "volume.fc_one": Both("targetWWNs 和 wwids 要写一个", "needs targetWWNs or wwids"),
    "volume.fc_both": Both("targetWWNs 和 wwids 只能写一个", "targetWWNs and wwids exclude each other"),
    "volume.fc_lun": Both("写了 targetWWNs 就要写 lun", "targetWWNs needs lun"),
    "volume.iqn": Both("要以 iqn、eui 或 naa 开头", "must begin with iqn, eui or naa"),
    "volume.template_field": Both("模板里不能写这个字段", "cannot be given in a template"),
}
